import torch
import torch.nn.functional as F


def get_batch_logps(logits, labels):
    labels = labels[:, 1:].clone()
    logits = logits[:, :-1, :]
    loss_mask = labels != -100
    labels[labels == -100] = 0
    per_token_logps = torch.gather(logits.log_softmax(-1), dim=2, index=labels.unsqueeze(2)).squeeze(2)
    return (per_token_logps * loss_mask).sum(-1)


def dpo_loss(policy_logits, ref_logits, labels, beta=0.1):
    p = get_batch_logps(policy_logits, labels)
    r = get_batch_logps(ref_logits, labels)
    n = p.shape[0] // 2
    ratio = (p[:n] - p[n:]) - (r[:n] - r[n:])
    losses = -F.logsigmoid(beta * ratio)
    rewards = beta * (p - r).detach()
    return losses.mean(), rewards


logits = torch.randn(4, 6, 11)
ref = torch.randn(4, 6, 11)
labels = torch.randint(0, 11, (4, 6))
loss, rewards = dpo_loss(logits, ref, labels)
print(loss, rewards)
