import torch

x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
target = torch.tensor([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0]])


class LinearLayer:
    def __init__(self, in_features, out_features):
        self.weight = torch.randn(out_features, in_features, requires_grad=True)
        self.bias = torch.randn(out_features, requires_grad=True)

    def __call__(self, x):
        return x.mm(self.weight.t()) + self.bias


layer = LinearLayer(2, 3)
output = layer(x)
loss = ((output - target) ** 2).mean()
loss.backward()
print("weight gradient:\n", layer.weight.grad)
print("bias gradient:\n", layer.bias.grad)
