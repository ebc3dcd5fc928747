# The module `dataclasses` of CPython's folder.
# needs: re contextlib
from dataclasses import (
    dataclass,
    field,
    fields,
    asdict,
    astuple,
    replace,
    is_dataclass,
    make_dataclass,
    InitVar,
    KW_ONLY,
    FrozenInstanceError,
)
import dataclasses
from typing import ClassVar, Any


@dataclass
class Parcel:
    """Something that is sent."""

    name: str
    weight: float
    copies: int = 0

    def load(self) -> float:
        return self.weight * self.copies


i = Parcel("box", 2.5, 4)
print(i, i.load(), i == Parcel("box", 2.5, 4), Parcel.__doc__, Parcel.__match_args__)


@dataclass(order=True, frozen=True)
class P:
    x: int
    y: int = 5

    def m(self):
        return self.x


print(sorted([P(3), P(1, 2), P(1, 1)]), hash(P(1)) == hash(P(1)))
try:
    P(1).x = 4
except FrozenInstanceError as e:
    print(type(e).__name__, e)


@dataclass
class C:
    a: int
    marks: list = field(default_factory=list, repr=False)
    z: ClassVar[int] = 5
    d: InitVar[Any] = None
    c: int = field(init=False)

    def __post_init__(self, d):
        self.c = (self.a, d)


c = C(1, d=2)
c.marks += [1]
print(c, c.marks, c.c, [f.name for f in fields(c)])


@dataclass
class D(C):
    _: KW_ONLY
    kw: int = 3


print(D(1, kw=9), asdict(P(1)), astuple(P(1)), replace(P(1), y=9), is_dataclass(P))
X = make_dataclass(
    "X", [("x", int), "y", ("z", int, field(default=5))], namespace={"add": lambda self: self.x + 1}
)
print(X(1, 2), X(1, 2).add(), X.__module__)


@dataclass(slots=True)
class S:
    a: int
    b: int = 2


print(S(1), S.__slots__, hasattr(S(1), "__dict__"))
try:

    @dataclass
    class Bad:
        x: list = []

except ValueError as e:
    print(e)


@dataclass(unsafe_hash=True, repr=False, eq=True)
class U:
    a: int


print(hash(U(1)) == hash(U(1)))
try:
    Parcel()
except TypeError as e:
    print(e)
print(dataclasses.__file__ is not None)
print(fields(P)[1].name, fields(P)[1].default, fields(P)[0].default is dataclasses.MISSING)
