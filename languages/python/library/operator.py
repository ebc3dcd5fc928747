"""The operators as functions."""


def lt(a, b):
    return a < b


def le(a, b):
    return a <= b


def eq(a, b):
    return a == b


def ne(a, b):
    return a != b


def ge(a, b):
    return a >= b


def gt(a, b):
    return a > b


def not_(a):
    return not a


def truth(a):
    return True if a else False


def is_(a, b):
    return a is b


def is_not(a, b):
    return a is not b


def add(a, b):
    return a + b


def sub(a, b):
    return a - b


def mul(a, b):
    return a * b


def matmul(a, b):
    return a @ b


def truediv(a, b):
    return a / b


def floordiv(a, b):
    return a // b


def mod(a, b):
    return a % b


def pow(a, b):
    return a**b


def lshift(a, b):
    return a << b


def rshift(a, b):
    return a >> b


def and_(a, b):
    return a & b


def or_(a, b):
    return a | b


def xor(a, b):
    return a ^ b


def neg(a):
    return -a


def pos(a):
    return +a


def invert(a):
    return ~a


inv = invert


def abs(a):
    return a.__abs__()


def index(a):
    if isinstance(a, int):
        return a
    found = getattr(type(a), "__index__", None)
    if found is None:
        name = type(a).__name__
        raise TypeError(f"{name!r} object cannot be interpreted as an integer")
    return found(a)


def concat(a, b):
    return a + b


def contains(a, b):
    return b in a


def countOf(a, b):
    return sum([1 for item in a if item is b or item == b])


def indexOf(a, b):
    for n, item in enumerate(a):
        if item is b or item == b:
            return n
    raise ValueError("sequence.index(x): x not in sequence")


def getitem(a, b):
    return a[b]


def setitem(a, b, c):
    a[b] = c


def delitem(a, b):
    del a[b]


def length_hint(obj, default=0):
    try:
        return len(obj)
    except TypeError:
        return default


def call(obj, /, *args, **keywords):
    return obj(*args, **keywords)


def iadd(a, b):
    a += b
    return a


def isub(a, b):
    a -= b
    return a


def imul(a, b):
    a *= b
    return a


def imatmul(a, b):
    a @= b
    return a


def itruediv(a, b):
    a /= b
    return a


def ifloordiv(a, b):
    a //= b
    return a


def imod(a, b):
    a %= b
    return a


def ipow(a, b):
    a **= b
    return a


def ilshift(a, b):
    a <<= b
    return a


def irshift(a, b):
    a >>= b
    return a


def iand(a, b):
    a &= b
    return a


def ior(a, b):
    a |= b
    return a


def ixor(a, b):
    a ^= b
    return a


def iconcat(a, b):
    a += b
    return a


class itemgetter:
    def __init__(self, item, *items):
        self._items = (item,) + items
        self._item = item
        self._is_one = not items

    def __call__(self, obj):
        if self._is_one:
            return obj[self._item]
        return tuple([obj[item] for item in self._items])

    def __repr__(self):
        return f"operator.itemgetter({', '.join(map(repr, self._items))})"


class attrgetter:
    def __init__(self, attr, *attrs):
        self._names = (attr,) + attrs
        for name in self._names:
            if not isinstance(name, str):
                raise TypeError("attribute name must be a string")
        self._paths = [name.split(".") for name in self._names]

    def __call__(self, obj):
        results = []
        for path in self._paths:
            result = obj
            for name in path:
                result = getattr(result, name)
            results.append(result)
        return results[0] if len(results) == 1 else tuple(results)

    def __repr__(self):
        return f"operator.attrgetter({', '.join(map(repr, self._names))})"


class methodcaller:
    def __init__(self, name, /, *args, **keywords):
        if not isinstance(name, str):
            raise TypeError("method name must be a string")
        self._name = name
        self._args = args
        self._keywords = keywords

    def __call__(self, obj):
        return getattr(obj, self._name)(*self._args, **self._keywords)

    def __repr__(self):
        parts = [repr(self._name)] + [repr(value) for value in self._args]
        parts += [f"{name}={value!r}" for name, value in self._keywords.items()]
        return f"operator.methodcaller({', '.join(parts)})"


__lt__, __le__, __eq__, __ne__, __ge__, __gt__ = lt, le, eq, ne, ge, gt
__add__, __sub__, __mul__, __matmul__, __truediv__ = add, sub, mul, matmul, truediv
__floordiv__, __mod__, __pow__, __lshift__, __rshift__ = floordiv, mod, pow, lshift, rshift
__and__, __or__, __xor__, __neg__, __pos__, __invert__ = and_, or_, xor, neg, pos, invert
__not__, __contains__, __getitem__, __setitem__ = not_, contains, getitem, setitem
__delitem__, __concat__, __index__, __abs__ = delitem, concat, index, abs


def _compare_digest(a, b):
    """Whether two strings of either kind are equal, in a time that does not say where they differ."""
    if isinstance(a, str) and isinstance(b, str):
        a, b = a.encode("ascii"), b.encode("ascii")
    different = len(a) ^ len(b)
    for x, y in zip(bytes(a), bytes(b)):
        different |= x ^ y
    return not different
