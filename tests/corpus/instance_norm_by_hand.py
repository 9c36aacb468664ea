# inputs: x (2, 3, 6, 6)
# accepted: yes
def instance_norm(x, eps=1e-5):
    mean = x.mean(dim=(2, 3), keepdim=True)
    var = x.var(dim=(2, 3), unbiased=False, keepdim=True)
    return (x - mean) / (var + eps) ** 0.5
