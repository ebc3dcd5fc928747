# The module `decimal` of CPython's folder.
# needs: re
from decimal import *

print(
    Decimal("3.14"),
    Decimal(10),
    Decimal((0, (3, 1, 4), -2)),
    Decimal(3.14),
    Decimal("NaN"),
    Decimal("-Infinity"),
    Decimal(1) / Decimal(7),
    getcontext().prec,
)
getcontext().prec = 6
print(
    Decimal(1) / Decimal(7),
    Decimal("1.4142135623") + Decimal("1.7320508075"),
    Decimal(2).sqrt(),
    Decimal(1).exp(),
    Decimal("10").ln(),
    Decimal("10").log10(),
)
print(
    Decimal("7.325").quantize(Decimal(".01"), rounding=ROUND_DOWN),
    round(Decimal("2.675"), 2),
    Decimal("1.20") == Decimal("1.2"),
    hash(Decimal("0.5")) == hash(0.5),
    Decimal("1E+3"),
    Decimal("100").normalize(),
    divmod(Decimal(7), Decimal(3)),
    -Decimal(5),
    abs(Decimal("-1")),
    Decimal("123.456").as_tuple(),
    int(Decimal("3.9")),
    float(Decimal("0.1")),
    max(Decimal(1), Decimal(2)),
)
try:
    Decimal(1) / 0
except ZeroDivisionError as e:
    print(type(e))
with localcontext() as c:
    c.prec = 42
    print(Decimal(1) / 7)
print(
    f"{Decimal('1234567.891'):,.2f}",
    sum(map(Decimal, "2.50 1.25 7.75 0.10".split())),
    Decimal("1.5") > 1,
    Decimal(2) ** 10,
    sorted([Decimal(3), Decimal(1)]),
)
