from collections import namedtuple

import torch

Transition = namedtuple("Transition", ("state", "action", "reward", "next_value", "done"))


def td_errors(value, reward, next_value, done, gamma=0.99, lam=0.95):
    batch = Transition(value, None, reward, next_value, done)
    batch = batch._replace(action=torch.zeros_like(reward))
    delta = batch.reward + gamma * batch.next_value * (1 - batch.done) - batch.state
    advantages = []
    running = torch.zeros_like(delta[0])
    for t in reversed(range(delta.shape[0])):
        running = delta[t] + gamma * lam * (1 - batch.done[t]) * running
        advantages.insert(0, running)
    state, action, *_ = batch
    return torch.stack(advantages) + state + action


T, B = 6, 3
value, reward, next_value = torch.randn(T, B), torch.randn(T, B), torch.randn(T, B)
done = torch.zeros(T, B)
adv = td_errors(value, reward, next_value, done)
