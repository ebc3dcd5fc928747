"""Pipelines of generators and coroutines, as one writes them after reading Beazley."""
import heapq, itertools as it, operator as op, functools as ft
from collections import deque
from contextlib import contextmanager, closing, ExitStack, suppress


def coroutine(fn):
    @ft.wraps(fn)
    def start(*a, **k):
        cr = fn(*a, **k)
        next(cr)
        return cr
    return start


@coroutine
def averager():
    total = n = 0
    avg = None
    while True:
        try:
            x = yield avg
        except ValueError:
            total = n = 0
            avg = None
            continue
        total += x
        n += 1
        avg = total / n


@coroutine
def broadcast(*targets):
    try:
        while True:
            item = yield
            for t in targets:
                t.send(item)
    finally:
        print("broadcast closed")
        for t in targets:
            t.close()


@coroutine
def grep(pattern, sink):
    try:
        while True:
            line = yield
            if pattern in line:
                sink.append(line)
    except GeneratorExit:
        sink.append("<eof>")
        raise


def flatten(x):
    if isinstance(x, (list, tuple)):
        for y in x:
            yield from flatten(y)
    else:
        yield x


def primes():
    sieve = {}
    for q in it.count(2):
        p = sieve.pop(q, None)
        if p is None:
            yield q
            sieve[q * q] = q
        else:
            x = q + p
            while x in sieve:
                x += p
            sieve[x] = p


def window(seq, n):
    d = deque(maxlen=n)
    for x in seq:
        d.append(x)
        if len(d) == n:
            yield tuple(d)


def accumulate_return():
    got = []
    while (x := (yield)) is not None:
        got.append(x)
    return got


def delegating(out):
    out["r"] = yield from accumulate_return()
    yield "done"


class Countdown:
    def __init__(self, n): self.n = n
    def __iter__(self):
        n = self.n
        while n:
            yield n
            n -= 1
    def __reversed__(self):
        yield from range(1, self.n + 1)


@contextmanager
def tag(name, out):
    out.append(f"<{name}>")
    try:
        yield name.upper()
    except ZeroDivisionError as e:
        out.append(f"!{e}")
    finally:
        out.append(f"</{name}>")


a = averager()
print([a.send(x) for x in (10, 20, 60)], a.throw(ValueError), a.send(5))
s1, s2 = [], []
b = broadcast(grep("py", s1), grep("rs", s2))
for line in "main.py lib.rs pyrs.txt none".split(): b.send(line)
b.close()
print(s1, s2)
print(list(flatten([1, [2, (3, [4, []]), 5]])), list(it.islice(primes(), 15)), list(it.takewhile(lambda p: p < 60, it.dropwhile(lambda p: p < 40, primes()))))
print(list(window("abcde", 3)), [sum(w) for w in window(Countdown(5), 2)], list(reversed(Countdown(3))))
out = {}
g = delegating(out)
next(g); g.send(1); g.send(2); print(g.send(None), out, next(g, "stop"))
log = []
with tag("a", log) as x, tag("b", log):
    log.append(x)
    1 / 0
print(log)
with ExitStack() as st:
    names = [st.enter_context(tag(n, log)) for n in "xy"]
    st.callback(log.append, "cb")
    st.pop_all().close() if False else None
print(log[-6:], names)
with closing(iter_ := (n * n for n in range(5))) as sq:
    print(next(sq), next(sq))
print(list(iter_))
with suppress(KeyError): {}["x"]
print([(k, [*map(op.itemgetter(1), v)]) for k, v in it.groupby(sorted([("b", 1), ("a", 2), ("b", 3)]), key=op.itemgetter(0))])
print(list(heapq.merge([1, 4, 9], [2, 3, 10], [0])), heapq.nsmallest(2, [5, 1, 4], key=lambda v: -v))
print(list(it.zip_longest("ab", "xyz", fillvalue="-")), list(it.product("ab", repeat=2))[:3], list(it.combinations(range(4), 2))[-2:], [*it.starmap(pow, [(2, 3), (3, 2)])], list(it.chain.from_iterable(["ab", "c"])), list(it.accumulate([1, 2, 3], op.mul, initial=10)), list(it.compress("abcd", [1, 0, 1])), list(it.pairwise("abc")))
t1, t2 = it.tee(primes(), 2); next(t1); print(next(t1), next(t2))
def gen_err():
    yield 1
    raise StopIteration("inner")
try: list(gen_err())
except RuntimeError as e: print(e, repr(e.__cause__))
gen = (i for i in range(3)); print(gen.gi_running, next(gen), sum(gen), next(gen, None))
try: gen.send(1)
except StopIteration as e: print("stop", e.value)
