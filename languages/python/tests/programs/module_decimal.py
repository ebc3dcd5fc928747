"""The module decimal."""

import math
from decimal import *


def said(function, *args, **keywords):
    try:
        return repr(function(*args, **keywords))
    except Exception as error:
        return f"{type(error).__module__}.{type(error).__name__}: {error}"


print(getcontext())
print(DefaultContext, BasicContext, ExtendedContext, sep="\n")
print(MAX_PREC, MAX_EMAX, MIN_EMIN, MIN_ETINY)

# What numbers are made of.
for value in [
    "3.14",
    "-0",
    " 1_000.50 ",
    "1E+5",
    "1e-10",
    ".5",
    "5.",
    "Infinity",
    "-inf",
    "NaN",
    "-sNaN123",
    "nan007",
    "",
    "1.2.3",
    "abc",
    "1e",
    "--1",
    "1 2",
    "\u0661\u0662",
    "1e1000000",
    "1e999999999999999999999",
    3,
    -(10**30),
    True,
    1.1,
    -0.0,
    float("inf"),
    float("nan"),
    (0, (1, 2, 3), -2),
    (1, (), 5),
    [1, [4, 5], 1],
    (0, (0,), "F"),
    (1, (1, 2), "n"),
    (0, (), "N"),
    (0, (1, 2)),
    (2, (1,), 0),
    (0, (1, 10), 0),
    (0, (1,), "x"),
    (0, (1,), 1.5),
    Decimal("1.0"),
    None,
    1j,
    b"1",
]:
    print(repr(value), said(Decimal, value))

# Texts.
for value in "0 -0 0.00 0E+3 0E-7 123 -1.5 1E+3 123E+3 1.23E-6 1.23E-7 -0.000001 1E-7 123E-10 12345678901234567890E+5 Infinity -NaN12 sNaN".split():
    d = Decimal(value)
    print(d, repr(d), d.to_eng_string(), d.as_tuple(), d.adjusted(), d.is_zero(), d.is_signed(), d.number_class())

# Operators.
values = [Decimal(x) for x in "0 -0 1 -1.50 3 7E+2 0.3333 Infinity -Infinity NaN".split()]
setcontext(Context(prec=6, traps=[]))
for a in values:
    for b in values:
        print(a, b, a + b, a - b, a * b, a / b, a // b, a % b, divmod(a, b), a**b, a == b, a < b, a >= b)
print(getcontext().flags)
setcontext(Context(prec=28))
a = Decimal("10.5")
print(a + 1, 1 + a, a - 1, 1 - a, a * 2, 2 * a, a / 4, 4 / a, a // 4, 40 // a, a % 4, 40 % a, a**2, 2 ** Decimal(3))
print(divmod(a, 4), divmod(40, a), -a, +a, abs(-a), a == 10.5, a < 11, a > 10.25, a != 10, 10 < a, hash(a) == hash(10.5))
for wrong in [lambda: a + 1.5, lambda: a + "1", lambda: 1.5 * a, lambda: a < "x"]:
    try:
        wrong()
    except TypeError as error:
        print(str(error).replace("decimal.", ""))
print(a == "x", a != "x")
print(pow(Decimal(7), 3, 10), pow(Decimal(-7), 3, 10), said(pow, Decimal(7), -1, 10), said(pow, Decimal("1.5"), 2, 3))
print(int(Decimal("-3.9")), float(Decimal("0.1")), complex(a), bool(Decimal("0.0")), bool(Decimal("NaN")))
print(math.floor(Decimal("-3.5")), math.ceil(Decimal("3.2")), math.trunc(Decimal("3.9")), round(Decimal("2.5")), round(Decimal("3.5")))
print(round(Decimal("2.675"), 2), round(Decimal("1234.5"), -2), repr(round(Decimal("1.5"), 0)))
for x in ["NaN", "sNaN", "Infinity", "-Infinity"]:
    d = Decimal(x)
    print(x, said(int, d), said(float, d), said(round, d), said(hash, d) if x != "NaN" else "", said(d.as_integer_ratio))
print(hash(Decimal("1E+20")) == hash(10**20), hash(Decimal("0.5")) == hash(0.5), hash(Decimal("-1")), hash(Decimal("1.10")) == hash(Decimal("1.1")))
print({Decimal("1.0"): "one"}[1], Decimal("0.25") in {0.25}, Decimal(2) == 2 + 0j, sorted([Decimal("2"), 1, Decimal("1.5")]))
print(Decimal("0.75").as_integer_ratio(), Decimal("-12E2").as_integer_ratio(), Decimal(0).as_integer_ratio())

# What is an exception, and what is noted.
for call in [
    lambda: Decimal(1) / 0,
    lambda: Decimal(0) / 0,
    lambda: Decimal(1) // 0,
    lambda: Decimal(1) % 0,
    lambda: divmod(Decimal(0), 0),
    lambda: Decimal("Infinity") - Decimal("Infinity"),
    lambda: Decimal("sNaN") + 1,
    lambda: Decimal("NaN") < 1,
    lambda: Decimal("NaN") == 1,
    lambda: Decimal("sNaN") == 1,
    lambda: Decimal(-1).sqrt(),
    lambda: Decimal(0).ln(),
    lambda: Decimal(-1).ln(),
    lambda: Decimal(0).log10(),
    lambda: Decimal("1E+999999") * 10,
    lambda: Decimal("1E-999999") / 10**28,
    lambda: Decimal("1E+40") // 1,
    lambda: Decimal("123456").quantize(Decimal("1E-30")),
    lambda: Decimal(2) ** Decimal("1E+20"),
    lambda: Decimal(0) ** 0,
    lambda: Decimal(0) ** -1,
    lambda: Decimal(-2) ** Decimal("0.5"),
    lambda: Decimal("Infinity").quantize(Decimal(1)),
    lambda: Decimal(12).logical_and(11),
    lambda: Decimal(1).scaleb(Decimal("1.5")),
]:
    getcontext().clear_flags()
    print(said(call), [signal.__name__ for signal, is_set in getcontext().flags.items() if is_set])
try:
    Decimal(1) / 0
except ZeroDivisionError as error:
    print(type(error).__mro__, error.args)
with localcontext() as context:
    context.traps[Inexact] = True
    print(said(lambda: Decimal(1) / 3), Decimal(1) / 4)
    context.traps[FloatOperation] = True
    print(said(Decimal, 1.5), said(lambda: Decimal(1) < 1.5), Decimal(1) == 1.0)
    context.clear_traps()
    print(Decimal("x"), Decimal(1) / 0, Decimal("NaN") < 1)
    print(context)

# Contexts.
with localcontext(prec=3, rounding=ROUND_DOWN) as context:
    print(Decimal(2) / 3, Decimal("1.239") + 0, context.prec, getcontext() is context)
    with localcontext(Context(prec=2)):
        print(Decimal(2) / 3)
print(getcontext().prec)
context = Context(prec=5, rounding=ROUND_HALF_UP, Emin=-10, Emax=10, capitals=0, clamp=1, flags=[Rounded], traps=[Overflow])
print(context, context.copy(), context.Etiny(), context.Etop(), context.radix())
print(context.create_decimal("3.1415926"), context.create_decimal(2.5), context.create_decimal((0, (1, 2, 3, 4, 5, 6, 7), 0)))
print(context.add(1, 2), context.divide(Decimal(1), 3), context.sqrt(2), context.power(2, 10), context.power(2, 10, 7), context.fma(2, 3, 4))
print(context.to_sci_string(Decimal("1E+5")), context.is_nan(Decimal("NaN")), context.compare(1, 2), context.quantize(Decimal("1.25"), Decimal("0.1")))
for name, value in [("prec", 0), ("prec", "x"), ("rounding", "up"), ("Emin", 1), ("Emax", -1), ("capitals", 2), ("clamp", 2)]:
    print(name, said(setattr, context, name, value))
print(said(context.add, 1, "x"), said(Context, 1.5), said(localcontext, 3), said(setcontext, 3))
setcontext(ExtendedContext)
print(getcontext() is ExtendedContext, getcontext().prec)
setcontext(Context(prec=28))

# Rounding.
modes = [ROUND_UP, ROUND_DOWN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_05UP]
for mode in modes:
    row = [Decimal(x).quantize(Decimal(1), rounding=mode) for x in "1.1 1.5 1.9 2.5 -1.1 -1.5 -2.5 0.4 -0.4 5.1 6.1".split()]
    print(mode, *row)
    print(*[Decimal(x).to_integral_value(mode) for x in ("2.5", "-0.7", "1E+3", "NaN")], Decimal("2.5").to_integral_exact(mode))
    with localcontext(rounding=mode, prec=3, Emax=5, Emin=-5, traps=[]):
        print(*[Decimal(x) + 0 for x in "1.2345 -1.2355 999.95 9.9999E+5 -99E+9 1.5E-8 0.0000012345 1E-9".split()], Decimal(1) - 1)
print(said(Decimal("1.5").quantize, Decimal("0.01"), "x"), Decimal("1.5").quantize(Decimal("1E+3")), Decimal("-0.0").quantize(Decimal("0.01")))
print(Decimal("100").normalize(), Decimal("0E+5").normalize(), Decimal("1.2300").normalize(), Decimal("-0.00").normalize())

# Functions.
for prec in (1, 5, 28, 50):
    with localcontext(prec=prec):
        print(Decimal(2).sqrt(), Decimal("1E+21").sqrt(), Decimal(16).sqrt(), Decimal("0.0").sqrt(), Decimal("15241578750190521").sqrt())
        print(Decimal(1).exp(), Decimal("-2.5").exp(), Decimal("1E-30").exp(), Decimal("123.456").exp(), Decimal(0).exp())
        print(Decimal(2).ln(), Decimal("0.9999999").ln(), Decimal("1.00000000001").ln(), Decimal("1E+50").ln(), Decimal(1).ln())
        print(Decimal(2).log10(), Decimal("1E+50").log10(), Decimal("0.001").log10(), Decimal("9.999999").log10())
        print(Decimal(2) ** Decimal("0.5"), Decimal("1.1") ** 100, Decimal(3) ** -5, Decimal("1.0") ** 7, Decimal(9) ** Decimal("0.5"))
        print(Decimal("-1.00") ** 3, Decimal("0.5") ** Decimal("-2.5"), Decimal(10) ** 20, Decimal(1) ** Decimal("0.3"))
for call in [
    lambda: Decimal("-1E+10").exp(),
    lambda: Decimal("Infinity").exp(),
    lambda: Decimal("-Infinity").exp(),
    lambda: Decimal("Infinity").ln(),
    lambda: Decimal("Infinity") ** -1,
    lambda: Decimal(2) ** Decimal("Infinity"),
    lambda: Decimal("0.5") ** Decimal("Infinity"),
    lambda: Decimal(5).fma(2, 3),
    lambda: Decimal("5.5").remainder_near(2),
    lambda: Decimal("321.5").logb(),
    lambda: Decimal(2).scaleb(5),
    lambda: Decimal("12345").shift(2),
    lambda: Decimal("12345").rotate(-2),
    lambda: Decimal(1).next_plus(),
    lambda: Decimal(1).next_minus(),
    lambda: Decimal(1).next_toward(2),
    lambda: Decimal("1.0").compare(1),
    lambda: Decimal("1.0").compare_total(1),
    lambda: Decimal("-2").compare_total_mag(1),
    lambda: Decimal("NaN").compare(1),
    lambda: Decimal(1).max(Decimal("NaN")),
    lambda: Decimal(-3).max_mag(2),
    lambda: Decimal(1).min(2),
    lambda: Decimal("1.0").min(1),
    lambda: Decimal(-3).min_mag(2),
    lambda: Decimal("1.1").same_quantum(Decimal("2.5")),
    lambda: Decimal(1100).logical_or(1010),
    lambda: Decimal(1100).logical_xor(1010),
    lambda: Decimal(1).logical_invert(),
    lambda: Decimal("1.5").copy_sign(Decimal(-1)),
    lambda: Decimal(-1).copy_abs(),
    lambda: Decimal(1).copy_negate(),
    lambda: Decimal("1E-1000000").is_subnormal(),
    lambda: Decimal(1).is_normal(),
    lambda: Decimal(1).canonical(),
    lambda: Decimal.from_float(0.1),
    lambda: Decimal.from_float(3),
    lambda: Decimal.from_float("x"),
]:
    print(said(call))

# Formats.
numbers = [Decimal(x) for x in "0 -1234567.891 1E+6 0.00001234 12.5 NaN -Infinity -0.001".split()]
for spec in ["", "f", ".2f", "e", ".3e", "G", "g", ".3g", "%", ".1%", ",", "+,.2f", "012.3f", ">15", "^+20.1f", "<10.2f", "=15", "*^20,.3f", "015,.1f", " .2f", ".0f", "E", "n", "z.1f"]:
    print(spec, [format(number, spec) for number in numbers])
for spec in ["x", "d", "..", "5x", ",n", "<05"]:
    print(spec, said(format, Decimal(1), spec))
print(f"{Decimal('1.25'):.1f} {Decimal('1.35'):>8.1f}", "%s %.2f %d" % (Decimal("1.5"), Decimal("2.345"), Decimal("3.9")))
with localcontext(rounding=ROUND_UP, capitals=0):
    print(f"{Decimal('1.21'):.1f}", Decimal("1E+30"), f"{Decimal('1E+30')}", f"{Decimal('1E+30'):g}")


# A class that derives from it.
class Money(Decimal):
    def __new__(cls, value, currency="EUR"):
        self = super().__new__(cls, value)
        self.currency = currency
        return self

    def __str__(self):
        return f"{self:.2f} {self.currency}"


m = Money("12.345")
print(m, repr(m + 1), type(m + 1).__name__, m == Decimal("12.345"), isinstance(m, Decimal), m.currency)
print(sum([Decimal("0.1")] * 10), sum([0.1] * 10), sum([Decimal("0.1")] * 3) == Decimal("0.3"))

import copy

print(copy.copy(Decimal("1.5")), copy.deepcopy([Decimal("NaN")]), DecimalTuple(0, (1,), 2), Decimal(1).real, Decimal(1).imag)


# In a loop that is compiled.
def pi(prec):
    with localcontext(prec=prec + 2):
        last, t, s, n, na, d, da = 0, Decimal(3), 3, 1, 0, 0, 24
        while s != last:
            last = s
            n, na = n + na, na + 8
            d, da = d + da, da + 32
            t = (t * n) / d
            s += t
    with localcontext(prec=prec):
        return +s


print(pi(50))
