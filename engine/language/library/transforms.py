# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of functions: torch.vmap, and torch.func's gradients.

def _mapped_tensors(value, dim, found):
    # The tensors that are mapped over, with that dimension first.
    if isinstance(value, dict):
        for key in value:
            _mapped_tensors(value[key], dim[key] if isinstance(dim, dict) else dim, found)
    elif isinstance(value, (tuple, list)):
        for i in range(len(value)):
            _mapped_tensors(value[i], dim[i] if isinstance(dim, (tuple, list)) else dim, found)
    elif dim is not None:
        assert torch.is_tensor(value), "torch.vmap: in_dims maps over an input that is not a tensor; use None for it"
        found.append(value if dim == 0 else value.movedim(dim, 0))

def _with_examples(value, dim, examples):
    # The same with an example in the place of each of these tensors.
    if isinstance(value, dict):
        return {key: _with_examples(value[key], dim[key] if isinstance(dim, dict) else dim, examples) for key in value}
    if isinstance(value, (tuple, list)):
        made = [_with_examples(value[i], dim[i] if isinstance(dim, (tuple, list)) else dim, examples) for i in range(len(value))]
        return tuple(made) if isinstance(value, tuple) else made
    return value if dim is None else examples.pop(0)

def _with_batch_at(value, dim):
    if isinstance(value, dict):
        return {key: _with_batch_at(value[key], dim[key] if isinstance(dim, dict) else dim) for key in value}
    if isinstance(value, (tuple, list)):
        made = [_with_batch_at(value[i], dim[i] if isinstance(dim, (tuple, list)) else dim) for i in range(len(value))]
        return tuple(made) if isinstance(value, tuple) else made
    return value if dim == 0 else value.movedim(0, dim)

def vmap(func, in_dims=0, out_dims=0, randomness='error', chunk_size=None):
    def mapped(*args, **kwargs):
        dims = in_dims if isinstance(in_dims, (tuple, list)) else [in_dims] * len(args)
        assert len(dims) == len(args), "torch.vmap: in_dims must have one entry for each positional argument"
        tensors = []
        _mapped_tensors(args, dims, tensors)
        _mapped_tensors(kwargs, 0, tensors)
        def of_examples(examples):
            own = _with_examples(args, dims, examples)
            named = _with_examples(kwargs, 0, examples)
            return func(*own, **named)
        return _with_batch_at(torch._batched(of_examples, tensors, randomness), out_dims)
    return mapped

def _func_vmap(func, in_dims=0, out_dims=0, randomness='error', chunk_size=None):
    return vmap(func, in_dims, out_dims, randomness, chunk_size)

def _tensors_in(value, found):
    if isinstance(value, dict):
        for key in value:
            _tensors_in(value[key], found)
    elif isinstance(value, (tuple, list)):
        for each in value:
            _tensors_in(each, found)
    else:
        found.append(value)

def _in_the_form_of(value, items):
    if isinstance(value, dict):
        return {key: _in_the_form_of(value[key], items) for key in value}
    if isinstance(value, (tuple, list)):
        made = [_in_the_form_of(each, items) for each in value]
        return tuple(made) if isinstance(value, tuple) else made
    return items.pop(0)

def _apart(value):
    # The same values under other names: what a function reads besides its arguments is constant, even if it is the same tensor.
    if isinstance(value, dict):
        return {key: _apart(value[key]) for key in value}
    if isinstance(value, (tuple, list)):
        made = [_apart(each) for each in value]
        return tuple(made) if isinstance(value, tuple) else made
    return value.unsqueeze(0).squeeze(0) if torch.is_tensor(value) else value

def _given_apart(args, argnums):
    given = list(args)
    for i in (argnums if isinstance(argnums, (tuple, list)) else (argnums,)):
        given[i] = _apart(given[i])
    return given, tuple([given[i] for i in argnums]) if isinstance(argnums, (tuple, list)) else given[argnums]

def _func_grad_and_value(func, argnums=0, has_aux=False):
    def of(*args, **kwargs):
        tensors = []
        with torch.enable_grad():
            given, by = _given_apart(args, argnums)
            _tensors_in(by, tensors)
            value = func(*given, **kwargs)
            scalar = value[0] if has_aux else value
            assert scalar.dim() == 0, "torch.func.grad: the function must return a tensor without dimensions"
            made = list(torch.autograd.grad(scalar, tensors, create_graph=True, materialize_grads=True))
        return _in_the_form_of(by, made), value
    return of

def _func_grad(func, argnums=0, has_aux=False):
    both = _func_grad_and_value(func, argnums, has_aux)
    def of(*args, **kwargs):
        made, value = both(*args, **kwargs)
        return (made, value[1]) if has_aux else made
    return of

def _func_vjp(func, *primals, has_aux=False):
    primals = _apart(primals)
    with torch.enable_grad():
        value = func(*primals)
    out = value[0] if has_aux else value
    def back(cotangent):
        tensors, outs, weights = [], [], []
        _tensors_in(primals, tensors)
        _tensors_in(out, outs)
        _tensors_in(cotangent, weights)
        # A cotangent is a constant: the function is called again where it is made of the result.
        if True in [_has_part(each, weight) for each in tensors for weight in weights]:
            other = _apart(primals)
            tensors, outs = [], []
            _tensors_in(other, tensors)
            with torch.enable_grad():
                again = func(*other)
            _tensors_in(again[0] if has_aux else again, outs)
        with torch.enable_grad():
            total = (outs[0] * weights[0]).sum()
            for i in range(1, len(outs)):
                total = total + (outs[i] * weights[i]).sum()
            made = list(torch.autograd.grad(total, tensors, create_graph=True, materialize_grads=True))
        return _in_the_form_of(primals, made)
    return (out, back, value[1]) if has_aux else (out, back)

def _func_jacrev(func, argnums=0, has_aux=False, chunk_size=None):
    # A row for each element of the result.
    def of(*args):
        with torch.enable_grad():
            tensors = []
            given, by = _given_apart(args, argnums)
            _tensors_in(by, tensors)
            value = func(*given)
            out = value[0] if has_aux else value
            assert torch.is_tensor(out), "torch.func.jacrev: the function must return one tensor; write a call of jacrev for each"
            flat = out.reshape(-1)
            rows = [torch.autograd.grad(flat[i], tensors, create_graph=True, materialize_grads=True) for i in range(flat.shape[0])]
        made = [torch.stack([row[i] for row in rows]).reshape(list(out.shape) + list(tensors[i].shape)) for i in range(len(tensors))]
        made = _in_the_form_of(by, made)
        return (made, value[1]) if has_aux else made
    return of

def _func_jacfwd(func, argnums=0, has_aux=False, chunk_size=None, randomness='error'):
    return _func_jacrev(func, argnums, has_aux)

def _func_hessian(func, argnums=0):
    return _func_jacrev(_func_jacrev(func, argnums), argnums)

def _func_functional_call(module, parameter_and_buffer_dicts, args=None, kwargs=None, tie_weights=True, strict=False):
    given = {}
    if isinstance(parameter_and_buffer_dicts, (tuple, list)):
        for each in parameter_and_buffer_dicts:
            given.update(each)
    else:
        given = parameter_and_buffer_dicts
    if args is None:
        args = ()
    if not isinstance(args, tuple):
        args = (args,)
    return torch._with_members(module, given, lambda: module(*args, **({} if kwargs is None else kwargs)))

def _func_linearize(func, *primals):
    # The product of weights and the Jacobian is linear in the weights. The derivative of its dot product
    # with the tangents by the weights is the product of the Jacobian and the tangents.
    primals = _apart(primals)
    with torch.enable_grad():
        value = func(*primals)
    def along(*tangents):
        tensors, outs, directions, made = [], [], [], []
        _tensors_in(primals, tensors)
        _tensors_in(value, outs)
        _tensors_in(tangents, directions)
        assert len(directions) == len(tensors), "torch.func.jvp: tangents must have a tensor for each of the primals"
        with torch.enable_grad():
            for out in outs:
                weight = torch.zeros_like(out)
                rows = torch.autograd.grad((out * weight).sum(), tensors, create_graph=True)
                total = (rows[0] * directions[0]).sum()
                for i in range(1, len(directions)):
                    total = total + (rows[i] * directions[i]).sum()
                made.append(torch.autograd.grad(total, weight, create_graph=True)[0])
        return _in_the_form_of(value, made)
    return value, along

def _func_jvp(func, primals, tangents, *, strict=False, has_aux=False):
    if not has_aux:
        value, along = _func_linearize(func, *primals)
        return value, along(*tangents)
    kept = []
    def first(*args):
        made, aux = func(*args)
        kept.append(aux)
        return made
    value, along = _func_linearize(first, *primals)
    return value, along(*tangents), kept[0]

def _func_stack_module_state(models):
    assert len(models) > 0, "torch.func.stack_module_state: Expected at least one model, got 0"
    assert all([each.training == models[0].training for each in models]), "torch.func.stack_module_state: Expected all models to have the same training/eval mode."
    parameters = [dict(each.named_parameters()) for each in models]
    buffers = [dict(each.named_buffers()) for each in models]
    for states in (parameters, buffers):
        for each in states:
            assert list(each) == list(states[0]), "torch.func.stack_module_state: Expected all models to be of the same class."
    def stacked(states):
        return {name: torch.stack([each[name] for each in states]) for name in states[0]}
    return stacked(parameters), stacked(buffers)

# torch.autograd.functional: the same for inputs that are a tensor or a tuple of tensors.

def _given(inputs):
    return inputs if isinstance(inputs, tuple) else (inputs,)

def _functional_vjp(func, inputs, v=None, create_graph=False, strict=False):
    value, back = _func_vjp(func, *_given(inputs))
    made = back(torch.ones_like(value) if v is None else v)
    return value, made if isinstance(inputs, tuple) else made[0]

def _functional_jvp(func, inputs, v=None, create_graph=False, strict=False):
    assert v is not None or not isinstance(inputs, tuple), "v of torch.autograd.functional.jvp must be given for several inputs"
    return _func_jvp(func, _given(inputs), (torch.ones_like(inputs),) if v is None else _given(v))

def _functional_jacobian(func, inputs, create_graph=False, strict=False, vectorize=False, strategy='reverse-mode'):
    if not isinstance(inputs, tuple):
        return _func_jacrev(func)(inputs)
    return tuple([_func_jacrev(func, i)(*inputs) for i in range(len(inputs))])

def _functional_hessian(func, inputs, create_graph=False, strict=False, vectorize=False, outer_jacobian_strategy='reverse-mode'):
    if not isinstance(inputs, tuple):
        return _func_hessian(func)(inputs)
    return tuple([tuple([_func_jacrev(_func_jacrev(func, i), j)(*inputs) for j in range(len(inputs))]) for i in range(len(inputs))])
