import torch


def pseudo_quantize_tensor(w, n_bit=4, q_group_size=8):
    org_w_shape = w.shape
    assert org_w_shape[-1] % q_group_size == 0
    w = w.reshape(-1, q_group_size)
    assert w.dim() == 2
    max_val = w.amax(dim=1, keepdim=True)
    min_val = w.amin(dim=1, keepdim=True)
    max_int = 2 ** n_bit - 1
    min_int = 0
    scales = (max_val - min_val).clamp(min=1e-5) / max_int
    zeros = (-torch.round(min_val / scales)).clamp_(min_int, max_int)
    w = (torch.clamp(torch.round(w / scales) + zeros, min_int, max_int) - zeros) * scales
    return w.reshape(org_w_shape)


w = torch.randn(4, 32)
wq = pseudo_quantize_tensor(w)
print((w - wq).abs().max())
