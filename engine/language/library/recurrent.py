# SPDX-License-Identifier: GPL-3.0-or-later
# PyTorch's recurrent layers. The number of steps is known when a program is read: each step is ops
# of its own. The input's share of all steps is one product before them. Gates in PyTorch's order:
# input, forget, cell, output; reset, update, new.

def _recurrent_weight(hidden_size, shape):
    bound = 1 / math.sqrt(hidden_size) if hidden_size > 0 else 0
    made = torch.empty(shape)
    nn.init.uniform_(made, -bound, bound)
    return made

def _lstm_step(gates, cell):
    size = cell.shape[-1]
    i = torch.sigmoid(torch.narrow(gates, -1, 0, size))
    f = torch.sigmoid(torch.narrow(gates, -1, size, size))
    g = torch.tanh(torch.narrow(gates, -1, 2 * size, size))
    o = torch.sigmoid(torch.narrow(gates, -1, 3 * size, size))
    cell = f * cell + i * g
    return o * torch.tanh(cell), cell

def _gru_step(given, kept, hidden):
    size = hidden.shape[-1]
    r = torch.sigmoid(torch.narrow(given, -1, 0, size) + torch.narrow(kept, -1, 0, size))
    z = torch.sigmoid(torch.narrow(given, -1, size, size) + torch.narrow(kept, -1, size, size))
    n = torch.tanh(torch.narrow(given, -1, 2 * size, size) + r * torch.narrow(kept, -1, 2 * size, size))
    return (hidden - n) * z + n

def _rnn_step(total, nonlinearity):
    return torch.tanh(total) if nonlinearity == 'tanh' else torch.relu(total)

class _Cell(Module):
    def __init__(self, input_size, hidden_size, bias=True, device=None, dtype=None):
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.weight_ih = _recurrent_weight(hidden_size, (self._gates * hidden_size, input_size))
        self.weight_hh = _recurrent_weight(hidden_size, (self._gates * hidden_size, hidden_size))
        self.bias_ih = _recurrent_weight(hidden_size, (self._gates * hidden_size,)) if bias else None
        self.bias_hh = _recurrent_weight(hidden_size, (self._gates * hidden_size,)) if bias else None
    def _given(self, input):
        return F.linear(input, self.weight_ih, self.bias_ih)
    def _kept(self, hidden):
        return F.linear(hidden, self.weight_hh, self.bias_hh)
    def _start(self, input):
        return input.new_zeros(list(input.shape[:-1]) + [self.hidden_size])

class LSTMCell(_Cell):
    _gates = 4
    def forward(self, input, hx=None):
        hidden, cell = (self._start(input), self._start(input)) if hx is None else hx
        return _lstm_step(self._given(input) + self._kept(hidden), cell)

class GRUCell(_Cell):
    _gates = 3
    def forward(self, input, hx=None):
        hidden = self._start(input) if hx is None else hx
        return _gru_step(self._given(input), self._kept(hidden), hidden)

class RNNCell(_Cell):
    _gates = 1
    def __init__(self, input_size, hidden_size, bias=True, nonlinearity='tanh', device=None, dtype=None):
        assert nonlinearity in ('tanh', 'relu'), "nonlinearity of RNNCell is 'tanh' or 'relu'"
        super().__init__(input_size, hidden_size, bias)
        self.nonlinearity = nonlinearity
    def forward(self, input, hx=None):
        hidden = self._start(input) if hx is None else hx
        return _rnn_step(self._given(input) + self._kept(hidden), self.nonlinearity)

class _OverTime(Module):
    def __init__(self, input_size, hidden_size, num_layers=1, bias=True, batch_first=False, dropout=0.0, bidirectional=False, proj_size=0, device=None, dtype=None):
        assert proj_size == 0 or self._states == 2, "proj_size is LSTM's alone"
        assert 0 <= proj_size < hidden_size or proj_size == 0, "proj_size goes from 0 to hidden_size - 1"
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = dropout
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._ways = ['', '_reverse'] if bidirectional else ['']
        rows = self._gates * hidden_size
        made = proj_size if proj_size > 0 else hidden_size
        for layer in range(num_layers):
            for way in self._ways:
                given = input_size if layer == 0 else made * len(self._ways)
                end = '_l' + str(layer) + way
                setattr(self, 'weight_ih' + end, _recurrent_weight(hidden_size, (rows, given)))
                setattr(self, 'weight_hh' + end, _recurrent_weight(hidden_size, (rows, made)))
                if bias:
                    setattr(self, 'bias_ih' + end, _recurrent_weight(hidden_size, (rows,)))
                    setattr(self, 'bias_hh' + end, _recurrent_weight(hidden_size, (rows,)))
                if proj_size > 0:
                    setattr(self, 'weight_hr' + end, _recurrent_weight(hidden_size, (proj_size, hidden_size)))
    def flatten_parameters(self):
        pass
    def _through(self, sequence, end, states, back):
        weight = getattr(self, 'weight_hh' + end)
        bias = getattr(self, 'bias_hh' + end) if self.bias else None
        given = F.linear(sequence, getattr(self, 'weight_ih' + end), getattr(self, 'bias_ih' + end) if self.bias else None)
        made = []
        steps = list(range(sequence.shape[0]))
        for t in (reversed(steps) if back else steps):
            states = self._step(given[t], F.linear(states[0], weight, bias), states)
            if self.proj_size > 0:
                states = [F.linear(states[0], getattr(self, 'weight_hr' + end)), states[1]]
            made.append(states[0])
        return _laid_side_by_side(list(reversed(made)) if back else made, 0, made[0].dim() + 1), states
    def _run(self, input, starts):
        assert input.dim() == 2 or input.dim() == 3, "a layer over time takes a tensor of 3 dimensions, or of 2 without a batch"
        alone = input.dim() == 2
        if alone:
            input = input.unsqueeze(1)
            starts = [s.unsqueeze(1) for s in starts]
        elif self.batch_first:
            input = input.transpose(0, 1)
        assert input.shape[0] > 0, "a layer over time takes one step or more"
        ends = [[] for i in range(self._states)]
        for layer in range(self.num_layers):
            ways = []
            for w in range(len(self._ways)):
                at = layer * len(self._ways) + w
                if len(starts) == 0:
                    states = [input.new_zeros((input.shape[1], self.proj_size if i == 0 and self.proj_size > 0 else self.hidden_size)) for i in range(self._states)]
                else:
                    states = [s[at] for s in starts]
                made, states = self._through(input, '_l' + str(layer) + self._ways[w], states, w == 1)
                ways.append(made)
                for i in range(self._states):
                    ends[i].append(states[i])
            input = ways[0] if len(ways) == 1 else cat(ways, -1)
            if self.dropout > 0 and layer < self.num_layers - 1 and self.training:
                input = F.dropout(input, self.dropout)
        ends = [each[0].unsqueeze(0) if len(each) == 1 else _laid_side_by_side(each, 0, each[0].dim() + 1) for each in ends]
        if alone:
            return input.squeeze(1), [each.squeeze(1) for each in ends]
        return (input.transpose(0, 1) if self.batch_first else input), ends

class LSTM(_OverTime):
    _gates = 4
    _states = 2
    def _step(self, given, kept, states):
        return _lstm_step(given + kept, states[1])
    def forward(self, input, hx=None):
        output, ends = self._run(input, [] if hx is None else list(hx))
        return output, tuple(ends)

class GRU(_OverTime):
    _gates = 3
    _states = 1
    def _step(self, given, kept, states):
        return [_gru_step(given, kept, states[0])]
    def forward(self, input, hx=None):
        output, ends = self._run(input, [] if hx is None else [hx])
        return output, ends[0]

class RNN(_OverTime):
    _gates = 1
    _states = 1
    def __init__(self, input_size, hidden_size, num_layers=1, nonlinearity='tanh', bias=True, batch_first=False, dropout=0.0, bidirectional=False, device=None, dtype=None):
        assert nonlinearity in ('tanh', 'relu'), "nonlinearity of RNN is 'tanh' or 'relu'"
        super().__init__(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional)
        self.nonlinearity = nonlinearity
    def _step(self, given, kept, states):
        return [_rnn_step(given + kept, self.nonlinearity)]
    def forward(self, input, hx=None):
        output, ends = self._run(input, [] if hx is None else [hx])
        return output, ends[0]
