# How classes are made: metaclasses, namespaces, `type()`, hooks and slots.


# A metaclass prepares the namespace of the body, and sees what was stored there.
class Recording(dict):
    def __init__(self):
        super().__init__()
        self.stored = []

    def __setitem__(self, name, value):
        self.stored.append(name)
        super().__setitem__(name, value)


class Meta(type):
    @classmethod
    def __prepare__(mcls, name, bases, **keywords):
        print("prepare", mcls.__name__, name, bases, keywords)
        return Recording()

    def __new__(mcls, name, bases, namespace, **keywords):
        print("new", name, type(namespace).__name__, namespace.stored)
        return super().__new__(mcls, name, bases, dict(namespace))

    def __init__(cls, name, bases, namespace, **keywords):
        print("init", cls.__name__, sorted(keywords))
        super().__init__(name, bases, namespace)

    def __call__(cls, *args):
        print("call", cls.__name__, args)
        return super().__call__(*args)


class First(metaclass=Meta, flag=1):
    x = 1
    y = x + 1

    def method(self):
        return __class__, self.y

    del x


print(First.y, hasattr(First, "x"), First().method())


class Second(First, other=2):
    z = 3


print(type(Second) is Meta, Second.__mro__[1].__name__)


# Names in a prepared namespace may not be there before they are asked for.
class Counting(dict):
    def __missing__(self, name):
        if name.startswith("_") or not name.isupper():
            raise KeyError(name)
        self[name] = len(self)
        return self[name]


class Auto(type):
    def __prepare__(name, bases):
        return Counting()

    def __new__(mcls, name, bases, namespace):
        return type.__new__(mcls, name, bases, dict(namespace))


class Colours(metaclass=Auto):
    RED
    GREEN
    BLUE
    lower = len("abc")


print(Colours.RED < Colours.GREEN < Colours.BLUE, Colours.lower)


# Anything that can be called may be the metaclass.
def record(name, bases, namespace, **keywords):
    return name, bases, sorted(key for key in namespace if not key.startswith("__")), keywords


class Recorded(metaclass=record, extra=True):
    a = 1

    def b(self):
        pass


print(Recorded)


class Maker:
    def __call__(self, name, bases, namespace):
        return type(name, bases, {**namespace, "made": "by maker"})


class Made(metaclass=Maker()):
    pass


print(Made.made, type(Made))

# The three arguments of `type`.
Point = type("Point", (), {"x": 0, "shift": lambda self, n: self.x + n, "__doc__": "A point."})
print(Point, Point().shift(3), Point.__doc__, Point.__name__, Point.__module__, Point.__bases__)
Named = type("Named", (Point,), {"__qualname__": "Other.Named", "__module__": "somewhere"})
print(Named, Named.__name__, Named.__qualname__, Named.__base__)
for args in [(1, (), {}), ("A", [], {}), ("A", (), [])]:
    try:
        type(*args)
    except TypeError as error:
        print(error)


class WithMeta(type):
    def __new__(mcls, name, bases, namespace, **keywords):
        namespace = {**namespace, "keywords": keywords}
        return super().__new__(mcls, name, bases, namespace)

    def __init__(cls, *args, **keywords):
        super().__init__(*args)


class Base(metaclass=WithMeta):
    pass


derived = type("Derived", (Base,), {"k": 1}, word="given")
print(type(derived).__name__, derived.keywords, derived.k)
derived = type.__new__(WithMeta, "Plain", (Base,), {})
print(type(derived).__name__, derived.keywords)
try:

    class Other(type):
        pass

    class Conflict(Base, metaclass=Other):
        pass

except TypeError as error:
    print(error)


# Bases that are no classes.
class Stands:
    def __init__(self, *bases):
        self.bases = bases

    def __mro_entries__(self, bases):
        print("entries", len(bases))
        return self.bases


class Instead(Stands(dict, Point), list[int] if False else Stands()):
    pass


print([base.__name__ for base in Instead.__mro__], len(Instead.__orig_bases__))
try:
    type("X", (Stands(int),), {})
except TypeError as error:
    print(error)


class Stack(list[int]):
    pass


print(Stack.__bases__, Stack.__orig_bases__)


# Hooks.
class Field:
    def __set_name__(self, owner, name):
        self.place = (owner.__name__, name)

    def __get__(self, instance, owner=None):
        return self if instance is None else (instance.__class__.__name__, self.place)


class Plugin:
    known = []
    field = Field()

    def __init_subclass__(cls, /, tag=None, **keywords):
        super().__init_subclass__(**keywords)
        cls.known.append((cls.__name__, tag))

    def __class_getitem__(cls, key):
        return f"{cls.__name__}[{key!r}]"


class One(Plugin, tag="first"):
    pass


class Two(One):
    field = Field()


print(Plugin.known, One.field.place, Two().field, Plugin[int], Two["x", 1])
try:

    class Three(Plugin, wrong=1):
        pass

except TypeError as error:
    print(error)


class Late:
    pass


Late.field = Field()
print(hasattr(Late.field, "place"))


class ByCheck(type):
    def __instancecheck__(cls, instance):
        return hasattr(instance, "quack")

    def __subclasscheck__(cls, subclass):
        return "quack" in subclass.__dict__


class Duck(metaclass=ByCheck):
    pass


class Goose:
    def quack(self):
        return "honk"


print(
    isinstance(Goose(), Duck), isinstance(1, Duck), issubclass(Goose, Duck), issubclass(int, Duck)
)
print(isinstance(Goose(), (int, Duck)), type.__instancecheck__(Duck, Goose()))


# Slots are attributes of the class.
class Slotted:
    __slots__ = ("x", "_y", "__z")

    def __init__(self):
        self.x = 1
        self.__z = 3


s = Slotted()
print(Slotted.x, type(Slotted.x).__name__, Slotted.x.__name__, Slotted.x.__objclass__)
print(Slotted.x.__get__(s), Slotted._Slotted__z.__get__(s), Slotted.x.__get__(None, Slotted))
Slotted.x.__set__(s, 5)
print(s.x, hasattr(s, "_y"), hasattr(s, "__dict__"))
Slotted.x.__delete__(s)
for action in (lambda: s.x, lambda: setattr(s, "w", 1), lambda: delattr(s, "x")):
    try:
        action()
    except AttributeError as error:
        print(type(error).__name__, error)
print(sorted(name for name in Slotted.__dict__ if not name.startswith("__")))


class More(Slotted):
    __slots__ = {"w": "documented"}


m = More()
m.w = 2
print(m.x, m.w, More.__slots__)


class WithDict(Slotted):
    pass


d = WithDict()
d.any = 1
print(d.any, d.x, hasattr(d, "__dict__"))


# Classes of objects change.
class A:
    def who(self):
        return "A", self.n


class B:
    def who(self):
        return "B", self.n


a = A()
a.n = 7
print(a.who())
a.__class__ = B
print(a.who(), type(a), isinstance(a, A), a.__dict__)
for wrong in (int, Slotted, 5):
    try:
        a.__class__ = wrong
    except TypeError as error:
        print(error)
s, m = Slotted(), None


class Same:
    __slots__ = ("x", "_y", "_Slotted__z")

    def sum(self):
        return self.x + self._Slotted__z


s.__class__ = Same
print(s.sum())


def total(objects):
    n = 0
    for value in objects:
        n += len(value.who())
    return n


many = [A() for _ in range(300)]
for value in many:
    value.n = 1
print(total(many))
for value in many[::2]:
    value.__class__ = B
print(total(many), sum(value.who()[0] == "B" for value in many))


# Attributes by the program.
class Watched:
    seen = []

    def __init__(self):
        self.value = 1

    def __getattribute__(self, name):
        if name != "seen":
            type(self).seen.append(name)
        return super().__getattribute__(name)

    def __getattr__(self, name):
        if name.startswith("no"):
            raise AttributeError(f"never {name}")
        return f"made {name}"

    def method(self):
        return self.value


w = Watched()
print(w.value, w.other, w.method(), w.__class__.__name__, Watched.seen)
try:
    w.nothing
except AttributeError as error:
    print(error)
print(getattr(w, "nope", "default"), hasattr(w, "yes"), object.__getattribute__(w, "value"))


class Lately:
    x = 1


late = Lately()
print(late.x)
Lately.__getattribute__ = lambda self, name: f"<{name}>"
print(late.x, late.y)


class Attributes(type):
    def __getattr__(cls, name):
        return f"{cls.__name__} has no {name}"

    @property
    def size(cls):
        return len(cls.__name__)

    def __len__(cls):
        return 42

    def __iter__(cls):
        return iter("abc")

    def __contains__(cls, value):
        return value == "in"

    def __getitem__(cls, key):
        return key * 2

    def __repr__(cls):
        return f"<{cls.__name__}>"


class Rich(metaclass=Attributes):
    pass


print(Rich.x, Rich.size, len(Rich), list(Rich), "in" in Rich, Rich[4], Rich)


class Guard(type):
    def __getattribute__(cls, name):
        if name == "secret":
            return "hidden"
        return super().__getattribute__(name)


class Guarded(metaclass=Guard):
    secret = "open"
    other = 2


print(Guarded.secret, Guarded.other, Guarded().secret)

# Names of classes can be changed.
Late.__name__ = "Early"
Late.__qualname__ = "Very.Early"
Late.__module__ = "elsewhere"
Late.__doc__ = "Changed."
print(Late, Late.__name__, Late.__module__, Late.__doc__)
try:
    Late.__name__ = 5
except TypeError as error:
    print(error)
try:
    int.x = 1
except TypeError as error:
    print(error)

# `super` in its odd forms.


class Left:
    def name(self):
        return "left"

    @classmethod
    def kind(cls):
        return cls.__name__

    @property
    def both(self):
        return 1


class Right(Left):
    def name(self):
        s = super(Right, self)
        return s.name() + " right", s.__thisclass__.__name__, s.__self__ is self

    @classmethod
    def kind(cls):
        return super().kind(), super(Right, cls).kind()

    @property
    def both(self):
        return super().both + 1

    def nested(self):
        def inner(first):
            return super(Right, first).name()

        return inner(self), [super(Right, self).name() for _ in range(2)]


r = Right()
print(r.name(), Right.kind(), r.both, r.nested())
print(super(Right, Right).name(r), super(Right, r).__self_class__.__name__)
Right.up = super(Right)
print(r.up.name())
try:
    super(int, r)
except TypeError as error:
    print(error)
try:
    super(Right, r).nothing
except AttributeError as error:
    print(error)

# `__dict__` of classes.
view = Left.__dict__
print(type(view).__name__, "name" in view, view["kind"].__func__.__name__, sorted(view)[:3])
try:
    view["x"] = 1
except TypeError as error:
    print(error)
