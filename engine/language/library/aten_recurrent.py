# SPDX-License-Identifier: GPL-3.0-or-later
# Losses and layers over time as ATen has them.

def _aten_reduction(number):
    return ('none', 'mean', 'sum')[number]

def _aten_nll_loss_forward(input, target, weight, reduction, ignore_index):
    kept = target != ignore_index
    def total():
        if weight is None:
            return torch.sum(kept.to(input.dtype))
        return torch.sum(torch.where(kept, weight[torch.where(kept, target, torch.zeros_like(target))], torch.zeros((), dtype=input.dtype)))
    return F.nll_loss(input, target, weight, reduction=_aten_reduction(reduction), ignore_index=ignore_index), total

def _aten_over_time(step, input, states, backwards):
    made = []
    places = list(range(input.shape[0]))
    for i in reversed(places) if backwards else places:
        states = step(torch.select(input, 0, i), states)
        made.append(states[0])
    if backwards:
        made.reverse()
    return torch.stack(made), states

def _aten_layers(make_step, input, hx, params, has_biases, num_layers, bidirectional, batch_first):
    if batch_first:
        input = input.transpose(0, 1)
    directions = 2 if bidirectional else 1
    per_layer = len(params) // (num_layers * directions)
    last = []
    for layer in range(num_layers):
        made = []
        for direction in range(directions):
            at = layer * directions + direction
            own = params[at * per_layer:(at + 1) * per_layer]
            given = F.linear(input, own[0], own[2] if has_biases else None)
            result, states = _aten_over_time(make_step(own[1], own[3] if has_biases else None, own[-1] if per_layer % 2 == 1 else None), given, tuple([state[at] for state in hx]), direction == 1)
            made.append(result)
            last.append(states)
        input = made[0] if directions == 1 else torch.cat(made, -1)
    final = [torch.stack([states[i] for states in last]) for i in range(len(hx))]
    return (input.transpose(0, 1) if batch_first else input,) + tuple(final)

def _aten_lstm(input, hx, params, has_biases, num_layers, bidirectional, batch_first):
    def make_step(weight, bias, projection):
        def step(given, states):
            hidden, cell = _lstm_step(given + F.linear(states[0], weight, bias), states[1])
            return hidden if projection is None else F.linear(hidden, projection), cell
        return step
    return _aten_layers(make_step, input, hx, params, has_biases, num_layers, bidirectional, batch_first)

def _aten_gru(input, hx, params, has_biases, num_layers, bidirectional, batch_first):
    def make_step(weight, bias, projection):
        def step(given, states):
            return (_gru_step(given, F.linear(states[0], weight, bias), states[0]),)
        return step
    return _aten_layers(make_step, input, (hx,), params, has_biases, num_layers, bidirectional, batch_first)

def _aten_rnn(input, hx, params, has_biases, num_layers, bidirectional, batch_first, nonlinearity):
    def make_step(weight, bias, projection):
        def step(given, states):
            return (_rnn_step(given + F.linear(states[0], weight, bias), nonlinearity),)
        return step
    return _aten_layers(make_step, input, (hx,), params, has_biases, num_layers, bidirectional, batch_first)
