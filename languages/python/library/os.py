"""What the system has: folders, files, the environment."""

import posixpath as path
import sys as _sys
from abc import ABC as _ABC, abstractmethod as _abstractmethod
from _verdigris import environment as _environment, path_operation as _operate
from collections.abc import MutableMapping as _MutableMapping
from genericpath import fspath

_sys.modules["os.path"] = path

name = "posix"
curdir, pardir, extsep, sep, altsep, pathsep = ".", "..", ".", "/", None, ":"
SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
defpath, linesep, devnull = "/bin:/usr/bin", "\n", "/dev/null"
O_RDONLY, O_WRONLY, O_RDWR, O_CREAT, O_EXCL, O_TRUNC, O_APPEND = 0, 1, 2, 64, 128, 512, 1024
O_NOCTTY, O_NONBLOCK, O_CLOEXEC, O_NOFOLLOW, O_DIRECTORY = 256, 2048, 0x80000, 0x20000, 0x10000
error = OSError
F_OK, R_OK, W_OK, X_OK = 0, 4, 2, 1


class PathLike(_ABC):
    @_abstractmethod
    def __fspath__(self):
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, subclass):
        if cls is PathLike and hasattr(subclass, "__fspath__"):
            return True
        return NotImplemented

    def __class_getitem__(cls, item):
        from types import GenericAlias

        return GenericAlias(cls, item)


class _Environ(_MutableMapping):
    def __init__(self, data):
        self._data = data

    def _checked(self, value):
        if not isinstance(value, str):
            raise TypeError(f"str expected, not {type(value).__name__}")
        return value

    def __getitem__(self, key):
        return self._data[self._checked(key)]

    def __setitem__(self, key, value):
        self._data[self._checked(key)] = self._checked(value)

    def __delitem__(self, key):
        del self._data[self._checked(key)]

    def __iter__(self):
        return iter(list(self._data))

    def __len__(self):
        return len(self._data)

    def __repr__(self):
        shown = ", ".join(f"{key!r}: {value!r}" for key, value in self._data.items())
        return f"environ({{{shown}}})"

    def copy(self):
        return dict(self)

    def setdefault(self, key, value):
        if key not in self:
            self[key] = value
        return self[key]

    def __or__(self, other):
        return {**self, **other}

    def __ror__(self, other):
        return {**other, **self}


# Programs that are started would see it, but none can be.
environ = _Environ(_environment())


def getenv(key, default=None):
    return environ.get(key, default)


def putenv(name, value):
    pass


def unsetenv(name):
    pass


class stat_result(tuple):
    """What is known of a file: its first ten items as of old."""

    def __new__(cls, parts):
        made = super().__new__(cls, [int(part) for part in parts])
        made.st_atime, made.st_mtime, made.st_ctime = parts[7:]
        made.st_atime_ns, made.st_mtime_ns, made.st_ctime_ns = [int(x * 1e9) for x in parts[7:]]
        return made

    def __repr__(self):
        shown = ", ".join(f"{name}={value}" for name, value in zip(_STAT, self))
        return f"os.stat_result({shown})"


_STAT = (
    "st_mode", "st_ino", "st_dev", "st_nlink", "st_uid", "st_gid", "st_size", "st_atime",
    "st_mtime", "st_ctime",
)  # fmt: skip
for _n, _name in enumerate(_STAT[:7]):
    setattr(stat_result, _name, property(lambda self, _n=_n: self[_n]))


supports_dir_fd = set()
supports_fd = set()
supports_follow_symlinks = set()
supports_effective_ids = set()
supports_bytes_environ = False


def open(path, flags, mode=0o777, *, dir_fd=None):
    raise NotImplementedError("file descriptors are not supported yet")


close = read = write = dup = fdopen = open


class terminal_size(tuple):
    """How many columns and lines a terminal has."""

    columns = property(lambda self: self[0])
    lines = property(lambda self: self[1])

    def __repr__(self):
        return f"os.terminal_size(columns={self[0]}, lines={self[1]})"


def get_terminal_size(fd=1):
    raise OSError(25, "Inappropriate ioctl for device")


def stat(path, *, follow_symlinks=True):
    return stat_result(_operate("stat" if follow_symlinks else "lstat", fspath(path), ""))


def lstat(path):
    return stat(path, follow_symlinks=False)


def getcwd():
    return _operate("getcwd", "", "")


def getpid():
    return _operate("getpid", "", "")


def chdir(path):
    _operate("chdir", fspath(path), "")


def listdir(path="."):
    return _operate("listdir", "." if path is None else fspath(path), "")


def mkdir(path, mode=0o777):
    _operate("mkdir", fspath(path), mode)


def makedirs(name, mode=0o777, exist_ok=False):
    name = fspath(name)
    head, tail = path.split(name)
    if not tail:
        head, tail = path.split(head)
    if head and tail and not path.exists(head):
        makedirs(head, exist_ok=exist_ok)
        if tail == ".":
            return
    try:
        mkdir(name, mode)
    except OSError:
        if not exist_ok or not path.isdir(name):
            raise


def remove(path):
    _operate("remove", fspath(path), "")


unlink = remove


def rmdir(path):
    _operate("rmdir", fspath(path), "")


def removedirs(name):
    name = fspath(name)
    rmdir(name)
    head, tail = path.split(name)
    if not tail:
        head, tail = path.split(head)
    while head and tail:
        try:
            rmdir(head)
        except OSError:
            break
        head, tail = path.split(head)


def rename(src, dst):
    _operate("rename", fspath(src), fspath(dst))


replace = rename


def renames(old, new):
    head, tail = path.split(new)
    if head and tail and not path.exists(head):
        makedirs(head)
    rename(old, new)


def symlink(src, dst):
    _operate("symlink", fspath(src), fspath(dst))


def link(src, dst):
    _operate("link", fspath(src), fspath(dst))


def readlink(path):
    return _operate("readlink", fspath(path), "")


def chmod(path, mode, *, dir_fd=None, follow_symlinks=True):
    _operate("chmod", fspath(path), mode)


def access(path, mode):
    try:
        known = stat(path)
    except OSError:
        return False
    if mode == F_OK:
        return True
    raise NotImplementedError("'os.access()' with a mode other than F_OK is not supported yet")


def fsencode(filename):
    filename = filename if isinstance(filename, bytes) else fspath(filename)
    return filename if isinstance(filename, bytes) else filename.encode()


def fsdecode(filename):
    return filename.decode() if isinstance(filename, bytes) else fspath(filename)


class DirEntry:
    def __init__(self, folder, name):
        self.name = name
        self.path = path.join(folder, name)

    def __fspath__(self):
        return self.path

    def __repr__(self):
        return f"<DirEntry {self.name!r}>"

    def is_dir(self, *, follow_symlinks=True):
        return path.isdir(self.path) and (follow_symlinks or not self.is_symlink())

    def is_file(self, *, follow_symlinks=True):
        return path.isfile(self.path) and (follow_symlinks or not self.is_symlink())

    def is_symlink(self):
        return path.islink(self.path)

    def stat(self, *, follow_symlinks=True):
        return stat(self.path, follow_symlinks=follow_symlinks)

    def inode(self):
        return lstat(self.path).st_ino


class _Scan:
    def __init__(self, entries):
        self._entries = entries

    def __iter__(self):
        return self

    def __next__(self):
        return next(self._entries)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        self._entries = iter(())


def scandir(path="."):
    folder = "." if path is None else fspath(path)
    return _Scan(iter([DirEntry(folder, name) for name in listdir(folder)]))


def walk(top, topdown=True, onerror=None, followlinks=False):
    top = fspath(top)
    try:
        entries = list(scandir(top))
    except OSError as failed:
        if onerror is not None:
            onerror(failed)
        return
    folders = [entry.name for entry in entries if entry.is_dir()]
    files = [entry.name for entry in entries if not entry.is_dir()]
    if topdown:
        yield top, folders, files
    for folder in folders:
        below = path.join(top, folder)
        if followlinks or not path.islink(below):
            yield from walk(below, topdown, onerror, followlinks)
    if not topdown:
        yield top, folders, files


def strerror(code):
    return _operate("strerror", "", code)


def cpu_count():
    return _operate("cpu_count", "", "")


def urandom(size):
    return _operate("urandom", "", size)
