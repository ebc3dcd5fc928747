# What compiled code and the interpreter have quick ways for: the same as the slow ways, also where
# something changes under them.
import math
from io import BytesIO, StringIO
from operator import itemgetter


def show(name, f, *args):
    try:
        print(name, f(*args))
    except Exception as error:
        print(name, type(error).__name__, error)


# Mixed arithmetic.
for a, b in [(1, True), (True, 2), (True, True), (2**63 - 1, True), (-(2**63), True), (0.5, False)]:
    print(a + b, a - b, b - a, a * b, type(a + b).__name__)
for z in (1 + 2j, -0.0 - 1j, complex(float("inf"), 1)):
    print(z + 1, z - 2.5, z * 2, z * -1.5, z + 2**53, z - 2**60)
for x, y in [(7, 3), (-7, 3), (7, -3), (-7, -3), (2**70, 3), (7.5, 2), (True, 2)]:
    print(divmod(x, y))
show("divmod", divmod, 1, 0)

# Integers of several words.
values = [0, 1, -1, 2**63 - 1, -(2**63), 2**63, 2**64 - 1, -(2**64), 3**200, -(7**150), 2**4000 - 1]
total = 0
for a in values:
    for b in values:
        total ^= hash((a + b, a - b, a * b, a < b, a == b))
        if b:
            q, r = divmod(a, b)
            assert q * b + r == a and (r == 0 or (r < 0) == (b < 0))
    total ^= hash(-a)
print(total, [x.bit_length() for x in values], -(2**63), -(-(2**63)))

# Strings.
texts = ["", "a", "Z", "5", " ", "abc", "ABC", "aBc 1", "größe", "ÄÖ", "١٢", "a\u0301", "  x\t\n", "\u00a0y\u00a0"]
for t in texts:
    kinds = [t.isdigit(), t.isalpha(), t.isalnum(), t.isspace(), t.isupper(), t.islower()]
    print(ascii(t), "".join("01"[k] for k in kinds), ascii(t.upper()), ascii(t.lower()), ascii(t.strip()))
    print(ascii(t.lstrip()), ascii(t.rstrip()), [ascii(p) for p in t.split()], ascii(t[1:]), ascii(t[:-1]), ascii(t[-2:5]))
    print(t.find("b"), t.find(""), t.find("c", 2), t.find("", 99), t.startswith("a"), t.endswith("c"), t.startswith("B", 1))
for t, sep in [("a,b,,c", ","), ("größe", "ö"), ("aaaa", "aa"), ("", ",")]:
    print(t.split(sep), sep.join(t.split(sep)) == t, ascii(t.replace(sep, "é")), t.replace("", "-"))
show("split", "a".split, "")
show("join", ",".join, ["a", 1])
show("join", ",".join, (x for x in ["a", "b"]))
show("join", ",".join, (x for x in ["a", 2]))
for t in ["12", "-3", "+4", " 5 ", "1_000", "9" * 18, "9" * 19, "٣", "", "x", "1.0"]:
    show(ascii(t), int, t)
print([str(n) for n in (0, 9, 10, -1, -10, 2**63 - 1, -(2**63), 2**63)])
print("%s|%d|%5s|%-4d|%04d|%s|%%" % ("é", 7, "ab", 3, -5, [1]), "%d" % 3.7, "%s" % "x", "%s" % (None,))
show("%", lambda: "%d" % "x")
show("%", lambda: "%s %s" % (1,))


# Generators in builtin functions.
def fails(n):
    for i in range(n):
        yield i
    raise KeyError("in the middle")


def stops(n):
    yield n
    raise StopIteration


for f in (sum, any, all, min, max, list, tuple, set, sorted, frozenset):
    for k in range(3):
        show(f.__name__, lambda: f(x * x - 3 for x in range(k)))
    show(f.__name__, f, fails(3))
    show(f.__name__, f, stops(2))
show("sum", sum, ([x] for x in range(3)), [])
show("sum", sum, (x for x in "ab"))
show("sum", sum, [0.1] * 10, 0.5)
show("any", any, (x for x in [0, "", [1]]))
show("min", lambda: min((x for x in range(0)), default="none"))
show("max", lambda: max((w for w in ["ab", "abc", "b"]), key=len))
show("list", lambda: [*(x for x in range(3)), *"ab"])
items = [3]
items.extend(x * 2 for x in items[:1] * 3)
items += (x for x in range(2))
print(items)
show("extend", lambda: items.extend(fails(2)))
for n in range(40):
    assert sum(x for x in range(n)) == n * (n - 1) // 2
    assert sorted((x * 7) % 11 for x in range(n)) == sorted([(x * 7) % 11 for x in range(n)])


# Sorting by keys of all kinds.
class Key:
    def __init__(self, sign):
        self.sign = sign

    def __call__(self, x):
        return self.sign * len(x)

    def method(self, x):
        return x[-1:]


words = "the quick brown fox jumps over the lazy dog again".split()
for key in (None, len, str.upper, lambda w: w[1:], Key(-1), Key(1).method, itemgetter(0)):
    print(sorted(words, key=key), sorted(words, key=key, reverse=True)[:3], min(words, key=key), max(words, key=key))
for mixed in ([2, 1.5, True, 0], ["b", "a", "ab", ""], [2.5, -0.0, 0.0, 1e300], [(1, "b"), (1, "a"), (0, "z")]):
    print(sorted(mixed), sorted(mixed, reverse=True))
show("sorted", sorted, [1, "a"])
show("sorted", sorted, [(1, "a"), (1, 2)])
print(sorted([float("nan"), 1.0])[1:], [x for x in sorted([3, 1, 2], key=lambda x: -x)])


# Comparing sequences, and tuples as keys.
class Odd:
    def __init__(self, x):
        self.x = x

    def __eq__(self, other):
        return isinstance(other, Odd) and self.x == other.x

    def __lt__(self, other):
        return self.x < other.x

    def __hash__(self):
        return hash(self.x)


nan = float("nan")
pairs = [(1, 2), (1, 2.0), (True, 2), (1, [2]), (1, (2, [3])), (1,), (), (1, "2"), (1, None), (nan, 1), (Odd(1), 2), (1, Odd(2))]
for a in pairs:
    row = []
    for b in pairs:
        for op in ("a == b", "a != b", "a < b", "a >= b", "list(a) == list(b)", "list(a) < list(b)"):
            try:
                row.append("01"[eval(op)])
            except (TypeError, AttributeError):
                row.append("x")
    print("".join(row))
table = {(1, 2): "a", (1, (2, "x")): "b", (nan, 0): "c", (Odd(3), "y"): "d", ("k",): "e"}
for key in [(1, 2), (1.0, 2), (True, 2.0), (1, (2, "x")), (nan, 0), (Odd(3), "y"), ("k",), (1,)]:
    print(table.get(key), key in table, key in set(table))
show("hash", hash, (1, [2]))
show("key", lambda: table[(1, {})])
deep = ()
for _ in range(100):
    deep = (deep,)
print({deep: 1}[deep], deep == (deep[0],))


# Calls with the arguments of others.
def inner(*args, **keywords):
    return len(args), args[-1:], sorted(keywords)


def outer(*args, **keywords):
    return inner(*args, **keywords)


for n in range(12):
    assert outer(*range(n)) == (n, tuple(range(n))[-1:], [])
print(outer(*"abc"), outer(*[1, 2], k=3), outer(*(x for x in range(4))), inner(0, *[1], *(2,)))
show("star", lambda: inner(*map(int, ["1", "x"])))


# Attributes that change under a loop.
class Plain:
    shared = "class"

    def __init__(self, n):
        self.n = n

    def name(self):
        return "plain"

    def __len__(self):
        return self.n


class Other(Plain):
    def name(self):
        return "other"


seen = []
things = [Plain(1), Plain(2), Other(3)]
for turn in range(60):
    for thing in things:
        thing.count = turn
        seen.append((thing.n, thing.name(), thing.shared, thing.count, len(thing), bool(thing)))
    if turn == 20:
        things[0].shared = "own"
        things[1].name = lambda: "own"
    if turn == 30:
        Plain.shared = "changed"
        Plain.name = lambda self: "new"
    if turn == 40:
        Plain.n = property(lambda self: 99)
    if turn == 45:
        del Plain.n
        things.append(Plain(0))
    if turn == 50:
        del things[0].shared
        Plain.__len__ = lambda self: 5
        Other.__setattr__ = lambda self, name, value: None
for n in (0, 1, 2, 62, 63, 64, 92, 93, 95, 122, 125, 140, 150, 170, 190, -1, -2, -3, -4):
    print(n, seen[n])


class Slotted:
    __slots__ = ("a", "b")


slotted = Slotted()
for n in range(5):
    slotted.a = n
show("slot", lambda: setattr(slotted, "c", 1))
show("slot", lambda: slotted.b)
print(slotted.a)

# Views as sets, roundings of objects, arguments of exceptions, texts that grow.
left, right = {"a": 1, "b": 2, "c": 3}, {"b": 2, "c": 4}
print(sorted(left.keys() - right.keys()), sorted(left.items() & right.items()), sorted(left.keys() | {"z"}))
print(sorted({"a", "q"} ^ left.keys()), sorted(left.keys() & "abx"), type(left.keys() - {}).__name__)
names = set("abcd")
names -= right.keys()
print(sorted(names))
show("values", lambda: left.values() - right.values())


class Half:
    def __floor__(self):
        return "floor"

    def __ceil__(self):
        return "ceil"

    def __trunc__(self):
        return "trunc"


print(math.floor(Half()), math.ceil(Half()), math.trunc(Half()))
show("trunc", math.trunc, Plain(1))


class Refused(ValueError):
    def __init__(self, what, place):
        ValueError.__init__(self, f"{what} at {place}")
        self.place = place


try:
    raise Refused("no", 7)
except ValueError as error:
    print(error, error.args, error.place)

stream = StringIO("begin")
print(stream.write("BE"), stream.tell(), stream.getvalue(), stream.read())
for n in range(50):
    stream.write(str(n))
print(stream.getvalue()[:20], len(stream.getvalue()), stream.tell())
stream.seek(3)
stream.write("---")
stream.seek(0, 2)
stream.write("end\n")
stream.seek(0)
print(stream.readline(), stream.truncate(4), repr(stream.getvalue()))
data = BytesIO()
data.write(b"ab")
data.write(bytearray(b"cd"))
print(data.getvalue(), data.seek(1), data.read(), data.closed)
data.close()
show("closed", data.getvalue)
