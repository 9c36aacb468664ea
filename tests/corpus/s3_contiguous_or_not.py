# inputs: x (4, 8)
# accepted: yes
def maybe_contiguous(x, contiguous=True):
    if contiguous:
        return x.contiguous() + 0
    return x + 0
