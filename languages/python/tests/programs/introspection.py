# What a program can ask of functions, code, methods and builtin objects.

import builtins
import sys


def plain(a, b=2, /, c=3, *args, d, e=5, **keywords) -> int:
    """What it does."""
    local = a + b
    return local


code = plain.__code__
print(code.co_name, code.co_qualname, code.co_argcount, code.co_posonlyargcount)
print(code.co_kwonlyargcount, code.co_nlocals, code.co_varnames, code.co_firstlineno)
print(code.co_flags & 0x3F, code.co_freevars, code.co_cellvars, code.co_consts[0])
print(code.co_filename.endswith("introspection.py"), code is plain.__code__, type(code).__name__)
print(plain.__name__, plain.__qualname__, plain.__module__, plain.__doc__)
print(plain.__defaults__, plain.__kwdefaults__, plain.__annotations__, plain.__closure__)
print(plain.__globals__["plain"] is plain, plain.__globals__ == globals(), plain.__dict__)


def outer(x):
    y = x

    def inner(z):
        def innermost():
            return x, y, z

        return innermost

    return inner


inner = outer(1)
print(inner.__code__.co_freevars, inner.__code__.co_cellvars, outer.__code__.co_cellvars)
print([cell.cell_contents for cell in inner.__closure__], inner.__qualname__)
print(inner(3).__code__.co_freevars, inner.__code__.co_flags & 0x10, outer.__code__.co_flags & 0x10)


def generator():
    yield 1


print(generator.__code__.co_flags & 0x20, (lambda *a, **k: 0).__code__.co_flags & 0xC)
counter = [cell for cell in outer(5).__closure__ if cell.cell_contents == 5][0]
counter.cell_contents = 6
print(counter.cell_contents, type(counter).__name__)

# What can be changed of a function.


def changed(a, b=1, *, c=2):
    return a, b, c


changed.__defaults__ = (10, 20)
print(changed(), changed(1), changed.__defaults__)
changed.__defaults__ = None
try:
    changed(1)
except TypeError as error:
    print(error)
changed.__kwdefaults__ = {"c": 7}
print(changed(1, 2))
changed.__kwdefaults__ = None
try:
    changed(1, 2)
except TypeError as error:
    print(error)
changed.__name__ = "renamed"
changed.__qualname__ = "Other.renamed"
changed.__doc__ = "Documented."
changed.__module__ = "elsewhere"
changed.__annotations__ = {"a": int}
changed.extra = [1]
print(changed.__name__, changed.__doc__, changed.__module__, changed.__annotations__, vars(changed))
print(repr(changed).split(" at ")[0])
changed.__dict__ = {"other": 2}
print(changed.other, hasattr(changed, "extra"))
del changed.other
print(hasattr(changed, "other"))
for name, value in [("__name__", 1), ("__defaults__", [1]), ("__dict__", 1), ("__kwdefaults__", 1)]:
    try:
        setattr(changed, name, value)
    except TypeError as error:
        print(error)
try:
    changed.__globals__ = {}
except AttributeError as error:
    print(error)


def sum_to(n, step=1):
    total = 0
    for i in range(0, n, step):
        total += i
    return total


print(sum_to(1000))
for step in (2, 3):
    sum_to.__defaults__ = (step,)
    print([sum_to(1000) for _ in range(20)][-1])

# Methods.


class Thing:
    """A thing."""

    attribute = 1

    def method(self, x):
        """A method."""
        return self, x

    @classmethod
    def of_class(cls):
        return cls

    @staticmethod
    def free(x):
        return x

    @property
    def value(self):
        """A value."""
        return 1

    @value.setter
    def value(self, new):
        pass


t = Thing()
bound = t.method
print(bound.__self__ is t, bound.__func__ is Thing.method, bound.__name__, bound.__doc__)
print(bound.__qualname__, bound.__module__, bound == t.method, hash(bound) == hash(t.method))
print(Thing.of_class.__self__ is Thing, Thing.of_class.__func__.__name__)
print(type(Thing.__dict__["of_class"]).__name__, Thing.__dict__["free"].__func__(4))
print(Thing.__dict__["free"](5), Thing.__dict__["free"].__name__, Thing.free.__qualname__)
prop = Thing.__dict__["value"]
print(prop.fget.__name__, prop.fset.__name__, prop.fdel, prop.__doc__, prop.__get__(t))
print(property(lambda self: 1, doc="given").__doc__, Thing.value is prop)
try:
    property().__get__(t)
except AttributeError as error:
    print(error)
print(Thing.method.__get__(t) == bound, Thing.method.__get__(None, Thing) is Thing.method)
print(type(bound).__name__, type(bound)(len, [1, 2])(), plain.__call__(1, d=2))
print(Thing.of_class.__func__.__get__(None, Thing) is Thing.of_class.__func__)


class Lazy:
    """A descriptor that keeps what it has made, and one that derives from a builtin one."""

    def __init__(self, function):
        self.function = function

    def __get__(self, instance, owner=None):
        value = instance.__dict__[self.function.__name__] = self.function(instance)
        return value


class Loud(property):
    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return "loud", super().__get__(instance, owner)


class Kept(classmethod):
    tag = "kept"


class User:
    @Lazy
    def lazy(self):
        print("made")
        return 5

    @Loud
    def loud(self):
        return 6

    @loud.setter
    def loud(self, value):
        print("set", value)

    @Kept
    def kept(cls):
        return cls.__name__


u = User()
print(u.lazy, u.lazy, u.loud, type(User.loud).__name__, User.kept(), User.__dict__["kept"].tag)
u.loud = 3

# Builtin objects.
print(type(str.join).__name__, type(list.__len__).__name__, type([].append).__name__)
print(type([].__len__).__name__, type(object.__init__).__name__, type(len).__name__)
print(type(dict.__dict__["fromkeys"]).__name__, str.join.__name__, str.join.__qualname__)
print(str.join.__objclass__, len.__name__, len.__module__, [1].append.__self__)
print(int.__add__(1, 2), list.__len__([1]), object.__repr__(5)[:15], type.__call__(int, "7"))
print(str.join(",", "ab"), object.__init__(t), object.__eq__(1, 1), object.__ne__(1, 2))
print((5).__repr__(), [1].__eq__([1]), (1.5).__class__, None.__class__, "a".__add__("b"))
print(t.__repr__() == repr(t), t.__eq__(t), t.__eq__(1), t.__ne__(t), t.__hash__() == hash(t))
print(t.__class__, t.__module__, t.__doc__, t.__str__() == str(t), t.__format__("") == str(t))
t.__setattr__("x", 4)
print(t.x, t.__getattribute__("x"), t.__dict__)
t.__delattr__("x")
print(hasattr(t, "x"), object.__getattribute__(t, "attribute"), t.__init__(), t.__lt__(t))
print(t.__sizeof__ is not None, t.__reduce_ex__(2)[0].__name__, Thing.__init__ is object.__init__)
print(Thing.__repr__ is object.__repr__, Thing.__bases__, Thing.__base__, Thing.__mro__)
print(callable(Thing.free), callable(prop), callable(Thing.__dict__["free"]), type.mro(Thing))
for value in (5, [], {}, None, len, t, Thing, "s"):
    try:
        value.no_such_attribute
    except AttributeError as error:
        print(error)

# `dir` shows what is there.
print([name for name in dir(t) if not name.startswith("__")])
print([name for name in dir(Thing) if not name.startswith("__")])
print([name for name in dir([]) if not name.startswith("__")])
print([name for name in dir("") if not name.startswith("_")][:8])
print({"__code__", "__name__", "__globals__"} <= set(dir(plain)), "__self__" in dir(bound))
print({"__class__", "__repr__", "__init__", "__reduce_ex__"} <= set(dir(object())))
print("append" in dir(list), "__add__" in dir(int), "real" in dir(5))


class Listed:
    def __dir__(self):
        return ["b", "a"]


print(dir(Listed()), "__dir__" in dir(Listed))

# Builtins as a module, imports by name, and texts as programs under other names.
print(builtins.len is len, builtins.__name__, "print" in dir(builtins))
print(__import__("math").floor(2.5), __import__("os.path").__name__)
print(__import__("os.path", fromlist=["join"]).__name__)
evaluate, run, where = eval, exec, globals
print(evaluate("plain is not None and 1 + 1"), where()["plain"] is plain)
run("fresh = 5")
print(fresh)
names = {}
exec("def made(x): return x + y", {"y": 4}, names)
print(sorted(names), names["made"](1), names["made"].__globals__["y"])


class Namespace(dict):
    def __missing__(self, name):
        return f"<{name}>" if name != "len" else len


print(eval("unknown, len('abc')", {}, Namespace()))

# The activations that are under way.


def caller(depth=0):
    code = sys._getframe(depth).f_code
    return code.co_name, sys._getframe(depth).f_lineno - code.co_firstlineno


def chain():
    frame, names = sys._getframe(), []
    while frame is not None:
        names.append(frame.f_code.co_name)
        frame = frame.f_back
    return names


def calls(function):
    return function()


print(
    caller(), calls(chain), [chain() for _ in range(1)][0], sorted([1], key=lambda x: len(chain()))
)
print(calls(lambda: caller(1)[0]), calls(lambda: caller(2)[0]), sys._getframe().f_lineno)


class Probe:
    @property
    def where(self):
        return sys._getframe(1).f_code.co_name

    def __add__(self, other):
        return sys._getframe(1).f_code.co_name

    def __iter__(self):
        yield sys._getframe(1).f_code.co_name


def through():
    return Probe().where, Probe() + 1, *Probe()


print(through(), [through() for _ in range(200)][-1])
print(sys._getframe().f_globals is not None, sys._getframe().f_globals["plain"] is plain)
print(sys._getframe().f_locals["plain"] is plain, sys._getframe().f_back)
try:
    sys._getframe(100)
except ValueError as error:
    print(error)


def recursive(n):
    return len(chain()) if n == 0 else recursive(n - 1)


print([recursive(n) for n in (0, 1, 10, 100)])
print([recursive(5) for _ in range(300)][-1])

# `sys`.
print(sys.version_info[:2], sys.version_info.major, sys.version_info >= (3, 11))
print(sys.version_info.releaselevel, sys.maxsize, sys.byteorder, sys.float_info.epsilon)
print(sys.flags.optimize, sys.intern("abc"), sys.modules["builtins"] is builtins)
print(sys.getdefaultencoding(), isinstance(sys.path, list), sys.hash_info.width, sys.maxunicode)
print(sys.stdout.encoding, sys.stdout.name, sys.stdout.writable(), sys.exc_info())
