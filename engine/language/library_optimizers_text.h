// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace fusebench {

/// PyTorch's optimisers, in the language itself: torch.optim.SGD is optim_SGD here. What they keep
/// from call to call are held inputs, which a step writes in place; so are the parameters. Formulas
/// as in PyTorch's documentation; numbers that PyTorch works out in Python (double) from the count
/// of steps are worked out in float64 from a held count.
inline constexpr std::string_view kLibraryOptimizers = R"py(
def _each_parameter(params):
    items = list(params)
    for p in items:
        assert not isinstance(p, dict), "an optimiser has one group of parameters: make another one for those with other settings"
    return items

class optim_Optimizer:
    def _state(self):
        return [p for p in self.params if p.grad is not None] + self._kept()
    def zero_grad(self, set_to_none=True):
        for p in self.params:
            if p.grad is None:
                continue
            if set_to_none:
                p.grad = None
            else:
                p.grad.zero_()

class optim_SGD(optim_Optimizer):
    def __init__(self, params, lr=0.001, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False, *, maximize=False, foreach=None, differentiable=False, fused=None):
        assert dampening == 0, "torch.optim.SGD: dampening is 0 in a program"
        assert not nesterov or momentum > 0, "torch.optim.SGD: nesterov needs a momentum"
        self.params = _each_parameter(params)
        self.lr = lr
        self.momentum = momentum
        self.weight_decay = weight_decay
        self.nesterov = nesterov
        self.maximize = maximize
        self.momentum_buffer = [torch.zeros_like(p) for p in self.params] if momentum != 0 else []
    def _kept(self):
        return [self.momentum_buffer[i] for i in range(len(self.momentum_buffer)) if self.params[i].grad is not None]
    def step(self):
        with torch.no_grad():
            for i in range(len(self.params)):
                p = self.params[i]
                g = p.grad
                if g is None:
                    continue
                if self.maximize:
                    g = -g
                if self.weight_decay != 0:
                    g = torch.add(g, p, alpha=self.weight_decay)
                if self.momentum != 0:
                    buffer = self.momentum_buffer[i]
                    buffer.mul_(self.momentum).add_(g)
                    g = torch.add(g, buffer, alpha=self.momentum) if self.nesterov else buffer
                p.add_(g, alpha=-self.lr)

class optim_Adam(optim_Optimizer):
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.0, amsgrad=False, *, maximize=False, foreach=None, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False):
        assert not amsgrad, "torch.optim.Adam: amsgrad is False in a program"
        self.params = _each_parameter(params)
        self.lr = lr
        self.beta1, self.beta2 = betas
        self.eps = eps
        self.weight_decay = weight_decay
        self.maximize = maximize
        self.decoupled = decoupled_weight_decay
        self.step_count = [torch.zeros(())]
        self.exp_avg = [torch.zeros_like(p) for p in self.params]
        self.exp_avg_sq = [torch.zeros_like(p) for p in self.params]
    def _kept(self):
        found = [i for i in range(len(self.params)) if self.params[i].grad is not None]
        return self.step_count + [self.exp_avg[i] for i in found] + [self.exp_avg_sq[i] for i in found]
    def step(self):
        with torch.no_grad():
            self.step_count[0] += 1
            count = self.step_count[0].double()
            size = self.lr / (1.0 - self.beta1 ** count)
            root = torch.sqrt(1.0 - self.beta2 ** count)
            for i in range(len(self.params)):
                p = self.params[i]
                g = p.grad
                if g is None:
                    continue
                if self.maximize:
                    g = -g
                if self.decoupled:
                    p.mul_(1.0 - self.lr * self.weight_decay)
                elif self.weight_decay != 0:
                    g = torch.add(g, p, alpha=self.weight_decay)
                average, square = self.exp_avg[i], self.exp_avg_sq[i]
                average.lerp_(g, 1.0 - self.beta1)
                square.mul_(self.beta2).addcmul_(g, g, value=1.0 - self.beta2)
                p.sub_(average / (torch.sqrt(square) / root + self.eps) * size)

class optim_AdamW(optim_Adam):
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.01, amsgrad=False, *, maximize=False, foreach=None, capturable=False, differentiable=False, fused=None):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize, decoupled_weight_decay=True)
)py";

}  // namespace fusebench
