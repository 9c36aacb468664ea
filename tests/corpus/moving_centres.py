# inputs: x (6, 4), marks (6,)
# accepted: yes
import torch


def moved(x, marks):
    """Rows are put where their marks say, and some are scaled where they lie."""
    places = marks.abs().long()
    centres = x.new_zeros(8, 4)
    centres[places % 8] = x[:1]
    centres[:, places % 4] += 1
    seen = x.new_zeros(8, 8)
    seen[places % 8, places % 8] = 1
    centres.index_fill_(0, torch.tensor([-1]), 0.5)
    counts = x.new_zeros(8).index_put((places % 8,), torch.ones_like(marks), accumulate=True)
    return centres, seen, counts
