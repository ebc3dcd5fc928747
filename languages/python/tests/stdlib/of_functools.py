# The module `functools` of CPython's folder.
# needs: re contextlib
import functools, operator
from functools import *


@lru_cache(maxsize=32)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print([fib(n) for n in range(16)], fib.cache_info())
fib.cache_clear()
print(fib.cache_info(), fib.__wrapped__.__name__)


@cache
def fact(n):
    return n * fact(n - 1) if n else 1


print(fact(10), fact.cache_parameters())


class Series:
    def __init__(self, seq):
        self._data = tuple(seq)

    @cached_property
    def total(self):
        print("computing")
        return sum(self._data)


d = Series([1, 2, 3])
print(d.total, d.total)


@total_ordering
class S:
    def __init__(self, n):
        self.n = n

    def __eq__(self, o):
        return self.n == o.n

    def __lt__(self, o):
        return self.n < o.n


print(S(1) <= S(2), S(2) > S(1), S(1) >= S(1), sorted([S(3), S(1)])[0].n)
octal = partial(int, base=8)
print(octal("755"), octal.func, octal.keywords, repr(partial(print, 1)))


class Lamp:
    def switch(self, state):
        self.s = state

    light = partialmethod(switch, True)


c = Lamp()
c.light()
print(c.s)
print(reduce(operator.add, [1, 2, 3], 10), sorted([3, 1, 2], key=cmp_to_key(lambda a, b: b - a)))


@singledispatch
def describe(arg, verbose=False):
    return "default", arg


@describe.register
def _(arg: int, verbose=False):
    return "int", arg


@describe.register(list)
def _(arg, verbose=False):
    return "list", arg


print(
    describe("x"),
    describe(5),
    describe([1]),
    describe(True),
    describe.dispatch(float) is describe.registry[object],
    sorted(k.__name__ for k in describe.registry),
)


class N:
    @singledispatchmethod
    def inverse(self, arg):
        raise NotImplementedError

    @inverse.register
    def _(self, arg: int):
        return -arg

    @inverse.register
    def _(self, arg: bool):
        return not arg


print(N().inverse(5), N().inverse(True))


def deco(f):
    @wraps(f)
    def w(*a, **k):
        "doc w"
        return f(*a, **k)

    return w


@deco
def ex(a: int) -> str:
    "Docstring"
    return a


print(ex.__name__, ex.__doc__, ex.__wrapped__ is not ex, ex.__annotations__)
