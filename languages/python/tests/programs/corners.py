# Corners of the language: scopes, orders of evaluation, ways out of blocks.
x = 'global'


def shadow():
    x = 'local'

    class C:
        y = len([])
        x = 'class'

        def get(self):
            return x
    return C.y if hasattr(C, 'y') else None, C.x, C().get()


try:
    print(shadow())
except NameError as e:
    print(type(e).__name__)


def log(v):
    print(v, end=' ')
    return v


print(log(1) + log(2) * log(3), [log(4), log(5)], log(6) if log(0) else log(7))
d = {}
d[log('k')] = log('v')
print(log(1) < log(2) < log(3), log(3) < log(2) < log(1))
a = b = c = []
a.append(1)
print(a, b is c, not a, None is None, 1 is not None)
i = 0
vals = [0, 0, 0]
i, vals[i] = 1, 5
print(i, vals)
vals[i] += vals[0]
print(vals)


class Box:
    pass


box = Box()
box.n = 1
box.n += 1
box.list = [1, 2, 3]
box.list[0] += 10
del box.list[1:]
print(box.n, box.list)
print([y for y in [1, 2, 3] if (z := y * 2) > 2], z)
n = 0
while n < 3:
    n += 1
    if n == 2:
        continue
else:
    print('while else', n)
while True:
    break
else:
    print('never')


def ways():
    for i in range(3):
        try:
            try:
                if i == 0:
                    continue
                if i == 1:
                    raise ValueError(i)
                return 'returned'
            finally:
                print('inner', i, end=' ')
        except ValueError:
            print('caught', end=' ')
        finally:
            print('outer', i, end=' ')


print(ways())


def gen_finally():
    for i in range(3):
        try:
            yield i
        finally:
            print('f%d' % i, end=' ')


for v in gen_finally():
    print(v, end=' ')
print('end')


def swallow():
    while True:
        try:
            return 1
        finally:
            break
    return 2


print(swallow())


def nested_functions(n):
    fs = []
    for i in range(n):
        def f(j=i):
            def g():
                return j + i
            return g
        fs.append(f())
    return [f() for f in fs]


print(nested_functions(3))


class Meta:
    registry = {}

    def register(name):
        def wrap(f):
            Meta_registry[name] = f
            return f
        return wrap


Meta_registry = {}


@Meta.register('a')
def function_a():
    return 'a!'


print(Meta_registry['a'](), sorted(Meta_registry))
print(*[1, 2], *(3,), sep='-', end='!\n')
print([*range(3), *'ab'], {**{'a': 1}, 'b': 2}, (*[1], 2))
first, (second, *others), *last = 1, [2, 3, 4], 5, 6
print(first, second, others, last)
for k, (v, w) in {'a': (1, 2)}.items():
    print(k, v, w)
for box.attr in range(2):
    pass
print(box.attr)
del box.attr
print(hasattr(box, 'attr'))
t = 1,
print(t, (), ((),), [[]] * 2)
print(0 or 'a', 1 and 'b', None or 0 or [], not 0, 1 or 1 / 0)
print('a' if [] else 'b', (lambda: 1 if 0 else 2)())
print(-2 ** 2, 2 ** 3 ** 2, (-2) ** 2, not True == False, 1 + 2 << 1, 5 - 3 - 1, 7 // 2 * 2)
s = 'abc'
s += 'd'
l = [1]
m = l
l += (2, 3)
m *= 2
print(s, l, m is l)
big = [[0] * 3 for _ in range(2)]
big[1][2] = 7
print(big)


def kw_order(**kw):
    return list(kw)


print(kw_order(z=1, a=2, **{'m': 3}))
print(sorted([3, 1, 2], key=lambda v: (v % 2, v)), max('abc', 'abd'), min([[2], [1, 5]]))
print(list(map(str, [1, 2])), list(map(int, '12')), sum(x for x in [1, 2]), ''.join(sorted('cab')))
print(isinstance(True, int), isinstance(1, (str, int)), issubclass(bool, int), type(1) == int, type(None).__name__)
print([1, 2] in [[1, 2]], (1,) in {(1,): 2}, 'b' in 'abc', None in [None], float('nan') in [1.0])
nan = float('nan')
print(nan == nan, nan in [nan], [nan] == [nan], nan != nan, nan < 1)


class Cmp:
    def __init__(self, v):
        self.v = v

    def __lt__(self, o):
        return self.v < o.v

    def __repr__(self):
        return 'C%d' % self.v


print(sorted([Cmp(2), Cmp(1)]), Cmp(1) > Cmp(0), min(Cmp(3), Cmp(2)))


class Falsy:
    def __len__(self):
        return 0


print(bool(Falsy()), 'yes' if Falsy() else 'no', not Falsy())


class Ctx:
    def __enter__(self):
        return 5

    def __exit__(self, *args):
        return True


with Ctx() as v, Ctx():
    1 / 0
print(v)


def multi():
    with Ctx():
        with Ctx():
            raise KeyError
        print('after inner')
        return 'value'


print(multi())
try:
    try:
        raise ValueError(1)
    except ValueError as e:
        try:
            raise TypeError(2)
        except TypeError as f:
            print(repr(f.__context__), e.args)
        raise
except ValueError as e:
    print('outer', e, e.__context__)


def counter_class():
    class Count:
        made = 0

        def __init__(self):
            type(self).made += 1
            self.id = self.made
    return Count


K = counter_class()
print([K().id for _ in range(3)], K.made)
print(f"{'nested'!r:>10}|{3.0:g}|{1e100:.3g}|{12345.6789:,.2f}|{'é':*<3}|{0.1:.20f}")
print('%5.1f|%-8s|%+d|%x|%o|%%' % (3.14159, 'ab', 5, 255, 8))
print(str(1e15), str(1e16), repr(1 / 3), 1e-7, 100000000.0, 2.5e-8)
print(int('1_000'), 0x_ff, 1_0, int('0x10', 16), int(' 7\n'), float(' 1.5 '))
print(divmod(-7, 2), -7 // 2, -7 % 2, 7 % -2, -7.5 // 2, 2 ** 62 * 2, -2 ** 63, 2 ** 63 - 1)
print(list(zip()), list(zip([1, 2], 'a')), dict(zip('ab', range(2))), [c for c in reversed('ab')])
print('done' if all(x for x in []) else 'not')
