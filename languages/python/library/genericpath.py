"""What all kinds of paths have in common."""

from _verdigris import path_operation as _operate

__all__ = [
    "commonprefix", "exists", "getatime", "getctime", "getmtime", "getsize", "isdir", "isfile",
    "samefile",
]  # fmt: skip


def fspath(path):
    if isinstance(path, str):
        return path
    if isinstance(path, (bytes, bytearray)):
        raise NotImplementedError("paths that are bytes are not supported yet")
    found = getattr(type(path), "__fspath__", None)
    if found is None:
        name = type(path).__name__
        raise TypeError(f"expected str, bytes or os.PathLike object, not {name}")
    made = found(path)
    if not isinstance(made, (str, bytes)):
        raise TypeError(
            f"expected {type(path).__name__}.__fspath__() to return str or bytes, "
            f"not {type(made).__name__}"
        )
    return made


def _mode(path, name="stat"):
    """The kind of what is there; 0 if nothing is."""
    try:
        return _operate(name, fspath(path), "")[0] & 0o170000
    except (OSError, ValueError):
        return 0


def exists(path):
    return _mode(path) != 0


def lexists(path):
    return _mode(path, "lstat") != 0


def isfile(path):
    return _mode(path) == 0o100000


def isdir(s):
    return _mode(s) == 0o040000


def islink(path):
    return _mode(path, "lstat") == 0o120000


def getsize(filename):
    return _operate("stat", fspath(filename), "")[6]


def getatime(filename):
    return _operate("stat", fspath(filename), "")[7]


def getmtime(filename):
    return _operate("stat", fspath(filename), "")[8]


def getctime(filename):
    return _operate("stat", fspath(filename), "")[9]


def samefile(f1, f2):
    one, two = (_operate("stat", fspath(path), "") for path in (f1, f2))
    return one[1:3] == two[1:3]


def commonprefix(m):
    if not m:
        return ""
    least, most = min(m), max(m)
    for n, item in enumerate(least):
        if item != most[n]:
            return least[:n]
    return least


def _splitext(p, sep, altsep, extsep):
    """A path without its extension, and that: from the last dot on, unless only dots precede it."""
    start = max(p.rfind(sep), p.rfind(altsep) if altsep else -1) + 1
    dot = p.rfind(extsep)
    if dot <= start or not p[start:dot].strip(extsep):
        return p, p[:0]
    return p[:dot], p[dot:]


def _check_arg_types(funcname, *args):
    kinds = {isinstance(arg, bytes) for arg in args}
    for arg in args:
        if not isinstance(arg, (str, bytes)):
            raise TypeError(
                f"{funcname}() argument must be str, bytes, or os.PathLike object, "
                f"not {type(arg).__name__!r}"
            )
    if len(kinds) > 1:
        raise TypeError("Can't mix strings and bytes in path components")
