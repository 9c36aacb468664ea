import torch


def accept(target_probs, draft_probs, tokens, u):
    p = target_probs.gather(-1, tokens.unsqueeze(-1)).squeeze(-1)
    q = draft_probs.gather(-1, tokens.unsqueeze(-1)).squeeze(-1)
    ok = u < torch.minimum(torch.ones_like(p), p / q)
    n = torch.cumprod(ok.int(), dim=-1).sum(-1)
    residual = (target_probs - draft_probs).clamp_(min=0)
    residual = residual / residual.sum(-1, keepdim=True).clamp(min=1e-9)
    return n, residual


B, K, V = 2, 4, 9
target = torch.rand(B, K, V).softmax(-1)
draft = torch.rand(B, K, V).softmax(-1)
toks = torch.randint(V, (B, K))
u = torch.rand(B, K)
n, r = accept(target, draft, toks, u)
print(n, r.shape)
