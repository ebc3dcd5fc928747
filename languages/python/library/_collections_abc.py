"""What containers have in common: a class has the methods, whatever it derives from."""

from abc import ABCMeta, abstractmethod

# The classes are known by the name under which they are found.
__name__ = "collections.abc"

__all__ = [
    "Hashable",
    "Iterable",
    "Iterator",
    "AsyncGenerator",
    "AsyncIterable",
    "AsyncIterator",
    "Awaitable",
    "Coroutine",
    "Generator",
    "Reversible",
    "Sized",
    "Container",
    "Callable",
    "Collection",
    "Sequence",
    "MutableSequence",
    "Set",
    "MutableSet",
    "Mapping",
    "MutableMapping",
    "MappingView",
    "KeysView",
    "ItemsView",
    "ValuesView",
    "ByteString",
]


def _has(cls, names):
    for name in names:
        for base in cls.__mro__:
            if name in base.__dict__:
                if base.__dict__[name] is None:
                    return False
                break
            if base is object and name == "__hash__":
                break
        else:
            return False
    return True


def _check_methods(cls, *names):
    """What a `__subclasshook__` says of a class that has these methods, or has not."""
    return True if _has(cls, names) else NotImplemented


class _ByMethods(metaclass=ABCMeta):
    __slots__ = ()
    _abc_methods = ()

    @classmethod
    def __subclasshook__(cls, subclass):
        wanted = cls.__dict__.get("_abc_methods")
        if wanted and _has(subclass, wanted):
            return True
        return NotImplemented

    def __class_getitem__(cls, args):
        from types import GenericAlias

        return GenericAlias(cls, args)


class Hashable(_ByMethods):
    _abc_methods = ("__hash__",)

    @abstractmethod
    def __hash__(self):
        return 0


class Iterable(_ByMethods):
    _abc_methods = ("__iter__",)

    @abstractmethod
    def __iter__(self):
        yield from ()


class Iterator(Iterable):
    _abc_methods = ("__iter__", "__next__")

    @abstractmethod
    def __next__(self):
        raise StopIteration

    def __iter__(self):
        return self


class Generator(Iterator):
    _abc_methods = ("__iter__", "__next__", "send", "throw", "close")


class Awaitable(_ByMethods):
    _abc_methods = ("__await__",)


class Coroutine(Awaitable):
    _abc_methods = ("__await__", "send", "throw", "close")


class AsyncIterable(_ByMethods):
    _abc_methods = ("__aiter__",)


class AsyncIterator(AsyncIterable):
    _abc_methods = ("__anext__", "__aiter__")


class AsyncGenerator(AsyncIterator):
    _abc_methods = ("__aiter__", "__anext__", "asend", "athrow", "aclose")


class Reversible(Iterable):
    _abc_methods = ("__reversed__", "__iter__")


class Sized(_ByMethods):
    _abc_methods = ("__len__",)

    @abstractmethod
    def __len__(self):
        return 0


class Container(_ByMethods):
    _abc_methods = ("__contains__",)

    @abstractmethod
    def __contains__(self, value):
        return False


class Callable(_ByMethods):
    _abc_methods = ("__call__",)

    @abstractmethod
    def __call__(self, *args, **keywords):
        return None


class Collection(Sized, Iterable, Container):
    _abc_methods = ("__len__", "__iter__", "__contains__")


class Sequence(Reversible, Collection):
    @abstractmethod
    def __getitem__(self, index):
        raise IndexError

    def __iter__(self):
        n = 0
        while True:
            try:
                item = self[n]
            except IndexError:
                return
            yield item
            n += 1

    def __contains__(self, value):
        return any(item is value or item == value for item in self)

    def __reversed__(self):
        for n in range(len(self) - 1, -1, -1):
            yield self[n]

    def index(self, value, start=0, stop=None):
        for n in range(start, len(self) if stop is None else stop):
            if self[n] is value or self[n] == value:
                return n
        raise ValueError

    def count(self, value):
        return sum([1 for item in self if item is value or item == value])


class MutableSequence(Sequence):
    @abstractmethod
    def __setitem__(self, index, value):
        raise IndexError

    @abstractmethod
    def __delitem__(self, index):
        raise IndexError

    @abstractmethod
    def insert(self, index, value):
        raise IndexError

    def append(self, value):
        self.insert(len(self), value)

    def clear(self):
        while len(self):
            self.pop()

    def reverse(self):
        n = len(self)
        for i in range(n // 2):
            self[i], self[n - i - 1] = self[n - i - 1], self[i]

    def extend(self, values):
        for value in list(values) if values is self else values:
            self.append(value)

    def pop(self, index=-1):
        value = self[index]
        del self[index]
        return value

    def remove(self, value):
        del self[self.index(value)]

    def __iadd__(self, values):
        self.extend(values)
        return self


class Set(Collection):
    @classmethod
    def _from_iterable(cls, iterable):
        return cls(iterable)

    def __le__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) <= len(other) and all(item in other for item in self)

    def __lt__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) < len(other) and self.__le__(other)

    def __ge__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) >= len(other) and all(item in self for item in other)

    def __gt__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) > len(other) and self.__ge__(other)

    def __eq__(self, other):
        if not isinstance(other, Set):
            return NotImplemented
        return len(self) == len(other) and self.__le__(other)

    __hash__ = None

    def __and__(self, other):
        return self._from_iterable([item for item in other if item in self])

    __rand__ = __and__

    def __or__(self, other):
        return self._from_iterable([item for group in (self, other) for item in group])

    __ror__ = __or__

    def __sub__(self, other):
        return self._from_iterable([item for item in self if item not in other])

    def __xor__(self, other):
        return (self - other) | self._from_iterable([item for item in other if item not in self])

    def isdisjoint(self, other):
        return not any(item in self for item in other)


class MutableSet(Set):
    @abstractmethod
    def add(self, value):
        raise NotImplementedError

    @abstractmethod
    def discard(self, value):
        raise NotImplementedError

    def remove(self, value):
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self):
        for value in self:
            self.discard(value)
            return value
        raise KeyError

    def clear(self):
        while len(self):
            self.pop()

    def __ior__(self, values):
        for value in values:
            self.add(value)
        return self

    def __iand__(self, values):
        for value in self - values:
            self.discard(value)
        return self

    def __isub__(self, values):
        for value in list(values):
            self.discard(value)
        return self


class Mapping(Collection):
    @abstractmethod
    def __getitem__(self, key):
        raise KeyError

    def get(self, key, default=None):
        try:
            return self[key]
        except KeyError:
            return default

    def __contains__(self, key):
        try:
            self[key]
        except KeyError:
            return False
        return True

    def keys(self):
        return KeysView(self)

    def items(self):
        return ItemsView(self)

    def values(self):
        return ValuesView(self)

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    __hash__ = None


class MutableMapping(Mapping):
    @abstractmethod
    def __setitem__(self, key, value):
        raise KeyError

    @abstractmethod
    def __delitem__(self, key):
        raise KeyError

    def pop(self, key, *default):
        try:
            value = self[key]
        except KeyError:
            if default:
                return default[0]
            raise
        del self[key]
        return value

    def popitem(self):
        for key in self:
            return key, self.pop(key)
        raise KeyError

    def clear(self):
        while len(self):
            self.popitem()

    def update(self, other=(), /, **keywords):
        for key, value in dict(other, **keywords).items():
            self[key] = value

    def setdefault(self, key, default=None):
        if key not in self:
            self[key] = default
        return self[key]


class MappingView(Sized):
    def __init__(self, mapping):
        self._mapping = mapping

    def __len__(self):
        return len(self._mapping)

    def __repr__(self):
        return f"{self.__class__.__name__}({self._mapping!r})"


class KeysView(MappingView, Set):
    @classmethod
    def _from_iterable(cls, iterable):
        return set(iterable)

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        yield from self._mapping


class ItemsView(MappingView, Set):
    @classmethod
    def _from_iterable(cls, iterable):
        return set(iterable)

    def __contains__(self, item):
        key, value = item
        return key in self._mapping and self._mapping[key] == value

    def __iter__(self):
        for key in self._mapping:
            yield key, self._mapping[key]


class ValuesView(MappingView, Collection):
    def __contains__(self, value):
        return any(item is value or item == value for item in self)

    def __iter__(self):
        for key in self._mapping:
            yield self._mapping[key]


class ByteString(Sequence):
    pass


ByteString.register(bytes)
ByteString.register(bytearray)
for _cls in (tuple, str, range):
    Sequence.register(_cls)
for _cls in (type(len), type(_has), type([].append), type(_ByMethods.register), type):
    Callable.register(_cls)
MutableSequence.register(list)
MutableSequence.register(bytearray)
MutableSet.register(set)
Set.register(frozenset)
Set.register(type({}.keys()))
MutableMapping.register(dict)


# What `match` asks of objects that are no builtin ones.
_missing = object()


def _is_sequence(subject):
    cls = type(subject)
    return isinstance(subject, Sequence) or (cls.__module__, cls.__name__) == ("collections", "deque")


def _match_keys(subject, keys):
    if not isinstance(subject, Mapping):
        return None
    values = [subject.get(key, _missing) for key in keys]
    return None if any(value is _missing for value in values) else tuple(values)


from _proxy import mappingproxy as _mappingproxy

Mapping.register(_mappingproxy)
