import torch
import torch.nn.functional as F


def kd_loss(student_logits, teacher_logits, labels, T=4.0, alpha=0.9):
    soft = F.kl_div(F.log_softmax(student_logits / T, dim=1),
                    F.softmax(teacher_logits / T, dim=1), reduction="batchmean") * (T * T)
    hard = F.cross_entropy(student_logits, labels)
    return alpha * soft + (1 - alpha) * hard


s = torch.randn(6, 10, requires_grad=True)
t = torch.randn(6, 10)
y = torch.randint(0, 10, (6,))
l = kd_loss(s, t, y)
l.backward()
print(l.item(), s.grad.abs().mean().item())
