# Everything is an expression: functional style with closures, currying, monads and church numerals.
from functools import partial, reduce, lru_cache, singledispatch, wraps, cmp_to_key, partialmethod, singledispatchmethod, cache
from operator import attrgetter, methodcaller, itemgetter, add, mul, neg
from itertools import chain, count, islice, repeat, takewhile, cycle
import inspect

compose = lambda *fs: reduce(lambda f, g: lambda *a, **k: f(g(*a, **k)), fs)
identity = lambda x: x
flip = lambda f: lambda a, b: f(b, a)
pipe = lambda v, *fs: reduce(lambda acc, f: f(acc), fs, v)


def curry(f):
    n = len(inspect.signature(f).parameters)
    def curried(*args):
        return f(*args) if len(args) >= n else lambda *more: curried(*args, *more)
    return wraps(f)(curried)


@curry
def volume(a, b, c):
    """The product of three."""
    return a * b * c


class Maybe:
    def __init__(self, v): self.v = v
    def __rshift__(self, f): return self if self.v is None else f(self.v)
    def __or__(self, d): return d if self.v is None else self.v
    def __repr__(self): return "Nothing" if self.v is None else f"Just({self.v!r})"


Just, Nothing = Maybe, Maybe(None)
safe_div = lambda a: lambda b: Nothing if b == 0 else Just(a / b)

zero = lambda f: identity
succ = lambda n: lambda f: lambda x: f(n(f)(x))
plus = lambda m: lambda n: lambda f: lambda x: m(f)(n(f)(x))
times = lambda m: lambda n: compose(m, n)
to_int = lambda n: n(lambda x: x + 1)(0)
church = lambda k: reduce(lambda n, _: succ(n), range(k), zero)
Y = lambda f: (lambda x: f(lambda *a: x(x)(*a)))(lambda x: f(lambda *a: x(x)(*a)))


@singledispatch
def show(x): return f"?{x!r}"
@show.register
def _(x: int): return f"int {x}"
@show.register(list)
@show.register(tuple)
def _(x): return "[" + ", ".join(map(show, x)) + "]"
@show.register
def _(x: bool): return "yes" if x else "no"


class Shape:
    def __init__(self, **k): self.__dict__.update(k)
    def scale(self, axis, by): setattr(self, axis, getattr(self, axis) * by); return self
    widen = partialmethod(scale, "w")
    @singledispatchmethod
    def fit(self, x): raise NotImplementedError(type(x).__name__)
    @fit.register
    def _(self, x: int): return self.w <= x
    @fit.register
    def _(self, x: str): return self.w <= len(x)


def memo_stats(n):
    @lru_cache(maxsize=3)
    def f(x): return x * x
    [f(i % n) for i in range(10)]
    return f.cache_info()


@cache
def partitions(n, k):
    return 1 if n == 0 else 0 if n < 0 or k == 0 else partitions(n - k, k) + partitions(n, k - 1)


print(compose(neg, abs, int)("-5"), pipe(range(10), partial(filter, lambda x: x % 2), partial(map, lambda x: x ** 2), list, sum))
print(volume(1)(2)(3), volume(2, 3)(4), volume.__name__, volume.__doc__, volume.__wrapped__(1, 1, 1))
print(Just(10) >> safe_div(100) >> safe_div(1), Just(0) >> safe_div(1) >> safe_div(2), (Nothing >> safe_div(1)) | "default")
print(to_int(times(church(3))(plus(church(2))(church(4)))), Y(lambda f: lambda n: 1 if n < 2 else n * f(n - 1))(10))
print(show(1), show(True), show([1, (2, "x")]), show.dispatch(bool) is show.dispatch(int), sorted(t.__name__ for t in show.registry))
s = Shape(w=2, h=3)
print(s.widen(4).w, s.fit(8), s.fit("abc"), attrgetter("w", "h")(s), methodcaller("scale", "h", 2)(s).h, itemgetter(1, -1)("abc"))
try: s.fit(1.5)
except NotImplementedError as e: print("no", e)
print(memo_stats(3), memo_stats(5), partitions(50, 50), partitions.cache_info().currsize)
print(sorted(["bb", "A", "ccc"], key=cmp_to_key(lambda a, b: len(a) - len(b) or (a > b) - (a < b))), list(map(add, [1, 2], [10, 20])), list(filter(None, [0, 1, "", "a"])))
adders = [lambda x, i=i: x + i for i in range(3)]; late = [lambda x: x + i for i in range(3)]
print([f(10) for f in adders], [f(10) for f in late], [*map(lambda f: f.__defaults__, adders)])
def counter():
    n = 0
    def inc(by=1):
        nonlocal n
        n += by
        return n
    inc.peek = lambda: n
    return inc
c = counter(); c(); c(5); print(c.peek(), c.__closure__[0].cell_contents, c.__code__.co_freevars)
print(inspect.signature(partial(lambda a, b, *c, d=1, **e: 0, 1)), inspect.signature(counter()), inspect.getfullargspec(lambda a, b=2, *c, d, e=5, **f: 0))
def deco(arg):
    def outer(f):
        @wraps(f)
        def inner(*a, **k): return (arg, f(*a, **k))
        return inner
    return outer
@deco("x")
@deco(arg="y")
def f(a, /, b, *, c=3): "doc"; return a, b, c
print(f(1, b=2), f.__name__, f.__doc__, inspect.signature(f))
for bad in (lambda: f(a=1, b=2), lambda: f(1), lambda: f(1, 2, 3), lambda: f.__wrapped__.__wrapped__(1, 2, d=4), lambda: (lambda x: x)(), lambda: volume.__wrapped__(1)):
    try: bad()
    except TypeError as e: print(e)
(lambda *a, **k: print(a, k, sep="|"))(*[1, 2], *(3,), **{"x": 1}, **dict(y=2))
print([(x, y) for x in range(3) if x for y in range(x)], {k: v for k, v in zip("ab", count())}, {x % 3 for x in range(10)}, (lambda: (yield))().__class__.__name__, [y := 5, y ** 2], list(islice(cycle("ab"), 5)), list(takewhile(bool, chain([1, 2], repeat(0)))))
print(reduce(lambda d, kv: {**d, kv[0]: d.get(kv[0], 0) + kv[1]}, [("a", 1), ("b", 2), ("a", 3)], {}), max([{"n": 1}, {"n": 3}], key=itemgetter("n")), all([]), any(x > 2 for x in range(4)), *zip(*[(1, 2), (3, 4)]))
