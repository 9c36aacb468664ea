# inputs: mu (4, 8), logvar (4, 8)
# accepted: yes
def kl(mu, logvar):
    return -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp(), dim=1).mean()
