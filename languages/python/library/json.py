"""Values as JSON and back."""

__all__ = ["dump", "dumps", "load", "loads", "JSONDecoder", "JSONDecodeError", "JSONEncoder"]

_INFINITY = float("inf")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\f": "\\f", "\b": "\\b"}
_UNESCAPED = {'"': '"', "\\": "\\", "/": "/", "n": "\n", "r": "\r", "t": "\t", "f": "\f", "b": "\b"}
_SPACE = " \t\n\r"
_DIGITS = "0123456789"


class JSONDecodeError(ValueError):
    def __init__(self, msg, doc, pos):
        self.msg = msg
        self.doc = doc
        self.pos = pos
        self.lineno = doc.count("\n", 0, pos) + 1
        self.colno = pos - doc.rfind("\n", 0, pos)
        super().__init__(f"{msg}: line {self.lineno} column {self.colno} (char {pos})")


def _is_plain(text):
    return text.isascii() and text.isprintable() and '"' not in text and "\\" not in text


def _quoted(text, ensure_ascii):
    if _is_plain(text):
        return '"' + text + '"'
    made = []
    for c in text:
        code = ord(c)
        if c in _ESCAPES:
            made.append(_ESCAPES[c])
        elif code < 32 or ensure_ascii and 126 < code < 0x10000:
            made.append(f"\\u{code:04x}")
        elif ensure_ascii and code >= 0x10000:
            code -= 0x10000
            made.append(f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}")
        else:
            made.append(c)
    return '"' + "".join(made) + '"'


class JSONEncoder:
    item_separator = ", "
    key_separator = ": "

    def __init__(
        self,
        *,
        skipkeys=False,
        ensure_ascii=True,
        check_circular=True,
        allow_nan=True,
        sort_keys=False,
        indent=None,
        separators=None,
        default=None,
    ):
        self.skipkeys = skipkeys
        self.ensure_ascii = ensure_ascii
        self.check_circular = check_circular
        self.allow_nan = allow_nan
        self.sort_keys = sort_keys
        self.indent = indent
        if separators is not None:
            self.item_separator, self.key_separator = separators
        elif indent is not None:
            self.item_separator = ","
        if default is not None:
            self.default = default

    def default(self, o):
        raise TypeError(f"Object of type {type(o).__name__} is not JSON serializable")

    def encode(self, o):
        if isinstance(o, str):
            return _quoted(o, self.ensure_ascii)
        made = []
        self._add(o, made, "\n", {})
        return "".join(made)

    def iterencode(self, o, _one_shot=False):
        made = []
        self._add(o, made, "\n", {})
        return iter(made)

    def _float(self, x):
        if x != x:
            shown = "NaN"
        elif x == _INFINITY:
            shown = "Infinity"
        elif x == -_INFINITY:
            shown = "-Infinity"
        else:
            return float.__repr__(x)
        if not self.allow_nan:
            raise ValueError("Out of range float values are not JSON compliant: " + repr(x))
        return shown

    def _add(self, o, made, line, around):
        if isinstance(o, str):
            made.append(_quoted(o, self.ensure_ascii))
        elif o is None:
            made.append("null")
        elif o is True:
            made.append("true")
        elif o is False:
            made.append("false")
        elif isinstance(o, int):
            made.append(int.__repr__(o))
        elif isinstance(o, float):
            made.append(self._float(o))
        elif isinstance(o, (list, tuple, dict)):
            if not o:
                made.append("{}" if isinstance(o, dict) else "[]")
                return
            self._enter(o, around)
            if self.indent is not None:
                indent = self.indent
                line += indent if isinstance(indent, str) else " " * indent
            if isinstance(o, dict):
                self._add_dict(o, made, line, around)
            else:
                self._add_list(o, made, line, around)
            around.pop(id(o), None)
        else:
            self._enter(o, around)
            self._add(self.default(o), made, line, around)
            around.pop(id(o), None)

    def _enter(self, o, around):
        if self.check_circular:
            if id(o) in around:
                raise ValueError("Circular reference detected")
            around[id(o)] = o

    def _ends(self, line):
        """What ends a list whose items are on lines of their own."""
        indent = self.indent
        return line[: len(line) - (len(indent) if isinstance(indent, str) else max(indent, 0))]

    def _add_list(self, o, made, line, around):
        made.append("[")
        between = self.item_separator
        if self.indent is not None:
            between += line
            made.append(line)
        is_first = True
        for item in o:
            if is_first:
                is_first = False
            else:
                made.append(between)
            self._add(item, made, line, around)
        if self.indent is not None:
            made.append(self._ends(line))
        made.append("]")

    def _key(self, key):
        if isinstance(key, str):
            return key
        if isinstance(key, float):
            return self._float(key)
        if key is True:
            return "true"
        if key is False:
            return "false"
        if key is None:
            return "null"
        if isinstance(key, int):
            return int.__repr__(key)
        if self.skipkeys:
            return None
        raise TypeError(
            f"keys must be str, int, float, bool or None, not {type(key).__name__}"
        )

    def _add_dict(self, o, made, line, around):
        made.append("{")
        between = self.item_separator
        if self.indent is not None:
            between += line
            made.append(line)
        is_first = True
        for key, value in sorted(o.items()) if self.sort_keys else o.items():
            key = self._key(key)
            if key is None:
                continue
            if is_first:
                is_first = False
            else:
                made.append(between)
            made.append(_quoted(key, self.ensure_ascii))
            made.append(self.key_separator)
            self._add(value, made, line, around)
        if self.indent is not None:
            made.append(self._ends(line))
        made.append("}")


def dumps(
    obj,
    *,
    skipkeys=False,
    ensure_ascii=True,
    check_circular=True,
    allow_nan=True,
    cls=None,
    indent=None,
    separators=None,
    default=None,
    sort_keys=False,
    **kw,
):
    made = (JSONEncoder if cls is None else cls)(
        skipkeys=skipkeys,
        ensure_ascii=ensure_ascii,
        check_circular=check_circular,
        allow_nan=allow_nan,
        indent=indent,
        separators=separators,
        default=default,
        sort_keys=sort_keys,
        **kw,
    )
    return made.encode(obj)


def dump(obj, fp, **options):
    fp.write(dumps(obj, **options))


def _constant(name):
    return {"NaN": float("nan"), "Infinity": _INFINITY, "-Infinity": -_INFINITY}[name]


class JSONDecoder:
    def __init__(
        self,
        *,
        object_hook=None,
        parse_float=None,
        parse_int=None,
        parse_constant=None,
        strict=True,
        object_pairs_hook=None,
    ):
        self.object_hook = object_hook
        self.parse_float = parse_float or float
        self.parse_int = parse_int or int
        self.parse_constant = parse_constant or _constant
        self.strict = strict
        self.object_pairs_hook = object_pairs_hook

    def decode(self, s):
        value, end = self.raw_decode(s, _behind_space(s, 0))
        end = _behind_space(s, end)
        if end != len(s):
            raise JSONDecodeError("Extra data", s, end)
        return value

    def raw_decode(self, s, idx=0):
        return self._value(s, idx)

    def _value(self, s, at):
        c = s[at : at + 1]
        if c == '"':
            return self._string(s, at)
        if c == "{":
            return self._object(s, at + 1)
        if c == "[":
            return self._array(s, at + 1)
        if c == "n" and s.startswith("null", at):
            return None, at + 4
        if c == "t" and s.startswith("true", at):
            return True, at + 4
        if c == "f" and s.startswith("false", at):
            return False, at + 5
        for name in ("NaN", "Infinity", "-Infinity"):
            if c == name[0] and s.startswith(name, at):
                return self.parse_constant(name), at + len(name)
        return self._number(s, at)

    def _number(self, s, at):
        start, size = at, len(s)
        if at < size and s[at] == "-":
            at += 1
        if at < size and s[at] == "0":
            at += 1
        else:
            first = at
            while at < size and s[at] in _DIGITS:
                at += 1
            if at == first:
                raise JSONDecodeError("Expecting value", s, start)
        is_float = False
        if at + 1 < size and s[at] == "." and s[at + 1] in _DIGITS:
            is_float = True
            at += 1
            while at < size and s[at] in _DIGITS:
                at += 1
        if at + 1 < size and s[at] in "eE":
            end = at + 1
            if s[end] in "+-":
                end += 1
            if end < size and s[end] in _DIGITS:
                is_float = True
                at = end
                while at < size and s[at] in _DIGITS:
                    at += 1
        text = s[start:at]
        return (self.parse_float if is_float else self.parse_int)(text), at

    def _array(self, s, at):
        made = []
        at = _behind_space(s, at)
        if s[at : at + 1] == "]":
            return made, at + 1
        while True:
            value, at = self._value(s, at)
            made.append(value)
            at = _behind_space(s, at)
            c = s[at : at + 1]
            if c == "]":
                return made, at + 1
            if c != ",":
                raise JSONDecodeError("Expecting ',' delimiter", s, at)
            at = _behind_space(s, at + 1)

    def _object(self, s, at):
        pairs = []
        at = _behind_space(s, at)
        if s[at : at + 1] == "}":
            return self._finished(pairs), at + 1
        while True:
            if s[at : at + 1] != '"':
                message = "Expecting property name enclosed in double quotes"
                raise JSONDecodeError(message, s, at)
            key, at = self._string(s, at)
            at = _behind_space(s, at)
            if s[at : at + 1] != ":":
                raise JSONDecodeError("Expecting ':' delimiter", s, at)
            value, at = self._value(s, _behind_space(s, at + 1))
            pairs.append((key, value))
            at = _behind_space(s, at)
            c = s[at : at + 1]
            if c == "}":
                return self._finished(pairs), at + 1
            if c != ",":
                raise JSONDecodeError("Expecting ',' delimiter", s, at)
            at = _behind_space(s, at + 1)

    def _finished(self, pairs):
        if self.object_pairs_hook is not None:
            return self.object_pairs_hook(pairs)
        made = dict(pairs)
        return made if self.object_hook is None else self.object_hook(made)

    def _string(self, s, begin):
        at = begin + 1
        end = s.find('"', at)
        if end >= 0 and _is_plain(s[at:end]):
            return s[at:end], end + 1
        made = []
        while True:
            if at >= len(s):
                raise JSONDecodeError("Unterminated string starting at", s, begin)
            c = s[at]
            if c == '"':
                return "".join(made), at + 1
            if c != "\\":
                if c < " " and self.strict:
                    raise JSONDecodeError("Invalid control character at", s, at)
                made.append(c)
                at += 1
                continue
            c = s[at + 1 : at + 2]
            if not c:
                raise JSONDecodeError("Unterminated string starting at", s, begin)
            if c != "u":
                if c not in _UNESCAPED:
                    raise JSONDecodeError("Invalid \\escape", s, at)
                made.append(_UNESCAPED[c])
                at += 2
                continue
            code = _code(s, at + 1)
            at += 6
            if 0xD800 <= code < 0xDC00 and s.startswith("\\u", at):
                low = _code(s, at + 1)
                if 0xDC00 <= low < 0xE000:
                    code = 0x10000 + ((code - 0xD800) << 10 | low - 0xDC00)
                    at += 6
            made.append(chr(code))


def _behind_space(s, at):
    while at < len(s) and s[at] in _SPACE:
        at += 1
    return at


def _code(s, at):
    digits = s[at + 1 : at + 5]
    if len(digits) == 4 and all(c in "0123456789abcdefABCDEF" for c in digits):
        return int(digits, 16)
    raise JSONDecodeError("Invalid \\uXXXX escape", s, at)


def loads(
    s,
    *,
    cls=None,
    object_hook=None,
    parse_float=None,
    parse_int=None,
    parse_constant=None,
    object_pairs_hook=None,
    **kw,
):
    if isinstance(s, str):
        if s.startswith("\ufeff"):
            raise JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", s, 0)
    elif isinstance(s, (bytes, bytearray)):
        s = s.decode().removeprefix("\ufeff")
    else:
        raise TypeError(
            f"the JSON object must be str, bytes or bytearray, not {type(s).__name__}"
        )
    options = {
        "object_hook": object_hook,
        "parse_float": parse_float,
        "parse_int": parse_int,
        "parse_constant": parse_constant,
        "object_pairs_hook": object_pairs_hook,
    }
    given = {name: value for name, value in options.items() if value is not None}
    return (JSONDecoder if cls is None else cls)(**given, **kw).decode(s)


def load(fp, **options):
    return loads(fp.read(), **options)
