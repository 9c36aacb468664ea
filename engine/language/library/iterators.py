# SPDX-License-Identifier: GPL-3.0-or-later
# Python's itertools, functools.reduce and functions of operator: itertools.chain is
# _itertools_chain here.

def _functools_reduce(function, sequence, *initial):
    items = iter(sequence)
    value = initial[0] if len(initial) > 0 else next(items, _functools_reduce)
    assert value is not _functools_reduce, "reduce() of empty iterable with no initial value"
    for item in items:
        value = function(value, item)
    return value

def _itertools_count(start=0, step=1):
    value = start
    while True:
        yield value
        value = value + step

def _itertools_cycle(iterable):
    items = list(iterable)
    while len(items) > 0:
        for item in items:
            yield item

def _itertools_repeat(object, times=None):
    if times is None:
        while True:
            yield object
    for i in range(times):
        yield object

def _itertools_chain(*iterables):
    for each in iterables:
        for item in each:
            yield item

def _itertools_chain_from_iterable(iterable):
    for each in iterable:
        for item in each:
            yield item

def _itertools_islice(iterable, *limits):
    start = limits[0] if len(limits) > 1 and limits[0] is not None else 0
    stop = limits[0] if len(limits) == 1 else limits[1]
    step = limits[2] if len(limits) > 2 and limits[2] is not None else 1
    place = 0
    wanted = start
    items = iter(iterable)
    while stop is None or place < stop:
        item = next(items, _itertools_islice)
        if item is _itertools_islice:
            return
        if place == wanted:
            yield item
            wanted = wanted + step
        place = place + 1

def _itertools_accumulate(iterable, func=None, *, initial=None):
    value = initial
    begun = initial is not None
    if begun:
        yield value
    for item in iterable:
        if not begun:
            value = item
        elif func is None:
            value = value + item
        else:
            value = func(value, item)
        begun = True
        yield value

def _itertools_product(*iterables, repeat=1):
    pools = [list(each) for each in iterables] * repeat
    for pool in pools:
        if len(pool) == 0:
            return
    places = [0] * len(pools)
    while True:
        yield tuple([pools[i][places[i]] for i in range(len(pools))])
        last = len(pools) - 1
        while last >= 0 and places[last] == len(pools[last]) - 1:
            places[last] = 0
            last = last - 1
        if last < 0:
            return
        places[last] = places[last] + 1

def _chosen(iterable, r, repeats):
    # Combinations in the order of their places; `repeats`: a place may be taken again.
    pool = list(iterable)
    count = len(pool)
    if (r > count and not repeats) or (count == 0 and r > 0):
        return
    places = [0] * r if repeats else list(range(r))
    while True:
        yield tuple([pool[i] for i in places])
        last = r - 1
        while last >= 0 and places[last] == (count - 1 if repeats else last + count - r):
            last = last - 1
        if last < 0:
            return
        places[last] = places[last] + 1
        for i in range(last + 1, r):
            places[i] = places[last] if repeats else places[i - 1] + 1

def _itertools_combinations(iterable, r):
    return _chosen(iterable, r, False)

def _itertools_combinations_with_replacement(iterable, r):
    return _chosen(iterable, r, True)

def _ordered(left, r):
    if r == 0:
        yield []
        return
    for i in range(len(left)):
        for rest in _ordered(left[:i] + left[i + 1:], r - 1):
            yield [left[i]] + rest

def _itertools_permutations(iterable, r=None):
    pool = list(iterable)
    count = len(pool) if r is None else r
    if count > len(pool):
        return
    for each in _ordered(list(range(len(pool))), count):
        yield tuple([pool[i] for i in each])

def _itertools_zip_longest(*iterables, fillvalue=None):
    rows = [list(each) for each in iterables]
    longest = max([len(row) for row in rows]) if len(rows) > 0 else 0
    for i in range(longest):
        yield tuple([row[i] if i < len(row) else fillvalue for row in rows])

def _itertools_pairwise(iterable):
    before = None
    begun = False
    for item in iterable:
        if begun:
            yield (before, item)
        begun = True
        before = item

def _itertools_starmap(function, iterable):
    for items in iterable:
        yield function(*items)

def _itertools_takewhile(predicate, iterable):
    for item in iterable:
        if not predicate(item):
            return
        yield item

def _itertools_dropwhile(predicate, iterable):
    dropping = True
    for item in iterable:
        if dropping:
            dropping = predicate(item)
        if not dropping:
            yield item

def _itertools_filterfalse(predicate, iterable):
    for item in iterable:
        if not (item if predicate is None else predicate(item)):
            yield item

def _itertools_compress(data, selectors):
    for item, chosen in zip(data, selectors):
        if chosen:
            yield item

def _itertools_batched(iterable, n):
    items = list(iterable)
    for i in range(0, len(items), n):
        yield tuple(items[i:i + n])

def _itertools_tee(iterable, n=2):
    items = list(iterable)
    return tuple([iter(items) for i in range(n)])

def _itertools_groupby(iterable, key=None):
    group = []
    last = None
    for item in iterable:
        now = item if key is None else key(item)
        if len(group) > 0 and now != last:
            yield (last, iter(group))
            group = []
        last = now
        group.append(item)
    if len(group) > 0:
        yield (last, iter(group))

def _operator_itemgetter(*items):
    return lambda of: of[items[0]] if len(items) == 1 else tuple([of[item] for item in items])

def _attribute_of(of, name):
    for part in name.split('.'):
        of = getattr(of, part)
    return of

def _operator_attrgetter(*names):
    return lambda of: _attribute_of(of, names[0]) if len(names) == 1 else tuple([_attribute_of(of, name) for name in names])

def _operator_methodcaller(name, *args, **keywords):
    return lambda of: getattr(of, name)(*args, **keywords)

def _operator_xor(a, b):
    return a ^ b

def _operator_pos(a):
    return a

def _operator_abs(a):
    return abs(a)

def _operator_invert(a):
    return ~a

def _operator_not_(a):
    return not a

def _operator_truth(a):
    return bool(a)

def _operator_contains(a, b):
    return b in a

def _operator_is_(a, b):
    return a is b

def _operator_is_not(a, b):
    return a is not b

def _operator_index(a):
    return a
