import torch

x = torch.randn(2, 3, 4, 5)
print("x:", x.shape, x.stride(), x.is_contiguous())
v = x.view(2, 60)
print("view:", v.shape, v.stride())

p = x.permute(0, 2, 3, 1)
print("permuted:", p.shape, p.stride(), p.is_contiguous())
try:
    p.view(2, 60)
except RuntimeError as e:
    print("error:", e)
q = p.contiguous().view(2, 60)
print("after contiguous:", q.shape, q.stride())
r = p.reshape(2, 60)
print(torch.equal(q, r))
