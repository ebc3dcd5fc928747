# Weak references, the collector, locks, warnings, dates, and what runs at the end.

import _thread
import atexit
import gc
import sys
import time
import warnings
import weakref


class Node:
    def __init__(self, name):
        self.name = name

    def __eq__(self, other):
        return self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def method(self):
        return self.name


a, b = Node("a"), Node("b")
r = weakref.ref(a)
print(r() is a, r == weakref.ref(a), r == weakref.ref(b), hash(r) == hash(a), type(r).__name__)
for value in (5, "s", (1,), None):
    try:
        weakref.ref(value)
    except TypeError as error:
        print(error)
p = weakref.proxy(a)
print(p.name, p == a, p.method())
p.other = 1
print(a.other)
keys = weakref.WeakKeyDictionary({a: 1})
keys[b] = 2
print(len(keys), keys[a], b in keys, sorted(node.name for node in keys), keys.get(Node("c")))
values = weakref.WeakValueDictionary(x=a)
values["y"] = b
print(sorted(values), values["x"] is a, values.get("z"), "y" in values)
del values["y"]
print(list(values.items()) == [("x", a)])
members = weakref.WeakSet([a, b])
members.add(a)
print(len(members), a in members, sorted(node.name for node in members))
members.discard(a)
print(a in members)
m = weakref.WeakMethod(a.method)
print(m()(), m() == a.method)
print(weakref.ref(Node)() is Node, weakref.ref(print_it := (lambda: 1))() is print_it)


def many(n):
    """Weak references to many objects, which are there as long as something refers to them."""
    kept = [Node(str(i)) for i in range(n)]
    refs = [weakref.ref(node) for node in kept]
    alive = sum(ref() is not None for ref in refs)
    del kept
    return alive, refs


alive, refs = many(1000)
gc.collect()
print(alive, len(refs))
f = weakref.finalize(a, print, "finalized", 1)
print(f.alive, f.peek()[1:], f(), f.alive, f())
g = weakref.finalize(b, print, "at the end")
print(gc.isenabled(), gc.collect() >= 0, gc.get_threshold()[0] > 0)

lock = _thread.allocate_lock()
with lock:
    print(lock.locked(), lock.acquire(False), lock.acquire(True, 0.01))
print(lock.locked())
try:
    lock.release()
except RuntimeError as error:
    print(error)
again = _thread.RLock()
with again, again:
    pass
print(isinstance(_thread.get_ident(), int))

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn("careful")
    warnings.warn("old", DeprecationWarning)
    for warning in caught:
        print(warning.category.__name__, warning.message, warning.lineno > 0)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        warnings.warn("now", RuntimeWarning)
    except RuntimeWarning as error:
        print("raised", error)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("default")
    for _ in range(3):
        warnings.warn("once a place")
    print(len(caught), caught[0].filename == __file__)


def level():
    warnings.warn("about the caller", stacklevel=2)


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    level()
    print(caught[0].lineno - level.__code__.co_firstlineno)

date = time.gmtime(1700000000)
print(date, date.tm_year, date[:6], time.asctime(date), tuple(date)[6:])
print(time.strftime("%Y-%m-%d %H:%M:%S %a %A %b %B %j %y %p %I %%", date))
print(time.strftime("%U %W %V %G %u %w %D %F %T %e", date))
for seconds in (0, -1, 951782400, 1709164800, 4102444799, -86400 * 365 * 70):
    print(time.strftime("%c %j %U %W %V %G", time.gmtime(seconds)))
print(time.localtime(time.mktime((2024, 2, 30, 25, 61, 0, 0, 0, -1)))[:6])
print(
    time.mktime(time.localtime(1600000000)), type(date).__name__, time.struct_time(range(9)).tm_mon
)
print(len(time.tzname), isinstance(time.timezone, int), time.monotonic_ns() > 0)


@atexit.register
def last():
    print("registered first, called last")


atexit.register(print, "called", "before", sep="-")
print("end of the program", file=sys.stdout)
