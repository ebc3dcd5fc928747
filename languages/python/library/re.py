"""Regular expressions, on programs that are made and run outside."""

from _verdigris import (
    regex_all as _all,
    regex_compile as _program,
    regex_find as _find,
    regex_groups as _texts,
    regex_part as _part,
    regex_replace as _replace,
    regex_split as _split,
    regex_template as _pieces,
)
from enum import IntFlag as _IntFlag
from types import GenericAlias as _GenericAlias, MappingProxyType as _MappingProxyType

__all__ = [
    "match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer", "compile",
    "purge", "template", "escape", "error", "Pattern", "Match", "A", "I", "L", "M", "S", "X", "U",
    "ASCII", "IGNORECASE", "LOCALE", "MULTILINE", "DOTALL", "VERBOSE", "UNICODE", "NOFLAG",
    "RegexFlag",
]  # fmt: skip

_MOST = (1 << 63) - 1
_UNICODE = 32
_DEBUG = 128
_KINDS = 4 | 32 | 256

# What a search is to find: a match at the place, one of the whole text, the first one from there
# on, the same if it is not empty where it begins.
_HERE, _WHOLE, _FIRST, _NEXT = 0, 1, 2, 3


class error(Exception):
    def __init__(self, msg, pattern=None, pos=None):
        self.msg = msg
        self.pattern = pattern
        self.pos = pos
        self.lineno = self.colno = None
        if pattern is not None and pos is not None:
            msg = f"{msg} at position {pos}"
            newline = "\n" if isinstance(pattern, str) else b"\n"
            self.lineno = pattern.count(newline, 0, pos) + 1
            self.colno = pos - pattern.rfind(newline, 0, pos)
            if newline in pattern:
                msg = f"{msg} (line {self.lineno}, column {self.colno})"
        super().__init__(msg)


class RegexFlag(_IntFlag):
    ASCII = A = 256
    IGNORECASE = I = 2
    LOCALE = L = 4
    UNICODE = U = 32
    MULTILINE = M = 8
    DOTALL = S = 16
    VERBOSE = X = 64
    TEMPLATE = T = 1
    DEBUG = 128

    def __repr__(self):
        value = self._value_
        if value == 0:
            return "re.NOFLAG"
        names = []
        for name, flag in _FLAGS:
            if value & flag:
                names.append(name)
                value &= ~flag
        if not names:
            return f"re.RegexFlag({value})"
        if value:
            names.append(hex(value))
        return "|".join(names)

    def __str__(self):
        return repr(self)

    def __format__(self, spec):
        return format(repr(self), spec)


_FLAGS = [("re." + flag.name, flag.value) for flag in RegexFlag]
# Patterns show them in another order.
_FLAGS_OF_PATTERNS = sorted(_FLAGS, key=lambda pair: pair[1])

NOFLAG = RegexFlag(0)
RegexFlag.NOFLAG = NOFLAG
ASCII = A = RegexFlag.ASCII
IGNORECASE = I = RegexFlag.IGNORECASE
LOCALE = L = RegexFlag.LOCALE
UNICODE = U = RegexFlag.UNICODE
MULTILINE = M = RegexFlag.MULTILINE
DOTALL = S = RegexFlag.DOTALL
VERBOSE = X = RegexFlag.VERBOSE
TEMPLATE = T = RegexFlag.TEMPLATE
DEBUG = RegexFlag.DEBUG

# Who has this is this module.
_OWN = object()


class Match:
    """Where a pattern has matched. The tuple `_spans` has where each group begins and ends, then the
    group that has closed last, then how many bytes are before the end of the match; behind that, if
    characters of the text have several bytes, how many are before each of the places."""

    def __init__(self, own=None, re=None, string=None, pos=0, endpos=0, spans=()):
        if own is not _OWN:
            raise TypeError("cannot create 're.Match' instances")
        self.re = re
        self.string = string
        self._pos = pos
        self._endpos = endpos
        self._spans = spans

    def _text(self, group, default=None):
        spans = self._spans
        start = spans[2 * group]
        if start < 0:
            return default
        string = self.string
        places = 2 * self.re.groups + 4
        if len(spans) > places:
            places += 2 * group
            return _part(string, spans[places], spans[places + 1])
        text = string[start : spans[2 * group + 1]]
        return bytes(text) if isinstance(text, bytearray) else text

    def _index(self, group):
        if type(group) is not int:
            if hasattr(type(group), "__index__"):
                group = group.__index__()
            else:
                try:
                    group = self.re._names.get(group, -1)
                except TypeError:
                    group = -1
        if 0 <= group <= self.re.groups:
            return group
        raise IndexError("no such group")

    def group(self, *groups):
        count = len(groups)
        if count == 1:
            return self._text(self._index(groups[0]))
        if count == 0:
            return self._text(0)
        return tuple([self._text(self._index(group)) for group in groups])

    def __getitem__(self, group):
        return self._text(self._index(group))

    def groups(self, default=None):
        return _texts(self.string, self._spans, self.re.groups, default)

    def groupdict(self, default=None):
        return {name: self._text(n, default) for name, n in self.re._names.items()}

    def start(self, group=0, /):
        return self._spans[2 * self._index(group)]

    def end(self, group=0, /):
        return self._spans[2 * self._index(group) + 1]

    def span(self, group=0, /):
        n = 2 * self._index(group)
        return self._spans[n], self._spans[n + 1]

    @property
    def regs(self):
        spans = self._spans
        return tuple([(spans[2 * n], spans[2 * n + 1]) for n in range(self.re.groups + 1)])

    @property
    def pos(self):
        return min(max(self._pos, 0), len(self.string))

    @property
    def endpos(self):
        return min(max(self._endpos, 0), len(self.string))

    @property
    def lastindex(self):
        return self._spans[2 * self.re.groups + 2] or None

    @property
    def lastgroup(self):
        re = self.re
        return re._names_of_groups[self._spans[2 * re.groups + 2]]

    def expand(self, template):
        pieces = _pieces(self.re._handle, template)
        if isinstance(pieces, tuple):
            raise error(pieces[0], template, pieces[1])
        nothing = "" if isinstance(self.string, str) else b""
        texts = [self._text(p, nothing) if isinstance(p, int) else p for p in pieces]
        return nothing.join(texts)

    def __repr__(self):
        shown = repr(self._text(0))[:50]
        return f"<re.Match object; span={self.span()}, match={shown}>"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    @classmethod
    def __class_getitem__(cls, item):
        return _GenericAlias(cls, item)


class Pattern:
    def __init__(self, own=None, pattern=None, flags=0, made=()):
        if own is not _OWN:
            raise TypeError("cannot create 're.Pattern' instances")
        # A program that is not kept any more is made again from this.
        self._handle = made[0], pattern, flags
        self._names = dict(made[3])
        names = [None] * (made[2] + 1)
        for name, n in made[3]:
            names[n] = name
        self._names_of_groups = tuple(names)
        self.pattern = pattern
        self.flags = made[1]
        self.groups = made[2]

    @property
    def groupindex(self):
        return _MappingProxyType(self._names)

    def match(self, string, pos=0, endpos=_MOST):
        spans = _find(self._handle, string, pos, endpos, _HERE, -1)
        return None if spans is None else Match(_OWN, self, string, pos, endpos, spans)

    def fullmatch(self, string, pos=0, endpos=_MOST):
        spans = _find(self._handle, string, pos, endpos, _WHOLE, -1)
        return None if spans is None else Match(_OWN, self, string, pos, endpos, spans)

    def search(self, string, pos=0, endpos=_MOST):
        spans = _find(self._handle, string, pos, endpos, _FIRST, -1)
        return None if spans is None else Match(_OWN, self, string, pos, endpos, spans)

    def finditer(self, string, pos=0, endpos=_MOST):
        # The first one is looked for now, so that wrong arguments are noticed here.
        spans = _find(self._handle, string, pos, endpos, _FIRST, -1)
        return self._matches(string, pos, endpos, spans)

    def _matches(self, string, pos, endpos, spans):
        handle = self._handle
        before_end = 2 * self.groups + 3
        while spans is not None:
            yield Match(_OWN, self, string, pos, endpos, spans)
            end = spans[1]
            wanted = _NEXT if spans[0] == end else _FIRST
            spans = _find(handle, string, end, endpos, wanted, spans[before_end])

    def findall(self, string, pos=0, endpos=_MOST):
        return _all(self._handle, string, pos, endpos)

    def split(self, string, maxsplit=0):
        return _split(self._handle, string, maxsplit)

    def sub(self, repl, string, count=0):
        return self._replaced(repl, string, count)[0]

    def subn(self, repl, string, count=0):
        made = self._replaced(repl, string, count)
        return made[0], made[1]

    def _replaced(self, repl, string, count):
        if callable(repl):
            return self._called(repl, string, count)
        made = _replace(self._handle, repl, string, count)
        if len(made) == 2:
            raise error(made[0], repl, made[1])
        return made

    def _called(self, function, string, count):
        handle = self._handle
        spans = _find(handle, string, 0, _MOST, _FIRST, -1)
        if spans is None or count < 0:
            return (bytes(string) if isinstance(string, bytearray) else string), 0
        parts = []
        done = end = byte = 0
        before_end = 2 * self.groups + 3
        is_wide = len(spans) > before_end + 1
        while spans is not None:
            start = spans[0]
            if end < start:
                if is_wide:
                    parts.append(_part(string, byte, spans[before_end + 1]))
                else:
                    parts.append(string[end:start])
            end = spans[1]
            byte = spans[before_end]
            made = function(Match(_OWN, self, string, 0, _MOST, spans))
            if made is not None:
                parts.append(made)
            done += 1
            if done == count:
                break
            spans = _find(handle, string, end, _MOST, _NEXT if start == end else _FIRST, byte)
        if end < len(string):
            parts.append(string[end:])
        return ("" if isinstance(string, str) else b"").join(parts), done

    def scanner(self, string, pos=0, endpos=_MOST):
        return _Scanner(self, string, pos, endpos)

    def __repr__(self):
        flags = self.flags
        if isinstance(self.pattern, str) and flags & _KINDS == _UNICODE:
            flags &= ~_UNICODE
        names = []
        for name, flag in _FLAGS_OF_PATTERNS:
            if flags & flag:
                names.append(name)
                flags &= ~flag
        if flags:
            names.append(hex(flags))
        shown = repr(self.pattern)[:200]
        return f"re.compile({shown}, {'|'.join(names)})" if names else f"re.compile({shown})"

    def __eq__(self, other):
        if not isinstance(other, Pattern):
            return NotImplemented
        if self.flags != other.flags or type(self.pattern) is not type(other.pattern):
            return False
        return self.pattern == other.pattern

    def __hash__(self):
        return hash((self.flags, self.pattern))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    @classmethod
    def __class_getitem__(cls, item):
        return _GenericAlias(cls, item)


class _Scanner:
    """Matches behind each other."""

    def __init__(self, pattern, string, pos, endpos):
        self.pattern = pattern
        self._string = string
        self._at = pos
        self._endpos = endpos
        self._is_empty = False

    def _next(self, is_search):
        if self._at is None:
            return None
        pattern, string = self.pattern, self._string
        wanted = _NEXT if self._is_empty else _FIRST
        spans = _find(pattern._handle, string, self._at, self._endpos, wanted, -1)
        if spans is not None and not is_search and spans[0] != self._at:
            spans = None
        if spans is None:
            self._at = None
            return None
        made = Match(_OWN, pattern, string, self._at, self._endpos, spans)
        self._at = spans[1]
        self._is_empty = spans[0] == spans[1]
        return made

    def match(self):
        return self._next(False)

    def search(self):
        return self._next(True)


class Scanner:
    """A list of patterns, and what is made of the texts that they match."""

    def __init__(self, lexicon, flags=0):
        self.lexicon = lexicon
        self.match = None
        # For each group that is a whole pattern, what is made of it.
        self._actions = {}
        group = 1
        for phrase, action in lexicon:
            self._actions[group] = action
            group += 1 + _compiled(phrase, flags).groups
        self.scanner = _compiled("|".join([f"({phrase})" for phrase, _ in lexicon]), flags)

    def scan(self, string):
        made = []
        at = 0
        while True:
            match = self.scanner.match(string, at)
            if match is None or match.end() == at:
                return made, string[at:]
            action = self._actions[match.lastindex]
            if callable(action):
                self.match = match
                action = action(self, match.group())
            if action is not None:
                made.append(action)
            at = match.end()


# Compiled patterns. The oldest is dropped when there are too many.
_MOST_KEPT = 512
_kept = {}
# Those of them that are strings without flags.
_plain = {}


def _compiled(pattern, flags):
    if type(pattern) is str and flags == 0:
        found = _plain.get(pattern)
        if found is not None:
            return found
    if isinstance(flags, RegexFlag):
        flags = flags._value_
    key = type(pattern), pattern, flags
    found = _kept.get(key)
    if found is not None:
        return found
    if isinstance(pattern, Pattern):
        if flags:
            raise ValueError("cannot process flags argument with a compiled pattern")
        return pattern
    if not isinstance(pattern, (str, bytes)):
        raise TypeError("first argument must be string or compiled pattern")
    if flags & _DEBUG:
        raise NotImplementedError("re.DEBUG is not supported yet")
    if not -1 << 31 <= flags < 1 << 31:
        raise OverflowError("Python int too large to convert to C int")
    made = _program(pattern, flags)
    if len(made) == 2:
        # What is wrong with the width of a part is at no place, and of no pattern.
        raise error(made[0]) if made[1] is None else error(made[0], pattern, made[1])
    found = Pattern(_OWN, pattern, flags, made)
    while len(_kept) >= _MOST_KEPT:
        oldest = next(iter(_kept))
        del _kept[oldest]
        if oldest[0] is str and oldest[2] == 0:
            del _plain[oldest[1]]
    _kept[key] = found
    if type(pattern) is str and flags == 0:
        _plain[pattern] = found
    return found


def compile(pattern, flags=0):
    return _compiled(pattern, flags)


def match(pattern, string, flags=0):
    return _compiled(pattern, flags).match(string)


def fullmatch(pattern, string, flags=0):
    return _compiled(pattern, flags).fullmatch(string)


def search(pattern, string, flags=0):
    return _compiled(pattern, flags).search(string)


def sub(pattern, repl, string, count=0, flags=0):
    return _compiled(pattern, flags).sub(repl, string, count)


def subn(pattern, repl, string, count=0, flags=0):
    return _compiled(pattern, flags).subn(repl, string, count)


def split(pattern, string, maxsplit=0, flags=0):
    return _compiled(pattern, flags).split(string, maxsplit)


def findall(pattern, string, flags=0):
    return _compiled(pattern, flags).findall(string)


def finditer(pattern, string, flags=0):
    return _compiled(pattern, flags).finditer(string)


def purge():
    _kept.clear()
    _plain.clear()


def template(pattern, flags=0):
    return _compiled(pattern, flags | T)


_ESCAPED = {ord(c): "\\" + c for c in "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"}


def escape(pattern):
    if isinstance(pattern, str):
        return pattern.translate(_ESCAPED)
    if not isinstance(pattern, (bytes, bytearray)):
        name = type(pattern).__name__
        raise TypeError(f"decoding to str: need a bytes-like object, {name} found")
    return pattern.decode("latin-1").translate(_ESCAPED).encode("latin-1")
