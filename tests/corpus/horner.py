# inputs: x (4, 8)
# accepted: yes
COEFFICIENTS = [1.0, -0.5, 0.25, -0.125]


def polynomial(x):
    y = 0.0
    for c in reversed(COEFFICIENTS):
        y = y * x + c
    return y
