import torch


def view_example(x):
    before = x.view(2, -1)
    print(f"Before permute: shape {before.shape}, stride {before.stride()}")
    y = x.permute(0, 2, 3, 1)
    if not y.is_contiguous():
        print("not contiguous, copying")
        y = y.contiguous()
    after = y.view(2, -1)
    print("After permute: shape {}, stride {}".format(after.shape, after.stride()))
    return before + after


if __name__ == '__main__':
    tensor = torch.rand((2, 3, 4, 5))
    result = view_example(tensor)
    print(result)
