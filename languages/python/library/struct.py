"""Values as bytes that C programs and files have, and back."""

from _verdigris import pack_float as _pack_float, unpack_float as _unpack_float

__all__ = [
    "calcsize", "pack", "pack_into", "unpack", "unpack_from", "iter_unpack", "Struct", "error",
]  # fmt: skip


class error(Exception):
    pass


# For each code of integers: sizes in the standard and in the native layout, whether there is a sign.
_INTEGERS = {
    "b": (1, 1, True), "B": (1, 1, False), "h": (2, 2, True), "H": (2, 2, False),
    "i": (4, 4, True), "I": (4, 4, False), "l": (4, 8, True), "L": (4, 8, False),
    "q": (8, 8, True), "Q": (8, 8, False), "n": (0, 8, True), "N": (0, 8, False),
    "P": (0, 8, False),
}  # fmt: skip
_OTHERS = {"x": 1, "c": 1, "?": 1, "e": 2, "f": 4, "d": 8, "s": 1, "p": 1}
_NAMES = {"b": "byte", "B": "ubyte", "h": "short", "H": "ushort"}
_MOST = (1 << 63) - 1


def _integer(code, value, size, signed, order):
    if not isinstance(value, int):
        index = getattr(type(value), "__index__", None)
        if index is None:
            raise error("required argument is not an integer")
        value = index(value)
    least, most = (-1 << size * 8 - 1, (1 << size * 8 - 1) - 1) if signed else (0, (1 << size * 8) - 1)
    if least <= value <= most:
        return value.to_bytes(size, order, signed=signed)
    is_long = -_MOST - 1 <= value <= _MOST
    if code in _NAMES and is_long:
        raise error(f"{_NAMES[code]} format requires {least} <= number <= {most}")
    if size < 8 and code not in _NAMES and (is_long if signed else 0 <= value <= 2 * _MOST + 1):
        raise error(f"'{code}' format requires {least} <= number <= {most}")
    raise error("argument out of range")


def _float(code, value, size, is_native):
    if not isinstance(value, float):
        try:
            number = type(value).__float__(value)
        except (AttributeError, OverflowError):
            raise error("required argument is not a float") from None
    else:
        number = value
    data = _pack_float(number, size)
    if data is None:
        if is_native and size == 4:
            return _pack_float(float("inf") if number > 0 else -float("inf"), size)
        if isinstance(value, int):
            raise error("int too large to convert")
        raise OverflowError(f"float too large to pack with {code} format")
    return data


class Struct:
    def __init__(self, format):
        if isinstance(format, (bytes, bytearray)):
            format = bytes(format).decode("latin-1")
        elif not isinstance(format, str):
            name = type(format).__name__
            raise TypeError(f"Struct() argument 1 must be a str or bytes object, not {name}")
        self.format = format
        self._parse(format)

    def _parse(self, format):
        """Finds the items: code, size, how many, where."""
        mark = format[:1]
        self._is_native = mark not in ("=", "<", ">", "!")
        self._order = "big" if mark and mark in ">!" else "little"
        if mark and mark in "@=<>!":
            format = format[1:]
        items, at, count, wanted = [], 0, None, 0
        for code in format:
            if code in " \t\n\r\f\v" and count is None:
                continue
            if "0" <= code <= "9":
                count = (count or 0) * 10 + int(code)
                if count > _MOST:
                    raise error("total struct size too long")
                continue
            size = _OTHERS.get(code, 0)
            if code in _INTEGERS:
                size = _INTEGERS[code][self._is_native]
            if size == 0:
                raise error("bad char in struct format")
            times = 1 if count is None else count
            count = None
            if self._is_native and code != "x" and at % size:
                at += size - at % size
            if code in "sp":
                items.append((code, times, at))
                wanted += 1
                at += times
            elif code == "x":
                at += times
            else:
                if at + size * times > _MOST:
                    raise error("total struct size too long")
                items.append((code, size, at, times))
                wanted += times
                at += size * times
        if count is not None:
            raise error("repeat count given without format specifier")
        self._items = items
        self._wanted = wanted
        self.size = at

    def pack(self, *v):
        return bytes(self._packed(v, "pack"))

    def _packed(self, values, name):
        if len(values) != self._wanted:
            raise error(
                f"{name} expected {self._wanted} items for packing (got {len(values)})"
            )
        made = bytearray()
        n = 0
        for item in self._items:
            code, size, at = item[0], item[1], item[2]
            if len(made) < at:
                made.extend(bytes(at - len(made)))
            if code in "sp":
                made.extend(self._string(code, values[n], size))
                n += 1
                continue
            for _ in range(item[3]):
                made.extend(self._one(code, values[n], size))
                n += 1
        if len(made) < self.size:
            made.extend(bytes(self.size - len(made)))
        return made

    def _string(self, code, value, size):
        if not isinstance(value, (bytes, bytearray)):
            raise error(f"argument for '{code}' must be a bytes object")
        if code == "s":
            return bytes(value[:size]).ljust(size, b"\0")
        if size == 0:
            return b""
        value = bytes(value[: size - 1])
        return (bytes([min(len(value), 255)]) + value).ljust(size, b"\0")

    def _one(self, code, value, size):
        if code in _INTEGERS:
            return _integer(code, value, size, _INTEGERS[code][2], self._order)
        if code == "c":
            if not isinstance(value, bytes) or len(value) != 1:
                raise error("char format requires a bytes object of length 1")
            return value
        if code == "?":
            return b"\1" if value else b"\0"
        data = _float(code, value, size, self._is_native)
        return data if self._order == "little" else data[::-1]

    def unpack(self, buffer):
        data = _buffer(buffer)
        if len(data) != self.size:
            raise error(f"unpack requires a buffer of {self.size} bytes")
        return tuple(self._unpacked(data, 0))

    def _unpacked(self, data, start):
        made = []
        order = self._order
        for item in self._items:
            code, size, at = item[0], item[1], start + item[2]
            if code == "s":
                made.append(bytes(data[at : at + size]))
            elif code == "p":
                count = min(data[at], size - 1) if size else 0
                made.append(bytes(data[at + 1 : at + 1 + count]))
            else:
                for _ in range(item[3]):
                    part = data[at : at + size]
                    if code in _INTEGERS:
                        made.append(int.from_bytes(part, order, signed=_INTEGERS[code][2]))
                    elif code == "c":
                        made.append(bytes(part))
                    elif code == "?":
                        made.append(part[0] != 0)
                    else:
                        made.append(_unpack_float(bytes(part if order == "little" else part[::-1])))
                    at += size
        return made

    def unpack_from(self, buffer, offset=0):
        data = _buffer(buffer)
        size, has = self.size, len(data)
        if offset < 0:
            if offset + size > 0:
                raise error(f"not enough data to unpack {size} bytes at offset {offset}")
            if offset + has < 0:
                raise error(f"offset {offset} out of range for {has}-byte buffer")
            offset += has
        if has - offset < size:
            raise error(
                f"unpack_from requires a buffer of at least {size + offset} bytes for unpacking"
                f" {size} bytes at offset {offset} (actual buffer size is {has})"
            )
        return tuple(self._unpacked(data, offset))

    def pack_into(self, buffer, offset, *v):
        data = self._packed(v, "pack_into")
        if not isinstance(buffer, bytearray):
            buffer = _view(buffer, "argument must be read-write bytes-like object, not {}")
            if buffer.readonly:
                raise TypeError("argument must be read-write bytes-like object, not memoryview")
        size, has = self.size, len(buffer)
        if offset < 0:
            if offset + size > 0:
                raise error(f"no space to pack {size} bytes at offset {offset}")
            if offset + has < 0:
                raise error(f"offset {offset} out of range for {has}-byte buffer")
            offset += has
        if has - offset < size:
            raise error(
                f"pack_into requires a buffer of at least {size + offset} bytes for packing"
                f" {size} bytes at offset {offset} (actual buffer size is {has})"
            )
        buffer[offset : offset + size] = data

    def iter_unpack(self, buffer):
        data = _buffer(buffer)
        if self.size == 0:
            raise error("cannot iteratively unpack with a struct of length 0")
        if len(data) % self.size:
            raise error(
                f"iterative unpacking requires a buffer of a multiple of {self.size} bytes"
            )
        return (tuple(self._unpacked(data, at)) for at in range(0, len(data), self.size))


def _buffer(value):
    if isinstance(value, (bytes, bytearray)):
        return value
    return _view(value, "a bytes-like object is required, not '{}'")


def _view(value, wrong):
    """The bytes of what has some and is no string of them."""
    if isinstance(value, bytes):
        raise TypeError(wrong.format("bytes"))
    try:
        return memoryview(value).cast("B")
    except TypeError:
        raise TypeError(wrong.format(type(value).__name__)) from None


_known = {}


def _struct(format):
    made = _known.get(format)
    if made is None:
        if len(_known) > 100:
            _known.clear()
        made = _known[format] = Struct(format)
    return made


def calcsize(format):
    return _struct(format).size


def pack(format, *v):
    return _struct(format).pack(*v)


def pack_into(format, buffer, offset, *v):
    _struct(format).pack_into(buffer, offset, *v)


def unpack(format, buffer):
    return _struct(format).unpack(buffer)


def unpack_from(format, /, buffer, offset=0):
    return _struct(format).unpack_from(buffer, offset)


def iter_unpack(format, buffer):
    return _struct(format).iter_unpack(buffer)
