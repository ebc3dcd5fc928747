# The spectral norm of a matrix that is never made: functions, lists of floats. args: size.
# args: 70
# quick: 8
import sys
from math import sqrt


def a(i, j):
    return 1.0 / ((i + j) * (i + j + 1) // 2 + i + 1)


def times(v, n):
    out = []
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += a(i, j) * v[j]
        out.append(total)
    return out


def transposed_times(v, n):
    out = []
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += a(j, i) * v[j]
        out.append(total)
    return out


def both(v, n):
    return transposed_times(times(v, n), n)


def main(n):
    u = [1.0] * n
    v = u
    for i in range(10):
        v = both(u, n)
        u = both(v, n)
    vbv = vv = 0.0
    for ue, ve in zip(u, v):
        vbv += ue * ve
        vv += ve * ve
    print('%.9f' % sqrt(vbv / vv))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
