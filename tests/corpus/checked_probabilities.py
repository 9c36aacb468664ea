# inputs: p (4, 5)
# accepted: yes
import torch


def entropy(p):
    q = torch.softmax(p, dim=-1)
    assert (q >= 0).all(), "probabilities are not negative"
    if torch.isnan(q).any():
        raise ValueError("a probability is not a number")
    return -(q * torch.log(q)).sum(-1)
