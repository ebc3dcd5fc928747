# Dense linear algebra on lists of lists: three ways to multiply, transpose, power, Gauss elimination. args: matrix order.
# args: 79
# quick: 6
import sys


def make(n, seed):
    m = []
    for i in range(n):
        row = []
        for j in range(n):
            seed = (seed * 1103515245 + 12345) & 0x7fffffff
            row.append((seed >> 16) % 19 - 9)
        m.append(row)
    return m


def identity(n):
    return [[1 if i == j else 0 for j in range(n)] for i in range(n)]


def transpose(m):
    return [list(col) for col in zip(*m)]


def mul_index(a, b):
    n, p, q = len(a), len(b), len(b[0])
    c = [[0] * q for _ in range(n)]
    for i in range(n):
        for j in range(q):
            s = 0
            for k in range(p):
                s += a[i][k] * b[k][j]
            c[i][j] = s
    return c


def mul_rows(a, b):
    result = []
    for arow in a:
        acc = [0.0] * len(b[0])
        for x, brow in zip(arow, b):
            if x:
                for j, y in enumerate(brow):
                    acc[j] += x * y
        result.append(acc)
    return result


def mul_comp(a, b):
    bt = transpose(b)
    return [[sum(x * y for x, y in zip(r, c)) for c in bt] for r in a]


def power_mod(m, e, mod):
    result = identity(len(m))
    while e > 0:
        if e & 1:
            result = [[v % mod for v in row] for row in mul_comp(result, m)]
        e >>= 1
        if e:
            m = [[v % mod for v in row] for row in mul_comp(m, m)]
    return result


def solve(matrix, rhs):
    """Gaussian elimination with partial pivoting; gives solution, determinant and its power of ten."""
    n = len(matrix)
    a = [[float(v) for v in row] + [float(r)] for row, r in zip(matrix, rhs)]
    det, tens = 1.0, 0
    for col in range(n):
        pivot = max(range(col, n), key=lambda r: abs(a[r][col]))
        if abs(a[pivot][col]) < 1e-12:
            raise ArithmeticError("singular matrix in column %d" % col)
        if pivot != col:
            a[pivot], a[col] = a[col], a[pivot]
            det = -det
        top = a[col]
        det *= top[col]
        while abs(det) >= 10:
            det /= 10
            tens += 1
        for r in range(col + 1, n):
            row = a[r]
            f = row[col] / top[col]
            if f != 0.0:
                for k in range(col, n + 1):
                    row[k] -= f * top[k]
    x = [0.0] * n
    for i in range(n - 1, -1, -1):
        s = a[i][n]
        for k in range(i + 1, n):
            s -= a[i][k] * x[k]
        x[i] = s / a[i][i]
    return x, det, tens


def trace(m):
    return sum(m[i][i] for i in range(len(m)))


def main(n):
    a, b = make(n, 1), make(n, 99)
    c1 = mul_index(a, b)
    c2 = mul_rows([[v * 0.5 for v in row] for row in a], b)
    c3 = mul_comp(a, b)
    print("order", n, "trace", trace(c1), trace(c2), c1 == c3)
    print("corner", c1[0][0], c2[-1][-1], c3[n // 2][0], "sum", sum(map(sum, c3)))
    t = transpose(c1)
    left = mul_comp(transpose(b), transpose(a))
    print("transpose rule holds", t == left)
    small = [row[:5] for row in a[:5]]
    p = power_mod(small, 1000 + n, 10007)
    print("power", p[0], trace(p) % 10007)
    for i in range(n):
        a[i][i] += 10 * n            # well conditioned
    x, det, tens = solve(a, [i % 7 + 1 for i in range(n)])
    worst = max(abs(sum(r * v for r, v in zip(row, x)) - (i % 7 + 1)) for i, row in enumerate(a))
    print("solution %.8f %.8f residual small %s" % (x[0] * n, x[-1] * n, worst < 1e-9))
    print("determinant %.5fe%d" % (det, tens))
    try:
        solve([[1, 2], [2, 4]], [1, 1])
    except ArithmeticError as exc:
        print("caught:", exc)


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 6)
