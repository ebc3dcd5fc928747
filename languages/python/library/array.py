"""Arrays of numbers of one kind."""

from _verdigris import pack_float as _pack_float, unpack_float as _unpack_float
from collections.abc import MutableSequence as _MutableSequence
from operator import index as _index

__all__ = ["array", "ArrayType"]

typecodes = "bBuhHiIlLqQfd"

# For each code: how many bytes an item has, and what it is called.
_SIZES = {
    "b": (1, "signed char"), "B": (1, "unsigned byte integer"), "u": (4, ""),
    "h": (2, "signed short integer"), "H": (2, "unsigned short"),
    "i": (4, "signed integer"), "I": (4, "unsigned int"), "l": (8, "C long"),
    "L": (8, "C unsigned long"), "q": (8, ""), "Q": (8, ""), "f": (4, ""), "d": (8, ""),
}  # fmt: skip
_UNSIGNED = "BHILQ"


def _ranges():
    for code, (size, _) in _SIZES.items():
        bits = size * 8
        if code in _UNSIGNED:
            yield code, (0, (1 << bits) - 1)
        else:
            yield code, (-1 << bits - 1, (1 << bits - 1) - 1)


_RANGES = dict(_ranges())


def _refused(code, value):
    """What is said about a number that is too large or too small."""
    name = _SIZES[code][1]
    if code in "qQ":
        is_negative = code == "Q" and value < 0
        return "can't convert negative int to unsigned" if is_negative else "int too big to convert"
    if code in "IL" and value < 0:
        return "can't convert negative value to unsigned int"
    if code in "lL":
        return f"Python int too large to convert to {name}"
    if not -1 << 63 <= value < 1 << 63:
        return "Python int too large to convert to C long"
    return f"{name} is {'less than minimum' if value < 0 else 'greater than maximum'}"


def _single(x):
    data = _pack_float(x, 4)
    if data is None:
        return float("inf") if x > 0 else -float("inf")
    return _unpack_float(data)


class array:
    __slots__ = ("typecode", "itemsize", "_items", "_least", "_most", "__weakref__")

    def __init__(self, *args):
        if not args:
            raise TypeError("array() takes at least 1 argument (0 given)")
        if len(args) > 2:
            raise TypeError(f"array() takes at most 2 arguments ({len(args)} given)")
        code = args[0]
        if not isinstance(code, str) or len(code) != 1:
            name = type(code).__name__
            raise TypeError(f"array() argument 1 must be a unicode character, not {name}")
        if code not in _SIZES:
            raise ValueError("bad typecode (must be b, B, u, h, H, i, I, l, L, q, Q, f or d)")
        self.typecode = code
        self.itemsize = _SIZES[code][0]
        self._least, self._most = _RANGES[code]
        self._items = []
        if len(args) == 1:
            return
        initial = args[1]
        if isinstance(initial, (bytes, bytearray)):
            self.frombytes(initial)
        elif isinstance(initial, str) and code != "u":
            raise TypeError(f"cannot use a str to initialize an array with typecode {code!r}")
        else:
            for item in initial:
                self.append(item)

    def _item(self, value):
        code = self.typecode
        if code in "fd":
            if not isinstance(value, float):
                if isinstance(value, (str, bytes)) or not hasattr(type(value), "__float__"):
                    raise TypeError(f"must be real number, not {type(value).__name__}")
                value = float(value)
            return value if code == "d" else _single(value)
        if code == "u":
            if not isinstance(value, str) or len(value) != 1:
                raise TypeError("array item must be unicode character")
            return value
        value = int(_index(value))
        if not self._least <= value <= self._most:
            raise OverflowError(_refused(code, value))
        return value

    def _like(self, items):
        made = array(self.typecode)
        made._items = items
        return made

    def append(self, v, /):
        if type(v) is int and self._least <= v <= self._most and self.typecode not in "fdu":
            self._items.append(v)
        else:
            self._items.append(self._item(v))

    def extend(self, bb, /):
        if isinstance(bb, array):
            if bb.typecode != self.typecode:
                raise TypeError("can only extend with array of same kind")
            self._items.extend(bb._items)
        else:
            for item in bb:
                self.append(item)

    def insert(self, i, v, /):
        self._items.insert(i, self._item(v))

    def pop(self, i=-1, /):
        if not self._items:
            raise IndexError("pop from empty array")
        return self._items.pop(i)

    def remove(self, v, /):
        if v not in self._items:
            raise ValueError("array.remove(x): x not in array")
        self._items.remove(v)

    def index(self, v, start=0, stop=None, /):
        stop = len(self._items) if stop is None else stop
        for n in range(*slice(start, stop).indices(len(self._items))):
            if self._items[n] == v:
                return n
        raise ValueError("array.index(x): x not in array")

    def count(self, v, /):
        return self._items.count(v)

    def reverse(self):
        self._items.reverse()

    def tolist(self):
        return list(self._items)

    def fromlist(self, list, /):
        if not isinstance(list, _list):
            raise TypeError("arg must be list")
        self._items.extend([self._item(value) for value in list])

    def _bytes_of(self, value):
        if self.typecode in "fd":
            return _pack_float(value, self.itemsize)
        if self.typecode == "u":
            value = ord(value)
        return value.to_bytes(self.itemsize, "little", signed=self._least < 0)

    def _item_of(self, data):
        if self.typecode in "fd":
            return _unpack_float(data)
        value = int.from_bytes(data, "little", signed=self._least < 0)
        return chr(value) if self.typecode == "u" else value

    def tobytes(self):
        if self.typecode == "B":
            return bytes(self._items)
        return b"".join([self._bytes_of(value) for value in self._items])

    __bytes__ = tobytes

    def __buffer__(self, flags, /):
        return self.tobytes()

    def frombytes(self, buffer, /):
        size, data = self.itemsize, bytes(buffer)
        if len(data) % size:
            raise ValueError("bytes length not a multiple of item size")
        for at in range(0, len(data), size):
            self._items.append(self._item_of(data[at : at + size]))

    def tofile(self, f, /):
        f.write(self.tobytes())

    def fromfile(self, f, n, /):
        data = f.read(n * self.itemsize)
        self.frombytes(data)
        if len(data) < n * self.itemsize:
            raise EOFError("read() didn't return enough bytes")

    def tounicode(self):
        if self.typecode != "u":
            raise ValueError("tounicode() may only be called on unicode type arrays")
        return "".join(self._items)

    def fromunicode(self, ustr, /):
        if self.typecode != "u":
            raise ValueError("fromunicode() may only be called on unicode type arrays")
        self._items.extend(ustr)

    def byteswap(self):
        self._items = [self._item_of(self._bytes_of(value)[::-1]) for value in self._items]

    def buffer_info(self):
        return id(self._items), len(self._items)

    def __len__(self):
        return len(self._items)

    def __getitem__(self, key, /):
        if isinstance(key, slice):
            return self._like(self._items[key])
        try:
            return self._items[key]
        except IndexError:
            raise IndexError("array index out of range") from None
        except TypeError:
            raise TypeError("array indices must be integers") from None

    def __setitem__(self, key, value, /):
        if isinstance(key, slice):
            if not isinstance(value, array):
                name = type(value).__name__
                raise TypeError(f'can only assign array (not "{name}") to array slice')
            if value.typecode != self.typecode:
                raise TypeError("bad argument type for built-in operation")
            self._items[key] = value._items
            return
        if not hasattr(key, "__index__"):
            raise TypeError("array indices must be integers")
        if not -len(self._items) <= key < len(self._items):
            raise IndexError("array assignment index out of range")
        self._items[key] = self._item(value)

    def __delitem__(self, key, /):
        try:
            del self._items[key]
        except IndexError:
            raise IndexError("array assignment index out of range") from None
        except TypeError:
            raise TypeError("array indices must be integers") from None

    def __contains__(self, value):
        return value in self._items

    def __iter__(self):
        return iter(self._items)

    def __add__(self, other):
        if not isinstance(other, array):
            name = type(other).__name__
            raise TypeError(f'can only append array (not "{name}") to array')
        if other.typecode != self.typecode:
            raise TypeError("bad argument type for built-in operation")
        return self._like(self._items + other._items)

    def __iadd__(self, other):
        if not isinstance(other, array):
            name = type(other).__name__
            raise TypeError(f'can only extend with array (not "{name}")')
        self.extend(other)
        return self

    def __mul__(self, count):
        return self._like(self._items * count)

    __rmul__ = __mul__

    def __imul__(self, count):
        self._items *= count
        return self

    def __eq__(self, other):
        return self._items == other._items if isinstance(other, array) else NotImplemented

    def __lt__(self, other):
        return self._items < other._items if isinstance(other, array) else NotImplemented

    def __le__(self, other):
        return self._items <= other._items if isinstance(other, array) else NotImplemented

    def __gt__(self, other):
        return self._items > other._items if isinstance(other, array) else NotImplemented

    def __ge__(self, other):
        return self._items >= other._items if isinstance(other, array) else NotImplemented

    def __copy__(self):
        return self._like(list(self._items))

    def __deepcopy__(self, memo):
        return self._like(list(self._items))

    def __repr__(self):
        if not self._items:
            return f"array({self.typecode!r})"
        shown = "".join(self._items) if self.typecode == "u" else self._items
        return f"array({self.typecode!r}, {shown!r})"

    def __class_getitem__(cls, item):
        return cls


_list = list
ArrayType = array
_MutableSequence.register(array)
