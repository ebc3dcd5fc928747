# The module `collections` of CPython's folder.
from collections import *
import collections.abc

Point = namedtuple("Point", ["x", "y"], defaults=[5])
p = Point(1)
print(
    p,
    p._asdict(),
    p._replace(x=9),
    Point._fields,
    Point._field_defaults,
    Point.__doc__,
    p.x + p.y,
    Point._make([3, 4]),
    Point.__module__,
    Point.x.__doc__,
)
try:
    namedtuple("B", "a a")
except ValueError as e:
    print(e)
print(
    Counter("mississippi river").most_common(3),
    Counter(a=3) + Counter(a=1, b=2),
    Counter(a=3) - Counter(a=1),
    Counter("ab") | Counter("bb"),
    list(Counter(a=2).elements()),
    Counter(a=1).total(),
)
d = defaultdict(list)
d["x"].append(1)
print(d, d["y"], len(d))
q = deque([1, 2, 3], maxlen=3)
q.append(4)
q.appendleft(0)
q.rotate(1)
print(q, q[0], q.maxlen, list(reversed(q)))
o = OrderedDict(a=1, b=2, c=3)
o.move_to_end("a")
print(o, o.popitem(last=False), list(o), o == OrderedDict(c=3, a=1))
cm = ChainMap({"a": 1}, {"a": 2, "b": 3})
print(cm["a"], cm["b"], dict(cm), cm.new_child({"c": 4})["c"], cm.parents)


class UD(UserDict):
    pass


class UL(UserList):
    pass


class US(UserString):
    pass


print(
    UD(a=1),
    UL([1, 2]) + [3],
    US("abc").upper(),
    isinstance(UD(), collections.abc.Mapping),
    isinstance([], collections.abc.Sequence),
)
