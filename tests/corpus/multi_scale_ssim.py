# inputs: x (1, 2, 16, 16), y (1, 2, 16, 16)
# accepted: yes
import torch
import torch.nn.functional as F


def gaussian(window_size, sigma):
    gauss = torch.exp(-((torch.arange(window_size).float() - window_size // 2) ** 2) / float(2 * sigma ** 2))
    return gauss / gauss.sum()


def create_window(window_size, channel=1):
    _1d = gaussian(window_size, 1.5).unsqueeze(1)
    _2d = _1d.mm(_1d.t()).float().unsqueeze(0).unsqueeze(0)
    return _2d.expand(channel, 1, window_size, window_size).contiguous()


def ssim(img1, img2, window, channel):
    pad = window.shape[-1] // 2
    mu1 = F.conv2d(img1, window, padding=pad, groups=channel)
    mu2 = F.conv2d(img2, window, padding=pad, groups=channel)
    mu1_sq, mu2_sq, mu1_mu2 = mu1.pow(2), mu2.pow(2), mu1 * mu2
    s1 = F.conv2d(img1 * img1, window, padding=pad, groups=channel) - mu1_sq
    s2 = F.conv2d(img2 * img2, window, padding=pad, groups=channel) - mu2_sq
    s12 = F.conv2d(img1 * img2, window, padding=pad, groups=channel) - mu1_mu2
    C1, C2 = 0.01 ** 2, 0.03 ** 2
    v1, v2 = 2.0 * s12 + C2, s1 + s2 + C2
    cs = (v1 / v2).mean()
    return (((2 * mu1_mu2 + C1) * v1) / ((mu1_sq + mu2_sq + C1) * v2)).mean(), cs


def ms_ssim(x, y, levels=2):
    channel = x.size(1)
    window = create_window(5, channel)
    weights = [0.4, 0.6]
    total = 1.0
    for i in range(levels):
        sim, cs = ssim(x, y, window, channel)
        total = total * (sim if i == levels - 1 else cs).clamp(min=1e-4) ** weights[i]
        x, y = F.avg_pool2d(x, (2, 2)), F.avg_pool2d(y, (2, 2))
    return 1 - total
