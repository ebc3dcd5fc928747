"""Files and folders for a while, of names that nothing else has."""

import io as _io
import os as _os
from random import Random as _Random

__all__ = [
    "NamedTemporaryFile", "SpooledTemporaryFile", "TemporaryDirectory", "TemporaryFile",
    "gettempdir", "gettempdirb", "gettempprefix", "gettempprefixb", "mkdtemp", "mkstemp", "mktemp",
    "tempdir",
]  # fmt: skip

TMP_MAX = 10000
template = "tmp"
tempdir = None
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_"
_random = None


def gettempprefix():
    return template


def gettempprefixb():
    return template.encode()


def gettempdir():
    global tempdir
    if tempdir is None:
        wanted = [_os.environ.get(name) for name in ("TMPDIR", "TEMP", "TMP")]
        for folder in [*wanted, "/tmp", "/var/tmp", "/usr/tmp", _os.getcwd()]:
            if folder and _os.path.isdir(folder):
                tempdir = _os.path.abspath(folder)
                break
        else:
            raise FileNotFoundError(2, "No usable temporary directory found")
    return tempdir


def gettempdirb():
    return gettempdir().encode()


def _names(suffix, prefix, dir):
    global _random
    if _random is None:
        _random = _Random()
    folder = _os.path.abspath(gettempdir() if dir is None else _os.fspath(dir))
    prefix = template if prefix is None else prefix
    for _ in range(TMP_MAX):
        middle = "".join(_random.choices(_LETTERS, k=8))
        yield _os.path.join(folder, prefix + middle + ("" if suffix is None else suffix))
    raise FileExistsError(17, "No usable temporary file name found")


def mktemp(suffix="", prefix=template, dir=None):
    return next(path for path in _names(suffix, prefix, dir) if not _os.path.lexists(path))


def mkdtemp(suffix=None, prefix=None, dir=None):
    for path in _names(suffix, prefix, dir):
        try:
            _os.mkdir(path)
        except FileExistsError:
            continue
        return path


def mkstemp(suffix=None, prefix=None, dir=None, text=False):
    raise NotImplementedError("file descriptors are not supported yet: NamedTemporaryFile has none")


def _opened(mode, encoding, newline, errors, suffix, prefix, dir):
    """A new file of such a name that is open."""
    for path in _names(suffix, prefix, dir):
        try:
            with open(path, "x"):
                pass
        except FileExistsError:
            continue
        options = {} if "b" in mode else {"encoding": encoding, "newline": newline, "errors": errors}
        return path, open(path, mode, **options)


class _TemporaryFileWrapper:
    """A file that is removed when it is closed."""

    def __init__(self, file, name, delete=True):
        self.file = file
        self.name = name
        self.delete = delete

    def __getattr__(self, name):
        return getattr(self.file, name)

    def close(self):
        if not self.file.closed:
            self.file.close()
            if self.delete and _os.path.exists(self.name):
                _os.unlink(self.name)

    def __enter__(self):
        self.file.__enter__()
        return self

    def __exit__(self, *exception):
        self.close()

    def __iter__(self):
        yield from self.file


def NamedTemporaryFile(
    mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None,
    delete=True, *, errors=None,
):  # fmt: skip
    path, file = _opened(mode, encoding, newline, errors, suffix, prefix, dir)
    return _TemporaryFileWrapper(file, path, delete)


def TemporaryFile(
    mode="w+b", buffering=-1, encoding=None, newline=None, suffix=None, prefix=None, dir=None,
    *, errors=None,
):  # fmt: skip
    """A file without a name: what is written is kept in memory."""
    data = _io.BytesIO()
    if "b" in mode:
        return data
    return _io.StringIO(newline=newline if newline is not None else "\n")


class SpooledTemporaryFile:
    """The same, which may be asked to become a file."""

    def __init__(self, max_size=0, mode="w+b", buffering=-1, encoding=None, newline=None,
                 suffix=None, prefix=None, dir=None, *, errors=None):  # fmt: skip
        self._file = TemporaryFile(mode, encoding=encoding, newline=newline)
        self._rolled = False
        self.mode = mode

    def rollover(self):
        self._rolled = True

    def __getattr__(self, name):
        return getattr(self._file, name)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self._file.close()

    def __iter__(self):
        return iter(self._file)


class TemporaryDirectory:
    """A folder that is removed with all that is in it."""

    def __init__(self, suffix=None, prefix=None, dir=None, ignore_cleanup_errors=False):
        self.name = mkdtemp(suffix, prefix, dir)
        self._ignores = ignore_cleanup_errors

    def cleanup(self):
        try:
            _remove(self.name)
        except OSError:
            if not self._ignores:
                raise

    def __enter__(self):
        return self.name

    def __exit__(self, *exception):
        self.cleanup()

    def __repr__(self):
        return f"<{type(self).__name__} {self.name!r}>"


def _remove(folder):
    if not _os.path.isdir(folder):
        return
    for name in _os.listdir(folder):
        path = _os.path.join(folder, name)
        if _os.path.isdir(path) and not _os.path.islink(path):
            _remove(path)
        else:
            _os.unlink(path)
    _os.rmdir(folder)
