"""Names that match patterns of a shell."""

import functools as _functools
import os as _os
import posixpath as _posixpath
import re as _re

__all__ = ["filter", "fnmatch", "fnmatchcase", "translate"]


def fnmatch(name, pat):
    return fnmatchcase(_os.path.normcase(name), _os.path.normcase(pat))


def fnmatchcase(name, pat):
    return _matcher(pat)(name) is not None


def filter(names, pat):
    matches = _matcher(_os.path.normcase(pat))
    normal = (lambda name: name) if _os.path is _posixpath else _os.path.normcase
    return [name for name in names if matches(normal(name)) is not None]


@_functools.lru_cache(maxsize=256, typed=True)
def _matcher(pat):
    if isinstance(pat, bytes):
        translated = translate(pat.decode("latin-1")).encode("latin-1")
    else:
        translated = translate(pat)
    return _re.compile(translated).match


def translate(pat):
    # Runs of what is no star, each a regular expression.
    runs = [[]]
    at = 0
    while at < len(pat):
        c = pat[at]
        at += 1
        if c == "*":
            if runs[-1] or len(runs) == 1:
                runs.append([])
        elif c == "?":
            runs[-1].append(".")
        elif c == "[":
            end = _end_of_set(pat, at)
            if end < 0:
                runs[-1].append("\\[")
            else:
                runs[-1].append(_set(pat[at:end]))
                at = end + 1
        else:
            runs[-1].append(_re.escape(c))
    texts = ["".join(run) for run in runs]
    made = texts[0]
    for text in texts[1:-1]:
        # What stands between stars is at the first place where it fits.
        made += f"(?>.*?{text})"
    if len(texts) > 1:
        made += ".*" + texts[-1]
    return f"(?s:{made})\\Z"


def _end_of_set(pat, at):
    first = at
    if pat[first : first + 1] == "!":
        first += 1
    # A bracket that is the first member does not end the set.
    return pat.find("]", first + 1)


def _set(members):
    """A set as a regular expression."""
    if "-" not in members:
        inner = members.replace("\\", "\\\\")
    else:
        inner = "-".join([s.replace("\\", "\\\\").replace("-", "\\-") for s in _ends(members)])
    inner = _re.sub(r"([&~|])", r"\\\1", inner)
    if not inner:
        return "(?!)"
    if inner == "!":
        return "."
    if inner[0] == "!":
        inner = "^" + inner[1:]
    elif inner[0] in "^[":
        inner = "\\" + inner
    return f"[{inner}]"


def _ends(members):
    """The parts of a set between the signs of ranges, without ranges that are empty."""
    parts, start = [], 0
    at = members.find("-", 2 if members[0] == "!" else 1)
    while at >= 0:
        parts.append(members[start:at])
        start = at + 1
        at = members.find("-", at + 3)
    if start < len(members):
        parts.append(members[start:])
    else:
        parts[-1] += "-"
    for n in range(len(parts) - 1, 0, -1):
        if parts[n - 1][-1] > parts[n][0]:
            parts[n - 1 : n + 1] = [parts[n - 1][:-1] + parts[n][1:]]
    return parts
