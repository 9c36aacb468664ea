# inputs: logits (2, 1, 8, 8), mask (2, 1, 8, 8)
# accepted: yes
def dice_loss(logits, mask, smooth=1.0):
    probs = torch.sigmoid(logits)
    dims = (1, 2, 3)
    intersection = (probs * mask).sum(dim=dims)
    union = probs.sum(dim=dims) + mask.sum(dim=dims)
    return 1 - ((2.0 * intersection + smooth) / (union + smooth)).mean()
