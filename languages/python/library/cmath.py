"""Functions of complex numbers."""

import math as _math

pi, e, tau, inf, nan = _math.pi, _math.e, _math.tau, _math.inf, _math.nan
infj = complex(0.0, inf)
nanj = complex(0.0, nan)


def _parts(z):
    if not isinstance(z, complex):
        if isinstance(z, str):
            raise TypeError(f"must be real number, not {type(z).__name__}")
        try:
            z = complex(z)
        except TypeError:
            raise TypeError(f"must be real number, not {type(z).__name__}") from None
    return z.real, z.imag


def phase(z):
    x, y = _parts(z)
    return _math.atan2(y, x)


def polar(z):
    x, y = _parts(z)
    return _math.hypot(x, y), _math.atan2(y, x)


def rect(r, phi):
    if phi == 0:
        return complex(r, r * phi)
    return complex(r * _math.cos(phi), r * _math.sin(phi))


def isnan(z):
    x, y = _parts(z)
    return x != x or y != y


def isinf(z):
    return any(_math.isinf(part) for part in _parts(z))


def isfinite(z):
    return all(_math.isfinite(part) for part in _parts(z))


def isclose(a, b, *, rel_tol=1e-09, abs_tol=0.0):
    if rel_tol < 0.0 or abs_tol < 0.0:
        raise ValueError("tolerances must be non-negative")
    a, b = complex(*_parts(a)), complex(*_parts(b))
    if a == b:
        return True
    if isinf(a) or isinf(b):
        return False
    apart = abs(a - b)
    return apart <= abs(rel_tol * b) or apart <= abs(rel_tol * a) or apart <= abs_tol


def _finite(z):
    """The parts of a number; what is at the edges is not there yet."""
    x, y = _parts(z)
    if not (_math.isfinite(x) and _math.isfinite(y)):
        raise NotImplementedError("functions of infinite complex numbers are not supported yet")
    return x, y


def sqrt(z):
    x, y = _finite(z)
    if x == 0.0 and y == 0.0:
        return complex(0.0, y)
    ax, scale = abs(x), 1.0
    if ax < 1e-300 and abs(y) < 1e-300:
        ax, ay, scale = ax * 2.0**54, abs(y) * 2.0**54, 2.0**-27
        half = _math.sqrt((ax + _math.hypot(ax, ay)) / 2.0) * scale
    else:
        ax /= 8.0
        half = 2.0 * _math.sqrt(ax + _math.hypot(ax, abs(y) / 8.0))
    other = abs(y) / (2.0 * half)
    if x >= 0.0:
        return complex(half, _math.copysign(other, y))
    return complex(other, _math.copysign(half, y))


def exp(z):
    x, y = _finite(z)
    if x > 708.0:
        size = _math.exp(x - 1.0)
        made = complex(size * _math.cos(y) * e, size * _math.sin(y) * e)
        if isinf(made):
            raise OverflowError("math range error")
        return made
    size = _math.exp(x)
    return complex(size * _math.cos(y), size * _math.sin(y))


def _log(z):
    x, y = _finite(z)
    ax, ay = abs(x), abs(y)
    if ax == 0.0 and ay == 0.0:
        raise ValueError("math domain error")
    size = abs(complex(ax, ay)) if max(ax, ay) < 8e307 else inf
    if 0.71 <= size <= 1.73:
        most, least = max(ax, ay), min(ax, ay)
        real = _math.log1p((most - 1) * (most + 1) + least * least) / 2.0
    elif ax > 8.988e307 or ay > 8.988e307:
        real = _math.log(_math.hypot(ax / 2.0, ay / 2.0)) + _math.log(2.0)
    elif ax < 2.3e-308 and ay < 2.3e-308:
        real = _math.log(_math.hypot(ax * 2.0**53, ay * 2.0**53)) - 53 * _math.log(2.0)
    else:
        real = _math.log(size)
    return complex(real, _math.atan2(y, x))


def log(z, base=None):
    made = _log(z)
    return made if base is None else made / _log(base)


def log10(z):
    made = _log(z)
    return complex(made.real / _math.log(10.0), made.imag / _math.log(10.0))


def cosh(z):
    x, y = _finite(z)
    if abs(x) > 708.0:
        rest = x - _math.copysign(1.0, x)
        return complex(_math.cos(y) * _math.cosh(rest) * e, _math.sin(y) * _math.sinh(rest) * e)
    return complex(_math.cos(y) * _math.cosh(x), _math.sin(y) * _math.sinh(x))


def sinh(z):
    x, y = _finite(z)
    if abs(x) > 708.0:
        rest = x - _math.copysign(1.0, x)
        return complex(_math.cos(y) * _math.sinh(rest) * e, _math.sin(y) * _math.cosh(rest) * e)
    return complex(_math.cos(y) * _math.sinh(x), _math.sin(y) * _math.cosh(x))


def tanh(z):
    x, y = _finite(z)
    if abs(x) > 354.0:
        small = 4.0 * _math.sin(y) * _math.cos(y) * _math.exp(-2.0 * abs(x))
        return complex(_math.copysign(1.0, x), small)
    tx, ty = _math.tanh(x), _math.tan(y)
    cx = 1.0 / _math.cosh(x)
    both = tx * ty
    size = 1.0 + both * both
    return complex(tx * (1.0 + ty * ty) / size, ty / size * cx * cx)


def cos(z):
    x, y = _parts(z)
    return cosh(complex(-y, x))


def sin(z):
    x, y = _parts(z)
    made = sinh(complex(-y, x))
    return complex(made.imag, -made.real)


def tan(z):
    x, y = _parts(z)
    made = tanh(complex(-y, x))
    return complex(made.imag, -made.real)


def acos(z):
    x, y = _finite(z)
    one, two = sqrt(complex(1.0 - x, -y)), sqrt(complex(1.0 + x, y))
    return complex(
        2.0 * _math.atan2(one.real, two.real),
        _math.asinh(two.real * one.imag - two.imag * one.real),
    )


def acosh(z):
    x, y = _finite(z)
    one, two = sqrt(complex(x - 1.0, y)), sqrt(complex(x + 1.0, y))
    return complex(
        _math.asinh(one.real * two.real + one.imag * two.imag),
        2.0 * _math.atan2(one.imag, two.real),
    )


def asinh(z):
    x, y = _finite(z)
    one, two = sqrt(complex(1.0 + y, -x)), sqrt(complex(1.0 - y, x))
    return complex(
        _math.asinh(one.real * two.imag - two.real * one.imag),
        _math.atan2(y, one.real * two.real - one.imag * two.imag),
    )


def asin(z):
    x, y = _parts(z)
    made = asinh(complex(-y, x))
    return complex(made.imag, -made.real)


def atanh(z):
    x, y = _finite(z)
    if x < 0.0 or x == 0.0 and _math.copysign(1.0, x) < 0.0:
        return -atanh(complex(-x, -y))
    ay = abs(y)
    if x > 6e153 or ay > 6e153:
        size = _math.hypot(x / 2.0, y / 2.0)
        return complex(x / 4.0 / size / size, _math.copysign(pi / 2, y))
    if x == 1.0 and ay < 1e-150:
        if ay == 0.0:
            raise ValueError("math domain error")
        real = -_math.log(_math.sqrt(ay) / _math.sqrt(_math.hypot(ay, 2.0)))
        return complex(real, _math.copysign(_math.atan2(2.0, -ay) / 2, y))
    rest = 1.0 - x
    real = _math.log1p(4.0 * x / (rest * rest + ay * ay)) / 4.0
    return complex(real, -_math.atan2(-2.0 * y, rest * (1 + x) - ay * ay) / 2.0)


def atan(z):
    x, y = _parts(z)
    made = atanh(complex(-y, x))
    return complex(made.imag, -made.real)
