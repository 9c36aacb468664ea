import torch


@torch.no_grad()
def penalize(logits: torch.Tensor, prev: torch.Tensor, penalty: float = 1.3):
    score = torch.gather(logits, 1, prev)
    score = torch.where(score < 0, score * penalty, score / penalty)
    return logits.scatter(1, prev, score)


vocab = 15
logits = torch.randn(3, vocab)
prev_tokens = torch.randint(0, vocab, (3, 4))
out = penalize(logits, prev_tokens)
print(out.argmax(-1).tolist())
