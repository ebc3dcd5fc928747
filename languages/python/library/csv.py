"""Tables as lines of texts: readers, writers, and what distinguishes their dialects."""


__all__ = [
    "QUOTE_MINIMAL", "QUOTE_ALL", "QUOTE_NONNUMERIC", "QUOTE_NONE", "Error", "Dialect", "__doc__",
    "excel", "excel_tab", "field_size_limit", "reader", "writer", "register_dialect",
    "get_dialect", "list_dialects", "Sniffer", "unregister_dialect", "__version__", "DictReader",
    "DictWriter", "unix_dialect",
]  # fmt: skip

__version__ = "1.0"
QUOTE_MINIMAL, QUOTE_ALL, QUOTE_NONNUMERIC, QUOTE_NONE = 0, 1, 2, 3

_missing = object()
_limit = 128 * 1024
_dialects = {}


class Error(Exception):
    pass


def _character(name, value, may_be_none):
    if value is None and may_be_none:
        return None
    if not isinstance(value, str):
        wanted = "string or None" if may_be_none else "string"
        raise TypeError(f'"{name}" must be {wanted}, not {type(value).__name__}')
    if len(value) != 1:
        raise TypeError(f'"{name}" must be a 1-character string')
    return value


_NAMES = (
    "delimiter", "doublequote", "escapechar", "lineterminator", "quotechar", "quoting",
    "skipinitialspace", "strict",
)  # fmt: skip


class _Checked:
    """A dialect whose parts have been checked."""

    def __init__(self, dialect=None, keywords={}):
        for name in keywords:
            if name not in _NAMES:
                message = f"'{name}' is an invalid keyword argument for this function"
                raise TypeError(message)

        def part(name, default):
            value = keywords.get(name, _missing)
            if value is _missing and dialect is not None:
                value = getattr(dialect, name, _missing)
            return default if value is _missing else value

        self.delimiter = _character("delimiter", part("delimiter", ","), False)
        self.doublequote = bool(part("doublequote", True))
        self.escapechar = _character("escapechar", part("escapechar", None), True)
        terminator = part("lineterminator", "\r\n")
        if terminator is not None and not isinstance(terminator, str):
            raise TypeError('"lineterminator" must be a string')
        self.lineterminator = terminator
        self.quotechar = _character("quotechar", part("quotechar", '"'), True)
        quoting = part("quoting", _missing)
        if quoting is _missing:
            quoting = QUOTE_NONE if self.quotechar is None else QUOTE_MINIMAL
        if type(quoting) is not int:
            raise TypeError('"quoting" must be an integer')
        if not QUOTE_MINIMAL <= quoting <= QUOTE_NONE:
            raise TypeError('bad "quoting" value')
        self.quoting = quoting
        self.skipinitialspace = bool(part("skipinitialspace", False))
        self.strict = bool(part("strict", False))
        if quoting != QUOTE_NONE and self.quotechar is None:
            raise TypeError("quotechar must be set if quoting enabled")
        if terminator is None:
            raise TypeError("lineterminator must be set")

    def __repr__(self):
        return f"<_csv.Dialect object at {id(self):#x}>"


def _checked(dialect, keywords):
    if isinstance(dialect, str):
        dialect = get_dialect(dialect)
    if isinstance(dialect, _Checked) and not keywords:
        return dialect
    return _Checked(dialect, keywords)


class Dialect:
    _name = ""
    _valid = False
    delimiter = None
    quotechar = None
    escapechar = None
    doublequote = None
    skipinitialspace = None
    lineterminator = None
    quoting = None

    def __init__(self):
        if self.__class__ is not Dialect:
            self._valid = True
        try:
            _Checked(self)
        except TypeError as error:
            raise Error(str(error)) from None


class excel(Dialect):
    delimiter = ","
    quotechar = '"'
    doublequote = True
    skipinitialspace = False
    lineterminator = "\r\n"
    quoting = QUOTE_MINIMAL


class excel_tab(excel):
    delimiter = "\t"


class unix_dialect(excel):
    lineterminator = "\n"
    quoting = QUOTE_ALL


def register_dialect(name, dialect=None, **keywords):
    if not isinstance(name, str):
        raise TypeError("dialect name must be a string")
    _dialects[name] = _checked(dialect, keywords)


def unregister_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    del _dialects[name]


def get_dialect(name):
    if name not in _dialects:
        raise Error("unknown dialect")
    return _dialects[name]


def list_dialects():
    return list(_dialects)


register_dialect("excel", excel)
register_dialect("excel-tab", excel_tab)
register_dialect("unix", unix_dialect)


def field_size_limit(limit=_missing):
    global _limit
    before = _limit
    if limit is not _missing:
        if not isinstance(limit, int):
            raise TypeError("limit must be an integer")
        _limit = limit
    return before


# Where a reader is in a line.
_BEFORE_FIELD, _IN_FIELD, _IN_QUOTES, _BEHIND_QUOTE, _ESCAPED, _ESCAPED_IN_QUOTES, _AT_END = range(7)


class reader:
    def __init__(self, iterable, dialect=None, **keywords):
        self._lines = iter(iterable)
        self.dialect = _checked(dialect, keywords)
        self.line_num = 0

    def __iter__(self):
        return self

    def __next__(self):
        line = self._line(next(self._lines))
        plain = self._plain(line)
        if plain is not None:
            return plain
        row = _Row(self.dialect)
        while not row.read(line):
            try:
                line = next(self._lines)
            except StopIteration:
                row.end()
                break
            line = self._line(line)
        return row.fields

    def _line(self, line):
        if not isinstance(line, str):
            raise Error(
                f"iterator should return strings, not {type(line).__name__} "
                "(the file should be opened in text mode)"
            )
        self.line_num += 1
        return line

    def _plain(self, line):
        """The fields of a line without quotes and escapes; `None` if it is none."""
        dialect = self.dialect
        if dialect.quoting == QUOTE_NONNUMERIC or dialect.skipinitialspace:
            return None
        if dialect.quoting != QUOTE_NONE and dialect.quotechar in line:
            return None
        if dialect.escapechar is not None and dialect.escapechar in line:
            return None
        text = line
        if text[-1:] in ("\n", "\r"):
            text = text.rstrip("\r\n")
        if "\n" in text or "\r" in text or len(text) > _limit:
            return None
        # The end of a line may be what divides fields.
        if dialect.delimiter in "\r\n":
            return None
        return text.split(dialect.delimiter) if text else []

    def __repr__(self):
        return f"<_csv.reader object at {id(self):#x}>"


class _Row:
    """A row that is being read, of one line or several."""

    def __init__(self, dialect):
        self.fields = []
        self._dialect = dialect
        self._parts = []
        self._size = 0
        self._is_number = False
        self._state = _BEFORE_FIELD

    def _add(self, c):
        if self._size >= _limit:
            raise Error(f"field larger than field limit ({_limit})")
        self._parts.append(c)
        self._size += 1

    def _save(self):
        field = "".join(self._parts)
        self.fields.append(float(field) if self._is_number else field)
        self._parts = []
        self._size = 0
        self._is_number = False
        self._state = _BEFORE_FIELD

    def end(self):
        """There are no more lines."""
        if self._dialect.strict:
            raise Error("unexpected end of data")
        self._save()

    def read(self, line):
        """Reads a line; whether the row ends with it."""
        dialect = self._dialect
        delimiter, escape = dialect.delimiter, dialect.escapechar
        quote = None if dialect.quoting == QUOTE_NONE else dialect.quotechar
        is_fresh = not self.fields and self._state == _BEFORE_FIELD
        # Behind an escaped end of a line, the end of the text is none.
        was_escaped = False
        for c in line:
            state = self._state
            was_escaped = False
            is_end = c == "\n" or c == "\r"
            if state == _IN_QUOTES:
                if c == escape and escape is not None:
                    self._state = _ESCAPED_IN_QUOTES
                elif c == quote:
                    self._state = _BEHIND_QUOTE if dialect.doublequote else _IN_FIELD
                else:
                    self._add(c)
            elif state == _ESCAPED:
                self._add(c)
                self._state = _IN_FIELD
                was_escaped = is_end
            elif state == _ESCAPED_IN_QUOTES:
                self._add(c)
                self._state = _IN_QUOTES
            elif state == _AT_END:
                if not is_end:
                    raise Error(
                        "new-line character seen in unquoted field - "
                        "do you need to open the file in universal-newline mode?"
                    )
            elif state == _BEHIND_QUOTE and c == quote:
                self._add(c)
                self._state = _IN_QUOTES
            elif is_end:
                if not is_fresh:
                    self._save()
                self._state = _AT_END
            elif c == delimiter and not (state == _BEFORE_FIELD and (c == quote or c == escape)):
                self._save()
            elif state == _BEHIND_QUOTE:
                if dialect.strict:
                    raise Error(f"'{delimiter}' expected after '{quote}'")
                self._add(c)
                self._state = _IN_FIELD
            elif state == _BEFORE_FIELD and c == quote:
                self._state = _IN_QUOTES
            elif c == escape and escape is not None:
                self._state = _ESCAPED
            elif state == _BEFORE_FIELD:
                if not (c == " " and dialect.skipinitialspace):
                    self._is_number = dialect.quoting == QUOTE_NONNUMERIC
                    self._add(c)
                    self._state = _IN_FIELD
            else:
                self._add(c)
            is_fresh = False
        return self._line_ended(is_fresh, was_escaped)

    def _line_ended(self, is_fresh, was_escaped):
        state = self._state
        if state == _AT_END or is_fresh:
            return True
        if state == _IN_QUOTES or was_escaped:
            return False
        if state == _ESCAPED or state == _ESCAPED_IN_QUOTES:
            self._add("\n")
            self._state = _IN_FIELD if state == _ESCAPED else _IN_QUOTES
            return False
        self._save()
        return True


class writer:
    def __init__(self, fileobj, dialect=None, **keywords):
        if not callable(getattr(fileobj, "write", None)):
            raise TypeError('argument 1 must have a "write" method')
        self._write = fileobj.write
        self.dialect = dialect = _checked(dialect, keywords)
        special = dialect.delimiter + dialect.lineterminator
        self._special = special + (dialect.quotechar or "") + (dialect.escapechar or "")

    def writerow(self, row):
        return self._write(self._line(row))

    def writerows(self, rows):
        for row in rows:
            self._write(self._line(row))

    def _line(self, row):
        dialect = self.dialect
        try:
            items = iter(row)
        except TypeError:
            raise Error(f"iterable expected, not {type(row).__name__}") from None
        fields = []
        for item in items:
            is_quoted = dialect.quoting == QUOTE_ALL
            if dialect.quoting == QUOTE_NONNUMERIC:
                is_quoted = not (isinstance(item, (int, float)) or hasattr(item, "__float__"))
            if item is None:
                text = ""
            else:
                text = item if isinstance(item, str) else str(item)
            fields.append(self._field(text, is_quoted))
        if len(fields) == 1 and fields[0] == "":
            if dialect.quoting == QUOTE_NONE:
                raise Error("single empty field record must be quoted")
            fields[0] = dialect.quotechar * 2
        return dialect.delimiter.join(fields) + dialect.lineterminator

    def _field(self, text, is_quoted):
        dialect = self.dialect
        for c in self._special:
            if c in text:
                break
        else:
            return dialect.quotechar + text + dialect.quotechar if is_quoted else text
        quote, escape = dialect.quotechar, dialect.escapechar
        made = []
        for c in text:
            if c in self._special:
                if dialect.quoting == QUOTE_NONE:
                    before = escape
                elif c == quote:
                    before = quote if dialect.doublequote else escape
                    is_quoted = is_quoted or dialect.doublequote
                elif c == escape:
                    before = escape
                else:
                    before = ""
                    is_quoted = True
                if before is None:
                    raise Error("need to escape, but no escapechar set")
                made.append(before)
            made.append(c)
        text = "".join(made)
        return quote + text + quote if is_quoted else text

    def __repr__(self):
        return f"<_csv.writer object at {id(self):#x}>"


class DictReader:
    def __init__(
        self, f, fieldnames=None, restkey=None, restval=None, dialect="excel", *args, **kwds
    ):
        if fieldnames is not None and iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        self._fieldnames = fieldnames
        self.restkey = restkey
        self.restval = restval
        self.reader = reader(f, dialect, *args, **kwds)
        self.dialect = dialect
        self.line_num = 0

    @property
    def fieldnames(self):
        if self._fieldnames is None:
            self._fieldnames = next(self.reader, None)
            self.line_num = self.reader.line_num
        return self._fieldnames

    @fieldnames.setter
    def fieldnames(self, value):
        self._fieldnames = value

    def __iter__(self):
        return self

    def __next__(self):
        if self.line_num == 0:
            self.fieldnames
        row = next(self.reader)
        while not row:
            row = next(self.reader)
        self.line_num = self.reader.line_num
        names = self.fieldnames
        made = dict(zip(names, row))
        if len(row) > len(names):
            made[self.restkey] = row[len(names) :]
        for name in names[len(row) :]:
            made[name] = self.restval
        return made


class DictWriter:
    def __init__(
        self, f, fieldnames, restval="", extrasaction="raise", dialect="excel", *args, **kwds
    ):
        if fieldnames is not None and iter(fieldnames) is fieldnames:
            fieldnames = list(fieldnames)
        self.fieldnames = fieldnames
        self.restval = restval
        if extrasaction.lower() not in ("raise", "ignore"):
            raise ValueError(f"extrasaction ({extrasaction}) must be 'raise' or 'ignore'")
        self.extrasaction = extrasaction
        self.writer = writer(f, dialect, *args, **kwds)

    def writeheader(self):
        return self.writerow({name: name for name in self.fieldnames})

    def _row(self, row):
        if self.extrasaction == "raise":
            others = [name for name in row if name not in self.fieldnames]
            if others:
                shown = ", ".join([repr(name) for name in others])
                raise ValueError("dict contains fields not in fieldnames: " + shown)
        return [row.get(name, self.restval) for name in self.fieldnames]

    def writerow(self, rowdict):
        return self.writer.writerow(self._row(rowdict))

    def writerows(self, rowdicts):
        return self.writer.writerows([self._row(row) for row in rowdicts])


class Sniffer:
    def __init__(self):
        raise NotImplementedError("csv.Sniffer is not supported yet")
