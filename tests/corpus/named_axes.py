# inputs: x (2, 8, 12), images (2, 3, 4, 6), q (2, 3, 5, 4), k (2, 3, 5, 4)
# accepted: yes
import torch
from einops import einsum, rearrange, reduce, repeat
from einops.layers.torch import Rearrange, Reduce


def f(x, images, q, k):
    heads = rearrange(x, "b n (h d) -> b h n d", h=3)
    patches = rearrange(images, "b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=2, p2=3)
    tokens = repeat(torch.ones(1, 1, 5), "1 1 d -> b 1 d", b=2)
    return (
        rearrange(heads, "b h n d -> b n (h d)"),
        patches,
        Rearrange("b (h w) (p1 p2 c) -> b c (h p1) (w p2)", h=2, w=2, p1=2, p2=3)(patches),
        reduce(images, "b c h w -> b c", "mean"),
        reduce(images, "b c (h 2) (w 2) -> b c h w", "max"),
        reduce(images, "b ... -> b", "sum"),
        Reduce("b c h w -> b 1 h w", "min")(images),
        repeat(x, "b n d -> b (n r) d", r=2),
        repeat(images, "... w -> ... (w 2)"),
        tokens,
        einsum(q, k, "b h i d, b h j d -> b h i j"),
        rearrange([x[0], x[1]], "b n d -> n b d"),
    )
