"""Containers beside the builtin ones."""

import sys as _sys
from _verdigris import source_module as _source_module
from keyword import kwlist as _keywords
from operator import itemgetter as _itemgetter


class deque:
    # A ring: `_count` items from place `_first` of a list whose length is a power of two.

    __hash__ = None

    def __init__(self, iterable=(), maxlen=None):
        if maxlen is not None and maxlen < 0:
            raise ValueError("maxlen must be non-negative")
        self._maxlen = maxlen
        self._ring = [None] * 8
        self._first = 0
        self._count = 0
        for item in iterable:
            self.append(item)

    @property
    def maxlen(self):
        return self._maxlen

    def _grow(self):
        ring, first = self._ring, self._first
        ring = ring[first:] + ring[:first]
        self._ring = ring + [None] * len(ring)
        self._first = 0

    def append(self, item):
        if self._count == self._maxlen:
            if self._count == 0:
                return
            self.popleft()
        if self._count == len(self._ring):
            self._grow()
        ring = self._ring
        ring[(self._first + self._count) & (len(ring) - 1)] = item
        self._count += 1

    def appendleft(self, item):
        if self._count == self._maxlen:
            if self._count == 0:
                return
            self.pop()
        if self._count == len(self._ring):
            self._grow()
        ring = self._ring
        self._first = (self._first - 1) & (len(ring) - 1)
        ring[self._first] = item
        self._count += 1

    def pop(self):
        if self._count == 0:
            raise IndexError("pop from an empty deque")
        self._count -= 1
        ring = self._ring
        place = (self._first + self._count) & (len(ring) - 1)
        item = ring[place]
        ring[place] = None
        return item

    def popleft(self):
        if self._count == 0:
            raise IndexError("pop from an empty deque")
        ring, place = self._ring, self._first
        item = ring[place]
        ring[place] = None
        self._first = (place + 1) & (len(ring) - 1)
        self._count -= 1
        return item

    def clear(self):
        self._ring = [None] * 8
        self._first = self._count = 0

    def extend(self, iterable):
        for item in list(iterable) if iterable is self else iterable:
            self.append(item)

    def extendleft(self, iterable):
        for item in list(iterable) if iterable is self else iterable:
            self.appendleft(item)

    def rotate(self, n=1):
        if self._count > 1:
            for _ in range(n % self._count):
                self.appendleft(self.pop())

    def reverse(self):
        self._replace(list(self)[::-1])

    def _replace(self, items):
        self.clear()
        for item in items:
            self.append(item)

    def copy(self):
        return self.__class__(self, self._maxlen)

    __copy__ = copy

    def count(self, value):
        return list(self).count(value)

    def index(self, value, *bounds):
        try:
            return list(self).index(value, *bounds)
        except ValueError:
            raise ValueError(f"{value!r} is not in deque") from None

    def remove(self, value):
        items = list(self)
        try:
            items.remove(value)
        except ValueError:
            raise ValueError("deque.remove(x): x not in deque") from None
        self._replace(items)

    def insert(self, place, item):
        if self._count == self._maxlen:
            raise IndexError("deque already at its maximum size")
        items = list(self)
        items.insert(place, item)
        self._replace(items)

    def _place(self, n):
        if n < 0:
            n += self._count
        if not 0 <= n < self._count:
            raise IndexError("deque index out of range")
        return (self._first + n) & (len(self._ring) - 1)

    def __getitem__(self, n):
        return self._ring[self._place(n)]

    def __setitem__(self, n, item):
        self._ring[self._place(n)] = item

    def __delitem__(self, n):
        self._place(n)
        items = list(self)
        del items[n]
        self._replace(items)

    def __len__(self):
        return self._count

    def __iter__(self):
        ring, first, count = self._ring, self._first, self._count
        for n in range(count):
            if self._count != count or self._first != first:
                raise RuntimeError("deque mutated during iteration")
            yield ring[(first + n) & (len(ring) - 1)]
        if self._count != count or self._first != first:
            raise RuntimeError("deque mutated during iteration")

    def __reversed__(self):
        return iter(list(self)[::-1])

    def __contains__(self, value):
        return value in list(self)

    def __add__(self, other):
        if not isinstance(other, deque):
            raise TypeError(
                f'can only concatenate deque (not "{type(other).__name__}") to deque'
            )
        result = self.copy()
        result.extend(other)
        return result

    def __iadd__(self, other):
        self.extend(other)
        return self

    def __mul__(self, n):
        return self.__class__(list(self) * n, self._maxlen)

    __rmul__ = __mul__

    def __eq__(self, other):
        return list(self) == list(other) if isinstance(other, deque) else NotImplemented

    def __lt__(self, other):
        return list(self) < list(other) if isinstance(other, deque) else NotImplemented

    def __le__(self, other):
        return list(self) <= list(other) if isinstance(other, deque) else NotImplemented

    def __gt__(self, other):
        return list(self) > list(other) if isinstance(other, deque) else NotImplemented

    def __ge__(self, other):
        return list(self) >= list(other) if isinstance(other, deque) else NotImplemented

    def __repr__(self):
        items = ["[...]" if item is self else repr(item) for item in self]
        name = self.__class__.__name__
        if self._maxlen is None:
            return f"{name}([{', '.join(items)}])"
        return f"{name}([{', '.join(items)}], maxlen={self._maxlen})"


class defaultdict(dict):
    def __init__(self, default_factory=None, /, *args, **keywords):
        if default_factory is not None and not callable(default_factory):
            raise TypeError("first argument must be callable or None")
        super().__init__(*args, **keywords)
        self.default_factory = default_factory

    def __missing__(self, key):
        if self.default_factory is None:
            raise KeyError(key)
        self[key] = value = self.default_factory()
        return value

    def copy(self):
        return self.__class__(self.default_factory, self)

    __copy__ = copy

    def __or__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = self.copy()
        result.update(other)
        return result

    def __ror__(self, other):
        if not isinstance(other, dict):
            return NotImplemented
        result = self.__class__(self.default_factory, other)
        result.update(self)
        return result

    def __repr__(self):
        name = self.__class__.__name__
        return f"{name}({self.default_factory!r}, {dict.__repr__(self)})"


class OrderedDict(dict):
    def move_to_end(self, key, last=True):
        value = self.pop(key)
        if last:
            self[key] = value
            return
        rest = list(self.items())
        self.clear()
        self[key] = value
        self.update(rest)

    def popitem(self, last=True):
        if not self:
            raise KeyError("dictionary is empty")
        if last:
            return dict.popitem(self)
        key = next(iter(self))
        return key, self.pop(key)

    def copy(self):
        return self.__class__(self)

    __copy__ = copy

    def __eq__(self, other):
        if isinstance(other, OrderedDict):
            return dict.__eq__(self, other) and list(self) == list(other)
        return dict.__eq__(self, other)

    def __ne__(self, other):
        result = self.__eq__(other)
        return result if result is NotImplemented else not result

    __hash__ = None

    def __repr__(self):
        name = self.__class__.__name__
        if not self:
            return f"{name}()"
        return f"{name}({list(self.items())!r})"


class Counter(dict):
    def __init__(self, iterable=None, /, **keywords):
        super().__init__()
        self.update(iterable, **keywords)

    def __missing__(self, key):
        return 0

    def total(self):
        return sum(self.values())

    def most_common(self, n=None):
        items = sorted(self.items(), key=_second, reverse=True)
        return items if n is None else items[: max(n, 0)]

    def elements(self):
        for item, count in self.items():
            for _ in range(count):
                yield item

    @classmethod
    def fromkeys(cls, iterable, v=None):
        raise NotImplementedError(
            "Counter.fromkeys() is undefined.  Use Counter(iterable) instead."
        )

    def update(self, iterable=None, /, **keywords):
        if iterable is None:
            pass
        elif hasattr(iterable, "keys"):
            for item, count in iterable.items():
                self[item] = count + self.get(item, 0)
        else:
            for item in iterable:
                self[item] = self.get(item, 0) + 1
        if keywords:
            self.update(keywords)

    def subtract(self, iterable=None, /, **keywords):
        if iterable is None:
            pass
        elif hasattr(iterable, "keys"):
            for item, count in iterable.items():
                self[item] = self.get(item, 0) - count
        else:
            for item in iterable:
                self[item] = self.get(item, 0) - 1
        if keywords:
            self.subtract(keywords)

    def copy(self):
        return self.__class__(self)

    __copy__ = copy

    def __delitem__(self, key):
        if key in self:
            super().__delitem__(key)

    def __repr__(self):
        name = self.__class__.__name__
        if not self:
            return f"{name}()"
        try:
            shown = dict(self.most_common())
        except TypeError:
            shown = dict(self)
        return f"{name}({shown!r})"

    def _keys_with(self, other):
        return list(self) + [key for key in other if key not in self]

    def __eq__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[key] == other[key] for key in self._keys_with(other))

    def __ne__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return not self == other

    __hash__ = None

    def __le__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[key] <= other[key] for key in self._keys_with(other))

    def __lt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self <= other and self != other

    def __ge__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return all(self[key] >= other[key] for key in self._keys_with(other))

    def __gt__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self >= other and self != other

    def _combined(self, other, function):
        result = Counter()
        for key in self._keys_with(other):
            count = function(self[key], other[key])
            if count > 0:
                result[key] = count
        return result

    def __add__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._combined(other, lambda a, b: a + b)

    def __sub__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._combined(other, lambda a, b: a - b)

    def __or__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._combined(other, lambda a, b: a if a > b else b)

    def __and__(self, other):
        if not isinstance(other, Counter):
            return NotImplemented
        return self._combined(other, lambda a, b: a if a < b else b)

    def __pos__(self):
        return self + Counter()

    def __neg__(self):
        return Counter() - self

    def _replace(self, other):
        self.clear()
        for key, count in other.items():
            self[key] = count
        return self

    def __iadd__(self, other):
        for key, count in other.items():
            self[key] += count
        return self._replace(+self)

    def __isub__(self, other):
        for key, count in other.items():
            self[key] -= count
        return self._replace(+self)

    def __ior__(self, other):
        for key, count in other.items():
            if count > self[key]:
                self[key] = count
        return self._replace(+self)

    def __iand__(self, other):
        for key in self:
            if other[key] < self[key]:
                self[key] = other[key]
        return self._replace(+self)


def _second(pair):
    return pair[1]


class ChainMap:
    def __init__(self, *maps):
        self.maps = list(maps) or [{}]

    def __missing__(self, key):
        raise KeyError(key)

    def __getitem__(self, key):
        for mapping in self.maps:
            if key in mapping:
                return mapping[key]
        return self.__missing__(key)

    def get(self, key, default=None):
        return self[key] if key in self else default

    def _all(self):
        result = {}
        for mapping in reversed(self.maps):
            result.update(dict.fromkeys(mapping))
        return result

    def __len__(self):
        return len(self._all())

    def __iter__(self):
        return iter(self._all())

    def __contains__(self, key):
        return any(key in mapping for mapping in self.maps)

    def __bool__(self):
        return any(self.maps)

    def keys(self):
        return self._all().keys()

    def values(self):
        return [self[key] for key in self]

    def items(self):
        return [(key, self[key]) for key in self]

    def new_child(self, m=None, **keywords):
        child = {} if m is None else m
        child.update(keywords)
        return self.__class__(child, *self.maps)

    @property
    def parents(self):
        return self.__class__(*self.maps[1:])

    def __setitem__(self, key, value):
        self.maps[0][key] = value

    def __delitem__(self, key):
        try:
            del self.maps[0][key]
        except KeyError:
            raise KeyError(f"Key not found in the first mapping: {key!r}") from None

    def pop(self, key, *default):
        return self.maps[0].pop(key, *default)

    def update(self, *args, **keywords):
        self.maps[0].update(*args, **keywords)

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self):
        self.maps[0].clear()

    def __eq__(self, other):
        return dict(self.items()) == (dict(other.items()) if hasattr(other, "items") else other)

    __hash__ = None

    def __repr__(self):
        return f"{self.__class__.__name__}({', '.join(map(repr, self.maps))})"


# `__new__` is compiled for the fields, so that calls of it are calls with these parameters.
_NEW = """
class {name}:
    def __new__(_cls, {parameters}):
        return _new(_cls, ({values}))
"""


def _caller():
    """The name of the module that has called the library."""
    try:
        return _sys._getframe(0).f_globals.get("__name__", "__main__")
    except (AttributeError, ValueError):
        return "__main__"


def namedtuple(typename, field_names, *, rename=False, defaults=None, module=None):
    if isinstance(field_names, str):
        field_names = field_names.replace(",", " ").split()
    field_names = [str(name) for name in field_names]
    typename = str(typename)
    if rename:
        seen = set()
        for n, name in enumerate(field_names):
            if not _is_name(name) or name.startswith("_") or name in seen:
                field_names[n] = f"_{n}"
            seen.add(name)
    for name in [typename] + field_names:
        if not name.isidentifier():
            raise ValueError(
                f"Type names and field names must be valid identifiers: {name!r}"
            )
        if name in _keywords:
            raise ValueError(
                f"Type names and field names cannot be a keyword: {name!r}"
            )
    seen = set()
    for name in field_names:
        if name.startswith("_") and not rename:
            raise ValueError(f"Field names cannot start with an underscore: {name!r}")
        if name in seen:
            raise ValueError(f"Encountered duplicate field name: {name!r}")
        seen.add(name)
    defaults = () if defaults is None else tuple(defaults)
    if len(defaults) > len(field_names):
        raise TypeError("Got more default values than field names")
    field_names = tuple(field_names)
    values = "".join([f"{name}, " for name in field_names])
    names = {"_new": tuple.__new__}
    parameters = []
    for n, name in enumerate(field_names):
        default = n - len(field_names) + len(defaults)
        if default >= 0:
            names[f"_default_{n}"] = defaults[default]
            name += f"=_default_{n}"
        parameters.append(name)
    text = _NEW.format(name=typename, parameters=", ".join(parameters), values=values)
    made = _source_module("namedtuple_" + typename, text, names)
    new = getattr(made, typename).__new__

    def _make(cls, iterable):
        result = tuple.__new__(cls, iterable)
        if len(result) != len(field_names):
            raise TypeError(f"Expected {len(field_names)} arguments, got {len(result)}")
        return result

    def _replace(self, /, **keywords):
        result = self._make([keywords.pop(name, self[n]) for n, name in enumerate(field_names)])
        if keywords:
            raise ValueError(f"Got unexpected field names: {list(keywords)!r}")
        return result

    def _asdict(self):
        return dict(zip(self._fields, self))

    def __repr__(self):
        parts = [f"{name}={self[n]!r}" for n, name in enumerate(field_names)]
        return f"{self.__class__.__name__}({', '.join(parts)})"

    def __getnewargs__(self):
        return tuple(self)

    namespace = {
        "__doc__": f"{typename}({', '.join(field_names)})",
        "__slots__": (),
        "_fields": field_names,
        "_field_defaults": dict(zip(field_names[len(field_names) - len(defaults) :], defaults)),
        "__new__": new,
        "_make": classmethod(_make),
        "_replace": _replace,
        "_asdict": _asdict,
        "__repr__": __repr__,
        "__getnewargs__": __getnewargs__,
        "__match_args__": field_names,
    }
    for n, name in enumerate(field_names):
        namespace[name] = property(_itemgetter(n), doc=f"Alias for field number {n}")
    namespace["__module__"] = _caller() if module is None else module
    return type(typename, (tuple,), namespace)


def _is_name(name):
    return name.isidentifier() and name not in _keywords


class UserDict:
    def __init__(self, dict=None, /, **keywords):
        self.data = {}
        if dict is not None:
            self.update(dict)
        self.update(keywords)

    def __len__(self):
        return len(self.data)

    def __getitem__(self, key):
        if key in self.data:
            return self.data[key]
        if hasattr(self.__class__, "__missing__"):
            return self.__class__.__missing__(self, key)
        raise KeyError(key)

    def __setitem__(self, key, item):
        self.data[key] = item

    def __delitem__(self, key):
        del self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __contains__(self, key):
        return key in self.data

    def get(self, key, default=None):
        return self[key] if key in self else default

    def keys(self):
        return self.data.keys()

    def values(self):
        return [self[key] for key in self]

    def items(self):
        return [(key, self[key]) for key in self]

    def update(self, other=(), /, **keywords):
        for key, value in dict(other, **keywords).items():
            self[key] = value

    def pop(self, key, *default):
        if key in self:
            value = self[key]
            del self[key]
            return value
        if default:
            return default[0]
        raise KeyError(key)

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]

    def copy(self):
        return self.__class__(self.data)

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, UserDict) else other)

    __hash__ = None

    def __repr__(self):
        return repr(self.data)

    def __or__(self, other):
        if not isinstance(other, (UserDict, dict)):
            return NotImplemented
        return self.__class__({**self.data, **dict(other)})

    def __ror__(self, other):
        if not isinstance(other, (UserDict, dict)):
            return NotImplemented
        return self.__class__({**dict(other), **self.data})

    def __ior__(self, other):
        self.data.update(dict(other))
        return self

    def popitem(self):
        for key in reversed(list(self.data)):
            return key, self.pop(key)
        raise KeyError("popitem(): dictionary is empty")

    def clear(self):
        for key in list(self):
            del self[key]

    @classmethod
    def fromkeys(cls, iterable, value=None):
        made = cls()
        for key in iterable:
            made[key] = value
        return made


def _of_user(value):
    """What is in an object of one of these classes; other values as they are."""
    return value.data if isinstance(value, (UserList, UserString)) else value


class UserList:
    """A list that programs derive from."""

    def __init__(self, initlist=None):
        self.data = [] if initlist is None else list(_of_user(initlist))

    def __repr__(self):
        return repr(self.data)

    def __lt__(self, other):
        return self.data < _of_user(other)

    def __le__(self, other):
        return self.data <= _of_user(other)

    def __eq__(self, other):
        return self.data == _of_user(other)

    def __gt__(self, other):
        return self.data > _of_user(other)

    def __ge__(self, other):
        return self.data >= _of_user(other)

    __hash__ = None

    def __contains__(self, item):
        return item in self.data

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        return iter(self.data)

    def __reversed__(self):
        return reversed(self.data)

    def __getitem__(self, i):
        return self.__class__(self.data[i]) if isinstance(i, slice) else self.data[i]

    def __setitem__(self, i, item):
        self.data[i] = item

    def __delitem__(self, i):
        del self.data[i]

    def __add__(self, other):
        return self.__class__(self.data + list(_of_user(other)))

    def __radd__(self, other):
        return self.__class__(list(_of_user(other)) + self.data)

    def __iadd__(self, other):
        self.data += list(_of_user(other))
        return self

    def __mul__(self, n):
        return self.__class__(self.data * n)

    __rmul__ = __mul__

    def __imul__(self, n):
        self.data *= n
        return self

    def append(self, item):
        self.data.append(item)

    def insert(self, i, item):
        self.data.insert(i, item)

    def pop(self, i=-1):
        return self.data.pop(i)

    def remove(self, item):
        self.data.remove(item)

    def clear(self):
        self.data.clear()

    def copy(self):
        return self.__class__(self)

    __copy__ = copy

    def count(self, item):
        return self.data.count(item)

    def index(self, item, *args):
        return self.data.index(item, *args)

    def reverse(self):
        self.data.reverse()

    def sort(self, /, *args, **keywords):
        self.data.sort(*args, **keywords)

    def extend(self, other):
        self.data.extend(_of_user(other))


class UserString:
    """A string that programs derive from. Methods that return a string return one of its class."""

    def __init__(self, seq):
        self.data = str(_of_user(seq))

    def __str__(self):
        return self.data

    def __repr__(self):
        return repr(self.data)

    def __int__(self):
        return int(self.data)

    def __float__(self):
        return float(self.data)

    def __hash__(self):
        return hash(self.data)

    def __eq__(self, other):
        return self.data == _of_user(other)

    def __lt__(self, other):
        return self.data < _of_user(other)

    def __le__(self, other):
        return self.data <= _of_user(other)

    def __gt__(self, other):
        return self.data > _of_user(other)

    def __ge__(self, other):
        return self.data >= _of_user(other)

    def __contains__(self, part):
        return _of_user(part) in self.data

    def __len__(self):
        return len(self.data)

    def __iter__(self):
        return map(self.__class__, self.data)

    def __getitem__(self, index):
        return self.__class__(self.data[index])

    def __add__(self, other):
        return self.__class__(self.data + str(_of_user(other)))

    def __radd__(self, other):
        return self.__class__(str(_of_user(other)) + self.data)

    def __mul__(self, n):
        return self.__class__(self.data * n)

    __rmul__ = __mul__

    def __mod__(self, args):
        return self.__class__(self.data % args)

    def encode(self, encoding="utf-8", errors="strict"):
        return self.data.encode(encoding, errors)


def _forward(name, is_string):
    def method(self, *args, **keywords):
        result = getattr(self.data, name)(*map(_of_user, args), **keywords)
        return self.__class__(result) if is_string else result

    method.__name__ = name
    method.__qualname__ = f"UserString.{name}"
    return method


for _name in (
    "capitalize casefold center expandtabs ljust lower lstrip removeprefix removesuffix replace "
    "rjust rstrip strip swapcase title translate upper zfill"
).split():
    setattr(UserString, _name, _forward(_name, True))
for _name in (
    "count endswith find format format_map index isalnum isalpha isascii isdecimal isdigit "
    "isidentifier islower isnumeric isprintable isspace istitle isupper join partition rfind "
    "rindex rpartition rsplit split splitlines startswith"
).split():
    setattr(UserString, _name, _forward(_name, False))
del _name
