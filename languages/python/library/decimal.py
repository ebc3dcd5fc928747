"""Decimal numbers of any precision. A number is a tuple of what it is and its sign, its digits and
its exponent, which `_verdigris` calculates with."""

from _decimal_context import *
from _decimal_context import _FLOAT_OPERATION, _ROUNDINGS, _rounding_number, __all__ as _of_contexts
from _decimal_format import format_number as _format_number
from _verdigris import decimal_operation as _operation
from _verdigris import decimal_parse as _parse
from _verdigris import decimal_show as _show
from collections import namedtuple as _namedtuple

__all__ = ["Decimal", "DecimalTuple", "HAVE_CONTEXTVAR", "HAVE_THREADS"] + _of_contexts
__version__ = "1.70"
__libmpdec_version__ = "2.5.1"

HAVE_THREADS = True
HAVE_CONTEXTVAR = True

DecimalTuple = _namedtuple("DecimalTuple", "sign digits exponent", module="decimal")

_INVALID_OPERATION = 1
_CONVERSION_SYNTAX = 2
_INFINITY, _QUIET, _SIGNALING = 1, 2, 3
# What numbers are that are not finite, from here on.
_SPECIAL = 2
# The prime that hashes of numbers are rests of.
_PRIME = (1 << 61) - 1
_PRIME_HASH_OF_INFINITY = 314159
# A context that rounds nothing: results that fit it are exact.
_UNLIMITED = (MAX_PREC, 6, MIN_EMIN, MAX_EMAX, 0)
_KINDS = "F", "F", "n", "N"
_object = object.__new__


def _new(cls, parts):
    made = _object(cls)
    made._parts = parts
    return made


def _made(parts, context):
    """The number of a result, whose conditions the context is told of."""
    conditions = parts[3]
    if conditions:
        context._note(conditions)
    made = _object(Decimal)
    made._parts = parts
    return made


def _count_digits(parts):
    return _operation("digits", _UNLIMITED, parts, None, None)


def _of_int(value):
    return (0, value, 0, 0) if value >= 0 else (1, -value, 0, 0)


def _parts_of(value):
    """The parts of an operand of an operator, or `None` if it is none."""
    if isinstance(value, Decimal):
        return value._parts
    if isinstance(value, int):
        return _of_int(int(value))
    return None


def _operand(value):
    """The parts of an operand of a method."""
    parts = _parts_of(value)
    if parts is None:
        name = type(value).__name__
        raise TypeError(f"conversion from {name} to Decimal is not supported")
    return parts


def _exact_float(value):
    if value != value:
        return (2 * _QUIET, 0, 0, 0)
    negative = str(value).startswith("-")
    if value in (float("inf"), float("-inf")):
        return (2 * _INFINITY + negative, 0, 0, 0)
    above, below = abs(value).as_integer_ratio()
    places = below.bit_length() - 1
    return (int(negative), above * 5**places, -places, 0)


def _of_tuple(value):
    if len(value) != 3:
        raise ValueError("argument must be a sequence of length 3")
    sign, digits, exponent = value
    if not isinstance(sign, int) or sign not in (0, 1):
        raise ValueError("sign must be an integer with the value 0 or 1")
    if exponent in ("F", "n", "N") and isinstance(exponent, str):
        kind = {"F": _INFINITY, "n": _QUIET, "N": _SIGNALING}[exponent]
        exponent = 0
    elif isinstance(exponent, str):
        raise ValueError("string argument in the third position must be 'F', 'n' or 'N'")
    elif not isinstance(exponent, int):
        raise ValueError("exponent must be an integer")
    else:
        kind = 0
    coefficient = 0
    for digit in digits:
        if not isinstance(digit, int) or not 0 <= digit <= 9:
            raise ValueError("coefficient must be a tuple of digits")
        coefficient = coefficient * 10 + digit
    if kind == _INFINITY:
        coefficient = 0
    return (2 * kind + sign, coefficient, exponent, 0)


def _converted(value, context):
    """The parts of what a number is made of, exactly."""
    if isinstance(value, str):
        parts = _parse(str(value), context._settings, False)
    elif isinstance(value, Decimal):
        return value._parts
    elif isinstance(value, int):
        return _of_int(int(value))
    elif isinstance(value, (tuple, list)):
        parts = _of_tuple(value)
    elif isinstance(value, float):
        context._note(_FLOAT_OPERATION)
        parts = _exact_float(value)
    else:
        name = type(value).__name__
        raise TypeError(f"conversion from {name} to Decimal is not supported")
    if parts[3]:
        context._note(parts[3])
    return parts


def _context(context):
    if context is None:
        return getcontext()
    if not isinstance(context, Context):
        raise TypeError("optional argument must be a context")
    return context


# Methods of numbers and of contexts that take one, two or three numbers, and give a number.
_OF_ONE = """exp ln log10 logb logical_invert next_minus next_plus normalize sqrt
    to_integral_exact""".split()
_OF_TWO = """compare compare_signal logical_and logical_or logical_xor max max_mag min min_mag
    next_toward remainder_near rotate scaleb shift compare_total compare_total_mag""".split()


class Decimal:
    __slots__ = ("_parts",)

    def __new__(cls, value="0", context=None):
        return _new(cls, _converted(value, _context(context)))

    @classmethod
    def from_float(cls, f, /):
        if isinstance(f, float):
            return cls(_new(Decimal, _exact_float(f)))
        if isinstance(f, int):
            return cls(f)
        raise TypeError("argument must be int or float")

    # What it is.

    def as_tuple(self):
        head, coefficient, exponent, _ = self._parts
        kind = head >> 1
        digits = tuple([int(digit) for digit in _show((0, coefficient, 0, 0), 1, 0)])
        if kind == 0:
            return DecimalTuple(head & 1, digits, exponent)
        if kind != _INFINITY and not coefficient:
            digits = ()
        return DecimalTuple(head & 1, digits, _KINDS[kind])

    def adjusted(self):
        head, _, exponent, _ = self._parts
        return exponent + _count_digits(self._parts) - 1 if head < _SPECIAL else 0

    def is_finite(self):
        return self._parts[0] < _SPECIAL

    def is_infinite(self):
        return self._parts[0] >> 1 == _INFINITY

    def is_nan(self):
        return self._parts[0] >> 1 >= _QUIET

    def is_qnan(self):
        return self._parts[0] >> 1 == _QUIET

    def is_snan(self):
        return self._parts[0] >> 1 == _SIGNALING

    def is_signed(self):
        return bool(self._parts[0] & 1)

    def is_zero(self):
        return self._parts[0] < _SPECIAL and not self._parts[1]

    def is_normal(self, context=None):
        return self._is_nonzero() and _context(context).Emin <= self.adjusted()

    def is_subnormal(self, context=None):
        return self._is_nonzero() and _context(context).Emin > self.adjusted()

    def _is_nonzero(self):
        return self._parts[0] < _SPECIAL and self._parts[1] != 0

    def is_canonical(self):
        return True

    def canonical(self):
        return self

    def radix(self):
        return Decimal(10)

    def number_class(self, context=None):
        if self.is_nan():
            return "sNaN" if self.is_snan() else "NaN"
        sign = "-" if self.is_signed() else "+"
        if self.is_infinite():
            return sign + "Infinity"
        if self.is_zero():
            return sign + "Zero"
        return sign + ("Subnormal" if self.is_subnormal(context) else "Normal")

    def __bool__(self):
        return self._parts[0] >= _SPECIAL or self._parts[1] != 0

    real = property(lambda self: self)
    imag = property(lambda self: Decimal(0))

    def conjugate(self):
        return self

    # As a text.

    def __str__(self):
        return _show(self._parts, getcontext()._capitals, 0)

    def __repr__(self):
        return f"Decimal('{self}')"

    def to_eng_string(self, context=None):
        return _show(self._parts, _context(context)._capitals, 1)

    def __format__(self, specifier, context=None):
        return _format_number(self, specifier, _context(context))

    # As another number.

    def _check_finite(self, what):
        kind = self._parts[0] >> 1
        if kind == _INFINITY:
            raise OverflowError(f"cannot convert Infinity to {what}")
        if kind:
            raise ValueError(f"cannot convert NaN to {what}")

    def __int__(self):
        self._check_finite("integer")
        head, coefficient, exponent, _ = self._parts
        size = coefficient * 10**exponent if exponent >= 0 else coefficient // 10**-exponent
        return -size if head & 1 else size

    __trunc__ = __int__

    def _rounded(self, rounding):
        self._check_finite("integer")
        settings = (MAX_PREC, rounding, MIN_EMIN, MAX_EMAX, 0)
        return int(_new(Decimal, _operation("to_integral_value", settings, self._parts, None, None)))

    def __floor__(self):
        return self._rounded(3)

    def __ceil__(self):
        return self._rounded(2)

    def __round__(self, n=None):
        if n is None:
            return self._rounded(6)
        if not isinstance(n, int):
            raise TypeError("optional arg must be an integer")
        return self.quantize(_new(Decimal, (0, 1, -n, 0)))

    def __float__(self):
        if self.is_snan():
            raise ValueError("cannot convert signaling NaN to float")
        if self.is_nan():
            return float("-nan" if self._parts[0] & 1 else "nan")
        return float(str(self))

    def __complex__(self):
        return complex(float(self))

    def as_integer_ratio(self):
        self._check_finite("integer ratio")
        head, above, exponent, _ = self._parts
        if not above:
            return (0, 1)
        below = 1
        if exponent >= 0:
            above *= 10**exponent
        else:
            import math

            below = 10**-exponent
            common = math.gcd(above, below)
            above, below = above // common, below // common
        return (-above if head & 1 else above, below)

    def __hash__(self):
        head, coefficient, exponent, _ = self._parts
        kind = head >> 1
        if kind == _SIGNALING:
            raise TypeError("Cannot hash a signaling NaN value")
        if kind == _QUIET:
            return object.__hash__(self)
        if kind == _INFINITY:
            return -_PRIME_HASH_OF_INFINITY if head & 1 else _PRIME_HASH_OF_INFINITY
        base = 10 if exponent >= 0 else pow(10, _PRIME - 2, _PRIME)
        made = coefficient * pow(base, abs(exponent), _PRIME) % _PRIME
        if head & 1:
            made = -made
        return -2 if made == -1 else made

    def __reduce__(self):
        return (type(self), (str(self),))

    def __copy__(self):
        return self if type(self) is Decimal else type(self)(self)

    def __deepcopy__(self, memo):
        return self.__copy__()

    # Order.

    def _order(self, other, is_equality):
        """-1, 0 or 1, `None` if one is a NaN, and `NotImplemented`."""
        context = getcontext()
        mine, parts = self._parts, _parts_of(other)
        if parts is None:
            if isinstance(other, complex) and is_equality:
                if other.imag:
                    return None
                other = other.real
            if isinstance(other, float):
                if is_equality:
                    context._flags._bits |= _FLOAT_OPERATION
                else:
                    context._note(_FLOAT_OPERATION)
                parts = _exact_float(other)
            elif hasattr(other, "denominator") and hasattr(other, "numerator"):
                if mine[0] < _SPECIAL:
                    above = _of_int(mine[1] * int(other.denominator))
                    mine = (mine[0] | above[0], above[1], mine[2], 0)
                parts = _of_int(int(other.numerator))
            else:
                return NotImplemented
        made = _operation("order", _UNLIMITED, mine, parts, None)
        if made is None:
            signaling = mine[0] >> 1 == _SIGNALING or parts[0] >> 1 == _SIGNALING
            if signaling or not is_equality:
                context._note(_INVALID_OPERATION)
        return made

    def __eq__(self, other):
        order = self._order(other, True)
        return order if order is NotImplemented else order == 0

    def __ne__(self, other):
        order = self._order(other, True)
        return order if order is NotImplemented else order != 0

    def __lt__(self, other):
        order = self._order(other, False)
        return order if order is NotImplemented else order == -1

    def __le__(self, other):
        order = self._order(other, False)
        return order if order is NotImplemented else order is not None and order <= 0

    def __gt__(self, other):
        order = self._order(other, False)
        return order if order is NotImplemented else order == 1

    def __ge__(self, other):
        order = self._order(other, False)
        return order if order is NotImplemented else order is not None and order >= 0

    # Operators.

    def __neg__(self):
        context = getcontext()
        return _made(_operation("minus", context._settings, self._parts, None, None), context)

    def __pos__(self):
        context = getcontext()
        return _made(_operation("plus", context._settings, self._parts, None, None), context)

    def __abs__(self):
        context = getcontext()
        return _made(_operation("abs", context._settings, self._parts, None, None), context)

    def __add__(self, other):
        parts = _parts_of(other)
        if parts is None:
            return NotImplemented
        context = getcontext()
        return _made(_operation("add", context._settings, self._parts, parts, None), context)

    __radd__ = __add__

    def __sub__(self, other):
        parts = _parts_of(other)
        if parts is None:
            return NotImplemented
        context = getcontext()
        return _made(_operation("subtract", context._settings, self._parts, parts, None), context)

    def __mul__(self, other):
        parts = _parts_of(other)
        if parts is None:
            return NotImplemented
        context = getcontext()
        return _made(_operation("multiply", context._settings, self._parts, parts, None), context)

    __rmul__ = __mul__

    def __truediv__(self, other):
        parts = _parts_of(other)
        if parts is None:
            return NotImplemented
        context = getcontext()
        return _made(_operation("divide", context._settings, self._parts, parts, None), context)

    def __divmod__(self, other):
        parts = _parts_of(other)
        return NotImplemented if parts is None else _divided(self._parts, parts, getcontext())

    def __rdivmod__(self, other):
        parts = _parts_of(other)
        return NotImplemented if parts is None else _divided(parts, self._parts, getcontext())

    def __pow__(self, other, modulo=None):
        parts = _parts_of(other)
        last = None if modulo is None else _parts_of(modulo)
        if parts is None or modulo is not None and last is None:
            return NotImplemented
        context = getcontext()
        return _made(_operation("power", context._settings, self._parts, parts, last), context)

    # Methods.

    def fma(self, other, third, context=None):
        return _context(context).fma(self, other, third)

    def quantize(self, exp, rounding=None, context=None):
        context = _context(context)
        settings = context._settings
        if rounding is not None:
            settings = (settings[0], _rounding_number(rounding), *settings[2:])
        return _made(_operation("quantize", settings, self._parts, _operand(exp), None), context)

    def to_integral_value(self, rounding=None, context=None):
        return self._to_integral("to_integral_value", rounding, context)

    to_integral = to_integral_value

    def to_integral_exact(self, rounding=None, context=None):
        return self._to_integral("to_integral_exact", rounding, context)

    def _to_integral(self, name, rounding, context):
        context = _context(context)
        settings = context._settings
        if rounding is not None:
            settings = (settings[0], _rounding_number(rounding), *settings[2:])
        return _made(_operation(name, settings, self._parts, None, None), context)

    def same_quantum(self, other, context=None):
        return _operation("same_quantum", _UNLIMITED, self._parts, _operand(other), None)

    def copy_abs(self):
        head, coefficient, exponent, _ = self._parts
        return _new(Decimal, (head & ~1, coefficient, exponent, 0))

    def copy_negate(self):
        head, coefficient, exponent, _ = self._parts
        return _new(Decimal, (head ^ 1, coefficient, exponent, 0))

    def copy_sign(self, other, context=None):
        head, coefficient, exponent, _ = self._parts
        return _new(Decimal, (head & ~1 | _operand(other)[0] & 1, coefficient, exponent, 0))


def _divided(a, b, context):
    quotient, remainder = _operation("divmod", context._settings, a, b, None)
    return _made(quotient, context), _new(Decimal, remainder)


def _operator(name):
    def operator(self, other):
        parts = _parts_of(other)
        if parts is None:
            return NotImplemented
        context = getcontext()
        return _made(_operation(name, context._settings, self._parts, parts, None), context)

    return operator


def _reflected(name):
    def operator(self, other):
        parts = _parts_of(other)
        if parts is None:
            return NotImplemented
        context = getcontext()
        return _made(_operation(name, context._settings, parts, self._parts, None), context)

    return operator


Decimal.__floordiv__ = _operator("divide_int")
Decimal.__mod__ = _operator("remainder")
Decimal.__rsub__ = _reflected("subtract")
Decimal.__rtruediv__ = _reflected("divide")
Decimal.__rfloordiv__ = _reflected("divide_int")
Decimal.__rmod__ = _reflected("remainder")
Decimal.__rpow__ = _reflected("power")


def _define(name, count, method=None):
    """A method of numbers and of contexts for an operation."""

    def of_one(self, context=None):
        context = _context(context)
        return _made(_operation(name, context._settings, self._parts, None, None), context)

    def of_two(self, other, context=None):
        context = _context(context)
        return _made(_operation(name, context._settings, self._parts, _operand(other), None), context)

    def one_of_context(self, a, /):
        return _made(_operation(name, self._settings, _operand(a), None, None), self)

    def two_of_context(self, a, b, /):
        return _made(_operation(name, self._settings, _operand(a), _operand(b), None), self)

    method = method or name
    for cls, function in (
        (Decimal, of_one if count == 1 else of_two),
        (Context, one_of_context if count == 1 else two_of_context),
    ):
        function.__name__ = method
        function.__qualname__ = f"{cls.__name__}.{method}"
        if method not in cls.__dict__:
            setattr(cls, method, function)


for _name in _OF_ONE:
    _define(_name, 1)
for _name in _OF_TWO:
    _define(_name, 2)


def _only_of_context(name, count, operation=None):
    _define(operation or name, count, name)
    delattr(Decimal, name)


for _name in ("abs", "plus", "minus"):
    _only_of_context(_name, 1)
for _name in ("add", "subtract", "multiply", "divide", "divide_int", "remainder"):
    _only_of_context(_name, 2)
_define("quantize", 2)


def _to_context(function):
    setattr(Context, function.__name__, function)
    return None


@_to_context
def divmod(self, a, b, /):
    return _divided(_operand(a), _operand(b), self)


@_to_context
def power(self, a, b, modulo=None):
    last = None if modulo is None else _operand(modulo)
    return _made(_operation("power", self._settings, _operand(a), _operand(b), last), self)


@_to_context
def fma(self, a, b, c, /):
    parts = _operation("fma", self._settings, _operand(a), _operand(b), _operand(c))
    return _made(parts, self)


@_to_context
def to_integral_value(self, a, /):
    parts = _operation("to_integral_value", self._settings, _operand(a), None, None)
    return _made(parts, self)


Context.to_integral = Context.to_integral_value


@_to_context
def create_decimal(self, num="0", /):
    if isinstance(num, str):
        return _made(_parse(str(num), self._settings, True), self)
    parts = _converted(num, self)
    if parts[0] >> 1 >= _QUIET and _count_digits(parts) > self.prec - self.clamp:
        self._note(_CONVERSION_SYNTAX)
        return _new(Decimal, (2 * _QUIET, 0, 0, 0))
    return _made(_operation("finish", self._settings, parts, None, None), self)


@_to_context
def create_decimal_from_float(self, f, /):
    if isinstance(f, float):
        return _made(_operation("finish", self._settings, _exact_float(f), None, None), self)
    if isinstance(f, int):
        return self.create_decimal(f)
    raise TypeError("argument must be int or float")


def _forwarded(name):
    """A method of contexts that is one of numbers."""

    def method(self, a, *others):
        return getattr(_new(Decimal, _operand(a)), name)(*others)

    def with_context(self, a, *others):
        return getattr(_new(Decimal, _operand(a)), name)(*others, context=self)

    has_context = name in ("number_class", "is_normal", "is_subnormal", "to_eng_string")
    setattr(Context, name, with_context if has_context else method)


for _name in """canonical copy_abs copy_negate copy_sign is_canonical is_finite is_infinite is_nan
    is_normal is_qnan is_signed is_snan is_subnormal is_zero number_class same_quantum
    to_eng_string""".split():
    _forwarded(_name)


@_to_context
def to_sci_string(self, a, /):
    return _show(_operand(a), self._capitals, 0)


@_to_context
def copy_decimal(self, a, /):
    return _new(Decimal, _operand(a))


@_to_context
def radix(self):
    return Decimal(10)
