import torch
import torch.nn.functional as F


def parallel_scan_log(log_coeffs, log_values):
    a_star = F.pad(torch.cumsum(log_coeffs, dim=1), (0, 0, 1, 0))
    log_h0_plus_b_star = torch.logcumsumexp(log_values - a_star, dim=1)
    log_h = a_star + log_h0_plus_b_star
    return torch.exp(log_h)[:, 1:]


lc = -torch.rand(2, 5, 3)
lv = torch.randn(2, 6, 3)
h = parallel_scan_log(lc, lv)
print(h.shape)
