# SPDX-License-Identifier: GPL-3.0-or-later
# What the package einops does, by its patterns of named axes: "b (h d) -> b h d". A group of axes is
# a list of names; "1" is an empty one.

def _einops_groups(side, count, tag):
    groups = []
    numbers = 0
    open = None
    for token in side.replace('(', ' ( ').replace(')', ' ) ').replace('…', '...').split():
        if token == '(':
            assert open is None, "a pattern of einops has no brackets within brackets"
            open = []
        elif token == ')':
            assert open is not None, "a bracket of a pattern of einops is closed that was not opened"
            groups.append(open)
            open = None
        elif token == '...':
            names = ['.' + str(place) for place in range(count)]
            if open is None:
                groups = groups + [[name] for name in names]
            else:
                open = open + names
        else:
            names = [] if token == '1' else [token]
            if token.isdigit() and token != '1':  # each number is an axis of its own
                names = [token + '#' + tag + str(numbers)]
                numbers = numbers + 1
            if open is None:
                groups.append(names)
            else:
                open = open + names
    assert open is None, "a bracket of a pattern of einops is not closed"
    return groups

def _einops_names(groups):
    names = [name for group in groups for name in group]
    for name in names:
        assert names.count(name) == 1, "a pattern of einops names each axis once on each side"
    return names

def _einops_read(tensor, pattern, lengths):
    sides = pattern.split('->')
    assert len(sides) == 2, "a pattern of einops has two sides, with -> between them"
    shape = list(tensor.shape)
    left = _einops_groups(sides[0], 0, 'left')
    count = len(shape) - len(left) if '...' in sides[0].replace('…', '...') else 0
    assert count >= 0, "the tensor has fewer dimensions than the left side of the pattern of einops"
    left = _einops_groups(sides[0], count, 'left')
    right = _einops_groups(sides[1], count, 'right')
    assert len(left) == len(shape), "the left side of the pattern of einops has as many parts as the tensor has dimensions"
    sizes = dict(lengths)
    for group in left + right:
        for name in group:
            if '#' in name:
                sizes[name] = int(name.split('#')[0])
    for group, extent in zip(left, shape):
        known = 1
        unknown = None
        for name in group:
            if name in sizes:
                known = known * sizes[name]
            else:
                assert unknown is None, "einops cannot tell the extents of two axes in one bracket; give one by its name"
                unknown = name
        if unknown is None:
            assert known == extent, "the extents given to einops do not make up the tensor's dimension"
        else:
            assert extent % known == 0, "the extents given to einops do not divide the tensor's dimension"
            sizes[unknown] = extent // known
    return left, right, sizes

def _einops_split(tensor, left, sizes):
    names = _einops_names(left)
    if names == [group[0] for group in left if len(group) == 1] and len(names) == len(left):
        return tensor
    return tensor.reshape([sizes[name] for name in names])

def _einops_joined(tensor, right, sizes):
    names = _einops_names(right)
    if names == [group[0] for group in right if len(group) == 1] and len(names) == len(right):
        return tensor
    shape = []
    for group in right:
        extent = 1
        for name in group:
            extent = extent * sizes[name]
        shape.append(extent)
    return tensor.reshape(shape)

def _einops_ordered(tensor, names, wanted):
    places = [names.index(name) for name in wanted]
    return tensor if places == list(range(len(places))) else tensor.permute(places)

def _einops_one(tensor):
    return torch.stack(list(tensor)) if isinstance(tensor, (list, tuple)) else tensor

def _einops_rearrange(tensor, pattern, **axes_lengths):
    tensor = _einops_one(tensor)
    left, right, sizes = _einops_read(tensor, pattern, axes_lengths)
    names = _einops_names(left)
    wanted = _einops_names(right)
    assert sorted(names) == sorted(wanted), "both sides of a pattern of rearrange name the same axes; einops.reduce leaves some out and einops.repeat adds some"
    return _einops_joined(_einops_ordered(_einops_split(tensor, left, sizes), names, wanted), right, sizes)

def _einops_reduce(tensor, pattern, reduction, **axes_lengths):
    tensor = _einops_one(tensor)
    left, right, sizes = _einops_read(tensor, pattern, axes_lengths)
    names = _einops_names(left)
    wanted = _einops_names(right)
    for name in wanted:
        assert name in names, "the right side of a pattern of reduce names axes of the left side"
    made = _einops_split(tensor, left, sizes)
    away = [place for place, name in enumerate(names) if name not in wanted]
    if len(away) > 0:
        if reduction == 'sum':
            made = torch.sum(made, away)
        elif reduction == 'mean':
            made = torch.mean(made, away)
        elif reduction == 'max':
            made = torch.amax(made, away)
        elif reduction == 'min':
            made = torch.amin(made, away)
        elif reduction in ('prod', 'any', 'all'):
            for place in reversed(away):
                made = torch.prod(made, place) if reduction == 'prod' else torch.any(made, place) if reduction == 'any' else torch.all(made, place)
        else:
            assert not isinstance(reduction, str), "reduction of einops is 'mean', 'sum', 'max', 'min', 'prod', 'any', 'all' or a function"
            made = reduction(made, tuple(away))
    kept = [name for name in names if name in wanted]
    return _einops_joined(_einops_ordered(made, kept, wanted), right, sizes)

def _einops_repeat(tensor, pattern, **axes_lengths):
    tensor = _einops_one(tensor)
    left, right, sizes = _einops_read(tensor, pattern, axes_lengths)
    names = _einops_names(left)
    wanted = _einops_names(right)
    for name in names:
        assert name in wanted, "the left side of a pattern of repeat names axes of the right side"
    for name in wanted:
        assert name in sizes, "a new axis of repeat has its extent given by its name"
    made = _einops_ordered(_einops_split(tensor, left, sizes), names, [name for name in wanted if name in names])
    for place, name in enumerate(wanted):
        if name not in names:
            made = made.unsqueeze(place)
    made = made.expand([sizes[name] for name in wanted])
    return _einops_joined(made, right, sizes)

def _einops_einsum(*tensors_and_pattern):
    tensors = list(tensors_and_pattern[:-1])
    sides = tensors_and_pattern[-1].split('->')
    assert len(sides) == 2, "the pattern of einops.einsum names its result: 'i j, j k -> i k'"
    letters = {}
    terms = []
    for term in sides[0].split(',') + [sides[1]]:
        text = ''
        for name in term.replace('…', '...').split():
            if name != '...' and name not in letters:
                letters[name] = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'[len(letters)]
            text = text + (name if name == '...' else letters[name])
        terms.append(text)
    return torch.einsum(','.join(terms[:-1]) + '->' + terms[-1], *tensors)

def _einops_parse_shape(x, pattern):
    names = pattern.split()
    if '...' in names:
        place = names.index('...')
        names = names[:place] + ['_'] * (x.dim() - len(names) + 1) + names[place + 1:]
    assert len(names) == x.dim(), "the pattern of parse_shape has a name for each dimension"
    return {name: extent for name, extent in zip(names, x.shape) if name != '_'}

class einops_Rearrange(Module):
    def __init__(self, pattern, **axes_lengths):
        self.pattern = pattern
        self.axes_lengths = axes_lengths
    def forward(self, input):
        return _einops_rearrange(input, self.pattern, **self.axes_lengths)

class einops_Reduce(Module):
    def __init__(self, pattern, reduction, **axes_lengths):
        self.pattern = pattern
        self.reduction = reduction
        self.axes_lengths = axes_lengths
    def forward(self, input):
        return _einops_reduce(input, self.pattern, self.reduction, **self.axes_lengths)
