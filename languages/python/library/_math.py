"""What of `math` is written in Python. It is looked for here when a program asks for it."""

from math import copysign as _copysign, isfinite as _isfinite, isinf as _isinf, isnan as _isnan
from math import sqrt as _sqrt
from struct import pack as _pack, unpack as _unpack

# Numbers with a point in front of so many binary digits.
_BITS = 160
_ONE = 1 << _BITS


def _fixed(x):
    top, bottom = float(x).as_integer_ratio()
    return (top << _BITS) // bottom


def _series(x):
    """The sum of (-1)^n x^(2n+1) / (n! (2n+1)), in fixed point, which is erf(x) but for a factor."""
    square = x * x >> _BITS
    total, power, n = 0, x, 0
    while power > 0:
        part = power // (2 * n + 1)
        total += -part if n & 1 else part
        n += 1
        power = (power * square >> _BITS) // n
    return total


def _root(n):
    """The integer square root."""
    guess = 1 << (n.bit_length() + 1) // 2
    while True:
        better = (guess + n // guess) >> 1
        if better >= guess:
            return guess
        guess = better


def _pi():
    """Machin's formula, in fixed point with a few digits more."""

    def arctan(n):
        power = (_ONE << 16) // n
        total, k = power, 1
        while power:
            power //= n * n
            k += 2
            total += -(power // k) if k & 2 else power // k
        return total

    return (16 * arctan(5) - 4 * arctan(239)) >> 16


_ROOT_OF_PI = _root(_pi() << _BITS)


def _erf(x):
    made = (2 * _series(_fixed(abs(x))) << _BITS) // _ROOT_OF_PI
    return -made if x < 0 else made


def erf(x):
    x = float(x)
    if _isnan(x):
        return x
    if abs(x) > 6:
        return _copysign(1.0, x)
    return _erf(x) / _ONE


def erfc(x):
    global _BITS, _ONE, _ROOT_OF_PI
    x = float(x)
    if _isnan(x):
        return x
    if x < -6:
        return 2.0
    if x > 27.3:
        return 0.0
    if abs(x) < 4:
        return (_ONE - _erf(x)) / _ONE
    # The terms of the series grow before they shrink, and what is left of the difference is small.
    before = _BITS, _ONE, _ROOT_OF_PI
    try:
        _BITS = 160 + 8 * int(x * x)
        _ONE = 1 << _BITS
        _ROOT_OF_PI = _root(_pi() << _BITS)
        return (_ONE - _erf(x)) / _ONE
    finally:
        _BITS, _ONE, _ROOT_OF_PI = before


def nextafter(x, y):
    x, y = float(x), float(y)
    if _isnan(x) or _isnan(y) or x == y:
        return x + y if x != y else y
    if x == 0.0:
        return _copysign(5e-324, y)
    (bits,) = _unpack("<q", _pack("<d", x))
    bits += 1 if (y > x) == (x > 0) else -1
    return _unpack("<d", _pack("<q", bits))[0]


def ulp(x):
    x = abs(float(x))
    if not _isfinite(x):
        return x
    above = nextafter(x, float("inf"))
    return x - nextafter(x, 0.0) if _isinf(above) else above - x


def cbrt(x):
    x = float(x)
    if x == 0.0 or not _isfinite(x):
        return x
    top, bottom = abs(x).as_integer_ratio()
    # The root of a number that is so large that all digits of a float are right.
    shift = max(0, 180 - top.bit_length() + bottom.bit_length())
    shift += -shift % 3
    number = (top << shift) // bottom
    low, high = 0, 1 << (number.bit_length() // 3 + 1)
    while low < high:
        middle = (low + high + 1) >> 1
        if middle * middle * middle <= number:
            low = middle
        else:
            high = middle - 1
    return _copysign(low / (1 << shift // 3), x)


def exp2(x):
    return 2.0 ** float(x)


def remainder(x, y):
    x, y = float(x), float(y)
    if _isnan(x) or _isnan(y):
        return x + y
    if _isinf(x) or y == 0.0:
        raise ValueError("math domain error")
    if _isinf(y):
        return x
    a, b = x.as_integer_ratio(), abs(y).as_integer_ratio()
    top, step = a[0] * b[1], b[0] * a[1]
    times, rest = divmod(top, step)
    if 2 * rest > step or 2 * rest == step and times & 1:
        rest -= step
    return rest / (a[1] * b[1]) if rest else _copysign(0.0, x)


def dist(p, q):
    p, q = tuple(p), tuple(q)
    if len(p) != len(q):
        raise ValueError("both points must have the same number of dimensions")
    from math import hypot

    return hypot(*[a - b for a, b in zip(p, q)])


def perm(n, k=None):
    from operator import index

    n = index(n)
    k = n if k is None else index(k)
    if n < 0:
        raise ValueError("n must be a non-negative integer")
    if k < 0:
        raise ValueError("k must be a non-negative integer")
    made = 1
    for factor in range(n - k + 1, n + 1) if k <= n else (0,):
        made *= factor
    return made
