"""Weak references, and containers of them."""

from _collections_abc import MutableMapping as _MutableMapping, MutableSet as _MutableSet
from _weakref import CallableProxyType, ProxyType, ProxyTypes, ReferenceType
from _weakref import getweakrefcount, getweakrefs, proxy, ref


class WeakMethod(ref):
    """A weak reference to a bound method, which is alive as long as its object is."""

    __slots__ = ("_function", "_kind")

    def __new__(cls, method, callback=None):
        self = ref.__new__(cls, method.__self__, callback)
        self._function = ref(method.__func__)
        self._kind = type(method)
        return self

    def __call__(self):
        value, function = super().__call__(), self._function()
        if value is None or function is None:
            return None
        return self._kind(function, value)

    def __eq__(self, other):
        if not isinstance(other, WeakMethod):
            return NotImplemented
        return ref.__eq__(self, other) and self._function == other._function

    __hash__ = ref.__hash__


class WeakSet(_MutableSet):
    def __init__(self, data=None):
        self.data = set()
        self.update(data or ())

    def __iter__(self):
        for known in list(self.data):
            value = known()
            if value is not None:
                yield value

    def __len__(self):
        return sum(1 for _ in self)

    def __contains__(self, value):
        try:
            return ref(value) in self.data
        except TypeError:
            return False

    def add(self, value):
        self.data.add(ref(value))

    def discard(self, value):
        self.data.discard(ref(value))

    def remove(self, value):
        self.data.remove(ref(value))

    def clear(self):
        self.data.clear()

    def update(self, values):
        for value in values:
            self.add(value)

    def copy(self):
        return type(self)(self)

    def pop(self):
        for value in self:
            self.discard(value)
            return value
        raise KeyError("pop from empty WeakSet")

    def __repr__(self):
        return repr({known for known in self.data})


class WeakValueDictionary(_MutableMapping):
    def __init__(self, other=(), /, **keywords):
        self.data = {}
        self.update(other, **keywords)

    def __getitem__(self, key):
        value = self.data[key]()
        if value is None:
            raise KeyError(key)
        return value

    def __setitem__(self, key, value):
        self.data[key] = ref(value)

    def __delitem__(self, key):
        del self.data[key]

    def __contains__(self, key):
        return key in self.data and self.data[key]() is not None

    def __iter__(self):
        for key, known in list(self.data.items()):
            if known() is not None:
                yield key

    def __len__(self):
        return sum(1 for _ in self)

    def copy(self):
        return type(self)(self)

    def valuerefs(self):
        return list(self.data.values())

    def __repr__(self):
        return f"<{type(self).__name__} at {id(self):#x}>"


class WeakKeyDictionary(_MutableMapping):
    def __init__(self, dict=None):
        self.data = {}
        if dict is not None:
            self.update(dict)

    def __getitem__(self, key):
        return self.data[ref(key)]

    def __setitem__(self, key, value):
        self.data[ref(key)] = value

    def __delitem__(self, key):
        del self.data[ref(key)]

    def __contains__(self, key):
        try:
            return ref(key) in self.data
        except TypeError:
            return False

    def __iter__(self):
        for known in list(self.data):
            key = known()
            if key is not None:
                yield key

    def __len__(self):
        return sum(1 for _ in self)

    def copy(self):
        return type(self)(self)

    def keyrefs(self):
        return list(self.data)

    def __repr__(self):
        return f"<{type(self).__name__} at {id(self):#x}>"


class finalize:
    """A call that is made at the end of the program: the collector does not tell of single objects."""

    _all = []

    def __init__(self, value, function, /, *args, **keywords):
        import atexit

        if not finalize._all:
            atexit.register(finalize._at_exit)
        self._value = ref(value)
        self._call = (function, args, keywords)
        self.atexit = True
        finalize._all.append(self)

    def __call__(self, _=None):
        call, self._call = self._call, None
        if call is None:
            return None
        finalize._all.remove(self)
        function, args, keywords = call
        return function(*args, **keywords)

    def detach(self):
        value, call = self._value(), self._call
        if call is None or value is None:
            return None
        self._call = None
        finalize._all.remove(self)
        return (value, *call)

    def peek(self):
        value = self._value()
        if self._call is None or value is None:
            return None
        return (value, *self._call)

    @property
    def alive(self):
        return self._call is not None

    @classmethod
    def _at_exit(cls):
        for known in reversed(list(cls._all)):
            if known.atexit:
                known()
