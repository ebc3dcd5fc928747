"""Copies of objects."""


class Error(Exception):
    pass


error = Error

_ATOMS = (
    type(None), int, float, bool, str, type, range, property, type(...), type(NotImplemented),
    type(len), type(lambda: None), bytes, complex,
)  # fmt: skip


def copy(x):
    cls = type(x)
    if isinstance(x, _ATOMS) or cls is tuple or cls is frozenset:
        return x
    if cls in (list, dict, set, bytearray):
        return x.copy()
    own = getattr(cls, "__copy__", None)
    if own is not None:
        return own(x)
    return _rebuilt(x, cls, dict(_attributes(x)), None)


def deepcopy(x, memo=None):
    cls = type(x)
    if isinstance(x, _ATOMS):
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
    else:
        return _rebuilt(x, cls, _attributes(x), memo)
    # The object itself is kept, so that nothing else gets its number.
    memo[id(x)] = (result, x)
    return result


def _attributes(x):
    return getattr(x, "__dict__", {})


def _rebuilt(x, cls, attributes, memo):
    def again(value):
        return value if memo is None else deepcopy(value, memo)

    if isinstance(x, (tuple, int, float, str, frozenset)):
        for base in (tuple, int, float, str, frozenset):
            if isinstance(x, base):
                inner = base([again(item) for item in x]) if base in (tuple, frozenset) else base(x)
                result = base.__new__(cls, inner)
                break
    elif isinstance(x, BaseException):
        result = cls(*[again(value) for value in x.args])
    else:
        result = cls.__new__(cls)
    if memo is not None:
        memo[id(x)] = (result, x)
    if isinstance(x, list):
        for item in list.__iter__(x):
            list.append(result, again(item))
    elif isinstance(x, dict):
        for key, value in dict.items(x):
            dict.__setitem__(result, again(key), again(value))
    elif isinstance(x, set):
        for item in set.__iter__(x):
            set.add(result, again(item))
    for name, value in list(attributes.items()):
        object.__setattr__(result, name, again(value))
    return result
