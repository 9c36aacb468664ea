# inputs: p (8, 4), g (8, 4), m (8, 4)
# accepted: yes
def lion(p, g, m, lr=1e-4, b1=0.9, b2=0.99, wd=0.01):
    update = torch.sign(b1 * m + (1 - b1) * g)
    p = p * (1 - lr * wd) - lr * update
    return p, b2 * m + (1 - b2) * g
