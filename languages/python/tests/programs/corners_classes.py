# metaclass comparisons, __class__ claims, object methods of classes, OSError parts, files that grow
import os, sys, tempfile, abc, enum, copy, typing, collections, functools, dataclasses
class M(type):
    def __eq__(c, o): return o == 5 or o is int
    def __hash__(c): return 3
    def __lt__(c, o): return True
    def __new__(m, name, bases, ns, **k): return super().__new__(m, name, bases, ns)
    def __repr__(c): return "M!" + c.__name__
    def __call__(c, *a): return super().__call__(*a)
class A(metaclass=M):
    def __init__(self, x=1): self.x = x
print(A == 5, A == 6, A != 5, 5 == A, A == int, int == A, A < 3, A > 2 if False else "", {A: 1}[A], A in [5], [A] == [5])
a = A(3); b = copy.copy(a); print(b.x, copy.deepcopy(a).x, A.__new__ is object.__new__, A, sorted([3, A], key=lambda v: 0)[1] == 5)
class Claim:
    @property
    def __class__(self): return dict
print(isinstance(Claim(), dict), isinstance(Claim(), (str, dict)), isinstance(Claim(), int), type(Claim()).__name__)
for e in (OSError("x"), OSError(2, "no"), OSError(2, "no", "f"), OSError()): print(e.errno, e.strerror, e.filename, str(e))
d = tempfile.mkdtemp(); p = os.path.join(d, "f")
with open(p, "w") as f: f.write("one\n")
with open(p, "a+") as f: f.write("two\n"); f.seek(0); print(f.readlines())
with open(p, "ab+") as f: print(f.tell(), f.read()); f.write(b"three"); f.seek(0); print(f.read())
with open(p, "r+") as f: f.write("ONE"); f.seek(0, os.SEEK_END); print(f.tell())
print(open(p).read().split())
os.unlink(p); os.rmdir(d); print(os.path.exists(d))
class Flag(enum.Flag):
    R, W, X = 4, 2, 1
    RW = R | W
    NONE = 0
    B = enum.auto()
print(list(Flag), Flag.RW, Flag.R | Flag.X, Flag(0), Flag.B.value, ~Flag.R, Flag.RW in Flag.RW | Flag.X, len(Flag), [*Flag.RW], Flag["RW"])
class Planet(enum.Enum):
    MERCURY = (3.3e23, 2.4e6)
    EARTH = (5.9e24, 6.3e6)
    def __init__(self, mass, radius): self.mass, self.radius = mass, radius
    @property
    def g(self): return round(6.67e-11 * self.mass / self.radius ** 2, 2)
    @classmethod
    def _missing_(cls, v): return cls.EARTH if v == "home" else None
print(Planet.EARTH.g, Planet("home"), Planet((3.3e23, 2.4e6)).name, Planet.__members__.keys(), Planet.EARTH.__class__)
try: Planet("mars")
except ValueError as e: print(e)
try:
    class Twice(enum.Enum): A = 1; A = 2
except TypeError as e: print(e)
class Auto(enum.Enum):
    def _generate_next_value_(name, start, count, last): return name.lower()
    RED = enum.auto(); BLUE = enum.auto()
class S(str, enum.Enum): A = "a"; B = "b"
class S2(enum.StrEnum): A = enum.auto(); B = enum.auto()
class I(enum.IntEnum): A = 1; B = 2
print(list(Auto), f"{S.A} {S2.A} {I.A}", S.A, S2.B, I.B, repr(S.A), S("a") is S.A, S.A + "x", I.A + 1, str(S.B), "%s %s" % (S.A, I.A), {S.A: 1}["a"], S.A.upper())
E = enum.Enum("E", "X Y Z"); print(list(E), E.__module__, E["Y"].value, E(3)); E2 = enum.Enum("E2", {"P": "p"}); print(E2.P, type(E2.P).__mro__[1])
@dataclasses.dataclass(slots=True, frozen=True, order=True)
class P:
    x: int
    y: int = 0
    _: dataclasses.KW_ONLY = None
    z: int = 5
try: print(P(1, z=2), P.__slots__, P(1) < P(2), hash(P(1)) == hash(P(1)), copy.copy(P(4)), hasattr(P(1), "__dict__"))
except TypeError as e: print(e)
T = typing.TypeVar("T")
class Box(typing.Generic[T]):
    def get(self) -> T: ...
class IntBox(Box[int]): pass
print(Box[int], Box[T][str], typing.get_args(Box[int]), Box.__parameters__, IntBox.__orig_bases__, IntBox.__mro__[1:3], typing.get_type_hints(Box.get))
print(typing.List[T][int], dict[str, T][int], typing.Union[int, None, T][str], typing.Callable[[T], int][str], typing.Callable[..., int], typing.Literal[1, 1, True], typing.Annotated[typing.Annotated[int, 1], 2])
class HasName(typing.Protocol):
    name: str
    def go(self) -> int: ...
try: isinstance(3, HasName)
except TypeError as e: print(e)
R = typing.runtime_checkable(HasName)
class Yes: name = "n"; go = lambda self: 1
print(isinstance(Yes(), R), isinstance(3, R), isinstance(3, typing.SupportsInt), issubclass(int, typing.SupportsIndex), isinstance([], typing.Sized), isinstance({}, typing.Mapping))
class Y2(HasName): pass
print(Y2().go(), isinstance(Y2(), HasName))
u = collections.UserList([3, 1, 2]); u.sort(); print(u, u[1:], u + [4], isinstance(u, collections.abc.MutableSequence), u == [1, 2, 3], collections.UserString("abc").upper() + "d", type(collections.UserString("ab")[0]).__name__, isinstance(collections.UserDict(), collections.abc.Mapping))
P3 = collections.namedtuple("P3", "x y"); print(P3.__module__, P3.x.__doc__, P3.__doc__, P3(1, 2)._replace(x=5))
@functools.singledispatch
def kind(x): return "object"
@kind.register(collections.abc.Sequence)
def _(x): return "seq"
@kind.register
def _(x: int | float): return "num"
print(kind([1]), kind(2), kind(2.5), kind({}), kind.dispatch(bool)(True), sorted(t.__name__ for t in kind.registry))
