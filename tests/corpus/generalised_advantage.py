# inputs: rewards (5, 3), values (6, 3), masks (5, 3)
# accepted: yes
import torch


def compute_gae(rewards, values, masks, gamma=0.99, tau=0.95):
    gae = 0
    returns = []
    for step in reversed(range(len(rewards))):
        delta = rewards[step] + gamma * values[step + 1] * (masks[step] > 0) - values[step]
        gae = delta + gamma * tau * (masks[step] > 0) * gae
        returns.insert(0, gae + values[step])
    returns = torch.stack(returns)
    advantages = returns - values[:-1]
    return returns, (advantages - advantages.mean()) / (advantages.std() + 1e-8)
