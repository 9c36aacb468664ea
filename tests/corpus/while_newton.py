# inputs: x (4, 8)
# accepted: yes
def sqrt_newton(x, rounds=4):
    x = x.abs() + 0.5
    y = x
    i = 0
    while i < rounds:
        y = 0.5 * (y + x / y)
        i += 1
    return y
