# Classes that derive from builtin ones, slots, metaclasses, abstract classes.
from abc import ABC, abstractmethod


class Stack(list):
    def push(self, item):
        self.append(item)
        return self

    def top(self):
        return self[-1]

    def __repr__(self):
        return f"Stack({list(self)})"


s = Stack([1, 2])
print(s.push(3), len(s), s.top(), s[0], s[1:], s == [1, 2, 3], s + [4], s * 2, 2 in s, bool(Stack()))
s.extend([5, 4])
s.sort(reverse=True)
s += [0]
s[0] = "first"
del s[1]
print(s, isinstance(s, list), type(s).__name__, list(reversed(s)), sum(Stack([1, 2])), [x for x in s])
s.name = "mine"
print(s.name, s.__dict__, max(Stack([3, 9, 2])), sorted(Stack("cab")), tuple(Stack([1])), [*Stack([7])])
a, *b = Stack([1, 2, 3])
print(a, b, Stack([1]) < Stack([2]), [0] + Stack([1]), Stack((1, 2)).index(2), Stack([2]).copy())


class Bag(dict):
    def __missing__(self, key):
        return f"no {key}"

    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)

    def __getitem__(self, key):
        return "<" + str(super().__getitem__(key)) + ">"


b = Bag(a=1)
b["ABC"] = 5
print(b, b["abc"], b["zzz"], b.get("abc"), "abc" in b, len(b), sorted(b), b.items(), b.pop("a"))
b.update(Q=1)
print(b, dict(b) == b, {**b}, b | {"x": 1}, list(b.values()), b.setdefault("q", 2), isinstance(b, dict))
for key in b:
    print(key, end=" ")
print()


class Celsius(float):
    def __new__(cls, value, unit="C"):
        self = super().__new__(cls, value)
        self.unit = unit
        return self

    def __add__(self, other):
        return Celsius(float(self) + other, self.unit)

    def __str__(self):
        return f"{float(self):.1f}°{self.unit}"


t = Celsius(20.5)
print(t, t + 1, t - 0.5, t * 2, 1 + t, t > 20, t == 20.5, f"{t:.2f}", round(t), hash(t) == hash(20.5), -t, abs(Celsius(-3)))


class Id(int):
    pass


i = Id(7)
print(i, i + 1, repr(i), Id(3) == 3, 3 == Id(3), [10, 20, 30][Id(1)], range(Id(3)), {3: "x"}[Id(3)], Id(5) % 3, 2 ** Id(3))
print(Id("12"), Id(), type(i + i).__name__, isinstance(i, int), i.bit_length(), f"{i:04d}", "%d" % i, int(i), float(i), i & 3, ~i)
print(sorted([Id(3), 1, Id(2)]), max(Id(4), 9), sum([Id(1), Id(2)]), "ab" * Id(2), divmod(Id(7), 2), str(i), hash(i))


class Name(str):
    def shout(self):
        return self.upper() + "!"


n = Name("bob")
print(n, n.shout(), n + "x", "x" + n, n == "bob", {"bob": 1}[n], len(n), n[0], n[1:], "o" in n, repr(n), f"{n:>5}|", "%s" % n)
print("-".join([n, Name("al")]), n.replace("b", "c"), "bob".startswith(n), sorted([Name("b"), "a"]), hash(n) == hash("bob"), n * 2, n < "c")
print(isinstance(n, str), type(n.upper()).__name__, [c for c in n], n.encode if False else "", int(Name("5")), Name(5), Name())


class Point(tuple):
    def __new__(cls, x, y):
        return super().__new__(cls, (x, y))

    @property
    def x(self):
        return self[0]

    def __add__(self, other):
        return Point(self[0] + other[0], self[1] + other[1])


p = Point(1, 2)
print(p, p.x, p + Point(3, 4), p == (1, 2), hash(p) == hash((1, 2)), {p: "here"}[(1, 2)], len(p), p[-1], p < (2,), tuple(p))
x, y = p
print(x, y, "%d-%d" % tuple(p), isinstance(p, tuple), p.count(1), 2 in p)


class Letters(set):
    def add(self, item):
        super().add(item.lower())


l = Letters("ab")
l.add("C")
print(sorted(l), l == {"a", "b", "c"}, "c" in l, len(l), sorted(l | {"z"}), sorted(l & {"a"}), l <= {"a", "b", "c", "d"}, isinstance(l, set))


class Strange(list):
    def __len__(self):
        return 42

    def __iter__(self):
        return iter("xyz")

    def __contains__(self, item):
        return item == "anything"

    def __getitem__(self, n):
        return n * 10

    def __eq__(self, other):
        return True


q = Strange([1, 2, 3])
print(len(q), list(q), "anything" in q, 1 in q, q[5], q == 5, q != 5, [*q])
for wrong in (lambda: {Stack()}, lambda: Id("x"), lambda: Stack(5), lambda: n - 1, lambda: Stack.push(), lambda: p.append(1)):
    try:
        print(wrong())
    except (TypeError, ValueError, AttributeError) as error:
        print(type(error).__name__, error)


class Pair:
    __slots__ = ("left", "right")

    def __init__(self, left, right):
        self.left = left
        self.right = right


pair = Pair(1, 2)
pair.left = 5
print(pair.left, pair.right, hasattr(pair, "__dict__"), Pair.__slots__)
try:
    pair.other = 1
except AttributeError as error:
    print(error)


class Triple(Pair):
    __slots__ = "middle"


class Open(Pair):
    pass


triple = Triple(1, 2)
triple.middle = 3
print(triple.middle)
try:
    triple.end = 1
except AttributeError as error:
    print(error)
o = Open(1, 2)
o.anything = 5
print(o.anything, o.left, hasattr(o, "__dict__"))


class Meta(type):
    registry = {}

    def __new__(mcls, name, bases, namespace, **keywords):
        cls = super().__new__(mcls, name, bases, namespace)
        mcls.registry[name] = cls
        cls.keywords = keywords
        return cls

    def __init__(cls, name, bases, namespace, **keywords):
        super().__init__(name, bases, namespace)
        cls.made = True

    def __call__(cls, *args):
        made = super().__call__(*args)
        made.number = len(cls.registry)
        return made

    def __len__(cls):
        return 7

    def __iter__(cls):
        return iter(cls.__name__)

    def __getitem__(cls, n):
        return f"{cls.__name__}[{n}]"

    def __contains__(cls, item):
        return item == 1

    def __repr__(cls):
        return f"<{cls.__name__}>"

    @property
    def shout(cls):
        return cls.__name__.upper()

    def describe(cls):
        return "a class " + cls.__name__


class Base(metaclass=Meta, flag=1):
    def __init__(self, x=0):
        self.x = x


class Child(Base):
    def describe(self):
        return "an instance"


print(Base, Child, Base.keywords, Child.made, sorted(Meta.registry), Child(3).x, Child().number, type(Child) is Meta)
print(len(Child), list(Base), Child[5], 1 in Child, 2 in Child, Child.shout, Base.describe(), Child().describe(), type(Base()))
print(isinstance(Child, Meta), isinstance(Child, type), issubclass(Meta, type), Base.__class__, Child.__mro__[:2], Base.__subclasses__())
Dynamic = type("Dynamic", (Base,), {"y": 5, "double": lambda self: self.x * 2})
print(Dynamic(4).double(), Dynamic.y, Dynamic, type(Dynamic) is Meta, Dynamic.__name__)
Plain = type("Plain", (), {"__doc__": "d", "value": 3})
print(Plain().value, Plain.__doc__, type(Plain), Plain.mro())


class Shape(ABC):
    @abstractmethod
    def area(self):
        """The area."""

    @property
    @abstractmethod
    def name(self): ...

    def show(self):
        return f"{self.name} {self.area()}"


class Square(Shape):
    name = "square"

    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side**2


class Half(Shape):
    def area(self):
        return 0


print(Square(3).show(), isinstance(Square(1), Shape), issubclass(Square, Shape), sorted(Shape.__abstractmethods__))
for broken in (Shape, Half):
    try:
        broken()
    except TypeError as error:
        print(error)


class Checked:
    def __class_getitem__(cls, item):
        return (cls.__name__, item)


print(Checked[int], Checked["x", 1])


class Even(type):
    def __instancecheck__(cls, instance):
        return instance % 2 == 0


class EvenNumber(metaclass=Even):
    pass


print(isinstance(4, EvenNumber), isinstance(5, EvenNumber), isinstance(3, (str, EvenNumber)), isinstance(2, (str, EvenNumber)))


def work(count):
    stack = Stack()
    bag = Bag()
    total = 0
    for n in range(count):
        stack.push(n)
        if n % 3 == 0:
            total += stack.pop() + len(stack)
        bag["k" + str(n % 10)] = n
        total += Point(n, 1).x + Id(n) + Pair(n, 2).right
    return total, len(bag), Celsius(count) + 1


print(work(2000))
try:

    class Two(int, str):
        pass

except TypeError as error:
    print(error)
try:

    class No(bool):
        pass

except TypeError as error:
    print(error)
