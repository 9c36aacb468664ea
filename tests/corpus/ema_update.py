# inputs: avg (8, 4), p (8, 4)
# accepted: yes
def ema(avg, p, decay: float = 0.999):
    return decay * avg + (1.0 - decay) * p
