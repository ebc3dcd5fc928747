# Arguments of all forms, closures, recursion, lambdas.
def plain(a, b=2, *args, c, d=4, **kw):
    return (a, b, args, c, d, kw)


print(plain(1, c=3), plain(1, 5, 6, 7, c=8, d=9, e=10), plain(*[1, 2, 3], **{'c': 4, 'x': 5}), plain(b=1, a=2, c=3))


def only(a, b, /, c, *, d):
    return a, b, c, d


print(only(1, 2, 3, d=4), only(1, 2, c=3, d=4))


def defaults(x, acc=[]):
    acc.append(x)
    return acc


print(defaults(1), defaults(2), defaults(3, []))
for bad in ('plain()', 'plain(1)', 'only(1)', 'only(1, 2, 3, 4, d=5)', 'only(a=1, b=2, c=3, d=4)', 'only(1, 2, 3, d=4, e=5)', 'only(1, 2, 3, c=3, d=4)', 'two(1)', 'two(1, 2, 3)', 'none(1)'):
    def two(a, b):
        return a

    def none():
        return None
    try:
        if bad == 'plain()':
            plain()
        elif bad == 'plain(1)':
            plain(1)
        elif bad == 'only(1)':
            only(1)
        elif bad == 'only(1, 2, 3, 4, d=5)':
            only(1, 2, 3, 4, d=5)
        elif bad == 'only(a=1, b=2, c=3, d=4)':
            only(a=1, b=2, c=3, d=4)
        elif bad == 'only(1, 2, 3, d=4, e=5)':
            only(1, 2, 3, d=4, e=5)
        elif bad == 'only(1, 2, 3, c=3, d=4)':
            only(1, 2, 3, c=3, d=4)
        elif bad == 'two(1)':
            two(1)
        elif bad == 'two(1, 2, 3)':
            two(1, 2, 3)
        else:
            none(1)
    except TypeError as e:
        print(e)


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


print([fib(i) for i in range(15)])


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


print(ackermann(2, 3))


def counter():
    n = 0

    def increment(by=1):
        nonlocal n
        n += by
        return n
    return increment


c1, c2 = counter(), counter()
print(c1(), c1(), c1(10), c2())
adders = [lambda x, n=n: x + n for n in range(3)]
late = [lambda x: x + n for n in range(3)]
print([f(10) for f in adders], [f(10) for f in late])


def outer():
    x = 'outer'

    def middle():
        def inner():
            return x
        return inner
    x = 'changed'
    return middle()()


print(outer())
total = 0


def add(n):
    global total
    total += n


for i in range(50):
    add(i)
print(total)


def compose(*fs):
    def composed(x):
        for f in reversed(fs):
            x = f(x)
        return x
    return composed


print(compose(lambda x: x + 1, lambda x: x * 2)(5))


def decorate(tag):
    def wrap(f):
        def wrapped(*args, **kwargs):
            return f'<{tag}>{f(*args, **kwargs)}</{tag}>'
        return wrapped
    return wrap


@decorate('b')
@decorate('i')
def greet(name, punct='!'):
    """Says hello."""
    return 'hello ' + name + punct


print(greet('bob'), greet('al', punct='?'), plain.__name__, (lambda: 0).__name__, outer.__qualname__)


def documented():
    "The doc."


print(documented.__doc__, documented(), greet.__doc__)
print((lambda *a, **k: (a, k))(1, x=2), (lambda: (yield))().__class__.__name__)


def unbound(flag):
    if flag:
        v = 1
    return v


print(unbound(True))
try:
    unbound(False)
except UnboundLocalError as e:
    print(e)
try:
    undefined_name
except NameError as e:
    print(e)


def typed(a: int, b: str = 'x') -> str:
    c: int = a
    return b * c


print(typed(3), typed.__annotations__)


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


print(deep(500))
try:
    deep(5000)
except RecursionError as e:
    print(type(e).__name__, e)
print((w := 5) + w, [y := 1, y ** 2], w)
if (n := len('abc')) > 2:
    print(n)
print(callable(print), callable(3), callable(fib))
