# inputs: x (4, 8), y (4, 8)
# accepted: yes
def charbonnier(x, y, eps=1e-3):
    return ((x - y) ** 2 + eps * eps).sqrt().mean()
