# inputs: p1 (8,), g1 (8,), s1 (8,), p2 (4,), g2 (4,), s2 (4,)
# accepted: yes
def step_one(p, g, s, lr, alpha, eps):
    s = alpha * s.abs() + (1 - alpha) * g.square()
    return p - lr * g / (s.sqrt() + eps), s


def rmsprop(p1, g1, s1, p2, g2, s2, *, lr=0.01, alpha=0.99, eps=1e-8):
    new_p, new_s = [], []
    for p, g, s in zip([p1, p2], [g1, g2], [s1, s2]):
        p, s = step_one(p, g, s, lr=lr, alpha=alpha, eps=eps)
        new_p.append(p)
        new_s.append(s)
    return (*new_p, *new_s)
