# inputs: logits (3, 16)
# accepted: yes
import torch
import torch.nn.functional as F


def filter_logits(logits, top_k=8, top_p=0.9, temperature=0.7):
    logits = logits / temperature
    top_k = min(top_k, logits.size(-1))
    kth = torch.topk(logits, top_k)[0][..., -1, None]
    logits = logits.masked_fill(logits < kth, float("-inf"))
    ordered, places = torch.sort(logits, descending=True)
    reached = torch.cumsum(F.softmax(ordered, dim=-1), dim=-1)
    remove = reached > top_p
    remove[..., 1:] = remove[..., :-1].clone()
    remove[..., 0] = False
    mask = remove.scatter(1, places, remove)
    return F.softmax(logits.masked_fill(mask, float("-inf")), dim=-1)
