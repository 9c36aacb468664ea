# inputs: x (8, 3)
# accepted: yes
import torch


def welford(x):
    count = 0
    mean = torch.zeros(x.shape[1])
    m2 = torch.zeros(x.shape[1])
    for row in x:
        count += 1
        delta = row - mean
        mean = mean + delta / count
        m2 = m2 + delta * (row - mean)
    return mean, (m2 / (count - 1)).sqrt()
