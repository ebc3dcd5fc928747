"""How objects are taken apart for copies and pickles, by the protocol of `pickle`."""


def reduced(value, protocol):
    """`object.__reduce_ex__`"""
    own = getattr(type(value), "__reduce__", None)
    if own is not None and own is not object.__reduce__:
        return value.__reduce__()
    return plainly_reduced(value, protocol)


def plainly_reduced(value, protocol):
    """`object.__reduce__`"""
    import copyreg

    cls = type(value)
    if isinstance(value, BaseException):
        attributes = state(value)
        return (cls, value.args, attributes) if attributes else (cls, value.args)
    if isinstance(value, (set, frozenset)):
        return cls, (list(value),), state(value)
    if isinstance(value, bytearray):
        return cls, (bytes(value),), state(value)
    if isinstance(value, (range, slice)):
        return cls, (value.start, value.stop, value.step)
    if protocol < 2:
        return copyreg._reduce_ex(value, protocol)
    if hasattr(cls, "__getnewargs_ex__"):
        args, keywords = value.__getnewargs_ex__()
    else:
        own = getattr(cls, "__getnewargs__", None)
        args = _arguments(value) if own is None else own(value)
        keywords = {}
    items = iter(value) if isinstance(value, list) else None
    pairs = iter(value.items()) if isinstance(value, dict) else None
    if keywords:
        return copyreg.__newobj_ex__, (cls, args, keywords), state(value), items, pairs
    return copyreg.__newobj__, (cls, *args), state(value), items, pairs


def _arguments(value):
    for kind in (int, float, complex, str, bytes, tuple):
        if isinstance(value, kind):
            return (kind(value),)
    if isinstance(value, _NEVER):
        raise TypeError(f"cannot pickle '{type(value).__name__}' object")
    return ()


_NEVER = (type(i for i in ()), type(reduced.__code__), type(type.__dict__))


def state(value):
    """`object.__getstate__`"""
    own = getattr(type(value), "__getstate__", None)
    if own is not None and own is not object.__getstate__:
        return value.__getstate__()
    attributes = getattr(value, "__dict__", None) or None
    slots = {}
    for cls in type(value).__mro__:
        names = cls.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name in ("__dict__", "__weakref__"):
                continue
            if name.startswith("__") and not name.endswith("__"):
                name = f"_{cls.__name__.lstrip('_')}{name}"
            if hasattr(value, name):
                slots[name] = getattr(value, name)
    return (attributes, slots) if slots else attributes
