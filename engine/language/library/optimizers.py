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
        self._usual = usual
        self.schedule = None
        self._waiting = []
        self._use(_groups_of(params, usual))
    def _use(self, groups):
        self.param_groups = groups
        for group in self.param_groups:
            _keep_entries(group)
        self.params = [p for group in self.param_groups for p in group['params']]
        self._settings = [group for group in self.param_groups for p in group['params']]
        self._numbers = [i for i in range(len(self.param_groups)) for p in self.param_groups[i]['params']]
        self._begin_state()
    def add_param_group(self, param_group):
        assert _prepares(), "add a group of parameters before the first step, next to the line that creates the optimizer"
        group = _groups_of([param_group], self._usual)[0]
        self._use(self.param_groups + [group])
        if self.schedule is not None:
            self.schedule._take_over(self, group)
    def _any(self, name):
        return any([bool(group[name]) for group in self.param_groups])
    def _zeros(self, wanted=True, value=0.0):
        return [torch.full_like(p, value) if value != 0 else torch.zeros_like(p) for p in self.params] if wanted else []
    def _rate(self, settings):
        return settings['lr'] if self.schedule is None else self.schedule._rate(settings['initial_lr'])
    def _with_gradient(self):
        return [i for i in range(len(self.params)) if self.params[i].grad is not None]
    def _state(self):
        return [p for p in self.params if p.grad is not None] + self._kept()
    def _kept(self):
        found = self._with_gradient()
        return self.step_count + [each[i] for each in self._moments() for i in found if len(each) > 0]
    def _begin_step(self):
        assert len(self._waiting) == 0, "an optimizer has one scheduler in a program, or several that torch.optim.lr_scheduler.SequentialLR combines"
        self.step_count[0] += 1
        return self.step_count[0].double()
    def _gradient(self, i):
        # With the settings that all optimizers have: maximize, weight_decay.
        settings = self._settings[i]
        g = self.params[i].grad
        if settings['maximize']:
            g = -g
        if settings['weight_decay'] != 0 and not settings.get('decoupled_weight_decay', False):
            g = torch.add(g, self.params[i], alpha=settings['weight_decay'])
        return g
    def _move(self, p, by, rate):
        if torch.is_tensor(rate):
            p.sub_(by * rate)
        else:
            p.add_(by, alpha=-rate)
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
        assert not nesterov or (momentum > 0 and dampening == 0), "torch.optim.SGD: nesterov needs a momentum and no dampening"
        self._take(params, {'lr': lr, 'momentum': momentum, 'dampening': dampening, 'weight_decay': weight_decay, 'nesterov': nesterov, 'maximize': maximize, 'foreach': foreach, 'differentiable': differentiable, 'fused': fused})
    def _begin_state(self):
        self.momentum_buffer = self._zeros(self._any('momentum'))
        self.step_count = [torch.zeros(())] if self._any('dampening') else []
    def _kept(self):
        return self.step_count + [self.momentum_buffer[i] for i in range(len(self.momentum_buffer)) if self.params[i].grad is not None]
    def step(self):
        assert len(self._waiting) == 0, "an optimizer has one scheduler in a program, or several that torch.optim.lr_scheduler.SequentialLR combines"
        with torch.no_grad():
            if len(self.step_count) > 0:
                self.step_count[0] += 1
            for i in self._with_gradient():
                p = self.params[i]
                g = self._gradient(i)
                settings = self._settings[i]
                momentum = settings['momentum']
                if torch.is_tensor(momentum) or momentum != 0:
                    buffer = self.momentum_buffer[i]
                    buffer.mul_(momentum)
                    if settings['dampening'] != 0:
                        buffer.add_(g * torch.where(self.step_count[0] == 1, 1.0, 1.0 - settings['dampening']).to(g.dtype))
                    else:
                        buffer.add_(g)
                    if settings['nesterov']:
                        g = g + buffer * momentum if torch.is_tensor(momentum) else torch.add(g, buffer, alpha=momentum)
                    else:
                        g = buffer
                self._move(p, g, self._rate(settings))

class optim_Adam(optim_Optimizer):
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.0, amsgrad=False, *, maximize=False, foreach=None, capturable=False, differentiable=False, fused=None, decoupled_weight_decay=False):
        self._take(params, {'lr': lr, 'betas': betas, 'eps': eps, 'weight_decay': weight_decay, 'amsgrad': amsgrad, 'maximize': maximize, 'foreach': foreach, 'capturable': capturable, 'differentiable': differentiable, 'fused': fused})
        self.decoupled = decoupled_weight_decay
    def _begin_state(self):
        self.step_count = [torch.zeros(())]
        self.exp_avg = self._zeros()
        self.exp_avg_sq = self._zeros()
        self.max_exp_avg_sq = self._zeros(self._any('amsgrad'))
    def _moments(self):
        return [self.exp_avg, self.exp_avg_sq, self.max_exp_avg_sq]
    def step(self):
        with torch.no_grad():
            count = self._begin_step()
            before = None
            for i in self._with_gradient():
                p = self.params[i]
                g = p.grad
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
                if settings['amsgrad']:
                    largest = self.max_exp_avg_sq[i]
                    largest.copy_(torch.maximum(largest, square))
                    square = largest
                p.sub_(average / (torch.sqrt(square) / root + settings['eps']) * size)

class optim_AdamW(optim_Adam):
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.01, amsgrad=False, *, maximize=False, foreach=None, capturable=False, differentiable=False, fused=None):
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize, decoupled_weight_decay=True)

class optim_NAdam(optim_Optimizer):
    def __init__(self, params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.0, momentum_decay=0.004, decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False):
        self._take(params, {'lr': lr, 'betas': betas, 'eps': eps, 'weight_decay': weight_decay, 'momentum_decay': momentum_decay, 'decoupled_weight_decay': decoupled_weight_decay, 'maximize': maximize, 'foreach': foreach, 'capturable': capturable, 'differentiable': differentiable})
    def _begin_state(self):
        self.step_count = [torch.zeros(())]
        self.mu_product = [torch.zeros(()) for group in self.param_groups]  # 1 less than PyTorch's
        self.exp_avg = self._zeros()
        self.exp_avg_sq = self._zeros()
    def _moments(self):
        return [self.exp_avg, self.exp_avg_sq]
    def _kept(self):
        return super()._kept() + self.mu_product
    def step(self):
        with torch.no_grad():
            count = self._begin_step()
            before = None
            for i in self._with_gradient():
                p, settings = self.params[i], self._settings[i]
                if before is not settings:
                    before = settings
                    rate = self._rate(settings)
                    beta1, beta2 = settings['betas']
                    decay = settings['momentum_decay']
                    mu = beta1 * (1.0 - 0.5 * 0.96 ** (count * decay))
                    next_mu = beta1 * (1.0 - 0.5 * 0.96 ** ((count + 1.0) * decay))
                    kept = self.mu_product[self._numbers[i]]
                    kept.copy_((kept.double() + 1.0) * mu - 1.0)
                    product = kept.double() + 1.0
                    own = rate * (1.0 - mu) / (1.0 - product)
                    following = rate * next_mu / (1.0 - product * next_mu)
                    correction = 1.0 - beta2 ** count
                if settings['decoupled_weight_decay']:
                    p.mul_(1.0 - rate * settings['weight_decay'])
                g = self._gradient(i)
                average, square = self.exp_avg[i], self.exp_avg_sq[i]
                average.lerp_(g, 1.0 - beta1)
                square.mul_(beta2).addcmul_(g, g, value=1.0 - beta2)
                root = torch.sqrt(square / correction) + settings['eps']
                p.sub_(g / root * own)
                p.sub_(average / root * following)

class optim_RAdam(optim_Optimizer):
    def __init__(self, params, lr=0.001, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.0, decoupled_weight_decay=False, *, foreach=None, maximize=False, capturable=False, differentiable=False):
        self._take(params, {'lr': lr, 'betas': betas, 'eps': eps, 'weight_decay': weight_decay, 'decoupled_weight_decay': decoupled_weight_decay, 'maximize': maximize, 'foreach': foreach, 'capturable': capturable, 'differentiable': differentiable})
    def _begin_state(self):
        self.step_count = [torch.zeros(())]
        self.exp_avg = self._zeros()
        self.exp_avg_sq = self._zeros()
    def _moments(self):
        return [self.exp_avg, self.exp_avg_sq]
    def step(self):
        with torch.no_grad():
            count = self._begin_step()
            before = None
            for i in self._with_gradient():
                p, settings = self.params[i], self._settings[i]
                if before is not settings:
                    before = settings
                    rate = self._rate(settings)
                    beta1, beta2 = settings['betas']
                    size = rate / (1.0 - beta1 ** count)
                    correction = 1.0 - beta2 ** count
                    most = 2.0 / (1.0 - beta2) - 1.0
                    length = most - 2.0 * count * beta2 ** count / correction
                    long = torch.clamp(length, min=5.0)  # unused where the length is below 5
                    rectified = torch.sqrt((long - 4.0) * (long - 2.0) * most / ((most - 4.0) * (most - 2.0) * long))
                    factor = torch.sqrt(correction) * rectified
                if settings['decoupled_weight_decay']:
                    p.mul_(1.0 - rate * settings['weight_decay'])
                g = self._gradient(i)
                average, square = self.exp_avg[i], self.exp_avg_sq[i]
                average.lerp_(g, 1.0 - beta1)
                square.mul_(beta2).addcmul_(g, g, value=1.0 - beta2)
                adapted = average * size * (factor / (torch.sqrt(square) + settings['eps']))
                p.sub_(torch.where(length > 5.0, adapted, average * size))

class optim_Adamax(optim_Optimizer):
    def __init__(self, params, lr=0.002, betas=(0.9, 0.999), eps=1e-08, weight_decay=0.0, foreach=None, *, maximize=False, differentiable=False, capturable=False):
        self._take(params, {'lr': lr, 'betas': betas, 'eps': eps, 'weight_decay': weight_decay, 'maximize': maximize, 'foreach': foreach, 'capturable': capturable, 'differentiable': differentiable})
    def _begin_state(self):
        self.step_count = [torch.zeros(())]
        self.exp_avg = self._zeros()
        self.exp_inf = self._zeros()
    def _moments(self):
        return [self.exp_avg, self.exp_inf]
    def step(self):
        with torch.no_grad():
            count = self._begin_step()
            for i in self._with_gradient():
                p, settings = self.params[i], self._settings[i]
                beta1, beta2 = settings['betas']
                g = self._gradient(i)
                average, largest = self.exp_avg[i], self.exp_inf[i]
                average.lerp_(g, 1.0 - beta1)
                largest.copy_(torch.maximum(largest * beta2, torch.abs(g) + settings['eps']))
                p.sub_(average / largest * (self._rate(settings) / (1.0 - beta1 ** count)))

class optim_Adagrad(optim_Optimizer):
    def __init__(self, params, lr=0.01, lr_decay=0.0, weight_decay=0.0, initial_accumulator_value=0.0, eps=1e-10, foreach=None, *, maximize=False, differentiable=False, fused=None):
        self.initial = initial_accumulator_value
        self._take(params, {'lr': lr, 'lr_decay': lr_decay, 'weight_decay': weight_decay, 'eps': eps, 'maximize': maximize, 'foreach': foreach, 'differentiable': differentiable, 'fused': fused})
    def _begin_state(self):
        self.step_count = [torch.zeros(())]
        self.sum = self._zeros(value=self.initial)
    def _moments(self):
        return [self.sum]
    def step(self):
        with torch.no_grad():
            count = self._begin_step()
            for i in self._with_gradient():
                settings = self._settings[i]
                g = self._gradient(i)
                rate = self._rate(settings)
                if settings['lr_decay'] != 0:
                    rate = rate / (1.0 + (count - 1.0) * settings['lr_decay'])
                self.sum[i].addcmul_(g, g, value=1.0)
                self._move(self.params[i], g / (torch.sqrt(self.sum[i]) + settings['eps']), rate)

class optim_RMSprop(optim_Optimizer):
    def __init__(self, params, lr=0.01, alpha=0.99, eps=1e-08, weight_decay=0.0, momentum=0.0, centered=False, capturable=False, foreach=None, maximize=False, differentiable=False):
        self._take(params, {'lr': lr, 'alpha': alpha, 'eps': eps, 'weight_decay': weight_decay, 'momentum': momentum, 'centered': centered, 'maximize': maximize, 'foreach': foreach, 'capturable': capturable, 'differentiable': differentiable})
    def _begin_state(self):
        self.step_count = [torch.zeros(())]
        self.square_avg = self._zeros()
        self.momentum_buffer = self._zeros(self._any('momentum'))
        self.grad_avg = self._zeros(self._any('centered'))
    def _moments(self):
        return [self.square_avg, self.momentum_buffer, self.grad_avg]
    def step(self):
        with torch.no_grad():
            self._begin_step()
            for i in self._with_gradient():
                settings = self._settings[i]
                g = self._gradient(i)
                square, alpha = self.square_avg[i], settings['alpha']
                square.mul_(alpha).addcmul_(g, g, value=1.0 - alpha)
                if settings['centered']:
                    self.grad_avg[i].lerp_(g, 1.0 - alpha)
                    square = torch.addcmul(square, self.grad_avg[i], self.grad_avg[i], value=-1.0)
                g = g / (torch.sqrt(square) + settings['eps'])
                if settings['momentum'] != 0:
                    buffer = self.momentum_buffer[i]
                    buffer.mul_(settings['momentum']).add_(g)
                    g = buffer
                self._move(self.params[i], g, self._rate(settings))

class optim_Adadelta(optim_Optimizer):
    def __init__(self, params, lr=1.0, rho=0.9, eps=1e-06, weight_decay=0.0, foreach=None, *, capturable=False, maximize=False, differentiable=False):
        self._take(params, {'lr': lr, 'rho': rho, 'eps': eps, 'weight_decay': weight_decay, 'maximize': maximize, 'foreach': foreach, 'capturable': capturable, 'differentiable': differentiable})
    def _begin_state(self):
        self.step_count = [torch.zeros(())]
        self.square_avg = self._zeros()
        self.acc_delta = self._zeros()
    def _moments(self):
        return [self.square_avg, self.acc_delta]
    def step(self):
        with torch.no_grad():
            self._begin_step()
            for i in self._with_gradient():
                settings = self._settings[i]
                g = self._gradient(i)
                square, kept, rho = self.square_avg[i], self.acc_delta[i], settings['rho']
                square.mul_(rho).addcmul_(g, g, value=1.0 - rho)
                delta = torch.sqrt(kept + settings['eps']) / torch.sqrt(square + settings['eps']) * g
                kept.mul_(rho).addcmul_(delta, delta, value=1.0 - rho)
                self._move(self.params[i], delta, self._rate(settings))

class lr_scheduler_LRScheduler:
    def _begin(self, optimizer, last_epoch):
        assert last_epoch == -1, "a scheduler begins with the first step: last_epoch is -1"
        self.last_epoch = [torch.zeros(())]
        self.start = 0
        if optimizer.schedule is not None:
            optimizer._waiting.append(self)
            return
        optimizer.schedule = self
        self.bases = []
        for group in optimizer.param_groups:
            self._take_over(optimizer, group)
    def _take_over(self, optimizer, group):
        group['initial_lr'] = group['lr']
        self.bases.append(group['lr'])
        _replace_entry(group, 'lr', lambda: optimizer._rate(group))
    def _count(self):
        count = self.last_epoch[0].detach().double()
        return count - self.start if self.start != 0 else count
    def get_last_lr(self):
        return [self._rate(base) for base in self.bases]
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
        self.first = start_factor
        self.end = end_factor
        self.total = total_iters
    def _factor(self):
        return self.first + (self.end - self.first) * (torch.clamp(self._count(), max=self.total) / self.total)

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
        assert isinstance(T_mult, int) and T_mult >= 1, "CosineAnnealingWarmRestarts: T_mult must be an integer >= 1"
        self._begin(optimizer, last_epoch)
        self.period = T_0
        self.growth = T_mult
        self.eta_min = eta_min
    def _rate(self, base):
        count = self._count()
        if self.growth == 1:
            passed = count % self.period / self.period
        else:
            # The number of whole periods; 1e-9 is far below its distance from the next one.
            periods = torch.floor(torch.log(count / self.period * (self.growth - 1) + 1.0) / math.log(self.growth) + 1e-9)
            longer = torch.round(float(self.growth) ** periods)
            passed = (count - self.period * (longer - 1.0) / (self.growth - 1)) / (self.period * longer)
        return self.eta_min + (base - self.eta_min) * (1.0 + torch.cos(passed * math.pi)) * 0.5

class lr_scheduler_ConstantLR(lr_scheduler_LRScheduler):
    def __init__(self, optimizer, factor=0.3333333333333333, total_iters=5, last_epoch=-1):
        self._begin(optimizer, last_epoch)
        self.factor = factor
        self.total = total_iters
    def _factor(self):
        return torch.where(self._count() < self.total, self.factor, 1.0).double()

class lr_scheduler_OneCycleLR(lr_scheduler_LRScheduler):
    def __init__(self, optimizer, max_lr, total_steps=None, epochs=None, steps_per_epoch=None, pct_start=0.3, anneal_strategy='cos', cycle_momentum=True, base_momentum=0.85, max_momentum=0.95, div_factor=25.0, final_div_factor=10000.0, three_phase=False, last_epoch=-1):
        assert not isinstance(max_lr, (list, tuple)) and not isinstance(base_momentum, (list, tuple)) and not isinstance(max_momentum, (list, tuple)), "OneCycleLR is there with one max_lr and one momentum for all groups"
        assert total_steps is not None or (epochs is not None and steps_per_epoch is not None), "You must define either total_steps OR (epochs AND steps_per_epoch)"
        assert anneal_strategy in ('cos', 'linear'), "anneal_strategy must be one of 'cos' or 'linear'"
        self._begin(optimizer, last_epoch)
        total = total_steps if total_steps is not None else epochs * steps_per_epoch
        first = max_lr / div_factor
        last = first / final_div_factor
        self.linear = anneal_strategy == 'linear'
        up = float(pct_start * total) - 1
        self.ends = [up, 2 * up, total - 1] if three_phase else [up, total - 1]
        self.rates = [first, max_lr, first, last] if three_phase else [first, max_lr, last]
        self.momenta = [max_momentum, base_momentum, max_momentum] + ([max_momentum] if three_phase else [])
        if cycle_momentum:
            for group in optimizer.param_groups:
                self._take_momentum(group)
    def _take_momentum(self, group):
        assert 'momentum' in group or 'betas' in group, "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
        if 'betas' in group:
            second = group['betas'][1]
            _replace_entry(group, 'betas', lambda: (self._between(self.momenta), second))
        else:
            assert group['momentum'] != 0, "OneCycleLR cycles the momentum of an optimizer that has one; write cycle_momentum=False"
            _replace_entry(group, 'momentum', lambda: self._between(self.momenta))
    def _part(self, values, count, i):
        start = self.ends[i - 1] if i > 0 else 0.0
        passed = (count - start) / (self.ends[i] - start)
        if self.linear:
            return (values[i + 1] - values[i]) * passed + values[i]
        return values[i + 1] + (values[i] - values[i + 1]) / 2.0 * (1.0 + torch.cos(passed * math.pi))
    def _between(self, values):
        count = self._count()
        made = self._part(values, count, len(self.ends) - 1)
        for i in range(len(self.ends) - 2, -1, -1):
            made = torch.where(count <= self.ends[i], self._part(values, count, i), made)
        return made
    def _rate(self, base):
        return self._between(self.rates)

class lr_scheduler_SequentialLR(lr_scheduler_LRScheduler):
    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        assert last_epoch == -1, "a scheduler begins with the first step: last_epoch is -1"
        assert len(schedulers) == len(milestones) + 1, "SequentialLR expects number of schedulers provided to be one more than the number of milestone points"
        assert optimizer.schedule is not None and len(schedulers) == 1 + len(optimizer._waiting), "SequentialLR combines all schedulers of its optimizer"
        self.schedulers = list(schedulers)
        self.milestones = list(milestones)
        self.last_epoch = schedulers[0].last_epoch
        self.bases = optimizer.schedule.bases
        for i in range(len(milestones)):
            schedulers[i + 1].last_epoch = self.last_epoch
            schedulers[i + 1].start = milestones[i]
        optimizer._waiting = []
        optimizer.schedule = self
    def _rate(self, base):
        count = self.last_epoch[0].detach().double()
        made = self.schedulers[0]._rate(base)
        for i in range(len(self.milestones)):
            made = torch.where(count >= self.milestones[i], self.schedulers[i + 1]._rate(base), made)
        return made

class lr_scheduler_LambdaLR(lr_scheduler_LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self._begin(optimizer, last_epoch)
        assert callable(lr_lambda), "LambdaLR is there with one function"
        self.lr_lambda = lr_lambda
    def _factor(self):
        return self.lr_lambda(self._count())

class lr_scheduler_MultiplicativeLR(lr_scheduler_LRScheduler):
    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self._begin(optimizer, last_epoch)
        assert callable(lr_lambda), "MultiplicativeLR is there with one function"
        self.lr_lambda = lr_lambda
        self.product = [torch.zeros((), dtype=torch.float64)]  # 1 less than the factor so far
    def _factor(self):
        return self.product[0].detach() + 1.0
    def step(self):
        with torch.no_grad():
            self.last_epoch[0] += 1
            self.product[0].copy_((self.product[0] + 1.0) * self.lr_lambda(self._count()) - 1.0)

class lr_scheduler_CyclicLR(lr_scheduler_LRScheduler):
    def __init__(self, optimizer, base_lr, max_lr, step_size_up=2000, step_size_down=None, mode='triangular', gamma=1.0, scale_fn=None, scale_mode='cycle', cycle_momentum=True, base_momentum=0.8, max_momentum=0.9, last_epoch=-1):
        assert not isinstance(base_lr, (list, tuple)) and not isinstance(max_lr, (list, tuple)) and not isinstance(base_momentum, (list, tuple)) and not isinstance(max_momentum, (list, tuple)), "CyclicLR is there with one base_lr, one max_lr and one momentum for all groups"
        assert scale_fn is not None or mode in ('triangular', 'triangular2', 'exp_range'), "mode is invalid and scale_fn is None"
        self._begin(optimizer, last_epoch)
        self.base_lr = base_lr
        self.max_lr = max_lr
        self.total = float(step_size_up) + (float(step_size_up) if step_size_down is None else float(step_size_down))
        self.ratio = float(step_size_up) / self.total
        self.mode = mode
        self.gamma = gamma
        self.scale_fn = scale_fn
        self.by_cycle = scale_mode == 'cycle' if scale_fn is not None else mode != 'exp_range'
        self.base_momentum = base_momentum
        self.max_momentum = max_momentum
        if cycle_momentum:
            for group in optimizer.param_groups:
                self._take_momentum(group)
    def _take_momentum(self, group):
        assert 'momentum' in group or 'betas' in group, "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
        if 'betas' in group:
            second = group['betas'][1]
            _replace_entry(group, 'betas', lambda: (self._momentum(), second))
        else:
            assert group['momentum'] != 0, "CyclicLR cycles the momentum of an optimizer that has one; write cycle_momentum=False"
            _replace_entry(group, 'momentum', lambda: self._momentum())
    def _scale(self, cycle, count):
        at = cycle if self.by_cycle else count
        if self.scale_fn is not None:
            return self.scale_fn(at)
        if self.mode == 'triangular':
            return 1.0
        return 1.0 / (2.0 ** (at - 1.0)) if self.mode == 'triangular2' else self.gamma ** at
    def _height(self):
        count = self._count()
        cycle = torch.floor(1.0 + count / self.total)
        passed = 1.0 + count / self.total - cycle
        factor = torch.where(passed <= self.ratio, passed / self.ratio, (passed - 1.0) / (self.ratio - 1.0))
        return factor * self._scale(cycle, count)
    def _rate(self, base):
        return self.base_lr + (self.max_lr - self.base_lr) * self._height()
    def _momentum(self):
        return self.max_momentum - (self.max_momentum - self.base_momentum) * self._height()

class lr_scheduler_ReduceLROnPlateau(lr_scheduler_LRScheduler):
    def __init__(self, optimizer, mode='min', factor=0.1, patience=10, threshold=0.0001, threshold_mode='rel', cooldown=0, min_lr=0, eps=1e-08):
        assert mode in ('min', 'max'), "ReduceLROnPlateau: mode is 'min' or 'max'"
        assert threshold_mode in ('rel', 'abs'), "ReduceLROnPlateau: threshold_mode is 'rel' or 'abs'"
        assert factor < 1.0, "Factor should be < 1.0."
        assert not isinstance(min_lr, (list, tuple)), "ReduceLROnPlateau is there with one min_lr for all groups"
        self.mode = mode
        self.factor = factor
        self.patience = patience
        self.threshold = threshold
        self.relative = threshold_mode == 'rel'
        self.cooldown = cooldown
        self.min_lr = min_lr
        self.eps = eps
        self._begin(optimizer, -1)
        # How often it was stepped, the best value so far, steps without a better one, steps left to cool down.
        self.best = [torch.zeros((), dtype=torch.float64)]
        self.bad = [torch.zeros(())]
        self.cooling = [torch.zeros(())]
        self.lost = [torch.zeros((), dtype=torch.float64) for base in self.bases]  # how much less than at first each rate is
    def _take_over(self, optimizer, group):
        number = len(self.bases)
        base = group['lr']
        group['initial_lr'] = base
        self.bases.append(base)
        _replace_entry(group, 'lr', lambda: base - self.lost[number].detach())
    def _rate(self, base):
        return base - self.lost[self.bases.index(base)].detach()
    def _is_better(self, value):
        best = self.best[0]
        sign = 1.0 if self.mode == 'max' else -1.0
        if self.relative:
            limit = best * (1.0 + sign * self.threshold)
        else:
            limit = best + sign * self.threshold
        return torch.logical_or(self.last_epoch[0] == 0, value > limit if self.mode == 'max' else value < limit)
    def step(self, metrics, epoch=None):
        with torch.no_grad():
            value = metrics.detach().double() if torch.is_tensor(metrics) else torch.full((), float(metrics), dtype=torch.float64)
            better = self._is_better(value)
            self.best[0].copy_(torch.where(better, value, self.best[0]))
            self.last_epoch[0] += 1
            bad = torch.where(better, 0.0, self.bad[0] + 1.0)
            cools = self.cooling[0] > 0
            bad = torch.where(cools, 0.0, bad)
            cooling = torch.where(cools, self.cooling[0] - 1.0, self.cooling[0])
            reduces = bad > self.patience
            for i in range(len(self.bases)):
                rate = self.bases[i] - self.lost[i]
                reduced = torch.clamp(rate * self.factor, min=self.min_lr)
                takes = torch.logical_and(reduces, rate - reduced > self.eps)
                self.lost[i].copy_(self.bases[i] - torch.where(takes, reduced, rate))
            self.cooling[0].copy_(torch.where(reduces, float(self.cooldown), cooling))
            self.bad[0].copy_(torch.where(reduces, 0.0, bad))
