import torch

def slow(x):
    scale = torch.tensor([1.0, 2.0, 3.0]).cuda()
    return x * scale

def fast(x):
    scale = torch.tensor([1.0, 2.0, 3.0], device=x.device)
    return x * scale

x = torch.randn(256, 3).cuda()
start = torch.cuda.Event(enable_timing=True)
end = torch.cuda.Event(enable_timing=True)
start.record()
for _ in range(100):
    slow(x)
end.record()
end.synchronize()
print("slow: {:.3f} ms".format(start.elapsed_time(end) / 100))
start.record()
for _ in range(100):
    fast(x)
end.record()
end.synchronize()
print("fast: {:.3f} ms".format(start.elapsed_time(end) / 100))
