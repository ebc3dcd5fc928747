# Structural pattern matching.
from collections import namedtuple
from dataclasses import dataclass
from enum import Enum


def kind(value):
    match value:
        case 0:
            return "zero"
        case 1 | 2 | 3:
            return "small"
        case -1:
            return "minus one"
        case True:
            return "never"
        case None:
            return "nothing"
        case "a" | "b":
            return "letter"
        case 2.5:
            return "float"
        case str():
            return f"text {value!r}"
        case int(x) if x > 100:
            return f"large {x}"
        case int() | float():
            return "number"
        case []:
            return "empty"
        case [x]:
            return f"one {x}"
        case [1, second]:
            return f"one and {second}"
        case [first, *rest, last] if len(rest) > 2:
            return f"{first} to {last} over {rest}"
        case [_, _, *_]:
            return "many"
        case {"type": "point", "x": x, "y": y}:
            return f"point {x},{y}"
        case {"name": name, **rest}:
            return f"named {name} {rest}"
        case {}:
            return "mapping"
        case _:
            return "other"


for value in [0, 1, 3, -1, True, None, "a", "zz", 2.5, 500, 50, 1.5, [], (7,), [1, 2], [1, 2, 3, 4, 5], "xy", (1, 2, 3)]:
    print(repr(value), kind(value))
for value in [{"type": "point", "x": 1, "y": 2}, {"name": "n", "z": 1}, {}, {"q": 1}, {1}, object, range(2)]:
    print(kind(value))


@dataclass
class Point:
    x: int
    y: int


class Line:
    __match_args__ = ("start", "end")

    def __init__(self, start, end):
        self.start = start
        self.end = end


Pair = namedtuple("Pair", "left right")


class Color(Enum):
    RED = 1
    BLUE = 2


def shape(value):
    match value:
        case Point(0, 0):
            return "origin"
        case Point(x=0, y=y):
            return f"on y at {y}"
        case Point(x, y) if x == y:
            return f"diagonal {x}"
        case Point():
            return "point"
        case Line(Point(x=a), Point(x=b) as end):
            return f"line {a} {b} {end}"
        case Line(start, end=None):
            return f"ray {start}"
        case Pair(left, [inner, _]):
            return f"pair {left} {inner}"
        case Color.RED:
            return "red"
        case Color():
            return "color"
        case [Point(x=1), {"k": [v]}]:
            return f"nested {v}"
        case (1 | 2) as small:
            return f"small {small}"
        case [("a" | "b") as letter, int(n) | float(n)]:
            return f"{letter} {n}"
        case dict(d) if len(d) == 1:
            return f"dict {d}"
        case list(items):
            return f"list {items}"
        case bool(b):
            return f"bool {b}"
    return "nothing"


for value in [Point(0, 0), Point(0, 5), Point(3, 3), Point(1, 2), Line(Point(1, 2), Point(3, 4)), Line(5, None), Line(1, 1)]:
    print(shape(value))
for value in [Pair(1, [2, 3]), Color.RED, Color.BLUE, [Point(1, 1), {"k": [9], "j": 0}], 2, ["a", 1], ("b", 2.5), {"x": 1}, [5], False, "q"]:
    print(shape(value))
try:
    match Point(1, 2):
        case Point(1, 2, 3):
            pass
except TypeError as error:
    print(error)
try:
    match 5:
        case int(1, 2):
            pass
except TypeError as error:
    print(error)


def command(text):
    match text.split():
        case ["go", ("north" | "south") as direction]:
            return f"going {direction}"
        case ["get", *things] if things:
            return f"getting {', '.join(things)}"
        case ["quit"]:
            return "bye"
        case [word, *_]:
            return f"what is {word}?"
        case _:
            return "say something"


for text in ["go north", "go west", "get lamp sword", "get", "quit", ""]:
    print(command(text))


def run(program):
    stack = []
    pc = 0
    steps = 0
    while True:
        steps += 1
        match program[pc]:
            case ("push", n):
                stack.append(n)
            case ("add",):
                stack.append(stack.pop() + stack.pop())
            case ("jump_unless", limit, target) if stack[-1] < limit:
                pc = target
                continue
            case ("jump_unless", _, _):
                pass
            case ("halt",):
                return stack, steps
        pc += 1


print(run([("push", 0), ("push", 3), ("add",), ("jump_unless", 5000, 1), ("halt",)]))

match = [1, 2]
case = match[0]
print(match, case)
match (x := 5):
    case y:
        print(x, y)


def names():
    match {"a": {"b": [1, (2, 3)]}}:
        case {"a": {"b": [one, (two, three)]}}:
            return lambda: (one, two, three)


print(names()())
