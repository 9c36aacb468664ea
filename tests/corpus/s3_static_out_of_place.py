# inputs: x (4, 8)
# accepted: yes
class OutOfPlace:
    @staticmethod
    def add(x):
        return x + 1

    @staticmethod
    def normalise(x):
        mean = x.mean(dim=1, keepdim=True)
        std = x.std(dim=1, keepdim=True)
        return (OutOfPlace.add(x) - 1 - mean) / std
