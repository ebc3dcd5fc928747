"""Encodings by name: UTF-8, ASCII and Latin-1."""

BOM_UTF8 = b"\xef\xbb\xbf"
BOM_LE = BOM_UTF16_LE = b"\xff\xfe"
BOM_BE = BOM_UTF16_BE = b"\xfe\xff"
BOM = BOM_UTF16 = BOM_LE
BOM_UTF32 = BOM_UTF32_LE = b"\xff\xfe\x00\x00"
BOM_UTF32_BE = b"\x00\x00\xfe\xff"

_NAMES = {
    "utf-8": "utf-8",
    "utf8": "utf-8",
    "u8": "utf-8",
    "ascii": "ascii",
    "us-ascii": "ascii",
    "646": "ascii",
    "latin-1": "iso8859-1",
    "latin1": "iso8859-1",
    "iso-8859-1": "iso8859-1",
    "iso8859-1": "iso8859-1",
    "l1": "iso8859-1",
    "8859": "iso8859-1",
}


class CodecInfo(tuple):
    def __new__(cls, encode, decode, streamreader=None, streamwriter=None, *, name=None):
        self = super().__new__(cls, (encode, decode, streamreader, streamwriter))
        self.name = name
        self.encode = encode
        self.decode = decode
        return self

    def __repr__(self):
        return f"<codecs.CodecInfo object for encoding {self.name} at {id(self):#x}>"


def lookup(encoding):
    key = encoding.lower().replace("_", "-").replace(" ", "-")
    name = _NAMES.get(key)
    if name is None:
        for search in _searches:
            found = search(key.replace("-", "_"))
            if found is not None:
                return found
        raise LookupError(f"unknown encoding: {encoding}")

    def to_bytes(text, errors="strict"):
        return text.encode(name, errors), len(text)

    def to_text(data, errors="strict"):
        return bytes(data).decode(name, errors), len(data)

    return CodecInfo(to_bytes, to_text, name=name)


def encode(value, encoding="utf-8", errors="strict"):
    return lookup(encoding).encode(value, errors)[0]


def decode(value, encoding="utf-8", errors="strict"):
    return lookup(encoding).decode(value, errors)[0]


def getencoder(encoding):
    return lookup(encoding).encode


def getdecoder(encoding):
    return lookup(encoding).decode


def open(filename, mode="r", encoding=None, errors="strict", buffering=-1):
    import builtins

    if encoding is None or "b" in mode:
        return builtins.open(filename, mode)
    return builtins.open(filename, mode, encoding=encoding, errors=errors, newline="")


_searches = []
_handlers = {}


def register(search_function):
    if not callable(search_function):
        raise TypeError("argument must be callable")
    _searches.append(search_function)


def unregister(search_function):
    if search_function in _searches:
        _searches.remove(search_function)


def register_error(name, handler):
    """Keeps a handler; the encodings that are here know those of CPython alone."""
    if not callable(handler):
        raise TypeError("handler must be callable")
    _handlers[name] = handler


def lookup_error(name):
    if name not in _handlers:
        raise LookupError(f"unknown error handler name '{name}'")
    return _handlers[name]


class Codec:
    def encode(self, input, errors="strict"):
        raise NotImplementedError

    def decode(self, input, errors="strict"):
        raise NotImplementedError


class IncrementalEncoder:
    def __init__(self, errors="strict"):
        self.errors = errors

    def encode(self, input, final=False):
        raise NotImplementedError

    def reset(self):
        """There is no state."""


class IncrementalDecoder(IncrementalEncoder):
    def decode(self, input, final=False):
        raise NotImplementedError
