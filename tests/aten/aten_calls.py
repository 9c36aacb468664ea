# SPDX-License-Identifier: GPL-3.0-or-later
"""The calls that make_cases.py records, by overload.

A call is `arguments; name shape, name shape; option`: the inputs are spelled as make_cases.Input has them. Options:
`f32`: in float32 alone; `int`: in int64 and int32; `ret EXPRESSION`: what is returned (default: r); `pre LINE`: a line
before the call. Pointwise operations that are not listed get calls by their signature.
"""
import re


class Call:
    def __init__(self, text):
        parts = [part.strip() for part in text.split(';')]
        self.arguments = parts[0]
        self.inputs = {}
        self.dtypes = ('float32', 'float64')
        self.returned = 'r'
        self.before = []
        for each in re.split(r',\s+', parts[1]) if len(parts) > 1 and parts[1] else []:
            name, spec = each.split()
            self.inputs[name] = spec
        for option in parts[2:]:
            if option == 'f32':
                self.dtypes = ('float32',)
            elif option == 'int':
                self.dtypes = ('int64', 'int32')
            elif option == 'half':
                self.dtypes = ('float32', 'bfloat16')
            elif option.startswith('ret '):
                self.returned = option[4:]
            elif option.startswith('pre '):
                self.before.append(option[4:])
            else:
                raise ValueError(f'no option: {option}')


def automatic(schema):
    """Calls by the signature: tensors of one shape, then of two that broadcast, then special values."""
    overload, rest = schema.split('(', 1)
    parameters = [each for each in re.sub(r'\([^)]*\)', '', rest.split(') ->')[0]).split(', ') if each != '*']
    whole = overload.startswith(('bitwise', '__'))
    texts = []
    for shapes in (('2x3', '2x3', '2x3'), ('4x1', '5', '1'), ('-', '3', '-')):
        arguments, inputs, tensors = [], [], 0
        for parameter in parameters:
            kind, name = parameter.split('=')[0].split(' ')[:2]
            name = 'x' if name == 'self' else name  # as an input's name, self would be a module
            if '=' in parameter and kind not in ('Tensor', 'Tensor?'):
                continue
            if kind.startswith('Tensor'):
                shape = shapes[tensors % 3] if not overload.split('.')[0].endswith('_') or tensors == 0 else shapes[0]
                tensors += 1
                spec = shape + ('b' if name in ('mask', 'condition') else 'i7' if whole else '')
                inputs.append(f'{name} {spec}')
                arguments.append(name)
            elif kind.startswith('Scalar') or kind.startswith('float'):
                arguments.append('2' if whole else '1.5' if len(texts) == 0 else '2')
            elif kind.startswith('int'):
                arguments.append('1')
            else:
                raise ValueError(f'no automatic argument for {parameter} of {overload}')
        option = '; int' if whole else ''
        texts.append(f"{', '.join(arguments)}; {', '.join(inputs)}{option}")
    if not whole:
        if tensors == 1 and len(arguments) == 1:
            texts.append(f'{arguments[0]}; {arguments[0]} 7=nan,inf,-inf,0,-0.0,0.5,-2.5; f32')
            texts.append(f'{arguments[0]}; {arguments[0]} 6+')
        else:
            spec = inputs[0].split(' ')[1]
            if not spec.endswith('b') and not overload.split('.')[0].endswith('_'):
                inputs[0] = inputs[0].split(' ')[0] + ' 3=nan,inf,0'
                texts.append(f"{', '.join(arguments)}; {', '.join(inputs)}; f32")
    return texts


def calls_of(overload, schema, pointwise):
    texts = CALLS.get(overload)
    if texts is None and pointwise:
        try:
            texts = automatic(schema)
        except ValueError:
            return []
    return [Call(text) for text in texts or ()]


SKIPPED = {}
CALLS = {}


def calls(overloads, *texts):
    for overload in overloads.split():
        CALLS[overload] = texts


def skipped(reason, overloads):
    for overload in overloads.split():
        SKIPPED[overload] = reason


skipped('its result is random', 'rand randn rand_like randn_like randint randint.low randperm bernoulli bernoulli.p '
        'bernoulli_.float bernoulli_.Tensor bernoulli.Tensor uniform_ normal_ exponential_ normal.Tensor_Tensor '
        'normal.Tensor_float normal.float_Tensor multinomial')
skipped('its elements are left as they are', 'empty.memory_format empty_like new_empty empty_strided new_empty_strided '
        'empty_permuted')
skipped('it gives no tensor', 'sym_size.int size.int sym_size sym_numel numel dim sym_stride.int sym_storage_offset '
        'sym_is_contiguous _assert_tensor_metadata _assert_scalar _assert_async.msg _assert_async '
        'sym_constrain_range_for_size sym_constrain_range _functional_assert_async.msg')
skipped('the CPU has it not', '_scaled_dot_product_flash_attention _scaled_dot_product_efficient_attention cudnn_batch_norm '
        '_fused_rms_norm_backward '
        '_scaled_dot_product_flash_attention_backward _scaled_dot_product_efficient_attention_backward')
