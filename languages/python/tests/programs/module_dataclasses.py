# Classes made of fields.
import dataclasses
from dataclasses import FrozenInstanceError, InitVar, asdict, astuple, dataclass, field, fields, replace
from typing import ClassVar


@dataclass
class Point:
    x: int
    y: int = 0

    def norm(self):
        return (self.x**2 + self.y**2) ** 0.5


p = Point(3, 4)
print(p, p.norm(), p == Point(3, 4), p != Point(3, 5), p == (3, 4), Point(1), Point(x=1, y=2))
p.x = 10
print(p, asdict(p), astuple(p), replace(p, y=7), [f.name for f in fields(p)], Point.__match_args__)
for broken in (lambda: Point(), lambda: Point(1, 2, 3), lambda: Point(z=1), lambda: {p}, lambda: p < p):
    try:
        broken()
    except TypeError as error:
        print(error)


@dataclass(order=True, frozen=True)
class Version:
    major: int
    minor: int = 0
    tags: tuple = field(default=(), compare=False)


a, b = Version(1, 2), Version(1, 10, ("beta",))
print(a < b, a <= b, a > b, max(a, b), sorted([b, a]), {a: 1}[Version(1, 2)], hash(a) == hash(Version(1, 2, ("x",))))
try:
    a.major = 5
except FrozenInstanceError as error:
    print(error)
try:
    del a.major
except dataclasses.FrozenInstanceError as error:
    print(error)


@dataclass
class Inventory:
    name: str
    items: list = field(default_factory=list)
    price: float = field(default=1.5, repr=False)
    total: int = field(init=False, default=0)
    limit: ClassVar[int] = 5
    start: InitVar[int] = 0

    def __post_init__(self, start):
        self.total = len(self.items) + start


one, two = Inventory("a"), Inventory("b", [1, 2], start=5)
one.items.append("x")
print(one, two, one.price, two.total, Inventory.limit, one.items is two.items, [f.name for f in fields(one)])


@dataclass
class Base:
    a: int
    b: str = "b"


@dataclass
class Derived(Base):
    c: list[int] = field(default_factory=lambda: [1])
    a: int = 5

    def __repr__(self):
        return f"own {self.a} {self.b} {self.c}"


print(Derived(), Derived(1, "x", [2]), asdict(Derived()), Derived() == Derived(), Base(5) == Derived())


@dataclass(kw_only=True)
class Options:
    verbose: bool = False
    level: int


print(Options(level=3), Options(verbose=True, level=1))
try:
    Options(3)
except TypeError as error:
    print(error)


@dataclass
class Tree:
    value: int
    left: "Tree | None" = None
    right: "Tree | None" = None

    def total(self):
        result = self.value
        if self.left:
            result += self.left.total()
        if self.right:
            result += self.right.total()
        return result


def build(depth):
    if depth == 0:
        return Tree(1)
    return Tree(depth, build(depth - 1), build(depth - 1))


print(Tree(1, Tree(2)), build(8).total(), asdict(Tree(1, Tree(2))))
try:

    @dataclass
    class Wrong:
        items: list = []

except ValueError as error:
    print(error)
try:

    @dataclass
    class Order:
        a: int = 1
        b: int

except TypeError as error:
    print(error)
print(dataclasses.is_dataclass(Point), dataclasses.is_dataclass(p), dataclasses.is_dataclass(5))
Made = dataclasses.make_dataclass("Made", ["x", ("y", int, 5)])
print(Made(1), Made(1, 2).y)


@dataclass
class Particle:
    x: float
    v: float

    def step(self, dt):
        return Particle(self.x + self.v * dt, self.v - self.x * dt)


particle = Particle(1.0, 0.0)
for _ in range(3000):
    particle = particle.step(0.001)
print(particle)
