#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the calls that PyTorch's own signatures allow, one for each argument of each named operation.

keyword_calls.py < NAMES > keyword_calls.txt

A line of NAMES is `row torch.add` or `function layer_norm`, and is printed again before its calls. It
takes PyTorch 2, whose names of arguments are the ones that the engine reads.
"""
import inspect
import sys

import torch
import torch.nn.functional as F
VALUES = {'Tensor': 'y', 'int': '1', 'SymInt': '1', 'float': '0.5', 'number': '0.5', 'Scalar': '0.5',
          'bool': 'True', 'List[int]': '[1]', 'Optional[int]': '1', 'Optional[float]': '0.5',
          'Optional[List[int]]': '[1]', 'Optional[bool]': 'True', 'Optional[Tensor]': 'y',
          'Optional[number]': '0.5', 'Optional[Scalar]': '0.5'}
SKIPPED = {'out', 'generator', 'memory_format', 'device', 'layout', 'pin_memory', 'dtype', 'self', 'non_blocking',
           'copy', 'size_average', 'reduce', '_stacklevel', 'args', 'kwargs'}

def schemas(name):
    try:
        return torch._C._jit_get_schemas_for_operator('aten::' + name)
    except RuntimeError:
        return []

def of_row(spelling):
    base, _, name = spelling.rpartition('.')
    for schema in schemas(name):
        if 'out' in schema.overload_name or 'Dimname' in str(schema) or not schema.arguments:
            continue
        taken = [a for a in schema.arguments if a.name not in SKIPPED]
        required = [(a.name, VALUES.get(str(a.type))) for a in taken if not a.has_default_value()]
        method = schema.arguments[0].name == 'self'
        if any(value is None for _, value in required) or (base == 'x' and not method):
            continue
        lead = ['input=x'] if method and base != 'x' else []
        given = lead + [f'{name}={value}' for name, value in required]
        print(f'{spelling}({", ".join(given)})')
        for a in taken:
            if a.has_default_value() and VALUES.get(str(a.type)):
                print(f'{spelling}({", ".join(given + [f"{a.name}={VALUES[str(a.type)]}"])})')

def of_function(name):
    for path, module in (('F', F), ('torch', torch)):
        function = getattr(module, name, None)
        if function is None:
            continue
        try:
            names = list(inspect.signature(function).parameters)
        except (TypeError, ValueError):
            names = sorted({a.name for s in schemas(name) if 'out' not in s.overload_name for a in s.arguments})
        for each in names:
            if each not in SKIPPED:
                print(f'{path}.{name}({each}=x)')


if int(torch.__version__.split('.')[0]) < 2:
    sys.exit('keyword_calls.py: this takes PyTorch 2')
print('# Calls that the signatures of PyTorch', torch.__version__.split('+')[0], 'allow; keyword_calls.py writes this.')
for line in sys.stdin:
    kind, _, name = line.strip().partition(' ')
    print(f'# {kind} {name}')
    (of_row if kind == 'row' else of_function)(name)
