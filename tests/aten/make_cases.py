# SPDX-License-Identifier: GPL-3.0-or-later
"""Records what PyTorch computes for calls of ATen's operations: writes cases.txt next to it.

    python make_cases.py            records; needs PyTorch 2.15
    python make_cases.py --check    compares each signature of the table with PyTorch's own

Calls are listed in aten_calls.py. Each is recorded in float32 and in a second dtype, so that there are at least two
shapes, two dtypes and an edge case for each overload.
"""
import importlib
import math
import pathlib
import sys

import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import aten_calls  # noqa: E402

for subject in ('pointwise', 'tensors', 'layers', 'backward'):
    importlib.import_module('calls_' + subject)  # each lists its calls
TABLE = HERE.parent.parent / 'engine' / 'language' / 'aten'
NAMES = {torch.float32: 'float32', torch.float64: 'float64', torch.float16: 'float16', torch.bfloat16: 'bfloat16',
         torch.int64: 'int64', torch.int32: 'int32', torch.int8: 'int8', torch.uint8: 'uint8', torch.bool: 'bool'}
DTYPES = {name: dtype for dtype, name in NAMES.items()}


def rows():
    """(signature, core, supported, file) of every row of the table."""
    for file in sorted(TABLE.glob('*.txt')):
        above = None
        for line in file.read_text().splitlines():
            if not line or line.startswith('#'):
                continue
            if not line.startswith(' '):
                above = line
            else:
                core = above.startswith('core ')
                yield above[5:] if core else above, core, not line.strip().startswith('!'), file.stem


def operation(overload):
    name, _, which = overload.partition('.')
    return getattr(getattr(torch.ops.aten, name), which or 'default')


def made_value(kind, i, seed, below):
    turned = (i * 29 + seed * 17 + 5) % 47 - 23
    if kind == '+':
        return abs(turned) / 16 + 1 / 16
    if kind == 'u':
        return turned / 32
    if kind == 'i':
        return (i * 7 + seed * 3 + 1) % below
    if kind == 'b':
        return (i * 5 + seed) % 3 == 0
    return turned / 16


def number(value):
    if isinstance(value, bool):
        return '1' if value else '0'
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return 'nan'
    if math.isinf(value):
        return 'inf' if value > 0 else '-inf'
    return repr(int(value)) if value == int(value) and abs(value) < 1e15 and math.copysign(1, value) * value >= 0 and value != 0 else f'{value:.7g}'


def shown(tensor):
    shape = 'x'.join(str(extent) for extent in tensor.shape) or '-'
    return f'{NAMES[tensor.dtype]} {shape} = ' + ' '.join(number(value) for value in tensor.reshape(-1).tolist())


class Input:
    """A tensor as the calls spell it: `2x3`, of the case's dtype; `2x3+` positive, `2x3u` in (-1, 1), `2x3i5` integers
    below 5, `2x3b` truths, `2x3:float64` of that dtype; `4=nan,inf,0,1` these values."""

    def __init__(self, spec, dtype, seed):
        values = None
        if ':' in spec:
            spec, dtype = spec.split(':')
        if '=' in spec:
            spec, values = spec.split('=')
        shape = spec.rstrip('0123456789') if 'i' in spec else spec
        below = int(spec[len(shape):]) if 'i' in spec else 1
        kind = shape[-1] if shape and shape[-1] in '+uib' else '#'
        shape = shape.rstrip('+uib')
        if kind == 'i' and dtype not in ('int64', 'int32', 'int8', 'uint8'):
            dtype = 'int64'
        if kind == 'b':
            dtype = 'bool'
        extents = [] if shape == '-' else [int(extent) for extent in shape.split('x')]
        count = math.prod(extents)
        if values is None:
            whole = dtype in ('int64', 'int32', 'int8', 'uint8')
            if whole and kind != 'i':
                kind, below = 'i', 7
            self.text = f'{dtype} {shape} {kind} {seed}' + (f' {below}' if kind == 'i' else '')
            numbers = [made_value(kind, i, seed, below) for i in range(count)]
        else:
            numbers = [float(value) for value in values.split(',')]
            self.text = f'{dtype} {shape} = ' + ' '.join(number(value) for value in numbers)
        self.tensor = torch.tensor(numbers, dtype=DTYPES[dtype]).reshape(extents)


def flat(result):
    if isinstance(result, torch.Tensor):
        return [result]
    if isinstance(result, (tuple, list)):
        return [each for item in result for each in flat(item)]
    return []


def record(out, overload, call, dtype):
    """One call: the text of its arguments, the inputs, and which of several results are compared."""
    inputs = {name: Input(spec, dtype, seed) for seed, (name, spec) in enumerate(call.inputs.items(), 1)}
    space = {'torch': torch, 'inf': math.inf, 'nan': math.nan, 'device': torch.device}
    space.update({name: each.tensor.clone() for name, each in inputs.items()})
    lines = list(call.before)
    lines.append(f'r = torch.ops.aten.{overload if "." in overload else overload + ".default"}({call.arguments})')
    lines.append('return ' + call.returned)
    exec('def f():\n' + ''.join(f'    {line}\n' for line in lines), space)
    results = flat(space['f']())
    out.append(f'case {overload}')
    out += [f'text {line}' for line in lines]
    out += [f'in {name} {each.text}' for name, each in inputs.items()]
    out += ['out ' + shown(result) for result in results]


def check():
    wrong = 0
    core = {str(each._schema)[6:].split('(')[0] for each in all_operations() if torch.Tag.core in each.tags}
    seen = set()
    for schema, is_core, _, _ in rows():
        overload = schema.split('(')[0]
        seen.add(overload)
        theirs = str(operation(overload)._schema)[6:]
        if theirs != schema or is_core != (overload in core):
            wrong += 1
            print(f'{overload}: PyTorch has {theirs}, core: {overload in core}')
    for missing in sorted(core - seen):
        wrong += 1
        print(f'{missing}: of the core set, and not in the table')
    print(f'{len(seen)} overloads, {len(core)} of the core set, {wrong} wrong')
    return wrong


def all_operations():
    for schema in torch._C._jit_get_all_schemas():
        if schema.name.startswith('aten::'):
            packet = getattr(torch.ops.aten, schema.name[6:], None)
            which = getattr(packet, schema.overload_name or 'default', None)
            if which is not None:
                yield which


def main():
    if '--check' in sys.argv:
        sys.exit(1 if check() else 0)
    out = ['# Made by make_cases.py with PyTorch ' + torch.__version__.split('+')[0] + '.']
    failed = 0
    known = {schema.split('(')[0]: (schema, file) for schema, _, supported, file in rows() if supported}
    for overload, (schema, file) in known.items():
        if overload in aten_calls.SKIPPED:
            out.append(f'skip {overload} {aten_calls.SKIPPED[overload]}')
            continue
        calls = aten_calls.calls_of(overload, schema, file == 'pointwise')
        if not calls:
            failed += 1
            print(f'{overload}: no calls are listed')
        for call in calls:
            for dtype in call.dtypes:
                try:
                    record(out, overload, call, dtype)
                except Exception as error:
                    failed += 1
                    print(f'{overload}({call.arguments}) {dtype}: {type(error).__name__}: {str(error).splitlines()[0]}')
    (HERE / 'cases.txt').write_text('\n'.join(out) + '\n')
    print(f'{sum(line.startswith("case ") for line in out)} cases of {len(known)} overloads; {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
