# Containers of `collections`, heaps and sorted lists.
import bisect
import collections
import heapq
import string
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple

d = deque([1, 2, 3])
d.append(4)
d.appendleft(0)
print(d, len(d), d[0], d[-1], d.pop(), d.popleft(), list(d), 2 in d, 9 in d)
d.extend("ab")
d.extendleft("xy")
print(d, d.index("a"), d.count(2))
d.rotate(2)
print(d)
d.rotate(-3)
d.reverse()
print(d, list(reversed(d)))
d.remove("a")
d.insert(1, "new")
del d[0]
d[0] = "first"
print(d, d == deque(d), d != deque(), deque([1]) < deque([2]), d.copy() is d)
last = deque(maxlen=3)
for n in range(10):
    last.append(n)
print(last, last.maxlen, deque("abc", 2), deque([1, 2], maxlen=2) + deque([3]))
for broken in (lambda: deque().pop(), lambda: deque().popleft(), lambda: deque([1])[5]):
    try:
        broken()
    except IndexError as error:
        print(error)
q = deque()
total = 0
for n in range(5000):
    q.append(n)
    if n % 3 == 0:
        total += q.popleft()
print(total, len(q), sum(q), bool(deque()), bool(q))
try:
    for item in q:
        q.append(1)
except RuntimeError as error:
    print(error)

groups = defaultdict(list)
for word in "the quick brown fox jumps over the lazy dog".split():
    groups[len(word)].append(word)
print(dict(groups), groups[99], 99 in groups, groups.get(98), 98 in groups)
counts = defaultdict(int)
for c in "mississippi":
    counts[c] += 1
print(counts, sorted(counts.items()), counts == {"m": 1, "i": 4, "s": 4, "p": 2}, len(counts))
nested = defaultdict(lambda: defaultdict(int))
nested["a"]["b"] += 1
print(nested["a"]["b"], type(nested).__name__, isinstance(nested, dict), nested.copy() == nested)
try:
    defaultdict()["x"]
except KeyError as error:
    print(repr(error))

c = Counter("abracadabra")
print(c, c.most_common(2), c["a"], c["zzz"], sum(c.values()), c.total(), list(c.elements())[:6])
c.update("aaa")
c.subtract({"b": 5})
print(c, +c, -c, Counter(a=3, b=1) + Counter(a=1, c=2), Counter(a=3, b=1) - Counter(a=1, b=2))
print(Counter(a=3, b=1) & Counter(a=1, b=2), Counter(a=3, b=1) | Counter(a=1, b=2), Counter())
del c["nothing"]
print(Counter(a=1) == Counter(a=1, b=0), Counter(a=1) <= Counter(a=2), dict(Counter([1, 1, 2])))
words = Counter(len(w) for w in "a bb cc ddd e".split())
print(words, words.most_common(), sorted(words))

o = OrderedDict([("a", 1), ("b", 2), ("c", 3)])
o.move_to_end("a")
print(o, list(o), o.popitem(last=False), o)
o.move_to_end("a", last=False)
print(o, OrderedDict(a=1, b=2) == OrderedDict(b=2, a=1), OrderedDict(a=1, b=2) == dict(b=2, a=1))
print(OrderedDict(), o.pop("c"), "c" in o, reversed(o) is not None, o.copy())

Point = namedtuple("Point", ["x", "y"])
p = Point(3, y=4)
print(p, p.x, p.y, p[0], p[1:], p == (3, 4), hash(p) == hash((3, 4)), len(p), isinstance(p, tuple))
x, y = p
print(x, y, p._replace(x=10), p._asdict(), Point._fields, Point._make([7, 8]), max(p), p + (1,))
Account = namedtuple("Account", "name, balance, open", defaults=[0, True])
print(Account("a"), Account("b", 5), Account._field_defaults, Account("c", open=False).open)
for broken in (
    lambda: Point(1),
    lambda: Point(1, 2, 3),
    lambda: Point(1, z=3),
    lambda: Point._make([1]),
    lambda: p._replace(q=1),
    lambda: namedtuple("T", "a a"),
    lambda: namedtuple("T", "class"),
    lambda: namedtuple("T", "_x"),
):
    try:
        broken()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
try:
    p.x = 1
except AttributeError:
    print("cannot be set")


class Vector(namedtuple("Vector", "dx dy")):
    __slots__ = ()

    def length(self):
        return (self.dx**2 + self.dy**2) ** 0.5

    def __add__(self, other):
        return Vector(self.dx + other.dx, self.dy + other.dy)


print(Vector(3, 4).length(), Vector(1, 2) + Vector(3, 4), sorted([Vector(2, 1), Vector(1, 5)]))
print(sum(Point(n, n + 1).y for n in range(2000)), namedtuple("R", "a b a", rename=True)._fields)

chained = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(chained["a"], chained["b"], len(chained), sorted(chained), "z" in chained, chained.get("z", 0))
chained["b"] = 10
child = chained.new_child({"c": 5})
print(chained.maps, child["c"], child.parents["a"], dict(chained.items()))

heap = []
for n in [5, 1, 8, 3, 9, 2, 7]:
    heapq.heappush(heap, n)
print(heap, heapq.heappop(heap), heapq.heappushpop(heap, 0), heapq.heapreplace(heap, 6), heap)
print([heapq.heappop(heap) for _ in range(len(heap))])
data = [(n * 7919) % 101 for n in range(40)]
heapq.heapify(data)
print(data, heapq.nlargest(3, data), heapq.nsmallest(3, data, key=lambda x: -x))
print(list(heapq.merge([1, 4, 7], [2, 5, 8], [0, 9])), list(heapq.merge("dA", "cB", key=str.lower, reverse=True)))
tasks = [(2, "code"), (1, "eat"), (3, "sleep")]
heapq.heapify(tasks)
print(heapq.heappop(tasks))

numbers = [1, 3, 3, 5, 7]
print(bisect.bisect(numbers, 3), bisect.bisect_left(numbers, 3), bisect.bisect_right(numbers, 10))
bisect.insort(numbers, 4)
bisect.insort_left(numbers, 0)
print(numbers, bisect.bisect_left(["a", "bb", "ccc"], 2, key=len))
print(string.ascii_letters, string.digits, string.punctuation, repr(string.whitespace), string.capwords("a bc  d"))
print(collections.deque is deque)
