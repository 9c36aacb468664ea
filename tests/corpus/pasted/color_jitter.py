import torch


def adjust(img, brightness=1.1, contrast=0.9, saturation=1.2):
    img = (img * brightness).clamp(0, 1)
    w = torch.tensor([0.2989, 0.587, 0.114], device=img.device).view(1, 3, 1, 1)
    gray = (img * w).sum(dim=1, keepdim=True)
    img = (contrast * img + (1 - contrast) * gray.mean(dim=(-3, -2, -1), keepdim=True)).clamp(0, 1)
    gray = (img * w).sum(dim=1, keepdim=True)
    return (saturation * img + (1 - saturation) * gray).clamp(0, 1)


batch = torch.rand(2, 3, 8, 8)
out = adjust(batch)
print(out.min().item(), out.max().item(), out.is_contiguous(memory_format=torch.channels_last))
