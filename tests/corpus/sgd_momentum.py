# inputs: p (8, 4), g (8, 4), buf (8, 4)
# accepted: yes
def sgd(p, g, buf, lr=0.1, momentum=0.9, weight_decay=1e-4, nesterov=True):
    g = g + weight_decay * p if weight_decay != 0 else g
    buf = momentum * buf + g
    step = g + momentum * buf if nesterov else buf
    return p - lr * step, buf
