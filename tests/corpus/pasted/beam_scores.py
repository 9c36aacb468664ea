import torch


def beam_step(log_probs, beam_scores, beam: int = 3):
    batch, vocab = log_probs.shape[0] // beam, log_probs.shape[-1]
    scores = log_probs + beam_scores[:, None]
    scores = scores.view(batch, beam * vocab)
    top, index = torch.topk(scores, 2 * beam, dim=1, largest=True, sorted=True)
    beams = torch.div(index, vocab, rounding_mode="floor")
    tokens = index % vocab
    return top, beams, tokens


lp = torch.randn(6, 10).log_softmax(-1)
bs = torch.zeros(6)
top, beams, tokens = beam_step(lp, bs)
print(top.shape, beams, tokens)
