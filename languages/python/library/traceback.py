"""Tracebacks as texts and as lists."""

import sys
from _verdigris import source_line as _source_line, traceback_text as _text


class FrameSummary:
    def __init__(self, filename, lineno, name, *, lookup_line=True, locals=None, line=None):
        self.filename = filename
        self.lineno = lineno
        self.name = name
        self.locals = None if locals is None else {key: repr(locals[key]) for key in locals}
        self._line = line

    @property
    def line(self):
        if self._line is None:
            self._line = _line_of(self.filename, self.lineno)
        return self._line.strip()

    def _parts(self):
        return self.filename, self.lineno, self.name, self.line

    def __iter__(self):
        return iter(self._parts())

    def __getitem__(self, n):
        return self._parts()[n]

    def __len__(self):
        return 4

    def __eq__(self, other):
        return self._parts() == tuple(other)

    def __repr__(self):
        return f"<FrameSummary file {self.filename}, line {self.lineno} in {self.name}>"


_files = {}


def _line_of(filename, lineno):
    if filename not in _files:
        try:
            with open(filename) as file:
                _files[filename] = file.read().split("\n")
        except (OSError, UnicodeDecodeError):
            _files[filename] = []
    lines = _files[filename]
    return lines[lineno - 1] if 0 < lineno <= len(lines) else ""


class StackSummary(list):
    @classmethod
    def from_list(cls, rows):
        made = cls()
        for row in rows:
            if not isinstance(row, FrameSummary):
                filename, lineno, name, line = row
                row = FrameSummary(filename, lineno, name, line=line)
            made.append(row)
        return made

    @classmethod
    def extract(cls, frames, *, limit=None, lookup_lines=True, capture_locals=False):
        made = cls()
        for frame, lineno in _limited(list(frames), limit):
            code = frame.f_code
            line = _source_line(code, lineno)
            made.append(FrameSummary(code.co_filename, lineno, code.co_name, line=line))
        return made

    def format(self):
        made = []
        last, count = None, 0
        for row in self:
            key = (row.filename, row.lineno, row.name)
            count = count + 1 if key == last else 1
            if key != last:
                last = key
            text = f'  File "{row.filename}", line {row.lineno}, in {row.name}\n'
            if row.line:
                text += f"    {row.line}\n"
            made.append(text)
        return made


def _limited(rows, limit):
    if limit is None:
        return rows
    return rows[:limit] if limit >= 0 else rows[limit:]


def walk_tb(tb):
    while tb is not None:
        yield tb.tb_frame, tb.tb_lineno
        tb = tb.tb_next


def walk_stack(frame):
    if frame is None:
        frame = sys._getframe(0)
    while frame is not None:
        yield frame, frame.f_lineno
        frame = frame.f_back


def extract_tb(tb, limit=None):
    return StackSummary.extract(walk_tb(tb), limit=limit)


def extract_stack(f=None, limit=None):
    made = StackSummary.extract(walk_stack(f), limit=limit)
    made.reverse()
    return made


def format_list(rows):
    return StackSummary.from_list(rows).format()


def format_tb(tb, limit=None):
    return extract_tb(tb, limit).format()


def format_stack(f=None, limit=None):
    return extract_stack(f, limit).format()


def print_list(rows, file=None):
    print("".join(format_list(rows)), end="", file=file or sys.stderr)


def print_tb(tb, limit=None, file=None):
    print_list(extract_tb(tb, limit), file)


def print_stack(f=None, limit=None, file=None):
    print_list(extract_stack(f, limit), file)


_none = object()


def _of(exc, value):
    """Both forms of arguments: an exception, or its class and itself."""
    return exc if value is _none else value


def format_exception_only(exc, value=_none):
    value = _of(exc, value)
    if value is None:
        return ["NoneType: None\n"]
    kind = type(value)
    name = kind.__qualname__
    if kind.__module__ not in ("__main__", "builtins"):
        name = f"{kind.__module__}.{name}"
    try:
        said = str(value)
    except Exception:
        said = "<exception str() failed>"
    made = [f"{name}: {said}\n" if said else f"{name}\n"]
    for note in getattr(value, "__notes__", ()):
        made += [f"{line}\n" for line in str(note).split("\n")]
    return made


def format_exception(exc, value=_none, tb=_none, limit=None, chain=True):
    value = _of(exc, value)
    if value is None:
        return ["NoneType: None\n"]
    if chain and limit is None:
        return _text(value).splitlines(True)
    made = []
    tb = value.__traceback__ if tb is _none else tb
    if tb is not None:
        made.append("Traceback (most recent call last):\n")
        made += format_tb(tb, limit)
    return made + format_exception_only(value)


def print_exception(exc, value=_none, tb=_none, limit=None, file=None, chain=True):
    text = "".join(format_exception(exc, value, tb, limit, chain))
    print(text, end="", file=file or sys.stderr)


def format_exc(limit=None, chain=True):
    return "".join(format_exception(sys.exc_info()[1], limit=limit, chain=chain))


def print_exc(limit=None, file=None, chain=True):
    print_exception(sys.exc_info()[1], limit=limit, file=file, chain=chain)


def clear_frames(tb):
    """Frames keep nothing that could be cleared."""
