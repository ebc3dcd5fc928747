# The module `enum` of CPython's folder.
from enum import (
    Enum,
    IntEnum,
    Flag,
    IntFlag,
    StrEnum,
    auto,
    unique,
    EnumMeta,
    member,
    nonmember,
    verify,
    UNIQUE,
    CONTINUOUS,
    Enum as E2,
    KEEP,
    STRICT,
    CONFORM,
    property as eprop,
    global_enum,
)
import enum


class Light(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    STOP = 1


print(
    Light.RED,
    repr(Light.RED),
    Light["GREEN"],
    Light(3),
    list(Light),
    Light.STOP is Light.RED,
    Light.RED.name,
    Light.RED.value,
)
print(
    len(Light),
    Light.__members__["STOP"],
    "RED" in Light.__members__,
    Light.RED in Light,
    isinstance(Light.RED, Light),
    type(Light.RED),
)
try:
    Light(9)
except ValueError as e:
    print(e)
try:
    Light["X"]
except KeyError as e:
    print("key", e)
try:
    Light.RED = 4
except AttributeError as e:
    print(e)
try:

    class More(Light):
        X = 4

except TypeError as e:
    print(e)


class Size(IntEnum):
    SMALL = auto()
    MIDDLE = auto()
    GIANT = 7

    @classmethod
    def of(cls, n):
        return cls(n)

    @property
    def short(self):
        return self.name[:3]


print(
    Size.SMALL + 1,
    Size.of(2),
    Size.GIANT.short,
    Size.SMALL < Size.GIANT,
    f"{Size.MIDDLE} {Size.MIDDLE!r}",
    [1, 2, 3][Size.SMALL],
)


class Perm(Flag):
    R = 4
    W = 2
    X = 1
    RWX = 7


print(
    Perm.R | Perm.W,
    repr(Perm.R | Perm.W),
    Perm.R in Perm.RWX,
    ~Perm.R,
    list(Perm.RWX),
    bool(Perm.R & Perm.W),
    Perm(6),
    Perm.RWX ^ Perm.X,
    len(Perm.RWX),
)


class IF(IntFlag):
    A = auto()
    B = auto()
    C = auto()


print(IF.A | IF.C, repr(IF.A | 8), IF.A + 1, IF(3), ~IF.A)


class Str(StrEnum):
    ONE = auto()
    TWO = "second"


print(Str.ONE, Str.TWO.upper(), Str("one") is Str.ONE, repr(Str.ONE))


class Crate(Enum):
    HEAVY = (250.0, 12.5)
    SLIM = (42.0, 3.5)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    @property
    def g(self):
        return round(self.mass / (self.radius * self.radius), 3)


print(Crate.HEAVY.value, Crate.HEAVY.g, Crate.SLIM.g)


class Auto(Enum):
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    A = auto()
    B = auto()


print(list(Auto))
Tree = Enum("Tree", "OAK ELM ASH")
print(list(Tree), Tree.OAK, Tree.__module__)
A2 = IntEnum("A2", {"X": 1, "Y": 5})
print(list(A2))
try:

    @unique
    class Twice(Enum):
        ONE = 1
        TWO = 1

except ValueError as e:
    print(e)


class Miss(Enum):
    A = 1

    @classmethod
    def _missing_(cls, v):
        return cls.A


print(Miss(77))
import copy

print(copy.copy(Light.RED) is Light.RED, copy.deepcopy([Light.RED])[0] is Light.RED)


class N(Enum):
    x = nonmember(5)

    @member
    def f():
        pass

    A = 1


print(N.x, N.f.name if hasattr(N.f, "name") else N.f, list(N)[-1])
print(dir(Light)[:6], Light.RED.__class__.__name__, hash(Light.RED) == hash("RED"))
d = {Light.RED: 1}
print(d[Light.RED])


class Code(bytes, Enum):
    def __new__(cls, value, label):
        obj = bytes.__new__(cls, [value])
        obj._value_ = value
        obj.label = label
        return obj

    LOW = (0, "first")
    HIGH = (1, "second")


print(Code.LOW, Code.HIGH.label, bytes(Code.HIGH), Code(1))
print(enum.__file__ is not None, Light.__iter__ is not None, reversed(Light) is not None)


def loop():
    n = 0
    for i in range(1000):
        if Light(i % 3 + 1) is Light.RED:
            n += 1
        if Light.RED.value == 1:
            n += 1
    return n


print(loop())
