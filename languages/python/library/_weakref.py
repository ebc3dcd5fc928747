"""Weak references. What they are to is gone when a collection has noticed; callbacks are not called."""

from _verdigris import weak as _weak, weak_target as _target


class ReferenceType:
    __module__ = "weakref"
    __slots__ = ("_handle", "_hash", "__callback__")

    def __new__(cls, value, callback=None, /, *rest):
        self = super().__new__(cls)
        self._handle = _weak(value)
        self._hash = None
        self.__callback__ = callback
        return self

    def __init__(self, value, callback=None, /):
        pass

    def __call__(self):
        return _target(self._handle)

    def __eq__(self, other):
        if not isinstance(other, ReferenceType):
            return NotImplemented
        mine, others = _target(self._handle), _target(other._handle)
        if mine is None or others is None:
            return self is other
        return mine == others

    def __hash__(self):
        if self._hash is None:
            value = _target(self._handle)
            if value is None:
                raise TypeError("weak object has gone away")
            self._hash = hash(value)
        return self._hash

    def __class_getitem__(cls, args):
        from types import GenericAlias

        return GenericAlias(cls, args)

    def __repr__(self):
        value = _target(self._handle)
        if value is None:
            return f"<weakref at {id(self):#x}; dead>"
        return f"<weakref at {id(self):#x}; to '{type(value).__name__}' at {id(value):#x}>"


ref = ReferenceType


def _value(handle):
    value = _target(handle)
    if value is None:
        raise ReferenceError("weakly-referenced object no longer exists")
    return value


class weakproxy:
    """Does what its object does, as long as that is there."""

    __slots__ = ("_handle",)
    __hash__ = None

    def __init__(self, value, callback=None):
        object.__setattr__(self, "_handle", _weak(value))

    def __getattr__(self, name):
        return getattr(_value(object.__getattribute__(self, "_handle")), name)

    def __setattr__(self, name, value):
        setattr(_value(object.__getattribute__(self, "_handle")), name, value)

    def __delattr__(self, name):
        delattr(_value(object.__getattribute__(self, "_handle")), name)

    def __repr__(self):
        value = _target(self._handle)
        return f"<weakproxy at {id(self):#x} to {type(value).__name__} at {id(value):#x}>"


class weakcallableproxy(weakproxy):
    __slots__ = ()

    def __call__(self, *args, **keywords):
        return _value(self._handle)(*args, **keywords)


ProxyType = weakproxy
CallableProxyType = weakcallableproxy
ProxyTypes = (ProxyType, CallableProxyType)


def _forward(name):
    def method(self, *args):
        return getattr(_value(self._handle), name)(*args)

    method.__name__ = name
    return method


for _name in (
    "__str__ __bytes__ __len__ __getitem__ __setitem__ __delitem__ __contains__ __iter__ __next__ "
    "__reversed__ __lt__ __le__ __eq__ __ne__ __gt__ __ge__ __add__ __sub__ __mul__ __truediv__ "
    "__floordiv__ __mod__ __divmod__ __pow__ __lshift__ __rshift__ __and__ __or__ __xor__ "
    "__matmul__ __radd__ __rsub__ __rmul__ __rtruediv__ __neg__ __pos__ __abs__ __invert__ "
    "__int__ __float__ __index__"
).split():
    setattr(weakproxy, _name, _forward(_name))


def _truth(self):
    return bool(_value(self._handle))


weakproxy.__bool__ = _truth


def proxy(value, callback=None):
    kind = weakcallableproxy if callable(value) else weakproxy
    return kind(value, callback)


def getweakrefcount(value):
    return len(getweakrefs(value))


def getweakrefs(value):
    return []


def _remove_dead_weakref(mapping, key):
    kept = mapping.get(key)
    if kept is not None and kept() is None:
        del mapping[key]
