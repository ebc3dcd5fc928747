"""Digests of bytes."""

from _verdigris import digest as _digest

# Digests in bytes, blocks in bytes.
_SIZES = {
    "md5": (16, 64),
    "sha1": (20, 64),
    "sha224": (28, 64),
    "sha256": (32, 64),
    "sha384": (48, 128),
    "sha512": (64, 128),
}

algorithms_guaranteed = set(_SIZES)
algorithms_available = set(_SIZES)


class _Hash:
    def __init__(self, name, data):
        self.name = name
        self.digest_size, self.block_size = _SIZES[name]
        self._parts = []
        self.update(data)

    def update(self, data, /):
        if isinstance(data, str):
            raise TypeError("Strings must be encoded before hashing")
        if not isinstance(data, (bytes, bytearray)):
            try:
                data = memoryview(data).tobytes()
            except TypeError:
                raise TypeError("object supporting the buffer API required") from None
        self._parts.append(bytes(data))

    def digest(self):
        self._parts = [b"".join(self._parts)]
        return _digest(self.name, self._parts[0])

    def hexdigest(self):
        return self.digest().hex()

    def copy(self):
        self.digest()
        return _Hash(self.name, self._parts[0])

    def __repr__(self):
        return f"<{self.name} _hashlib.HASH object @ {hex(id(self))}>"


def new(name, data=b"", *, usedforsecurity=True):
    known = name.lower()
    if known not in _SIZES:
        raise ValueError(f"unsupported hash type {name}")
    return _Hash(known, data)


def md5(string=b"", *, usedforsecurity=True):
    return _Hash("md5", string)


def sha1(string=b"", *, usedforsecurity=True):
    return _Hash("sha1", string)


def sha224(string=b"", *, usedforsecurity=True):
    return _Hash("sha224", string)


def sha256(string=b"", *, usedforsecurity=True):
    return _Hash("sha256", string)


def sha384(string=b"", *, usedforsecurity=True):
    return _Hash("sha384", string)


def sha512(string=b"", *, usedforsecurity=True):
    return _Hash("sha512", string)
