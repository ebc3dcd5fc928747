"""Fractions of integers, always in lowest terms."""

from decimal import Decimal
from math import gcd

__all__ = ["Fraction"]

# The prime that hashes of numbers are rests of, and the hash of infinity.
_PRIME = (1 << 61) - 1
_HASH_OF_INFINITY = 314159
_object = object.__new__


def _is_rational(value):
    return isinstance(value, int) or isinstance(value, Fraction)


def _reduced(above, below):
    """A fraction of two integers, of which the second is positive."""
    common = gcd(above, below)
    made = _object(Fraction)
    made._numerator = above // common
    made._denominator = below // common
    return made


def _digits(text):
    """The digits of a text with single underscores between them; `None` if it is none."""
    parts = text.split("_")
    return "".join(parts) if all([part.isdecimal() for part in parts]) else None


def _parsed(text):
    """Numerator and denominator of a text: `3/4`, `0.75` or `75e-2`; `None` if it is none."""
    text = text.strip()
    negative = text.startswith("-")
    if text[:1] in ("-", "+"):
        text = text[1:]
    if "/" in text:
        above, _, below = text.partition("/")
        above, below = _digits(above), _digits(below)
        if above is None or below is None:
            return None
        above, below = int(above), int(below)
    else:
        text, mark, exponent = text.replace("E", "e").partition("e")
        whole, _, fraction = text.partition(".")
        digits = [_digits(part) if part else "" for part in (whole, fraction)]
        if None in digits or not (whole or fraction):
            return None
        above, below = int("".join(digits)), 10 ** len(digits[1])
        if mark:
            sign = exponent[:1]
            exponent = _digits(exponent[1:] if sign in ("-", "+") else exponent)
            if exponent is None:
                return None
            if sign == "-":
                below *= 10 ** int(exponent)
            else:
                above *= 10 ** int(exponent)
    return -above if negative else above, below


class Fraction:
    __slots__ = ("_numerator", "_denominator")

    def __new__(cls, numerator=0, denominator=None):
        self = super().__new__(cls)
        if denominator is None:
            above, below = _ratio_of(numerator)
        elif _is_rational(numerator) and _is_rational(denominator):
            above = numerator.numerator * denominator.denominator
            below = denominator.numerator * numerator.denominator
        else:
            raise TypeError("both arguments should be Rational instances")
        if below == 0:
            raise ZeroDivisionError(f"Fraction({above}, 0)")
        if below < 0:
            above, below = -above, -below
        common = gcd(above, below)
        self._numerator = above // common
        self._denominator = below // common
        return self

    @classmethod
    def from_float(cls, f):
        if isinstance(f, int):
            return cls(f)
        if not isinstance(f, float):
            raise TypeError(f"{cls.__name__}.from_float() only takes floats, not {f!r} ({type(f).__name__})")
        return cls(*f.as_integer_ratio())

    @classmethod
    def from_decimal(cls, dec):
        if isinstance(dec, int):
            return cls(dec)
        if not isinstance(dec, Decimal):
            raise TypeError(f"{cls.__name__}.from_decimal() only takes Decimals, not {dec!r} ({type(dec).__name__})")
        return cls(*dec.as_integer_ratio())

    @property
    def numerator(self):
        return self._numerator

    @property
    def denominator(self):
        return self._denominator

    real = property(lambda self: self)
    imag = property(lambda self: 0)

    def conjugate(self):
        return self

    def as_integer_ratio(self):
        return (self._numerator, self._denominator)

    def limit_denominator(self, max_denominator=1000000):
        """The nearest fraction whose denominator is not larger."""
        if max_denominator < 1:
            raise ValueError("max_denominator should be at least 1")
        if self._denominator <= max_denominator:
            return Fraction(self)
        # The convergents of the continued fraction, as far as they go.
        before, last = (0, 1), (1, 0)
        above, below = self._numerator, self._denominator
        while True:
            part = above // below
            size = before[1] + part * last[1]
            if size > max_denominator:
                break
            before, last = last, (before[0] + part * last[0], size)
            above, below = below, above - part * below
        steps = (max_denominator - before[1]) // last[1]
        nearer = _reduced(before[0] + steps * last[0], before[1] + steps * last[1])
        # Which of the two is nearer follows from what is left.
        if 2 * below * (before[1] + steps * last[1]) <= self._denominator:
            return _reduced(*last)
        return nearer

    def __repr__(self):
        return f"{type(self).__name__}({self._numerator}, {self._denominator})"

    def __str__(self):
        if self._denominator == 1:
            return str(self._numerator)
        return f"{self._numerator}/{self._denominator}"

    # As another number.

    def __bool__(self):
        return self._numerator != 0

    def __int__(self):
        above, below = self._numerator, self._denominator
        return above // below if above >= 0 else -(-above // below)

    __trunc__ = __int__

    def __float__(self):
        return self._numerator / self._denominator

    def __complex__(self):
        return complex(float(self))

    def __floor__(self):
        return self._numerator // self._denominator

    def __ceil__(self):
        return -(-self._numerator // self._denominator)

    def __round__(self, ndigits=None):
        if ndigits is None:
            whole, rest = divmod(self._numerator, self._denominator)
            if rest * 2 < self._denominator or rest * 2 == self._denominator and whole % 2 == 0:
                return whole
            return whole + 1
        shift = 10 ** abs(ndigits)
        if ndigits > 0:
            return Fraction(round(self * shift), shift)
        return Fraction(round(self / shift) * shift)

    def __hash__(self):
        below = pow(self._denominator, _PRIME - 2, _PRIME)
        if below == 0:
            made = _HASH_OF_INFINITY
        else:
            made = abs(self._numerator) % _PRIME * below % _PRIME
        if self._numerator < 0:
            made = -made
        return -2 if made == -1 else made

    def __copy__(self):
        return self if type(self) is Fraction else type(self)(self)

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return (type(self), (self._numerator, self._denominator))

    # Operators.

    def __pos__(self):
        return _reduced(self._numerator, self._denominator)

    def __neg__(self):
        return _reduced(-self._numerator, self._denominator)

    def __abs__(self):
        return _reduced(abs(self._numerator), self._denominator)

    def __pow__(self, power):
        if not _is_rational(power):
            return float(self) ** power
        if power.denominator != 1:
            return float(self) ** float(power)
        n = power.numerator
        above, below = self._numerator, self._denominator
        if n >= 0:
            return _reduced(above**n, below**n)
        if above == 0:
            raise ZeroDivisionError(f"Fraction({below ** -n}, 0)")
        sign = -1 if above < 0 and n % 2 else 1
        return _reduced(sign * below**-n, abs(above) ** -n)

    def __rpow__(self, base):
        if self._denominator == 1 and self._numerator >= 0:
            return base**self._numerator
        if _is_rational(base):
            return Fraction(base) ** self
        return base ** float(self)

    # Order.

    def __eq__(self, other):
        if isinstance(other, int):
            return self._numerator == other and self._denominator == 1
        if isinstance(other, Fraction):
            return self._numerator == other._numerator and self._denominator == other._denominator
        if isinstance(other, complex) and other.imag == 0:
            other = other.real
        if isinstance(other, float):
            if other != other or other in (float("inf"), float("-inf")):
                return 0.0 == other
            return self == Fraction(other)
        return NotImplemented

    def _compared(self, other, holds):
        if _is_rational(other):
            left = self._numerator * other.denominator
            return holds(left, self._denominator * other.numerator)
        if isinstance(other, float):
            if other != other or other in (float("inf"), float("-inf")):
                return holds(0.0, other)
            return self._compared(Fraction(other), holds)
        return NotImplemented

    def __lt__(self, other):
        return self._compared(other, lambda a, b: a < b)

    def __gt__(self, other):
        return self._compared(other, lambda a, b: a > b)

    def __le__(self, other):
        return self._compared(other, lambda a, b: a <= b)

    def __ge__(self, other):
        return self._compared(other, lambda a, b: a >= b)


def _ratio_of(value):
    if _is_rational(value):
        return value.numerator, value.denominator
    if isinstance(value, (float, Decimal)):
        return value.as_integer_ratio()
    if isinstance(value, str):
        made = _parsed(value)
        if made is None:
            raise ValueError(f"Invalid literal for Fraction: {value!r}")
        return made
    raise TypeError("argument should be a string or a Rational instance")


def _operators(name, of_fractions, of_others):
    """Both methods of an operator: of fractions, and of floats and complex numbers."""

    def forward(a, b):
        if isinstance(b, Fraction):
            return of_fractions(a, b)
        if isinstance(b, int):
            return of_fractions(a, Fraction(b))
        if isinstance(b, float):
            return of_others(float(a), b)
        if isinstance(b, complex):
            return of_others(complex(a), b)
        return NotImplemented

    def reflected(b, a):
        if isinstance(a, int):
            return of_fractions(Fraction(a), b)
        if isinstance(a, float):
            return of_others(a, float(b))
        if isinstance(a, complex):
            return of_others(a, complex(b))
        return NotImplemented

    setattr(Fraction, f"__{name}__", forward)
    setattr(Fraction, f"__r{name}__", reflected)


def _sum(a, b):
    return _reduced(
        a._numerator * b._denominator + b._numerator * a._denominator,
        a._denominator * b._denominator,
    )


def _difference(a, b):
    return _reduced(
        a._numerator * b._denominator - b._numerator * a._denominator,
        a._denominator * b._denominator,
    )


def _product(a, b):
    return _reduced(a._numerator * b._numerator, a._denominator * b._denominator)


def _quotient(a, b):
    above, below = a._numerator * b._denominator, a._denominator * b._numerator
    if below == 0:
        # In lowest terms, too.
        rest = b._denominator // gcd(b._denominator, a._denominator)
        above = (a._numerator > 0) - (a._numerator < 0)
        raise ZeroDivisionError(f"Fraction({above * rest}, 0)")
    return _reduced(-above, -below) if below < 0 else _reduced(above, below)


def _floored(a, b):
    return (a._numerator * b._denominator) // (a._denominator * b._numerator)


def _rest(a, b):
    below = a._denominator * b._denominator
    return _reduced((a._numerator * b._denominator) % (b._numerator * a._denominator), below)


def _both(a, b):
    return _floored(a, b), _rest(a, b)


_operators("add", _sum, lambda a, b: a + b)
_operators("sub", _difference, lambda a, b: a - b)
_operators("mul", _product, lambda a, b: a * b)
_operators("truediv", _quotient, lambda a, b: a / b)
_operators("floordiv", _floored, lambda a, b: a // b)
_operators("mod", _rest, lambda a, b: a % b)
_operators("divmod", _both, lambda a, b: divmod(a, b))
