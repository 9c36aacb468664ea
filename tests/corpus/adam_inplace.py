# inputs: p (8, 4), g (8, 4), m (8, 4), v (8, 4)
# accepted: yes
# fill: uniform
def adam(p, g, m, v, lr=1e-3, beta1=0.9, beta2=0.999, eps=1e-8):
    m.mul_(beta1).add_(g, alpha=1 - beta1)
    v.mul_(beta2).addcmul_(g, g, value=1 - beta2)
    p.addcdiv_(m, v.sqrt().add_(eps), value=-lr)
    return p
