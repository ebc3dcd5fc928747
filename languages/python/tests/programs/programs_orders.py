from __future__ import annotations

import json
from dataclasses import asdict, astuple, dataclass, field, fields, replace, KW_ONLY, InitVar
from decimal import Decimal
from enum import Enum, Flag, IntEnum, auto, unique
from typing import ClassVar, Optional
from functools import total_ordering, cached_property


class Currency(str, Enum):
    EUR = "EUR"
    USD = "USD"


class Perm(Flag):
    READ = auto()
    WRITE = auto()
    ADMIN = READ | WRITE


@unique
class Level(IntEnum):
    LOW = 1
    MID = 5
    HIGH = 9

    @classmethod
    def parse(cls, s: str) -> Level:
        return cls[s.upper()]


@total_ordering
@dataclass(frozen=True, eq=True)
class Money:
    amount: Decimal
    currency: Currency = Currency.EUR

    def __post_init__(self):
        object.__setattr__(self, "amount", Decimal(self.amount).quantize(Decimal("0.01")))

    def __add__(self, o: Money) -> Money:
        if o.currency is not self.currency:
            raise ValueError(f"{self.currency.value} and {o.currency.value}")
        return replace(self, amount=self.amount + o.amount)

    def __radd__(self, o):
        return self if o == 0 else NotImplemented

    def __lt__(self, o):
        return self.amount < o.amount

    def __str__(self):
        return f"{self.amount:,} {self.currency.value}"


@dataclass(order=True, slots=True)
class Line:
    sku: str
    qty: int = field(default=1, compare=False)
    price: Money = field(default_factory=lambda: Money("9.99"), repr=False)

    @property
    def total(self) -> Money:
        return replace(self.price, amount=self.price.amount * self.qty)


@dataclass
class Order:
    count: ClassVar[int] = 0
    id: int
    lines: list[Line] = field(default_factory=list)
    _: KW_ONLY
    note: Optional[str] = None
    level: Level = Level.LOW
    rebate: InitVar[int] = 0
    tags: set[str] = field(default_factory=set, hash=False)

    def __post_init__(self, rebate):
        type(self).count += 1
        self.rebate_rate = Decimal(rebate) / 100

    @cached_property
    def total(self) -> Money:
        s = sum(l.total for l in self.lines)
        return replace(s, amount=s.amount * (1 - self.rebate_rate)) if self.lines else Money(0)


@dataclass
class Gift(Order):
    to: str = field(kw_only=True)


o = Order(1, [Line("b", 2), Line("a", 3, Money("100.5"))], note="x", rebate=10, level=Level.parse("mid"))
print(o)
print(o.total, sorted(o.lines), Order.count)
print([f.name for f in fields(Order)], [f.type for f in fields(Line)])
d = asdict(o)
print(json.dumps(d, default=str, sort_keys=True))
print(astuple(o.lines[0]))
g = Gift(2, to="you", tags={"z"})
print(g, g == replace(g, rebate=0), g.total)
for bad in (
    lambda: Order(1, [], "positional"),
    lambda: Gift(3),
    lambda: Money(1) + Money(2, Currency.USD),
    lambda: setattr(Money(1), "amount", 2),
    lambda: setattr(Line("a"), "other", 2),
    lambda: Level.parse("none"),
    lambda: Currency("GBP"),
    lambda: Line("a") < 3,
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, "|", e)
print(Perm.READ | Perm.WRITE, Perm.ADMIN in Perm.ADMIN, Perm(3), ~Perm.READ, list(Perm), Perm.READ & Perm.WRITE)
print(Level.HIGH > Level.LOW, Level(5), repr(Level.MID), Level.MID + 1, f"{Level.MID}", f"{Currency.EUR}", Currency.USD == "USD")
print(hash(Money(1)) == hash(Money("1.00")), Money(1) <= Money(2), max(Money(3), Money(2)), {Money(1): "one"}[Money("1.0")])
match o:
    case Order(id=1, lines=[Line(sku="b"), *rest], level=Level.MID):
        print("matched", rest)
try:
    @dataclass
    class Bad:
        x: list = []
except ValueError as e:
    print(e)
print(Line.__slots__, Line.__match_args__, Money.__dataclass_params__)
