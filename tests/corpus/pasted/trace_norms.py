import torch


def trace_terms(a, b, v):
    # cyclic trace identities, written with einsum
    diag = torch.einsum("...ii->...i", a)
    tr = torch.einsum("bii->b", a)
    quad = torch.einsum("bi,bij,bj->b", v, a, v)
    mixed = torch.einsum("bij,bji->b", a, b)
    outer = torch.einsum("...i,...j->...ij", v, v)
    scaled = torch.einsum("bi,bi->bi", v, b[:, :, 0])
    turned = torch.einsum("...ij->...ji", b)
    return diag.sum(-1) + tr + quad + mixed + outer.sum((-1, -2)) + scaled.sum(1) + turned[:, 0, 1]


a, b, v = torch.randn(3, 5, 5), torch.randn(3, 5, 5), torch.randn(3, 5)
print(trace_terms(a, b, v))
