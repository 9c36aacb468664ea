# inputs: a (8, 4), b (8, 4), same (8,)
# accepted: yes
def contrastive(a, b, same, margin=1.0):
    distance = ((a - b) ** 2).sum(1).sqrt()
    return (same * distance ** 2 + (1 - same) * torch.clamp(margin - distance, min=0) ** 2).mean()
