# What a teacher shows in the first weeks: scopes, slicing, exceptions, recursion, sorting, dates
import bisect, calendar, collections, datetime, random, sys, traceback, warnings, operator, textwrap, locale, platform, getpass, uuid, inspect, graphlib, numbers, timeit, sched, time, reprlib, types, keyword, string

class BankError(Exception):
    """Base"""
    def __init__(self, code, *args):
        super().__init__(code, *args)
        self.code = code
class Insufficient(BankError):
    def __str__(self): return f"E{self.code}: {', '.join(map(str, self.args[1:]))}"

def risky(n):
    try:
        if n == 0: return "returned"
        if n == 1: raise Insufficient(7, "need", 5)
        if n == 2: return 1 / 0
        if n == 3: [][1]
    except ZeroDivisionError as e:
        raise BankError(1) from e
    except LookupError:
        raise
    else:
        return "else"
    finally:
        print("finally", n, end="; ")

for n in range(5):
    try: print(risky(n))
    except BankError as e: print(type(e).__name__, e, e.code, repr(e), repr(e.__cause__))
    except Exception as e: print("other", repr(e), traceback.format_exception_only(e))
def deep(n): return n if n == 0 else 1 + deep(n - 1)
try: deep(10 ** 5)
except RecursionError as e: print(str(e)[:32])
try:
    try: {}["k"]
    except KeyError: int("x")
except ValueError as e:
    print(repr(e.__context__), e.__suppress_context__)
    lines = traceback.format_exc().splitlines(); print(lines[0], lines[-1], sum("During handling" in l for l in lines))
def hanoi(n, a="A", b="B", c="C"):
    if n: yield from hanoi(n - 1, a, c, b); yield a + c; yield from hanoi(n - 1, b, a, c)
print(" ".join(hanoi(3)), len(list(hanoi(8))))
l = list(range(10)); l[2:5] = "xyz"; l[::4] = [0, 0, 0]; del l[-2:]; l.insert(1, l.pop()); print(l, l[::-1], l[5:2:-1], l[-100:3], l[slice(None, None, 3)])
m = [[0] * 3] * 2; m[0][0] = 1; n = [[0] * 3 for _ in range(2)]; n[0][0] = 1; print(m, n, m[0] is m[1], [*zip(*n)], sum(n, []))
a, (b, *c), d = 1, "xyz", 2; a, d = d, a; print(a, b, c, d, (lambda *x, y=3: (x, y))(*c, y=0))
x = "global"
def scope():
    x = "enclosing"
    def inner():
        nonlocal x; x = "changed"
        class K: x = x if False else "class"; y = [x for _ in range(1)]
        return K.x, K.y
    return inner(), x
print(scope(), x)
try:
    def f(): print(zz); zz = 1
    f()
except UnboundLocalError as e: print(e)
people = [("Eve", 30), ("al", 25), ("Bo", 30)]; print(sorted(people, key=lambda p: (-p[1], p[0].lower())), sorted(people, key=operator.itemgetter(1), reverse=True), min(people, key=lambda p: p[1]))
g = [60, 70, 80, 90]; print(["FDCBA"[bisect.bisect(g, s)] for s in (33, 60, 79.5, 90, 100)], collections.Counter("abracadabra").most_common(2), collections.OrderedDict(a=1).popitem(), collections.deque([1, 2, 3], 2))
d1 = datetime.date(2024, 2, 28); print(d1 + datetime.timedelta(days=2), d1.strftime("%A %d %B %Y, week %V"), (datetime.datetime(2024, 3, 1, 12) - datetime.datetime(2024, 2, 28, 18, 30)), d1.isocalendar()[1], d1.replace(year=2023) < d1, datetime.datetime.fromisoformat("2024-05-06T07:08:09+02:00").astimezone(datetime.timezone.utc), datetime.timedelta(hours=25, seconds=-1), datetime.time(23, 59).isoformat(), datetime.datetime.strptime("1 Jan 99", "%d %b %y"))
print(calendar.month(2024, 2), calendar.isleap(1900), calendar.monthrange(2024, 2), calendar.day_name[0])
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always"); warnings.warn("old", DeprecationWarning); print(len(w), w[0].category.__name__, w[0].message)
print(list(graphlib.TopologicalSorter({"d": {"b", "c"}, "b": {"a"}, "c": {"a"}}).static_order())[0::3], isinstance(3, numbers.Integral), reprlib.repr(list(range(100))), uuid.UUID(int=5), uuid.uuid5(uuid.NAMESPACE_DNS, "x.org"), keyword.iskeyword("match"), keyword.issoftkeyword("match"))
s = sched.scheduler(time.monotonic, time.sleep); out = []; s.enter(0.02, 1, out.append, "b"); s.enter(0.001, 1, out.append, argument=("a",)); s.run(); print(out)
def kinds(v):
    match v:
        case int(n) | float(n) if n > 100: return f"big {n}"
        case bool(): return "bool"
        case [] | (): return "empty"
        case [x]: return f"one {x}"
        case [x, *_, y]: return f"{x}..{y}"
        case {"type": "pt", "x": x, **rest}: return f"pt {x} {rest}"
        case str() as s: return s.upper()
        case types.SimpleNamespace(a=1, b=b): return f"ns {b}"
        case None: return "none"
        case _: return "?"
print([kinds(v) for v in (500, True, [], (1,), "hey", [1, 2, 3], {"type": "pt", "x": 1, "z": 2}, types.SimpleNamespace(a=1, b=2), None, {1}, 5)])
print(f"{'nested ' + f'{1 + 1}'!r:>12}", f"{x!s:.3}", f"{3.14159:{'.' + str(2) + 'f'}}", f"{ {'a': 1}['a'] }", f"{{}}", rb"\n", "a" "b", """t
q""", 0x_ff, 1e3, 5j, ..., __name__, not None, 1 < 2 < 3, 1 == 1.0 is not False, "a" if [] else "b", [1, 2] < [1, 3], (1,) + (2,), {**{"a": 1}, "b": 2} | {"c": 3}, {1, 2} ^ {2, 3}, 7 & 3 | 8, -7 // 2, 2 ** -1, 1 if 0 else 2)
i = 0
while True:
    i += 1
    if i % 2: continue
    if i > 6: break
else: print("never")
for i in range(3):
    pass
else: print("for else", i)
print(eval("a + len(l)", {"a": 1, "l": [1]}), (exec("q = 5\nw = q * 2"), q, w)[1:], callable(print), type(print).__name__, id(1) == id(1), dir(types.SimpleNamespace(z=1))[-1], vars(types.SimpleNamespace(z=1)), sys.getrecursionlimit(), sys.maxsize, sys.byteorder, globals()["x"], isinstance(sys.version_info, tuple), sys.version_info >= (3, 8), platform.python_implementation() != "")
try: raise Insufficient(99, "the", "end")
except BankError as e: print(traceback.format_exc().splitlines()[-1])
