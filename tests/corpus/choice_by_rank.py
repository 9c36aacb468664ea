# inputs: x (4, 8)
# accepted: yes
def f(x):
    if x.dim() == 2:
        return x.mean(dim=0)
    return x.mean(dim=(0, 1))
