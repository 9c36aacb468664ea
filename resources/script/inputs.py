# SPDX-License-Identifier: GPL-3.0-or-later
# ==== its inputs ====

# The numbers are those that Fusebench draws for this seed, so that results can be compared. They depend on the seed, the
# input and the position of the element alone.

CHUNK = 1 << 20


def signed(number):
    """The 64 bits of a number as PyTorch's int64."""
    number &= (1 << 64) - 1
    return number - (1 << 64) if number >> 63 else number


def mixed(z):
    """The finalizer of SplitMix64."""
    z = (z ^ (z >> 30 & (1 << 34) - 1)) * signed(0xbf58476d1ce4e5b9)
    z = (z ^ (z >> 27 & (1 << 37) - 1)) * signed(0x94d049bb133111eb)
    return z ^ (z >> 31 & (1 << 33) - 1)


def drawn_bits(stream, index, draw):
    h = mixed(torch.tensor(signed(SEED + 0x9e3779b97f4a7c15)))
    h = mixed(h ^ signed(stream + 0xd1b54a32d192ed03))
    h = mixed(h ^ (index + signed(0x8cb92ba72f3d8dd7)))
    return mixed(h ^ signed(draw + 0xaef17502108ef2d9))


def uniform(stream, index, draw=0):
    """From [0, 1)."""
    return (drawn_bits(stream, index, draw) >> 11 & (1 << 53) - 1).double() * 2.0 ** -53


def logarithm(x):
    """The natural logarithm. It uses exactly rounded operations alone, so it is the same on every machine."""
    m, exponent = torch.frexp(x)
    small = m < 0.70710678118654752
    m, exponent = torch.where(small, m * 2, m), (exponent - small.int()).double()
    t = (m - 1) / (m + 1)
    squared, series = t * t, torch.zeros_like(t)
    for k in range(23, 0, -2):
        series = series * squared + 1.0 / k
    return 2 * t * series + exponent * 0.693147180559945309417


def normal(stream, index):
    """Mean 0, deviation 1, by Marsaglia's polar method."""
    made, left, draw = torch.empty(len(index), dtype=torch.float64), torch.arange(len(index)), 0
    while len(left):
        u = 2 * uniform(stream, index[left], draw) - 1
        v = 2 * uniform(stream, index[left], draw + 1) - 1
        s = u * u + v * v
        fits = (s > 0) & (s < 1)
        made[left[fits]] = u[fits] * torch.sqrt(-2 * logarithm(s[fits]) / s[fits])
        left, draw = left[~fits], draw + 2
    return made


def in_chunks(count, dtype, values_of):
    """A tensor of `count` elements, made of those at a list of positions."""
    made = torch.empty(count, dtype=dtype)
    for begin in range(0, count, CHUNK):
        end = min(begin + CHUNK, count)
        made[begin:end] = values_of(torch.arange(begin, end)).to(dtype)
    return made


_weights = {}


def weights():
    """The tensors of the file of weights, by name."""
    if not _weights:
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), WEIGHTS)
        if not os.path.exists(path):
            raise FileNotFoundError("%s is missing: copy it there from the folder of the experiment" % path)
        dtypes = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16,
                  "I64": torch.int64, "I32": torch.int32, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool}
        with open(path, "rb") as file:
            header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
            content = bytearray(file.read())
        for name, entry in header.items():
            if name != "__metadata__":
                begin, end = entry["data_offsets"]
                _weights[name] = torch.frombuffer(content[begin:end], dtype=dtypes[entry["dtype"]]) if end > begin else \
                    torch.empty(0, dtype=dtypes[entry["dtype"]])
    return _weights


def tensor(shape, fill, layout, dtype, place, mean=0, deviation=1, bounds=None, data=None, values=None,
           code=None):
    """One input tensor on the device. `place`: the number of its list of inputs, and its own in it. `fill`: how it is
    drawn, or the first integer and the one after the last. `code`: a function that computes it instead."""
    entry, number = place
    stream = entry * 64 + number if number < 64 else (1 << 48) + entry * (1 << 16) + number
    count = math.prod(shape)
    if values and WEIGHTS:
        made = weights()[values].to(dtype)
    elif code:
        made = repeated(code(), shape).to(dtype)
    elif data:
        made = in_chunks(count, dtype, lambda index: torch.tensor(data, dtype=torch.float64)[index % len(data)])
    else:
        made = in_chunks(count, dtype, lambda index: drawn(stream, index, fill, dtype, mean, deviation, bounds))
    return laid_out(made.reshape(shape).to(DEVICE), layout)


def repeated(made, shape):
    """The tensor in another shape of as many dimensions: repeated where that is longer, cut where it is shorter."""
    for dim, extent in enumerate(shape):
        made = made.index_select(dim, torch.arange(extent) % made.shape[dim])
    return made


def drawn(stream, index, fill, dtype, mean, deviation, bounds):
    if isinstance(fill, tuple):
        low, high = fill
        return low + torch.clamp(torch.floor(uniform(stream, index) * (high - low)), max=high - low - 1)
    if fill not in ("normal", "uniform"):
        return torch.full((len(index),), 1.0 if fill == "ones" else 0.0)
    made = (normal if fill == "normal" else uniform)(stream, index).float()
    if fill == "normal" and (mean, deviation) != (0, 1):
        made = (mean + deviation * made.double()).float()
    if bounds:
        made = made.double().clamp(*bounds)
    if dtype.is_floating_point:
        return made
    if dtype == torch.bool:
        return made > (0.5 if fill == "uniform" else 0)
    return torch.trunc(16 * (made.abs() if dtype == torch.uint8 else made))


def laid_out(made, layout):
    """The same values with the strides of a layout."""
    if layout == "contiguous":
        return made
    rank = made.dim()
    if layout == "strided":
        return made.new_zeros(*made.shape[:-1], 2 * made.shape[-1])[..., ::2].copy_(made)
    if layout == "transposed":
        order = [*range(rank - 2), rank - 1, rank - 2]
    elif layout == "channels_last":
        order = [0, 2, 3, 1]
    elif layout == "column_major":
        order = [*reversed(range(rank))]
    else:
        order = [int(dim) for dim in layout[len("order "):].split(",")]
    return made.permute(order).contiguous().permute(sorted(range(rank), key=order.__getitem__))


def like(given, dtype):
    """A tensor in another dtype, with the same strides."""
    return torch.empty_strided(given.shape, given.stride(), dtype=dtype, device=given.device).copy_(given)


class State(dict):
    """Weights and buffers of a program, by number. Those that the program draws get the numbers that Fusebench gives
    them.

    `starts`: how they are drawn, by number. `writes`: numbers of the inputs that calls write. `scope`: what else the
    program has made.
    """

    def __init__(self, tensors, starts=None, writes=(), scope=()):
        super().__init__(tensors)
        self.starts, self.writes, self.first = starts or {}, writes, {}
        objects = list(scope)
        for each in scope:
            if type(each).__module__ == __name__ and hasattr(each, "__dict__"):
                objects.extend(vars(each).values())
        self.optimizers = [each for each in {id(each): each for each in objects}.values()
                           if hasattr(each, "load_state_dict") and not isinstance(each, (type, torch.nn.Module))]

    def start(self, places):
        for number, (name, fill, low, high, zero_row) in self.starts.items():
            each = self[number]
            if each is None or name not in places:
                continue
            made = in_chunks(each.numel(), torch.float32, lambda index: (
                low + (high - low) * uniform(places[name], index) if fill == "uniform"
                else low + high * normal(places[name], index)))
            made = made.reshape(each.shape)
            if zero_row >= 0:
                made[zero_row] = 0
            each.data.copy_(made)

    def keep(self):
        """Keeps the values that calls begin with."""
        self.first = {number: self[number].detach().clone() for number in self.writes if self.get(number) is not None}
        self.dicts = [(each, copy.deepcopy(each.state_dict())) for each in self.optimizers]

    def restore(self):
        for each in self.values():
            if each is not None:
                each.grad = None
        for number, value in self.first.items():
            self[number].data.copy_(value)
        for each, values in self.dicts:
            each.load_state_dict(copy.deepcopy(values))
