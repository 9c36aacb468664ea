# inputs: x (2, 3, 4, 5)
def reshape(x, shape=(2, 60)):
    n = 1
    for extent in shape:
        n *= extent
    assert x.numel() == n, "the element counts do not agree"
    return x.view(shape)
