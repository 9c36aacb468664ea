# inputs: scores (4, 6, 6), slopes (4,)
# accepted: yes
import torch


def relative_bias(scores, slopes):
    n = scores.shape[-1]
    steps = torch.arange(n)
    distance = (steps[None, :] - steps[:, None]).abs()
    return scores - slopes.view(-1, 1, 1) * distance
