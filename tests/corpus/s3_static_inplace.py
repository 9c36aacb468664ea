# inputs: x (4, 8)
# accepted: yes
class InPlace:
    @staticmethod
    def add(x):
        return x.add_(1)

    @staticmethod
    def normalise(x):
        mean = x.mean(dim=1, keepdim=True)
        std = x.std(dim=1, keepdim=True)
        return x.sub_(mean).div_(std)
