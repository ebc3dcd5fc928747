"""Paths as texts, and what is where they lead."""

from _verdigris import environment as _environment, path_operation as _operate
import genericpath as _genericpath
from genericpath import fspath as _fspath, commonprefix, exists, getatime, getctime, getmtime
from genericpath import getsize, isdir, isfile, islink, lexists, samefile

curdir = "."
pardir = ".."
extsep = "."
sep = "/"
pathsep = ":"
defpath = "/bin:/usr/bin"
altsep = None
devnull = "/dev/null"
supports_unicode_filenames = False


def normcase(s):
    return _fspath(s)


def isabs(s):
    return _fspath(s).startswith("/")


def join(a, *p):
    path = _fspath(a)
    for part in p:
        try:
            part = _fspath(part)
        except TypeError:
            name = type(part).__name__
            message = f"join() argument must be str, bytes, or os.PathLike object, not {name!r}"
            raise TypeError(message) from None
        if part.startswith("/"):
            path = part
        elif not path or path.endswith("/"):
            path += part
        else:
            path += "/" + part
    return path


def split(p):
    p = _fspath(p)
    at = p.rfind("/") + 1
    head, tail = p[:at], p[at:]
    if head.strip("/"):
        head = head.rstrip("/")
    return head, tail


def splitext(p):
    p = _fspath(p)
    start = p.rfind("/") + 1
    dot = p.rfind(".")
    if dot > start and p[start:dot].strip("."):
        return p[:dot], p[dot:]
    return p, ""


def splitdrive(p):
    return "", _fspath(p)


def basename(p):
    p = _fspath(p)
    return p[p.rfind("/") + 1 :]


def dirname(p):
    return split(p)[0]


def ismount(path):
    try:
        one, two = _operate("lstat", path, ""), _operate("lstat", join(path, ".."), "")
    except OSError:
        return False
    return one[2] != two[2] or one[1] == two[1]


def expanduser(path):
    path = _fspath(path)
    if not path.startswith("~"):
        return path
    end = path.find("/")
    if end < 0:
        end = len(path)
    home = _environment().get("HOME") if end == 1 else None
    if home is None:
        return path
    return home.rstrip("/") + path[end:] or "/"


def expandvars(path):
    path = _fspath(path)
    known = _environment()
    made, at = [], 0
    while at < len(path):
        c = path[at]
        end = at + 1
        name = None
        if c == "$" and path[end : end + 1] == "{":
            close = path.find("}", end)
            if close >= 0:
                name, end = path[end + 1 : close], close + 1
        elif c == "$":
            while end < len(path) and (path[end] == "_" or path[end].isascii() and path[end].isalnum()):
                end += 1
            name = path[at + 1 : end]
        if name is not None and name in known:
            made.append(known[name])
        else:
            made.append(path[at:end])
        at = end
    return "".join(made)


def normpath(path):
    path = _fspath(path)
    if not path:
        return "."
    # Two slashes in front may mean something of their own.
    slashes = 0
    if path.startswith("/"):
        slashes = 2 if path.startswith("//") and not path.startswith("///") else 1
    parts = []
    for part in path.split("/"):
        if part in ("", "."):
            continue
        if part != ".." or not slashes and (not parts or parts[-1] == ".."):
            parts.append(part)
        elif parts:
            parts.pop()
    return "/" * slashes + "/".join(parts) or "."


def abspath(path):
    path = _fspath(path)
    if not isabs(path):
        path = join(_operate("getcwd", "", ""), path)
    return normpath(path)


def realpath(filename, *, strict=False):
    path = abspath(filename)
    try:
        return _operate("realpath", path, "")
    except OSError:
        if strict:
            raise
    head, tail = split(path)
    return path if head == path else join(realpath(head), tail)


def relpath(path, start=None):
    if not path:
        raise ValueError("no path specified")
    begin = abspath("." if start is None else start).split("/")
    whole = abspath(path).split("/")
    begin = [part for part in begin if part]
    whole = [part for part in whole if part]
    same = len(commonprefix([begin, whole]))
    return "/".join([".."] * (len(begin) - same) + whole[same:]) or "."


def commonpath(paths):
    paths = [_fspath(path) for path in paths]
    if not paths:
        raise ValueError("commonpath() arg is an empty sequence")
    absolute = {path.startswith("/") for path in paths}
    if len(absolute) > 1:
        raise ValueError("Can't mix absolute and relative paths")
    split_paths = [[p for p in path.split("/") if p and p != "."] for path in paths]
    return "/" * absolute.pop() + "/".join(commonprefix(split_paths))


def sameopenfile(fp1, fp2):
    raise NotImplementedError("file descriptors are not supported yet")
