"""Files of text and of bytes. One is read as a whole when it is opened, and written as a whole when
it is closed or flushed."""

from _verdigris import read_file as _read_file, read_line as _read_line, write_file as _write_file

SEEK_SET, SEEK_CUR, SEEK_END = 0, 1, 2
DEFAULT_BUFFER_SIZE = 8192


def text_encoding(encoding, stacklevel=2):
    return "utf-8" if encoding is None else encoding


class UnsupportedOperation(OSError, ValueError):
    pass


class IOBase:
    """What all streams have, for those that a program makes."""

    closed = False

    def readable(self):
        return False

    writable = seekable = isatty = readable

    def flush(self):
        if self.closed:
            raise ValueError("I/O operation on closed file.")

    def close(self):
        if not self.closed:
            self.flush()
            self.closed = True

    def fileno(self):
        raise UnsupportedOperation("fileno")

    seek = tell = truncate = fileno

    def readline(self, size=-1):
        made = []
        while size < 0 or len(made) < size:
            part = self.read(1)
            made.append(part)
            if not part or part in ("\n", b"\n"):
                break
        return made[0][:0].join(made)

    def readlines(self, hint=-1):
        return list(self)

    def writelines(self, lines):
        for line in lines:
            self.write(line)

    def __iter__(self):
        return self

    def __next__(self):
        line = self.readline()
        if not line:
            raise StopIteration
        return line

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


class RawIOBase(IOBase):
    pass


class BufferedIOBase(IOBase):
    pass


class TextIOBase(IOBase):
    encoding = errors = newlines = None


class _Stream(IOBase):
    """Lines of a text that is there, and a text that is being written; or the same of bytes."""

    _newline = "\n"

    def __init__(self, text, readable=True, writable=True):
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
        end = self._text.find(self._newline, self._at) + 1
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

    def _checked(self, text):
        self._check(self._is_writable, "writable")
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        return text

    def write(self, text):
        return self._write_inside(self._checked(text))

    def _write_inside(self, text):
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


class _Bytes(_Stream, BufferedIOBase):
    _newline = b"\n"

    def _checked(self, data):
        self._check(self._is_writable, "writable")
        if isinstance(data, (bytes, bytearray)):
            return bytes(data)
        try:
            return memoryview(data).tobytes()
        except TypeError:
            name = type(data).__name__
            raise TypeError(f"a bytes-like object is required, not '{name}'") from None

    def readinto(self, buffer):
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    read1 = _Stream.read


class _Growing:
    """What was written at the end is in parts until somebody wants to see it: a text that grows by
    each would be copied each time."""

    def _begin(self):
        self._parts = []
        self._added = 0
        self._whole = self._newline[:0]

    @property
    def _text(self):
        if self._parts:
            self._whole += self._newline[:0].join(self._parts)
            self._parts.clear()
            self._added = 0
        return self._whole

    @_text.setter
    def _text(self, text):
        self._parts.clear()
        self._added = 0
        self._whole = text

    def write(self, text):
        text = self._checked(text)
        if self._at != len(self._whole) + self._added:
            return self._write_inside(text)
        self._parts.append(text)
        self._added += len(text)
        self._at += len(text)
        return len(text)

    def getvalue(self):
        if self.closed:
            raise ValueError(self._closed_message)
        return self._text


class StringIO(_Growing, _Stream, TextIOBase):
    _closed_message = "I/O operation on closed file"

    def __init__(self, initial_value="", newline="\n"):
        self._begin()
        super().__init__("" if initial_value is None else initial_value)


class BytesIO(_Growing, _Bytes):
    _closed_message = "I/O operation on closed file."

    def __init__(self, initial_bytes=b""):
        self._begin()
        super().__init__(bytes(initial_bytes))

    def getbuffer(self):
        """A view of a copy of what is there: a stream has no bytes that could be looked at."""
        return memoryview(bytearray(self.getvalue()))


class _File:
    """What files have beside what is in them."""

    def _open(self, name, mode):
        kind = mode.replace("t", "").replace("b", "").replace("+", "")
        if kind not in ("r", "w", "a", "x"):
            raise ValueError(f"invalid mode: {mode!r}")
        updates = "+" in mode
        self.name = name
        self.mode = mode
        self._parts = []
        self._streams = not updates and kind != "r"
        if kind != "r":
            _write_file(name, b"", kind)
        data = _read_file(name) if kind == "r" or kind == "a" and updates else b""
        return data, kind == "r" or updates, kind != "r" or updates

    def write(self, text):
        if not self._streams:
            return super().write(text)
        text = self._checked(text)
        self._parts.append(text)
        return len(text)

    def flush(self):
        self._check(True, "")
        if self._streams:
            if self._parts:
                self._put(self._encoded(self._newline[:0].join(self._parts)), "a")
                self._parts.clear()
        elif self._is_writable:
            self._put(self._encoded(self._text), "w")

    def _begin_at_end(self):
        """What is added to a file comes behind what is there."""
        if "a" in self.mode and not self._streams:
            self._at = len(self._text)

    def _put(self, data, mode):
        _write_file(self.name, data, mode)

    def close(self):
        if not self.closed:
            self.flush()
            self.closed = True


class TextIOWrapper(_File, _Stream, TextIOBase):
    """A file of text, or a text that is in a stream of bytes."""

    def __init__(
        self,
        buffer,
        encoding=None,
        errors=None,
        newline=None,
        line_buffering=False,
        write_through=False,
    ):
        self._prepare(encoding, errors, newline)
        self.buffer = buffer
        self.line_buffering = line_buffering
        self._parts = []
        readable = buffer.readable()
        self._streams = not readable
        data = buffer.read() if readable else b""
        super().__init__(self._decoded(data), readable, buffer.writable())

    @classmethod
    def _of_file(cls, name, mode, encoding, errors, newline):
        self = cls.__new__(cls)
        self._prepare(encoding, errors, newline)
        data, readable, writable = self._open(name, mode)
        _Stream.__init__(self, self._decoded(data), readable, writable)
        self._begin_at_end()
        return self

    def _prepare(self, encoding, errors, newline):
        encoding = None if encoding == "locale" else encoding
        if newline not in (None, "", "\n", "\r", "\r\n"):
            raise ValueError(f"illegal newline value: {newline}")
        self.encoding = "UTF-8" if encoding is None else encoding
        self.errors = "strict" if errors is None else errors
        "".encode(self.encoding)
        self._ends = newline

    def _decoded(self, data):
        text = data.decode(self.encoding, self.errors)
        if self._ends is None and "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        return text

    def _put(self, data, mode):
        if not hasattr(self, "buffer"):
            super()._put(data, mode)
        elif self._streams:
            self.buffer.write(data)

    def close(self):
        is_open = not self.closed
        super().close()
        if is_open and hasattr(self, "buffer"):
            self.buffer.close()

    def _encoded(self, text):
        if self._ends in ("\r", "\r\n"):
            text = text.replace("\n", self._ends)
        return text.encode(self.encoding, self.errors)

    def __repr__(self):
        encoding = self.encoding
        return f"<_io.TextIOWrapper name={self.name!r} mode={self.mode!r} encoding={encoding!r}>"


class _Buffered(_File, _Bytes):
    def __init__(self, name, mode):
        super().__init__(*self._open(name, mode))
        self._begin_at_end()

    def _encoded(self, data):
        return data

    def __repr__(self):
        return f"<_io.{type(self).__name__} name={self.name!r}>"


class BufferedReader(_Buffered):
    pass


class BufferedWriter(_Buffered):
    pass


class BufferedRandom(_Buffered):
    pass


class _StandardInput(TextIOBase):
    name, mode, encoding, errors = "<stdin>", "r", "utf-8", "strict"

    def readable(self):
        return True

    def fileno(self):
        return 0

    def close(self):
        """It is left as it is: others may go on reading."""

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
    if hasattr(file, "__fspath__"):
        file = file.__fspath__()
    if isinstance(file, bytes):
        file = file.decode()
    if not isinstance(file, str):
        raise NotImplementedError("files that are not named by strings are not supported yet")
    if "b" not in mode:
        return TextIOWrapper._of_file(file, mode, encoding, errors, newline)
    if "t" in mode:
        raise ValueError("can't have text and binary mode at once")
    for name, value in (("encoding", encoding), ("errors", errors), ("newline", newline)):
        if value is not None:
            article = "a" if name == "newline" else "an"
            raise ValueError(f"binary mode doesn't take {article} {name} argument")
    if "+" in mode:
        return BufferedRandom(file, mode)
    return BufferedReader(file, mode) if "r" in mode else BufferedWriter(file, mode)
