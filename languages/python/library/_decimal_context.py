"""The contexts of `decimal`: how results are rounded, and which conditions are exceptions."""

__all__ = [
    "Clamped",
    "Context",
    "ConversionSyntax",
    "DecimalException",
    "DivisionByZero",
    "DivisionImpossible",
    "DivisionUndefined",
    "FloatOperation",
    "Inexact",
    "InvalidContext",
    "InvalidOperation",
    "Overflow",
    "Rounded",
    "Subnormal",
    "Underflow",
    "BasicContext",
    "DefaultContext",
    "ExtendedContext",
    "MAX_EMAX",
    "MAX_PREC",
    "MIN_EMIN",
    "MIN_ETINY",
    "ROUND_05UP",
    "ROUND_CEILING",
    "ROUND_DOWN",
    "ROUND_FLOOR",
    "ROUND_HALF_DOWN",
    "ROUND_HALF_EVEN",
    "ROUND_HALF_UP",
    "ROUND_UP",
    "getcontext",
    "localcontext",
    "setcontext",
]

MAX_PREC = MAX_EMAX = 999999999999999999
MIN_EMIN = -MAX_EMAX
MIN_ETINY = MIN_EMIN - (MAX_PREC - 1)

ROUND_UP = "ROUND_UP"
ROUND_DOWN = "ROUND_DOWN"
ROUND_CEILING = "ROUND_CEILING"
ROUND_FLOOR = "ROUND_FLOOR"
ROUND_HALF_UP = "ROUND_HALF_UP"
ROUND_HALF_DOWN = "ROUND_HALF_DOWN"
ROUND_HALF_EVEN = "ROUND_HALF_EVEN"
ROUND_05UP = "ROUND_05UP"

# By their numbers in `_verdigris`.
_ROUNDINGS = (
    ROUND_UP,
    ROUND_DOWN,
    ROUND_CEILING,
    ROUND_FLOOR,
    ROUND_HALF_UP,
    ROUND_HALF_DOWN,
    ROUND_HALF_EVEN,
    ROUND_05UP,
)
_NUMBERS = {rounding: number for number, rounding in enumerate(_ROUNDINGS)}


class DecimalException(ArithmeticError):
    """A condition that is an exception."""

    __module__ = "decimal"


class Clamped(DecimalException):
    __module__ = "decimal"


class InvalidOperation(DecimalException):
    __module__ = "decimal"


class ConversionSyntax(InvalidOperation):
    __module__ = "decimal"


class DivisionByZero(DecimalException, ZeroDivisionError):
    __module__ = "decimal"


class DivisionImpossible(InvalidOperation):
    __module__ = "decimal"


class DivisionUndefined(InvalidOperation, ZeroDivisionError):
    __module__ = "decimal"


class Inexact(DecimalException):
    __module__ = "decimal"


class InvalidContext(InvalidOperation):
    __module__ = "decimal"


class Rounded(DecimalException):
    __module__ = "decimal"


class Subnormal(DecimalException):
    __module__ = "decimal"


class Overflow(Inexact, Rounded):
    __module__ = "decimal"


class Underflow(Inexact, Rounded, Subnormal):
    __module__ = "decimal"


class FloatOperation(DecimalException, TypeError):
    __module__ = "decimal"


# The bits of conditions. Those that are kinds of an invalid operation come first.
_CONDITIONS = (
    (InvalidOperation, 1 << 0),
    (ConversionSyntax, 1 << 1),
    (DivisionImpossible, 1 << 2),
    (DivisionUndefined, 1 << 3),
    (InvalidContext, 1 << 4),
)
_INVALID = 0b11111
_FLOAT_OPERATION = 1 << 12
_SIGNALS = (
    (InvalidOperation, _INVALID),
    (FloatOperation, _FLOAT_OPERATION),
    (DivisionByZero, 1 << 5),
    (Overflow, 1 << 6),
    (Underflow, 1 << 7),
    (Subnormal, 1 << 8),
    (Inexact, 1 << 9),
    (Rounded, 1 << 10),
    (Clamped, 1 << 11),
)
_BITS = dict(_SIGNALS)
# The order in which a context shows them.
_SHOWN = (
    Clamped,
    InvalidOperation,
    DivisionByZero,
    Inexact,
    FloatOperation,
    Overflow,
    Rounded,
    Subnormal,
    Underflow,
)


class _Signals:
    """The flags or traps of a context, as a mapping from signals."""

    __slots__ = ("_bits",)
    __hash__ = None

    def __init__(self, bits):
        self._bits = bits

    def _bit(self, signal):
        try:
            return _BITS[signal]
        except KeyError:
            raise KeyError("invalid error flag") from None

    def __getitem__(self, signal):
        return bool(self._bits & self._bit(signal))

    def __setitem__(self, signal, value):
        bit = self._bit(signal)
        self._bits = self._bits | bit if value else self._bits & ~bit

    def __delitem__(self, signal):
        raise ValueError("signal keys cannot be deleted")

    def __iter__(self):
        return iter([signal for signal, _ in _SIGNALS])

    def __len__(self):
        return len(_SIGNALS)

    def __contains__(self, signal):
        return signal in _BITS

    def keys(self):
        return list(self)

    def values(self):
        return [self[signal] for signal in self]

    def items(self):
        return [(signal, self[signal]) for signal in self]

    def get(self, signal, default=None):
        return self[signal] if signal in _BITS else default

    def copy(self):
        return dict(self.items())

    def __eq__(self, other):
        if isinstance(other, _Signals):
            return not (self._bits ^ other._bits)
        return self.copy() == other

    def __repr__(self):
        parts = [f"<class 'decimal.{signal.__name__}'>:{value}" for signal, value in self.items()]
        return f"{{{', '.join(parts)}}}"


def _bits_of(signals, what):
    if isinstance(signals, _Signals):
        return signals._bits
    if isinstance(signals, dict):
        if set(signals) != set(_BITS):
            raise KeyError("invalid signal dict")
        signals = [signal for signal, value in signals.items() if value]
    elif not isinstance(signals, (list, tuple)):
        raise TypeError(f"argument must be a signal dict")
    bits = 0
    for signal in signals:
        if signal not in _BITS:
            raise TypeError("valid values for signals are:\n  [InvalidOperation, FloatOperation, DivisionByZero,\n   Overflow, Underflow, Subnormal, Inexact, Rounded,\n   Clamped]")
        bits |= _BITS[signal]
    return bits


def _integer(value, least, most, name):
    if not isinstance(value, int):
        raise TypeError("an integer is required")
    if not least <= value <= most:
        show = lambda bound: {MAX_PREC: f"MAX_{'PREC' if name == 'prec' else 'EMAX'}", MIN_EMIN: "MIN_EMIN"}.get(bound, bound)
        raise ValueError(f"valid range for {name} is [{show(least)}, {show(most)}]")
    return int(value)


class Context:
    """How results are rounded, which conditions were met, and which are exceptions."""

    __module__ = "decimal"
    # `_settings` is what `_verdigris` takes of a context.
    __slots__ = ("_settings", "_capitals", "_flags", "_traps", "_is_template")
    __hash__ = None

    def __init__(
        self,
        prec=None,
        rounding=None,
        Emin=None,
        Emax=None,
        capitals=None,
        clamp=None,
        flags=None,
        traps=None,
    ):
        self._settings = DefaultContext._settings if DefaultContext else (28, 6, -999999, 999999, 0)
        self._capitals = 1
        self._is_template = False
        default = DefaultContext._traps._bits if DefaultContext else 0
        self._flags = _Signals(0 if flags is None else _bits_of(flags, "flags"))
        self._traps = _Signals(default if traps is None else _bits_of(traps, "traps"))
        given = {
            "prec": prec,
            "rounding": rounding,
            "Emin": Emin,
            "Emax": Emax,
            "capitals": capitals,
            "clamp": clamp,
        }
        for name, value in given.items():
            if value is not None:
                setattr(self, name, value)

    def _set(self, place, value):
        settings = list(self._settings)
        settings[place] = value
        self._settings = tuple(settings)

    @property
    def prec(self):
        return self._settings[0]

    @prec.setter
    def prec(self, value):
        self._set(0, _integer(value, 1, MAX_PREC, "prec"))

    @property
    def rounding(self):
        return _ROUNDINGS[self._settings[1]]

    @rounding.setter
    def rounding(self, value):
        self._set(1, _rounding_number(value))

    @property
    def Emin(self):
        return self._settings[2]

    @Emin.setter
    def Emin(self, value):
        self._set(2, _integer(value, MIN_EMIN, 0, "Emin"))

    @property
    def Emax(self):
        return self._settings[3]

    @Emax.setter
    def Emax(self, value):
        self._set(3, _integer(value, 0, MAX_EMAX, "Emax"))

    @property
    def clamp(self):
        return self._settings[4]

    @clamp.setter
    def clamp(self, value):
        self._set(4, _switch(value, "clamp"))

    @property
    def capitals(self):
        return self._capitals

    @capitals.setter
    def capitals(self, value):
        self._capitals = _switch(value, "capitals")

    @property
    def flags(self):
        return self._flags

    @flags.setter
    def flags(self, value):
        self._flags = _Signals(_bits_of(value, "flags"))

    @property
    def traps(self):
        return self._traps

    @traps.setter
    def traps(self, value):
        self._traps = _Signals(_bits_of(value, "traps"))

    def __delattr__(self, name):
        raise AttributeError("context attributes cannot be deleted")

    def _note(self, conditions):
        """Conditions were met: raises the exception of the first one that is trapped."""
        self._flags._bits |= _signals_of(conditions)
        trapped = conditions & self._traps._bits
        if trapped:
            listed = [signal for signal, bit in _CONDITIONS if trapped & bit]
            listed += [signal for signal, bits in _SIGNALS[1:] if trapped & bits]
            for signal, bits in _SIGNALS:
                if trapped & bits:
                    raise signal(listed)

    def clear_flags(self):
        self._flags._bits = 0

    def clear_traps(self):
        self._traps._bits = 0

    def copy(self):
        made = Context()
        made._settings = self._settings
        made._capitals = self._capitals
        made._flags = _Signals(self._flags._bits)
        made._traps = _Signals(self._traps._bits)
        return made

    __copy__ = copy

    def Etiny(self):
        return self.Emin - self.prec + 1

    def Etop(self):
        return self.Emax - self.prec + 1

    def __repr__(self):
        def names(signals):
            return ", ".join([signal.__name__ for signal in _SHOWN if signals[signal]])

        return (
            f"Context(prec={self.prec}, rounding={self.rounding}, Emin={self.Emin}, "
            f"Emax={self.Emax}, capitals={self.capitals}, clamp={self.clamp}, "
            f"flags=[{names(self.flags)}], traps=[{names(self.traps)}])"
        )


def _signals_of(conditions):
    return conditions | _INVALID if conditions & _INVALID else conditions


def _rounding_number(value):
    number = _NUMBERS.get(value) if isinstance(value, str) else None
    if number is None:
        raise TypeError(
            "valid values for rounding are:\n  [ROUND_CEILING, ROUND_FLOOR, ROUND_UP, ROUND_DOWN,\n"
            "   ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN,\n   ROUND_05UP]"
        )
    return number


def _switch(value, name):
    if not isinstance(value, int):
        raise TypeError("an integer is required")
    if value not in (0, 1):
        raise ValueError(f"valid values for {name} are 0 or 1")
    return int(value)


DefaultContext = None
DefaultContext = Context(traps=[DivisionByZero, Overflow, InvalidOperation])
BasicContext = Context(
    prec=9,
    rounding=ROUND_HALF_UP,
    traps=[DivisionByZero, Overflow, InvalidOperation, Clamped, Underflow],
)
ExtendedContext = Context(prec=9, rounding=ROUND_HALF_EVEN, traps=[])
for _template in (DefaultContext, BasicContext, ExtendedContext):
    _template._is_template = True

_current = None


def getcontext():
    global _current
    if _current is None:
        _current = DefaultContext.copy()
    return _current


def setcontext(context, /):
    global _current
    if not isinstance(context, Context):
        raise TypeError("argument must be a context")
    if context._is_template:
        context = context.copy()
        context.clear_flags()
    _current = context


class _Localcontext:
    def __init__(self, context):
        self._context = context

    def __enter__(self):
        self._saved = getcontext()
        setcontext(self._context)
        return self._context

    def __exit__(self, kind, value, traceback):
        setcontext(self._saved)


def localcontext(ctx=None, **changes):
    """An `with` whose body has a context of its own."""
    if ctx is None:
        ctx = getcontext()
    elif not isinstance(ctx, Context):
        raise TypeError("optional argument must be a context")
    made = ctx.copy()
    for name, value in changes.items():
        if name not in ("prec", "rounding", "Emin", "Emax", "capitals", "clamp", "flags", "traps"):
            raise TypeError(f"'{name}' is an invalid keyword argument for this function")
        if value is not None:
            setattr(made, name, value)
    return _Localcontext(made)
