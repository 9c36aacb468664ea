# inputs: x (2, 3, 8, 8)
def tv(x):
    dx = x[:, :, 1:, :] - x[:, :, :-1, :]
    dy = x[:, :, :, 1:] - x[:, :, :, :-1]
    return dx.abs().mean() + dy.abs().mean()
