# Enumerations.
from enum import Enum, Flag, IntEnum, IntFlag, StrEnum, auto, unique


class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    CRIMSON = 1

    @property
    def is_warm(self):
        return self is Color.RED

    @classmethod
    def default(cls):
        return cls.GREEN


print(Color.RED, repr(Color.RED), Color.RED.name, Color.RED.value, Color(2), Color["BLUE"])
print(list(Color), len(Color), Color.RED in Color, Color.CRIMSON is Color.RED, list(Color.__members__))
print(Color.RED == Color.RED, Color.RED == 1, Color.RED != Color.BLUE, isinstance(Color.RED, Color))
print(Color.RED.is_warm, Color.default(), type(Color.RED), Color, {Color.RED: "r"}[Color(1)])
for broken in (lambda: Color(9), lambda: Color["PINK"], lambda: setattr(Color, "RED", 5)):
    try:
        broken()
    except (ValueError, KeyError, AttributeError) as error:
        print(type(error).__name__, error)
print(f"{Color.GREEN}", "%s" % Color.GREEN, str(Color.GREEN) + "!", [c.name for c in reversed(Color)])


class Shape(Enum):
    SQUARE = auto()
    CIRCLE = auto()
    OTHER = auto()

    def describe(self):
        return f"{self.name.lower()} {self.value}"


print([shape.describe() for shape in Shape], Shape.SQUARE < Shape.CIRCLE if False else "unordered")


class Planet(Enum):
    MERCURY = (3.303e23, 2.4397e6)
    EARTH = (5.976e24, 6.37814e6)

    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius

    @property
    def gravity(self):
        return 6.67300e-11 * self.mass / (self.radius * self.radius)


print(Planet.EARTH.gravity, Planet.MERCURY.mass, Planet.EARTH.value)


class Level(IntEnum):
    LOW = 1
    HIGH = 10


print(Level.LOW < Level.HIGH, Level.HIGH + 5, Level.LOW, repr(Level.LOW), f"{Level.HIGH:3}", Level(10), int(Level.LOW))
print(sorted([Level.HIGH, Level.LOW]), Level.LOW == 1, [10, 20, 30][Level.LOW], max(Level), sum(Level))


class Word(StrEnum):
    HELLO = auto()
    BYE = "bye!"


print(Word.HELLO, Word.BYE, repr(Word.BYE), Word.HELLO == "hello", Word.BYE.upper(), Word("hello"))


class Permission(Flag):
    READ = auto()
    WRITE = auto()
    EXECUTE = auto()


both = Permission.READ | Permission.WRITE
print(both, repr(both), Permission.READ in both, Permission.EXECUTE in both, both & Permission.WRITE, ~both)
print(both ^ Permission.READ, bool(Permission.READ & Permission.WRITE), both.value, list(both), Permission(5))
print(repr(Permission(0)), len(both), both == Permission(3), Permission.READ | Permission.READ)


class Mode(IntFlag):
    A = 1
    B = 4


print(Mode.A | Mode.B, repr(Mode.A | Mode.B), (Mode.A | Mode.B) == 5, Mode.A + 1, repr(Mode(4)))

Animal = Enum("Animal", "CAT DOG BIRD")
print(list(Animal), Animal.DOG.value, Animal("CAT") if False else Animal(1))

try:

    @unique
    class Twice(Enum):
        A = 1
        B = 1

except ValueError as error:
    print(error)
try:

    class More(Color):
        PINK = 4

except TypeError as error:
    print(error)


def turn(steps):
    total = 0
    order = list(Color)
    for n in range(steps):
        color = order[n % 3]
        if color is Color.RED:
            total += 1
        elif color == Color.GREEN:
            total += color.value
        else:
            total += {Color.BLUE: 5}[color]
    return total


print(turn(3000))
