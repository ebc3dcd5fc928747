"""Builtins that are written in Python: they are here when a program first asks for them."""

from _verdigris import buffer_export as _export, buffer_release as _end_export
from _verdigris import pack_float as _pack_float, unpack_float as _unpack_float
from operator import index as _index

# For each format of one item: how many bytes it has, and how they are read.
_FORMATS = {
    "b": (1, "signed"), "B": (1, "unsigned"), "c": (1, "bytes"), "?": (1, "truth"),
    "h": (2, "signed"), "H": (2, "unsigned"), "i": (4, "signed"), "I": (4, "unsigned"),
    "l": (8, "signed"), "L": (8, "unsigned"), "q": (8, "signed"), "Q": (8, "unsigned"),
    "n": (8, "signed"), "N": (8, "unsigned"), "P": (8, "unsigned"), "e": (2, "float"),
    "f": (4, "float"), "d": (8, "float"),
}  # fmt: skip

_missing = object()
_RELEASED = "operation forbidden on released memoryview object"


def _kind(format):
    """The size of an item and how it is read; of a format that is none, nothing."""
    return _FORMATS.get(format[1:] if format[:1] == "@" else format)


def _make(source, data, export, readonly, format, itemsize, offset, shape, strides):
    self = object.__new__(memoryview)
    self._source, self._data, self._export = source, data, export
    self._readonly, self._format, self._itemsize = readonly, format, itemsize
    self._offset, self._shape, self._strides = offset, shape, strides
    self._released, self._hash = False, None
    return self


class _Export:
    """What keeps a bytearray from being resized, for all the views that come from one."""

    __slots__ = ("count", "source", "__weakref__")

    def __init__(self, source):
        self.count = 1
        self.source = source
        array = _array_of(source)
        if array is not None:
            _export(array, self)

    def end(self):
        self.count -= 1
        if not self.count and _array_of(self.source) is not None:
            _end_export(self)


def _array_of(source):
    return source if isinstance(source, bytearray) else None


class _ItemsAsBytes:
    """The bytes of an array, whose items are numbers."""

    def __init__(self, array):
        self._array = array

    def __getitem__(self, key):
        return self._array.tobytes()[key]

    def __setitem__(self, key, value):
        size = self._array.itemsize
        if isinstance(key, slice):
            start = key.start
        else:
            start, value = key, bytes((value,))
        for n in range(start // size, (start + len(value) - 1) // size + 1):
            item = bytearray(self._array._bytes_of(self._array[n]))
            for at in range(size):
                place = n * size + at - start
                if 0 <= place < len(value):
                    item[at] = value[place]
            self._array[n] = self._array._item_of(bytes(item))


class memoryview:
    """The bytes of an object, without a copy of them."""

    __module__ = "builtins"
    __slots__ = (
        "_source", "_data", "_export", "_readonly", "_format", "_itemsize", "_offset", "_shape",
        "_strides", "_released", "_hash", "__weakref__",
    )  # fmt: skip

    def __new__(cls, object=_missing):
        if object is _missing:
            raise TypeError("memoryview() missing required argument 'object' (pos 1)")
        if isinstance(object, memoryview):
            object._check()
            return object._like(object._offset, object._shape, object._strides)
        if isinstance(object, (bytes, bytearray)):
            readonly = isinstance(object, bytes)
            export = _Export(object)
            return _make(object, object, export, readonly, "B", 1, 0, (len(object),), (1,))
        if _has_bytes(object) and hasattr(object, "typecode"):
            format = "w" if object.typecode == "u" else object.typecode
            size, count = object.itemsize, len(object)
            data, export = _ItemsAsBytes(object), _Export(object)
            return _make(object, data, export, False, format, size, 0, (count,), (size,))
        name = type(object).__name__
        raise TypeError(f"memoryview: a bytes-like object is required, not '{name}'")

    def __init_subclass__(cls, **keywords):
        raise TypeError("type 'memoryview' is not an acceptable base type")

    def _like(self, offset, shape, strides):
        """Another view of the same object."""
        self._export.count += 1
        return _make(
            self._source, self._data, self._export, self._readonly, self._format, self._itemsize,
            offset, shape, strides,
        )  # fmt: skip

    def _check(self):
        if self._released:
            raise ValueError(_RELEASED)

    # What it is.

    @property
    def obj(self):
        self._check()
        return self._source

    @property
    def nbytes(self):
        self._check()
        return self._count() * self._itemsize

    @property
    def itemsize(self):
        self._check()
        return self._itemsize

    @property
    def format(self):
        self._check()
        return self._format

    @property
    def readonly(self):
        self._check()
        return self._readonly

    @property
    def ndim(self):
        self._check()
        return len(self._shape)

    @property
    def shape(self):
        self._check()
        return self._shape

    @property
    def strides(self):
        self._check()
        return self._strides

    @property
    def suboffsets(self):
        self._check()
        return ()

    @property
    def c_contiguous(self):
        self._check()
        return self._strides == _dense(self._shape, self._itemsize)

    contiguous = c_contiguous

    @property
    def f_contiguous(self):
        self._check()
        return self._strides == _dense(self._shape[::-1], self._itemsize)[::-1]

    def _count(self):
        count = 1
        for length in self._shape:
            count *= length
        return count

    # Its end.

    def release(self):
        """It looks at nothing any more."""
        if not self._released:
            self._released = True
            self._export.end()
            self._source = self._data = None

    def __enter__(self):
        self._check()
        return self

    def __exit__(self, *exception):
        self.release()

    # Its items.

    def _item_at(self, at):
        kind = _kind(self._format)
        if kind is None:
            raise NotImplementedError(f"memoryview: format {self._format} not supported")
        size, how = kind
        if how == "unsigned" and size == 1:
            return self._data[at]
        data = bytes(self._data[at : at + size])
        if how == "unsigned" or how == "signed":
            return int.from_bytes(data, "little", signed=how == "signed")
        if how == "float":
            return _unpack_float(data)
        return data if how == "bytes" else data != b"\0"

    def _set_at(self, at, value):
        kind = _kind(self._format)
        if kind is None:
            raise NotImplementedError(f"memoryview: format {self._format} not supported")
        size, how = kind
        wrong_type = f"memoryview: invalid type for format '{self._format}'"
        wrong_value = f"memoryview: invalid value for format '{self._format}'"
        if how == "bytes":
            if not isinstance(value, bytes):
                raise TypeError(wrong_type)
            if len(value) != 1:
                raise ValueError(wrong_value)
            data = value
        elif how == "truth":
            data = b"\1" if value else b"\0"
        elif how == "float":
            if not hasattr(type(value), "__float__"):
                raise TypeError(wrong_type)
            data = _pack_float(float(value), size)
            if data is None:
                raise ValueError(wrong_value)
        else:
            if not hasattr(type(value), "__index__"):
                raise TypeError(wrong_type)
            try:
                data = _index(value).to_bytes(size, "little", signed=how == "signed")
            except OverflowError:
                raise ValueError(wrong_value) from None
        self._data[at : at + size] = data

    def _place(self, key, axis, offset):
        try:
            index = _index(key)
        except TypeError:
            raise TypeError("memoryview: invalid slice key") from None
        count = self._shape[axis]
        place = index + count if index < 0 else index
        if not 0 <= place < count:
            raise IndexError(
                "index out of bounds on dimension 1"
                if len(self._shape) == 1
                else f"index out of bounds on dimension {axis + 1}"
            )
        return offset + place * self._strides[axis]

    def _part(self, key):
        start, stop, step = key.indices(self._shape[0])
        count = len(range(start, stop, step))
        stride = self._strides[0]
        return (
            self._offset + start * stride,
            (count,) + self._shape[1:],
            (stride * step,) + self._strides[1:],
        )

    def __getitem__(self, key, /):
        if self._released:
            raise ValueError(_RELEASED)
        if type(key) is int and self._format == "B" and len(self._shape) == 1:
            count = self._shape[0]
            place = key + count if key < 0 else key
            if not 0 <= place < count:
                raise IndexError("index out of bounds on dimension 1")
            return self._data[self._offset + place * self._strides[0]]
        axes = len(self._shape)
        if isinstance(key, slice):
            if not axes:
                raise TypeError("invalid indexing of 0-dim memory")
            return self._like(*self._part(key))
        if isinstance(key, tuple):
            return self._item_at(self._tuple_place(key))
        if axes != 1:
            if not axes:
                if key is ...:
                    return self
                raise TypeError("invalid indexing of 0-dim memory")
            self._place(key, 0, self._offset)
            raise NotImplementedError("multi-dimensional sub-views are not implemented")
        return self._item_at(self._place(key, 0, self._offset))

    def _tuple_place(self, key):
        axes = len(self._shape)
        slices = [isinstance(part, slice) for part in key]
        if any(slices):
            if all(slices):
                raise NotImplementedError("multi-dimensional slicing is not implemented")
            raise TypeError("memoryview: invalid slice key")
        if len(key) < axes:
            raise NotImplementedError("sub-views are not implemented")
        if len(key) > axes:
            raise TypeError(f"cannot index {axes}-dimension view with {len(key)}-element tuple")
        offset = self._offset
        for axis, part in enumerate(key):
            offset = self._place(part, axis, offset)
        return offset

    def __setitem__(self, key, value, /):
        if self._released:
            raise ValueError(_RELEASED)
        if self._readonly:
            raise TypeError("cannot modify read-only memory")
        axes = len(self._shape)
        if isinstance(key, slice) and axes == 1:
            return self._set_part(key, value)
        if isinstance(key, tuple):
            return self._set_at(self._tuple_place(key), value)
        if axes != 1:
            if not axes and key is ...:
                return self._set_at(self._offset, value)
            raise NotImplementedError("sub-views are not implemented")
        self._set_at(self._place(key, 0, self._offset), value)

    def _set_part(self, key, value):
        if not _has_bytes(value):
            name = type(value).__name__
            raise TypeError(f"a bytes-like object is required, not '{name}'")
        other = value if isinstance(value, memoryview) else memoryview(value)
        offset, shape, strides = self._part(key)
        is_same = other.format.lstrip("@") == self._format.lstrip("@")
        if not is_same or other._shape != shape:
            raise ValueError("memoryview assignment: lvalue and rvalue have different structures")
        data, size = other.tobytes(), self._itemsize
        if strides[0] == size:
            self._data[offset : offset + len(data)] = data
            return
        for n in range(shape[0]):
            at = offset + n * strides[0]
            self._data[at : at + size] = data[n * size : (n + 1) * size]

    def __delitem__(self, key, /):
        raise TypeError("cannot delete memory")

    def __len__(self):
        self._check()
        if not self._shape:
            raise TypeError("0-dim memory has no length")
        return self._shape[0]

    def __iter__(self):
        self._check()
        if not self._shape:
            raise TypeError("invalid indexing of 0-dim memory")
        for n in range(self._shape[0]):
            yield self[n]

    def __reversed__(self):
        for n in range(len(self) - 1, -1, -1):
            yield self[n]

    def __contains__(self, value):
        return any(item is value or item == value for item in self)

    def _places(self):
        """Where the items are, one after the other."""
        places = [self._offset]
        for length, stride in zip(self._shape, self._strides):
            places = [place + n * stride for place in places for n in range(length)]
        return places

    # What others make of it.

    def tobytes(self, order="C"):
        self._check()
        size = self._itemsize
        count = self._count()
        if self._strides == _dense(self._shape, size):
            return bytes(self._data[self._offset : self._offset + count * size])
        if size == 1 and len(self._shape) == 1:
            return bytes([self._data[place] for place in self._places()])
        return b"".join([bytes(self._data[place : place + size]) for place in self._places()])

    def __buffer__(self, flags, /):
        return self.tobytes()

    def tolist(self):
        self._check()
        items = [self._item_at(place) for place in self._places()]
        if not self._shape:
            return items[0]
        for length in self._shape[:0:-1]:
            items = [items[n : n + length] for n in range(0, len(items), length)]
        return items

    def hex(self, *args):
        return self.tobytes().hex(*args)

    def toreadonly(self):
        self._check()
        made = self._like(self._offset, self._shape, self._strides)
        made._readonly = True
        return made

    def cast(self, format, shape=None):
        self._check()
        if not isinstance(format, str):
            raise TypeError("memoryview: format argument must be a string")
        if not self.c_contiguous:
            raise TypeError("memoryview: casts are restricted to C-contiguous views")
        kind = _kind(format)
        if kind is None:
            raise ValueError(
                "memoryview: destination format must be a native single character format "
                "prefixed with an optional '@'"
            )
        size, plain = kind[0], ("b", "B", "c")
        if self._format.lstrip("@") not in plain and format.lstrip("@") not in plain:
            raise TypeError("memoryview: cannot cast between two non-byte formats")
        nbytes = self._count() * self._itemsize
        if nbytes % size:
            raise TypeError("memoryview: length is not a multiple of itemsize")
        if shape is None:
            lengths = (nbytes // size,)
        else:
            if not isinstance(shape, (list, tuple)):
                raise TypeError("shape must be a list or a tuple")
            if len(self._shape) != 1 and len(shape) != 1:
                raise TypeError("memoryview: cast must be 1D -> ND or ND -> 1D")
            lengths = tuple(shape)
            product = size
            for length in lengths:
                if not isinstance(length, int):
                    raise TypeError("memoryview.cast(): elements of shape must be integers")
                if length <= 0:
                    raise ValueError("memoryview.cast(): elements of shape must be integers > 0")
                product *= length
            if product != nbytes:
                raise TypeError("memoryview: product(shape) * itemsize != buffer size")
        made = self._like(self._offset, lengths, _dense(lengths, size))
        made._format, made._itemsize = format, size
        return made

    def __eq__(self, other):
        if self is other:
            return True
        if not _has_bytes(other):
            return NotImplemented
        if self._released:
            return False
        if not isinstance(other, memoryview):
            if self._format == "B" and isinstance(other, (bytes, bytearray)):
                return self.tobytes() == other if len(self._shape) == 1 else False
            other = memoryview(other)
        if other._released or self._shape != other._shape:
            return False
        if _kind(self._format) is None or _kind(other._format) is None:
            return self._format == other._format and self.tobytes() == other.tobytes()
        return self.tolist() == other.tolist()

    def __hash__(self):
        if self._hash is None:
            self._check()
            if not self._readonly:
                raise ValueError("cannot hash writable memoryview object")
            if self._format.lstrip("@") not in ("b", "B", "c"):
                raise ValueError("memoryview: hashing is restricted to formats 'B', 'b' or 'c'")
            self._hash = hash(self.tobytes())
        return self._hash

    def __radd__(self, other):
        """Strings of bytes take it as one of them."""
        if isinstance(other, (bytes, bytearray)):
            return other + self.tobytes()
        return NotImplemented

    def __repr__(self):
        kind = "released memory" if self._released else "memory"
        return f"<{kind} at {id(self):#x}>"

    def __reduce__(self):
        raise TypeError("cannot pickle 'memoryview' object")


def _has_bytes(value):
    if isinstance(value, (bytes, bytearray)):
        return True
    return any("__buffer__" in kind.__dict__ for kind in type(value).__mro__)


def _dense(shape, size):
    """How far apart the items of each axis are if there is nothing between them."""
    strides = []
    for length in reversed(shape):
        strides.append(size)
        size *= length
    return tuple(reversed(strides))
