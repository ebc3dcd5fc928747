import math, cmath, random, statistics as st
from fractions import Fraction as F
from decimal import Decimal as D, getcontext, localcontext, ROUND_HALF_EVEN, ROUND_UP
from functools import reduce
from operator import mul


class Matrix:
    __slots__ = ("rows",)

    def __init__(self, rows):
        self.rows = [list(r) for r in rows]

    @classmethod
    def identity(cls, n):
        return cls([[int(i == j) for j in range(n)] for i in range(n)])

    def __matmul__(self, o):
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*o.rows)] for r in self.rows])

    def __pow__(self, n):
        r, b = Matrix.identity(len(self.rows)), self
        while n:
            if n & 1: r = r @ b
            b = b @ b
            n >>= 1
        return r

    def det(self):
        m = [[F(x) for x in r] for r in self.rows]
        d, n = F(1), len(m)
        for i in range(n):
            p = next((r for r in range(i, n) if m[r][i]), None)
            if p is None: return F(0)
            if p != i:
                m[i], m[p] = m[p], m[i]
                d = -d
            d *= m[i][i]
            for r in range(i + 1, n):
                f = m[r][i] / m[i][i]
                m[r] = [x - f * y for x, y in zip(m[r], m[i])]
        return d

    def __repr__(self):
        return "[" + "; ".join(" ".join(map(str, r)) for r in self.rows) + "]"


class Poly:
    def __init__(self, *c):
        self.c = list(c) or [0]
        while len(self.c) > 1 and not self.c[-1]: self.c.pop()
    def __call__(self, x): return reduce(lambda acc, c: acc * x + c, reversed(self.c), 0)
    def __add__(self, o):
        n = max(len(self.c), len(o.c))
        return Poly(*[(self.c[i] if i < len(self.c) else 0) + (o.c[i] if i < len(o.c) else 0) for i in range(n)])
    def __mul__(self, o):
        r = [0] * (len(self.c) + len(o.c) - 1)
        for i, a in enumerate(self.c):
            for j, b in enumerate(o.c): r[i + j] += a * b
        return Poly(*r)
    def diff(self): return Poly(*[i * c for i, c in enumerate(self.c)][1:])
    def __str__(self):
        t = [f"{c:+}x^{i}" for i, c in enumerate(self.c) if c]
        return " ".join(reversed(t)) or "0"


def newton(f, df, x, eps=1e-12):
    for n in range(100):
        step = f(x) / df(x)
        x -= step
        if abs(step) < eps: return x, n
    raise ArithmeticError("no convergence")


def simpson(f, a, b, n=100):
    h = (b - a) / n
    return h / 3 * (f(a) + f(b) + 4 * math.fsum(f(a + i * h) for i in range(1, n, 2)) + 2 * math.fsum(f(a + i * h) for i in range(2, n, 2)))


print(Matrix([[1, 1], [1, 0]]) ** 90, Matrix([[2, 0, 1], [1, 3, 2], [1, 1, 1]]).det(), Matrix([[F(1, 2), 3], [4, 5]]).det())
p = Poly(-6, 11, -6, 1)
print(p, p.diff(), p(2), p * Poly(1, 1), [round(newton(p, p.diff(), x)[0], 9) for x in (0.5, 2.2, 5.0)])
print(simpson(math.sin, 0, math.pi), simpson(math.exp, 0, 1) - (math.e - 1) < 1e-9)
print(math.gcd(84, 36, 120), math.lcm(4, 6, 10), math.comb(50, 25), math.perm(10, 3), math.isqrt(10**40 + 1), math.prod(range(1, 11)), math.dist((0, 0), (3, 4)), math.hypot(1, 2, 2))
print(math.frexp(10.5), math.ldexp(0.5, 5), math.modf(-3.75), math.copysign(1, -0.0), math.fmod(-7, 3), -7 % 3, math.remainder(7, 4), math.nextafter(1, 2), math.ulp(1.0))
print(F(3, 4) + F("1/6"), F(0.125), F("3.14").limit_denominator(7), F(7, 3) // 1, round(F(7, 3), 2), F(-7, 3) % 1, F(1, 3) ** -2, float(F(1, 3)))
getcontext().prec = 30
print(D(1) / D(7), D(2).sqrt(), D("1.10") + D("2.205"), D("2.5").quantize(D(1), ROUND_HALF_EVEN), D("-1.234e5").normalize(), D(10).ln())
with localcontext() as c:
    c.prec = 5; c.rounding = ROUND_UP
    print(D(1) / D(3), D("1.000001") * 1)
random.seed(42)
print([random.randint(1, 6) for _ in range(5)], random.random(), random.choice("abc"), random.sample(range(100), 4), random.gauss(0, 1), random.shuffle(l := list(range(6))), l, random.choices("xy", weights=[9, 1], k=5))
data = [2.5, 3.25, 5.5, 11.5, 11.5, 14.0]
print(st.mean(data), st.median(data), st.mode(data), st.stdev(data), st.pvariance(data), st.quantiles(data, n=4), st.fmean(data), st.harmonic_mean([40, 60]), st.linear_regression([1, 2, 3], [2, 4, 6.5]))
print(cmath.sqrt(-4), (1 + 2j) ** 2, abs(3 - 4j), cmath.polar(1j), complex("1-2j").conjugate(), 2 ** 0.5j)
print(0.1 + 0.2, 1e16 + 1, 1e-7, 123456789.123456789, float("1e400"), -float("inf"), float("nan") != float("nan"), (0.1).hex(), float.fromhex("0x1.8p1"), (2.5).as_integer_ratio(), round(2.5), round(-0.5), round(1234.567, -2), round(2.675, 2))
print(2 ** 200, -(7 ** 80) // 10 ** 20, divmod(-10 ** 25, 7), pow(3, -1, 11), pow(2, 10 ** 6, 97), (1 << 100).bit_length(), (255).bit_count(), int("zz", 36), int("-0b101", 0), hex(-2 ** 70), f"{2**64:_}", 10 ** 30 % (2 ** 61 - 1), ~(1 << 65) >> 3, (-5) ** 3, 7 // -2, int(-3.9), 1_000)
