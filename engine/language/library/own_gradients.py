# SPDX-License-Identifier: GPL-3.0-or-later
# torch.autograd.Function: functions with a backward of their own.

class _FunctionContext:
    def __init__(self, needs):
        self.needs_input_grad = needs
        self._saved = ()
    def save_for_backward(self, *tensors):
        self._saved = tensors
    def mark_dirty(self, *tensors):
        pass
    def mark_non_differentiable(self, *tensors):
        pass
    def set_materialize_grads(self, value):
        pass
    @property
    def saved_tensors(self):
        return self._saved

def _is_float(value):
    return torch.is_tensor(value) and torch.is_floating_point(value)

class _OwnFunction:
    @classmethod
    def apply(cls, *args):
        ctx = _FunctionContext(tuple([_is_float(each) for each in args]))
        # To gradients, the arguments that forward and backward read are constants.
        with torch.no_grad():
            given = tuple([each.unsqueeze(0).squeeze(0) if torch.is_tensor(each) else each for each in args])
            if hasattr(cls, 'setup_context'):
                made = cls.forward(*given)
                cls.setup_context(ctx, given, made)
            else:
                made = cls.forward(ctx, *given)
        inputs = [each if _is_float(each) else None for each in args]
        if not _is_float(made) or not hasattr(cls, 'backward'):
            return _without_gradient(made, cls)
        carrier = _carrier_of(lambda gradient: cls.backward(ctx, gradient), made, inputs)
        if carrier is None:
            return _without_gradient(made, cls)
        result = carrier.clone()
        with torch.no_grad():
            result.copy_(made)
        return result
