# SPDX-License-Identifier: GPL-3.0-or-later
# PyTorch's loss scaling: torch.amp.GradScaler is amp_GradScaler here. Its scale, the steps since the
# last growth and the count of skipped steps are held inputs, which update and step write in place. A
# program has no branch on data: a skipped step is computed, then the previous values are written
# back. After P. Micikevicius and others, Mixed Precision Training, 2018, and PyTorch's documentation
# of the class. detach() gives the value held now, not the initial one.

class amp_GradScaler:
    def __init__(self, device="cuda", init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        assert growth_factor > 1, "torch.amp.GradScaler: growth_factor is more than 1"
        assert backoff_factor < 1, "torch.amp.GradScaler: backoff_factor is less than 1"
        self.enabled = enabled
        self.growth_factor = growth_factor
        self.backoff_factor = backoff_factor
        self.growth_interval = growth_interval
        self.scale_factor = [torch.full((), init_scale)] if enabled else []
        self.growth_tracker = [torch.zeros(())] if enabled else []
        self.skipped_steps = [torch.zeros(())] if enabled else []
        self._start()
    def _start(self):
        self._unscaled = []
        self._found = []
        self._stepped = []
    def scale(self, outputs):
        if not self.enabled:
            return outputs
        if isinstance(outputs, (list, tuple)):
            return [self.scale(output) for output in outputs]
        return outputs * self.scale_factor[0]
    def unscale_(self, optimizer):
        if not self.enabled:
            return
        assert optimizer not in self._unscaled, "unscale_() has already been called on this optimizer since the last update()"
        assert optimizer not in self._stepped, "unscale_() is being called after step()"
        with torch.no_grad():
            inverse = self.scale_factor[0].detach().double().reciprocal().float()
            found = None
            for p in optimizer.params:
                g = p.grad
                if g is None:
                    continue
                each = torch.any(torch.logical_not(torch.isfinite(g)))
                found = each if found is None else torch.logical_or(found, each)
                g.mul_(inverse)
        assert found is not None, "No inf checks were recorded for this optimizer: nothing that it steps has a gradient"
        self._unscaled.append(optimizer)
        self._found.append(found)
    def step(self, optimizer):
        if not self.enabled:
            return optimizer.step()
        assert optimizer not in self._stepped, "step() has already been called since the last update()"
        if optimizer not in self._unscaled:
            self.unscale_(optimizer)
        self._stepped.append(optimizer)
        found = self._found[[i for i in range(len(self._unscaled)) if self._unscaled[i] is optimizer][0]]
        with torch.no_grad():
            state = optimizer._state()
            before = [each.clone() for each in state]
            optimizer.step()
            for i in range(len(state)):
                state[i].copy_(torch.where(found, before[i], state[i]))
            self.skipped_steps[0].add_(found)
    def update(self, new_scale=None):
        if not self.enabled:
            return
        scale, tracker = self.scale_factor[0].detach(), self.growth_tracker[0].detach()
        with torch.no_grad():
            if new_scale is not None:
                scale.copy_(new_scale)
            else:
                assert len(self._found) > 0, "No inf checks were recorded prior to update"
                found = self._found[0]
                for each in self._found[1:]:
                    found = torch.logical_or(found, each)
                grown = tracker + 1
                due = grown == self.growth_interval
                larger = scale * self.growth_factor
                kept = torch.where(torch.logical_and(due, torch.isfinite(larger)), larger, scale)
                scale.copy_(torch.where(found, scale * self.backoff_factor, kept))
                tracker.copy_(torch.where(torch.logical_or(found, due), torch.zeros_like(grown), grown))
        self._start()
    def get_scale(self):
        return self.scale_factor[0].detach().item() if self.enabled else 1.0
    def get_growth_factor(self):
        return self.growth_factor
    def get_backoff_factor(self):
        return self.backoff_factor
    def get_growth_interval(self):
        return self.growth_interval
    def is_enabled(self):
        return self.enabled

class cuda_amp_GradScaler(amp_GradScaler):
    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)

class cpu_amp_GradScaler(amp_GradScaler):
    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        super().__init__("cpu", init_scale, growth_factor, backoff_factor, growth_interval, enabled)
