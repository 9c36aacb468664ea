# inputs: logits (6, 4), old (6, 4), adv (6,), value (6,), ret (6,)
# accepted: yes
import torch
import torch.nn.functional as F


def ppo_loss(logits, old, adv, value, ret, clip=0.2, c1=0.5, c2=0.01):
    action = old.argmax(dim=-1)
    logp = F.log_softmax(logits, -1).gather(-1, action[:, None]).squeeze(-1)
    old_logp = F.log_softmax(old, -1).gather(-1, action[:, None]).squeeze(-1).detach()
    ratio = torch.exp(logp - old_logp)
    surr1 = ratio * adv
    surr2 = torch.clamp(ratio, 1.0 - clip, 1.0 + clip) * adv
    policy = -torch.min(surr1, surr2).mean()
    probs = logits.softmax(-1)
    entropy = -(probs * F.log_softmax(logits, -1)).sum(-1).mean()
    critic = F.smooth_l1_loss(value, ret)
    kl = ((ratio - 1) - (logp - old_logp)).mean()
    return policy + c1 * critic - c2 * entropy, kl, ((ratio - 1.0).abs() > clip).float().mean()
