"""Files of text. One is read as a whole when it is opened, and written as a whole when it is
closed or flushed."""

from _verdigris import read_file as _read_file, read_line as _read_line, write_file as _write_file

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2


class UnsupportedOperation(OSError, ValueError):
    pass


class _Text:
    """Lines of a text that is there, and a text that is being written."""

    def __init__(self, text="", readable=True, writable=True):
        self._text = text
        self._at = 0
        self._is_readable = readable
        self._is_writable = writable
        self.closed = False

    def _check(self, is_allowed, what):
        if self.closed:
            raise ValueError("I/O operation on closed file.")
        if not is_allowed:
            raise UnsupportedOperation(f"not {what}")

    def readable(self):
        return self._is_readable

    def writable(self):
        return self._is_writable

    def seekable(self):
        return True

    def read(self, size=-1):
        self._check(self._is_readable, "readable")
        end = len(self._text)
        if size is not None and size >= 0:
            end = min(end, self._at + size)
        read = self._text[self._at : end]
        self._at = max(self._at, end)
        return read

    def readline(self, size=-1):
        self._check(self._is_readable, "readable")
        end = self._text.find("\n", self._at) + 1
        if end == 0:
            end = len(self._text)
        if size is not None and size >= 0:
            end = min(end, self._at + size)
        line = self._text[self._at : end]
        self._at = end
        return line

    def readlines(self, hint=-1):
        return list(self)

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def write(self, text):
        self._check(self._is_writable, "writable")
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if self._at == len(self._text):
            self._text += text
        else:
            self._text = self._text[: self._at] + text + self._text[self._at + len(text) :]
        self._at += len(text)
        return len(text)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def tell(self):
        return self._at

    def seek(self, offset, whence=SEEK_SET):
        if whence == SEEK_END:
            offset += len(self._text)
        elif whence == SEEK_CUR:
            offset += self._at
        self._at = min(offset, len(self._text))
        return self._at

    def truncate(self, size=None):
        size = self._at if size is None else size
        self._text = self._text[:size]
        return size

    def flush(self):
        pass

    def close(self):
        self.closed = True

    def isatty(self):
        return False

    def __enter__(self):
        self._check(True, "")
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        self.close()


class StringIO(_Text):
    def __init__(self, initial_value="", newline="\n"):
        super().__init__("" if initial_value is None else initial_value)

    def getvalue(self):
        if self.closed:
            raise ValueError("I/O operation on closed file")
        return self._text


class TextIOWrapper(_Text):
    def __init__(self, name, mode):
        kind = mode.replace("t", "").replace("+", "")
        if kind not in ("r", "w", "a", "x"):
            raise ValueError(f"invalid mode: {mode!r}")
        updates = "+" in mode
        text = _read_file(name) if kind == "r" else ""
        super().__init__(text, kind == "r" or updates, kind != "r" or updates)
        self.name = name
        self.mode = mode
        self.encoding = "UTF-8"
        self._appends = kind == "a"
        self._parts = []
        self._streams = not updates and kind != "r"
        if kind != "r":
            _write_file(name, "", kind)

    def write(self, text):
        if not self._streams:
            return super().write(text)
        self._check(self._is_writable, "writable")
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self._parts.append(text)
        return len(text)

    def flush(self):
        self._check(True, "")
        if self._streams:
            if self._parts:
                _write_file(self.name, "".join(self._parts), "a")
                self._parts.clear()
        elif self._is_writable:
            _write_file(self.name, self._text, "w")

    def close(self):
        if not self.closed:
            self.flush()
            self.closed = True

    def __repr__(self):
        return f"<_io.TextIOWrapper name={self.name!r} mode={self.mode!r} encoding='UTF-8'>"


class _StandardInput:
    closed = False
    name = "<stdin>"

    def readline(self, size=-1):
        return _read_line()

    def read(self, size=-1):
        return "".join(list(self))

    def readlines(self, hint=-1):
        return list(self)

    def __iter__(self):
        return self

    def __next__(self):
        line = _read_line()
        if not line:
            raise StopIteration
        return line


_stdin = _StandardInput()


def _standard_input():
    return _stdin


def open(file, mode="r", buffering=-1, encoding=None, errors=None, newline=None, closefd=True):
    if "b" in mode:
        raise NotImplementedError("binary files are not supported yet")
    if encoding not in (None, "utf-8", "utf8", "UTF-8", "ascii"):
        raise NotImplementedError(f"the encoding {encoding!r} is not supported yet")
    if not isinstance(file, str):
        raise NotImplementedError("files that are not named by strings are not supported yet")
    return TextIOWrapper(file, mode)
