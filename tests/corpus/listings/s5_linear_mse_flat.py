import torch
import torch.nn.functional as F

torch.manual_seed(1)
W = torch.randn(3, 2, requires_grad=True)
b = torch.zeros(3, requires_grad=True)
x = torch.randn(4, 2)
y = torch.randn(4, 3)

pred = x.mm(W.t()) + b
loss = F.mse_loss(pred, y)
loss.backward()
print(f"loss = {loss.item():.4f}")
print("dL/dW =", W.grad)
print("dL/db =", b.grad)

with torch.no_grad():
    W -= 0.1 * W.grad
    b -= 0.1 * b.grad
    W.grad.zero_()
    b.grad.zero_()
