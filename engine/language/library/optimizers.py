# SPDX-License-Identifier: GPL-3.0-or-later
# PyTorch's optimizers and learning-rate schedulers: torch.optim.SGD is optim_SGD here,
# torch.optim.lr_scheduler.StepLR is lr_scheduler_StepLR. Their state and the parameters are held
# inputs, which a step writes in place. Formulas as in PyTorch's documentation; numbers that PyTorch
# computes in Python (double) from the step count are computed in float64 from a held count.

def _groups_of(params, usual):
    items = list(params)
    groups = items if len(items) > 0 and isinstance(items[0], dict) else [{'params': items}]
    made = []
    for group in groups:
        assert isinstance(group, dict), "an optimizer takes parameters, or dicts with 'params' and settings of their own"
        for key in group:
            assert key == 'params' or key in usual, "a group of parameters has 'params' and settings of the optimizer: " + ', '.join(list(usual))
        own = group['params']
        full = {'params': [own] if torch.is_tensor(own) else list(own)}
        for key in usual:
            full[key] = group[key] if key in group else usual[key]
        made.append(full)
    return made

class optim_Optimizer:
    def _take(self, params, usual):
        groups = _groups_of(params, usual)
        self.params = [p for group in groups for p in group['params']]
        self._settings = [group for group in groups for p in group['params']]
        self.schedule = None
    def _rate(self, settings):
        return settings['lr'] if self.schedule is None else self.schedule._rate(settings['lr'])
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
        assert not nesterov or momentum > 0, "torch.optim.SGD: nesterov needs a momentum"
        self._take(params, {'lr': lr, 'momentum': momentum, 'dampening': dampening, 'weight_decay': weight_decay, 'nesterov': nesterov, 'maximize': maximize, 'foreach': foreach, 'differentiable': differentiable, 'fused': fused})
        for each in self._settings:
            assert each['dampening'] == 0, "torch.optim.SGD: dampening is 0 in a program"
        self.momentum_buffer = [torch.zeros_like(p) for p in self.params] if any([each['momentum'] != 0 for each in self._settings]) else []
    def _kept(self):
        return [self.momentum_buffer[i] for i in range(len(self.momentum_buffer)) if self.params[i].grad is not None and self._settings[i]['momentum'] != 0]
    def step(self):
        with torch.no_grad():
            for i in range(len(self.params)):
                p = self.params[i]
                g = p.grad
                if g is None:
                    continue
                settings = self._settings[i]
                if settings['maximize']:
                    g = -g
                if settings['weight_decay'] != 0:
                    g = torch.add(g, p, alpha=settings['weight_decay'])
                if settings['momentum'] != 0:
                    buffer = self.momentum_buffer[i]
                    buffer.mul_(settings['momentum']).add_(g)
                    g = torch.add(g, buffer, alpha=settings['momentum']) if settings['nesterov'] else buffer
                if self.schedule is None:
                    p.add_(g, alpha=-settings['lr'])
                else:
                    p.sub_(g * self._rate(settings))

class optim_Adam(optim_Optimizer):
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.0, amsgrad=False, *, maximize=False, foreach=None, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False):
        self._take(params, {'lr': lr, 'betas': betas, 'eps': eps, 'weight_decay': weight_decay, 'amsgrad': amsgrad, 'maximize': maximize, 'foreach': foreach, 'capturable': capturable, 'differentiable': differentiable, 'fused': fused})
        for each in self._settings:
            assert not each['amsgrad'], "torch.optim.Adam: amsgrad is False in a program"
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
            before = None
            for i in range(len(self.params)):
                p = self.params[i]
                g = p.grad
                if g is None:
                    continue
                settings = self._settings[i]
                if before is not settings:
                    before = settings
                    rate = self._rate(settings)
                    beta1, beta2 = settings['betas']
                    size = rate / (1.0 - beta1 ** count)
                    root = torch.sqrt(1.0 - beta2 ** count)
                if settings['maximize']:
                    g = -g
                if self.decoupled:
                    p.mul_(1.0 - rate * settings['weight_decay'])
                elif settings['weight_decay'] != 0:
                    g = torch.add(g, p, alpha=settings['weight_decay'])
                average, square = self.exp_avg[i], self.exp_avg_sq[i]
                average.lerp_(g, 1.0 - beta1)
                square.mul_(beta2).addcmul_(g, g, value=1.0 - beta2)
                p.sub_(average / (torch.sqrt(square) / root + settings['eps']) * size)

class optim_AdamW(optim_Adam):
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.01, amsgrad=False, *, maximize=False, foreach=None, capturable=False, differentiable=False, fused=None):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize, decoupled_weight_decay=True)

class lr_scheduler_LRScheduler:
    def _begin(self, optimizer, last_epoch):
        assert last_epoch == -1, "a scheduler begins with the first step: last_epoch is -1"
        assert optimizer.schedule is None, "an optimizer has one scheduler in a program"
        optimizer.schedule = self
        self.last_epoch = [torch.zeros(())]
    def _count(self):
        return self.last_epoch[0].detach().double()
    def _rate(self, base):
        return base * self._factor()
    def step(self):
        with torch.no_grad():
            self.last_epoch[0] += 1

class lr_scheduler_StepLR(lr_scheduler_LRScheduler):
    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self._begin(optimizer, last_epoch)
        self.step_size = step_size
        self.gamma = gamma
    def _factor(self):
        return self.gamma ** torch.floor(self._count() / self.step_size)

class lr_scheduler_MultiStepLR(lr_scheduler_LRScheduler):
    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        self._begin(optimizer, last_epoch)
        self.milestones = list(milestones)
        self.gamma = gamma
    def _factor(self):
        passed = 0
        for milestone in self.milestones:
            passed = passed + (self._count() >= milestone).double()
        return self.gamma ** passed

class lr_scheduler_ExponentialLR(lr_scheduler_LRScheduler):
    def __init__(self, optimizer, gamma, last_epoch=-1):
        self._begin(optimizer, last_epoch)
        self.gamma = gamma
    def _factor(self):
        return self.gamma ** self._count()

class lr_scheduler_LinearLR(lr_scheduler_LRScheduler):
    def __init__(self, optimizer, start_factor=0.3333333333333333, end_factor=1.0, total_iters=5, last_epoch=-1):
        self._begin(optimizer, last_epoch)
        self.start = start_factor
        self.end = end_factor
        self.total = total_iters
    def _factor(self):
        return self.start + (self.end - self.start) * (torch.clamp(self._count(), max=self.total) / self.total)

class lr_scheduler_PolynomialLR(lr_scheduler_LRScheduler):
    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self._begin(optimizer, last_epoch)
        self.total = total_iters
        self.power = power
    def _factor(self):
        return (1.0 - torch.clamp(self._count(), max=self.total) / self.total) ** self.power

class lr_scheduler_CosineAnnealingLR(lr_scheduler_LRScheduler):
    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self._begin(optimizer, last_epoch)
        self.period = T_max
        self.eta_min = eta_min
    def _rate(self, base):
        return self.eta_min + (base - self.eta_min) * (1.0 + torch.cos(self._count() * (math.pi / self.period))) * 0.5

class lr_scheduler_CosineAnnealingWarmRestarts(lr_scheduler_LRScheduler):
    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0.0, last_epoch=-1):
        assert T_mult == 1, "CosineAnnealingWarmRestarts is there with T_mult=1, periods of equal length"
        self._begin(optimizer, last_epoch)
        self.period = T_0
        self.eta_min = eta_min
    def _rate(self, base):
        return self.eta_min + (base - self.eta_min) * (1.0 + torch.cos(self._count() % self.period * (math.pi / self.period))) * 0.5

class lr_scheduler_LambdaLR(lr_scheduler_LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self._begin(optimizer, last_epoch)
        assert callable(lr_lambda), "LambdaLR is there with one function"
        self.lr_lambda = lr_lambda
    def _factor(self):
        return self.lr_lambda(self._count())
