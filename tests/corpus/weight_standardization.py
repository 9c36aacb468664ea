# inputs: w (6, 3, 3, 3)
# accepted: yes
def standardize(w):
    mean = w.mean(dim=(1, 2, 3), keepdim=True)
    std = w.std(dim=(1, 2, 3), keepdim=True)
    return (w - mean) / (std + 1e-5)
