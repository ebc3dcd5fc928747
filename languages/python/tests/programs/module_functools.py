# Functions out of functions, and the operators as functions.
import functools
import operator
from functools import cache, cached_property, cmp_to_key, lru_cache, partial, reduce, total_ordering, wraps

print(reduce(operator.add, [1, 2, 3, 4]), reduce(lambda a, b: a * b, [], 7), reduce(max, [3, 9, 2]))
try:
    reduce(operator.add, [])
except TypeError as error:
    print(error)


def power(base, exponent=2, *, scale=1):
    """Raises."""
    return scale * base**exponent


cube = partial(power, exponent=3)
print(cube(2), cube(2, scale=10), partial(cube, scale=2)(3), partial(power, 5)(), cube.keywords, cube.args)
print(cube.func is power, partial(partial(power, 2), 3).args, partial(print, 1, 2, sep="-")(3))


def traced(function):
    @wraps(function)
    def wrapper(*args, **keywords):
        wrapper.calls += 1
        return function(*args, **keywords)

    wrapper.calls = 0
    return wrapper


@traced
def greet(name):
    "Says hello."
    return "hello " + name


print(greet("a"), greet("b"), greet.calls, greet.__name__, greet.__doc__, greet.__wrapped__("c"))


@cache
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print(fib(80), fib.cache_info(), fib.cache_info().hits)
fib.cache_clear()
print(fib.cache_info())


@lru_cache(maxsize=3)
def square(n):
    print("computes", n)
    return n * n


print([square(n) for n in [1, 2, 3, 1, 4, 1, 2]], square.cache_info())


@lru_cache
def joined(*args, **keywords):
    return args, tuple(keywords.items())


joined(1, 2), joined(1, 2), joined(1, b=2), joined(1, b=2), joined(1.0, 2)
print(joined.cache_info(), joined.cache_parameters())


@lru_cache(maxsize=None, typed=True)
def typed(x):
    return x


typed(1), typed(1.0), typed(True), typed(1)
print(typed.cache_info())


@total_ordering
class Version:
    def __init__(self, *parts):
        self.parts = parts

    def __eq__(self, other):
        return self.parts == other.parts

    def __lt__(self, other):
        return self.parts < other.parts


a, b = Version(1, 2), Version(1, 3)
print(a < b, a <= b, a > b, a >= b, a == b, a != b, a <= Version(1, 2), a >= Version(1, 2))
print([v.parts for v in sorted([b, a, Version(0, 9)])], max(a, b).parts)
print(sorted([5, 2, 9, 1], key=cmp_to_key(lambda x, y: y - x)))
print(sorted(["bb", "a", "ccc"], key=cmp_to_key(lambda x, y: len(x) - len(y))))


class Circle:
    def __init__(self, radius):
        self.radius = radius

    @cached_property
    def area(self):
        print("computes")
        return 3 * self.radius**2


c = Circle(2)
print(c.area, c.area, "area" in c.__dict__)
c.area = 5
print(c.area)


@functools.singledispatch
def describe(value):
    return "something"


@describe.register(int)
def _(value):
    return f"int {value}"


@describe.register(list)
def _(value):
    return f"list of {len(value)}"


@describe.register
def _(value: str):
    return f"text {value!r}"


print(describe(3), describe(True), describe([1, 2]), describe("x"), describe(2.5))

point = operator.itemgetter(0, 2)
print(point("abc"), operator.itemgetter("k")({"k": 5}), operator.attrgetter("real")(7))
print(operator.attrgetter("a.b", "a")(type("T", (), {"a": type("U", (), {"b": 3})}))[0])
print(operator.methodcaller("split", ",")("a,b,c"), operator.methodcaller("upper")("x"))
print(sorted([(2, "b"), (1, "c"), (3, "a")], key=operator.itemgetter(1)))
print(operator.mul(6, 7), operator.floordiv(7, 2), operator.contains([1, 2], 2), operator.not_(0))
print(operator.xor(5, 3), operator.pow(2, 10), operator.truth([]), operator.is_(None, None))
things = [1, 2]
operator.setitem(things, 0, 9)
operator.iadd(things, [4])
print(things, operator.getitem(things, -1), operator.indexOf(things, 4), operator.countOf([1, 1, 2], 1))
