# The module `fractions` of CPython's folder.
# needs: re
from fractions import Fraction as F
import math
from decimal import Decimal

print(
    F(18, -12),
    F(41),
    F(),
    F("5/9"),
    F(" -5/9 "),
    F("2.718 \t\n"),
    F("-.375"),
    F("3e-4"),
    F(4.75),
    F(1.3),
    F(Decimal("1.3")),
)
print(
    F("2.718281828459045").limit_denominator(1000),
    F(math.pi).limit_denominator(10),
    F(1, 3) + F(1, 6),
    F(1, 2) * 3,
    F(3, 4) / F(9, 8),
    F(7, 2) // 1,
    F(7, 2) % 1,
    F(2, 3) ** 2,
    F(4, 9) ** F(1, 2),
    -F(1, 2),
    abs(F(-1, 2)),
)
print(
    math.floor(F(103, 33)),
    math.ceil(F(103, 33)),
    round(F(7, 2)),
    round(F(103, 33), 2),
    int(F(7, 2)),
    float(F(1, 3)),
    bool(F(0)),
    F(1, 2) == 0.5,
    F(1, 3) < 0.34,
    hash(F(1, 2)) == hash(0.5),
    repr(F(1, 2)),
    F(1, 2).as_integer_ratio(),
    F(1, 2) + 0.5,
    F(1, 2) + 1j,
    1 - F(1, 3),
    2 ** F(1, 2),
    divmod(F(7, 2), F(1, 3)),
    sorted([F(1, 2), 0.3, 1]),
)
for bad in ("x", "1/0"):
    try:
        F(bad)
    except Exception as e:
        print(type(e).__name__, e)
import copy

print(
    copy.deepcopy(F(1, 2)),
    F.from_float(0.5),
    F.from_decimal(Decimal("0.5")),
    sum([F(1, n) for n in range(1, 20)]),
)
