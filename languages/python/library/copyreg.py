"""How objects of types that do not say so themselves are taken apart for copies and pickles."""

dispatch_table = {}
_extension_registry = {}
_inverted_registry = {}
_extension_cache = {}


def pickle(ob_type, pickle_function, constructor_ob=None):
    if not callable(pickle_function):
        raise TypeError("reduction functions must be callable")
    dispatch_table[ob_type] = pickle_function
    if constructor_ob is not None:
        constructor(constructor_ob)


def constructor(object):
    if not callable(object):
        raise TypeError("constructors must be callable")


def __newobj__(cls, *args):
    return cls.__new__(cls, *args)


def __newobj_ex__(cls, args, kwargs):
    return cls.__new__(cls, *args, **kwargs)


def _reconstructor(cls, base, state):
    if base is object:
        return object.__new__(cls)
    made = base.__new__(cls, state)
    if base.__init__ is not object.__init__:
        base.__init__(made, state)
    return made


_BUILTIN = (int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset)


def _reduce_ex(self, proto):
    """The first two protocols: an object of a class, its builtin part, and its attributes."""
    cls = type(self)
    base = next((kind for kind in _BUILTIN if isinstance(self, kind)), object)
    if base is cls:
        raise TypeError(f"cannot pickle {cls.__name__!r} object")
    args = (cls, base, None if base is object else base(self))
    slots = any(getattr(kind, "__slots__", ()) for kind in cls.__mro__)
    if slots and not hasattr(self, "__getstate__"):
        raise TypeError("a class that defines __slots__ without defining __getstate__")
    state = self.__getstate__()
    return (_reconstructor, args, state) if state else (_reconstructor, args)
