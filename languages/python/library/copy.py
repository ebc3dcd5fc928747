"""Copies of objects."""


class Error(Exception):
    pass


error = Error

# Objects of these classes, and classes themselves, are never copied.
_ATOMS = {
    type(None), int, float, bool, str, range, property, type(...), type(NotImplemented),
    type(len), type(lambda: None), bytes, complex,
}  # fmt: skip
_BUILTIN = (int, float, complex, str, bytes, bytearray, list, tuple, dict, set, frozenset)
_OF_COPIES = (
    "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__getnewargs__",
    "__getnewargs_ex__", "__new__", "__slots__", "__setattr__",
)  # fmt: skip
_plain = {}


def copy(x):
    cls = type(x)
    if cls in _ATOMS or isinstance(x, type) or cls is tuple or cls is frozenset:
        return x
    if cls in (list, dict, set, bytearray):
        return x.copy()
    own = getattr(cls, "__copy__", None)
    if own is not None:
        return own(x)
    return _rebuilt(x, cls, None)


def deepcopy(x, memo=None):
    cls = type(x)
    if cls in _ATOMS or isinstance(x, type):
        return x
    if memo is None:
        memo = {}
    known = memo.get(id(x))
    if known is not None:
        return known[0]
    own = getattr(cls, "__deepcopy__", None)
    if own is not None:
        result = own(x, memo)
    elif cls is list:
        result = []
        memo[id(x)] = (result, x)
        for item in x:
            result.append(deepcopy(item, memo))
    elif cls is dict:
        result = {}
        memo[id(x)] = (result, x)
        for key, value in x.items():
            result[deepcopy(key, memo)] = deepcopy(value, memo)
    elif cls is tuple:
        items = [deepcopy(item, memo) for item in x]
        if id(x) in memo:
            return memo[id(x)][0]
        is_same = all(a is b for a, b in zip(items, x))
        result = x if is_same else tuple(items)
    elif cls is bytearray:
        result = x.copy()
    elif cls in (set, frozenset):
        result = cls([deepcopy(item, memo) for item in x])
    elif hasattr(x, "__func__") and hasattr(x, "__self__"):
        result = type(x)(x.__func__, deepcopy(x.__self__, memo))
    else:
        return _rebuilt(x, cls, memo)
    # The object itself is kept, so that nothing else gets its number.
    memo[id(x)] = (result, x)
    return result


def _is_plain(cls):
    """Whether objects of a class are their attributes, and nothing is said of copies."""
    known = _plain.get(cls)
    if known is None:
        known = not issubclass(cls, _BUILTIN + (BaseException,)) and cls.__module__ != "builtins"
        for base in cls.__mro__[:-1]:
            if any(name in base.__dict__ for name in _OF_COPIES):
                known = False
        _plain[cls] = known
    return known


def _rebuilt(x, cls, memo):
    """A copy that is made of the parts of an object."""
    from copyreg import dispatch_table

    if cls not in dispatch_table and _is_plain(cls):
        result = cls.__new__(cls)
        if memo is None:
            result.__dict__.update(x.__dict__)
            return result
        memo[id(x)] = (result, x)
        for name, value in list(x.__dict__.items()):
            object.__setattr__(result, name, deepcopy(value, memo))
        return result
    reduce = dispatch_table.get(cls)
    parts = x.__reduce_ex__(4) if reduce is None else reduce(x)
    if isinstance(parts, str):
        return x
    make, args, state, items, pairs = (tuple(parts) + (None, None, None))[:5]
    if memo is not None:
        args = [deepcopy(value, memo) for value in args]
    result = make(*args)
    if memo is not None:
        memo[id(x)] = (result, x)
        state = deepcopy(state, memo)
    if state is not None:
        _set_state(result, state)
    for item in items or ():
        result.append(item if memo is None else deepcopy(item, memo))
    for key, value in pairs or ():
        if memo is not None:
            key, value = deepcopy(key, memo), deepcopy(value, memo)
        result[key] = value
    return result


def _set_state(result, state):
    if hasattr(result, "__setstate__"):
        result.__setstate__(state)
        return
    slots = None
    if isinstance(state, tuple) and len(state) == 2:
        state, slots = state
    if state:
        result.__dict__.update(state)
    for name, value in (slots or {}).items():
        setattr(result, name, value)
