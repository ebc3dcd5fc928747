# Generators and iterators.
def count(n):
    i = 0
    while i < n:
        yield i
        i += 1


print(list(count(5)), sum(count(100)), [x * 2 for x in count(3)], max(count(7)))


def fib():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, a + b


g = fib()
print([next(g) for _ in range(10)], next(g))


def echo():
    received = []
    while len(received) < 3:
        received.append((yield len(received)))
    return received


g = echo()
print(next(g), g.send('a'), g.send('b'))
try:
    g.send('c')
except StopIteration as e:
    print('returned', e.value)


def inner():
    x = yield 1
    print('inner got', x)
    y = yield 2
    return x, y


def outer():
    result = yield from inner()
    print('outer got', result)
    yield from [10, 20]
    yield from range(2)


g = outer()
print(next(g), g.send('first'), g.send('second'), list(g))
print(list(x for x in range(3)), sum(x * x for x in range(5)), any(x > 2 for x in range(5)))
print(list(a + b for a in 'ab' for b in 'xy'), dict((i, i * i) for i in range(3)))


def closing():
    try:
        yield 1
        yield 2
    finally:
        print('closed')


g = closing()
next(g)
g.close()
print(list(g))


def catching():
    while True:
        try:
            yield 'ready'
        except ValueError as e:
            yield 'caught ' + str(e)


g = catching()
print(next(g), g.throw(ValueError('v')), next(g))
try:
    g.throw(KeyError('k'))
except KeyError as e:
    print('through', e)


class Range:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        self.i = 0
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i


print(list(Range(4)), sum(Range(10)), [x for x in Range(3)], 3 in Range(5), dict(zip(Range(2), 'ab')))
a, b, c = Range(3)
print(a, b, c)
it = iter([1, 2, 3])
print(next(it), next(it), next(it), next(it, 'end'))
print(list(zip(count(3), 'abc')), list(enumerate(count(2))), list(map(lambda x, y: x + y, count(3), [10, 20, 30])), list(filter(lambda x: x % 2, count(6))))


def primes(n):
    sieve = []
    for candidate in range(2, n):
        if all(candidate % p for p in sieve):
            sieve.append(candidate)
            yield candidate


print(list(primes(60)))


def tree(n):
    if n > 0:
        yield from tree(n - 1)
        yield n
        yield from tree(n - 1)


print(list(tree(4)), sum(tree(7)))


def stops():
    yield 1
    raise StopIteration


try:
    list(stops())
except RuntimeError as e:
    print(e)


def permutations(items):
    if not items:
        yield []
    for i in range(len(items)):
        for rest in permutations(items[:i] + items[i + 1:]):
            yield [items[i]] + rest


print(len(list(permutations([1, 2, 3, 4]))), list(permutations('ab')))
g = (i for i in range(3))
for x in g:
    print(x, end=' ')
for x in g:
    print('never')
print(next(g, 'done'))
calls = iter([3, 2, 1, 0, 5])
print(list(iter(lambda: next(calls), 0)))
print(list(reversed([1, 2, 3])), list(reversed(range(4))), list(reversed('abc')))


def delegate():
    try:
        yield from count(3)
    finally:
        print('cleanup')
    return 'x'


def use():
    r = yield from delegate()
    yield r


print(list(use()))


def handled():
    try:
        1 / 0
    except ZeroDivisionError:
        yield 'in handler'
        yield 'still'
    yield 'after'


for v in handled():
    try:
        raise ValueError
    except ValueError:
        print(v)


class Step:
    def __init__(self, n):
        self.n = n

    def more(self):
        for k in range(3):
            yield self.__class__(self.n + k)

    def twice(self):
        yield self.n * 2


# An object that is left from computing what is yielded is not thrown.
print([step.n for step in Step(4).more()], [n for step in Step(1).more() for n in step.twice()])
