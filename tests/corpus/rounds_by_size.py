# inputs: x (3, 8)
# accepted: yes
def f(x):
    y = x
    for i in range(x.shape[0]):
        y = y + i * x.shape[1]
    return y
