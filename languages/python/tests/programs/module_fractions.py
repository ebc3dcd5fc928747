"""The module fractions."""

import math
from decimal import Decimal
from fractions import Fraction


def said(function, *args):
    try:
        return repr(function(*args))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


for args in [
    (),
    (3,),
    (6, 4),
    (-6, 4),
    (6, -4),
    (0, 5),
    (Fraction(1, 2), Fraction(3, 4)),
    ("3/4",),
    ("-3/4",),
    (" +1_000/2_0 ",),
    ("1.25",),
    ("-.5",),
    ("5.",),
    ("1e3",),
    ("12.5E-2",),
    (0.75,),
    (1.1,),
    (Decimal("1.1"),),
    (True,),
    (1, 0),
    ("1/0",),
    ("x",),
    ("1/ 2",),
    ("",),
    ("1__0",),
    (1.5, 2),
    (None,),
    (float("inf"),),
    (float("nan"),),
]:
    print(args, said(Fraction, *args))

values = [Fraction(1, 2), Fraction(-7, 3), Fraction(5), Fraction(0), 3, 0.5, True]
for a in values:
    for b in values:
        if not isinstance(a, Fraction) and not isinstance(b, Fraction):
            continue
        row = [said(lambda: a + b), said(lambda: a - b), said(lambda: a * b), said(lambda: a / b)]
        row += [said(lambda: a // b), said(lambda: a % b), said(divmod, a, b)]
        row += [a == b, a != b, a < b, a <= b, a > b, a >= b]
        print(a, b, row)

half = Fraction(1, 2)
print(half**3, half**-2, half**0.5, half**half, 2**half, 4 ** Fraction(2), said(lambda: Fraction(0) ** -1))
print(Fraction(-1, 2) ** 3, Fraction(-1, 2) ** -3, 0.25**half)
print(-half, +half, abs(Fraction(-3, 4)), bool(half), bool(Fraction(0)))
print(int(Fraction(-7, 2)), float(Fraction(1, 3)), complex(half), math.floor(Fraction(-7, 2)), math.ceil(Fraction(-7, 2)))
for n in (Fraction(5, 2), Fraction(7, 2), Fraction(-5, 2), Fraction(8, 3)):
    print(n, round(n), round(n, 1), round(n, -1), math.trunc(n))
print(round(Fraction(123456, 1000), 2), round(Fraction(1250), -2))
print(hash(half) == hash(0.5), hash(Fraction(3)) == hash(3), hash(Fraction(1, 3)), hash(Fraction(-1, 3)))
print(hash(Fraction(1, 2**61 - 1)), {half: "half"}[0.5], half == 0.5, half == Decimal("0.5"), half == 0.5 + 0j)
print(half == "x", said(lambda: half < "x"), said(lambda: half + "x"), half != None)
print(Fraction("3.1415926535897932").limit_denominator(1000), Fraction(math.pi).limit_denominator(10))
print(Fraction(4321, 8765).limit_denominator(100), Fraction(1, 3).limit_denominator(), said(half.limit_denominator, 0))
for limit in range(1, 40):
    print(Fraction(355, 452).limit_denominator(limit), end=" ")
print()
print(half.numerator, half.denominator, half.as_integer_ratio(), half.real, half.imag, half.conjugate())
print(Fraction.from_float(0.25), Fraction.from_decimal(Decimal("0.2")), Fraction.from_float(3), said(Fraction.from_float, "x"))
print(sum([Fraction(1, n) for n in range(1, 30)]), str(Fraction(3)), repr(Fraction(3)), f"{half}")
print(half < float("inf"), half > float("-inf"), half == float("nan"), half < float("nan"))
print(sorted([Fraction(1, 3), 0.3, 1, Fraction(2, 7)]), max(half, 0.4), min(half, 1))


class Ratio(Fraction):
    pass


print(repr(Ratio(1, 2)), Ratio(1, 2) + 1, type(Ratio(1, 2) + 1).__name__, Ratio(1, 2) == half)
