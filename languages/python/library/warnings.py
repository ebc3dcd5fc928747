"""Warnings: who is told of what, and how often."""

import sys

filters = [
    ("default", None, DeprecationWarning, "__main__", 0),
    ("ignore", None, DeprecationWarning, None, 0),
    ("ignore", None, PendingDeprecationWarning, None, 0),
    ("ignore", None, ImportWarning, None, 0),
    ("ignore", None, ResourceWarning, None, 0),
]
defaultaction = "default"
onceregistry = {}
_ACTIONS = ("default", "always", "ignore", "module", "once", "error")


class WarningMessage:
    def __init__(
        self, message, category, filename, lineno, file=None, line=None, source=None
    ):
        self.message = message
        self.category = category
        self.filename = filename
        self.lineno = lineno
        self.file = file
        self.line = line
        self.source = source

    def __str__(self):
        return (
            f"{{message : {self.message!r}, category : {self.category.__name__!r}, "
            f"filename : {self.filename!r}, lineno : {self.lineno}, line : {self.line!r}}}"
        )


def formatwarning(message, category, filename, lineno, line=None):
    made = f"{filename}:{lineno}: {category.__name__}: {message}\n"
    if line is None:
        try:
            with open(filename) as file:
                line = file.read().split("\n")[lineno - 1]
        except (OSError, IndexError, UnicodeDecodeError):
            line = ""
    line = line.strip()
    return f"{made}  {line}\n" if line else made


def showwarning(message, category, filename, lineno, file=None, line=None):
    text = formatwarning(message, category, filename, lineno, line)
    (file or sys.stderr).write(text)


def _insert(rule, append):
    if rule in filters:
        if append:
            return
        filters.remove(rule)
    filters.insert(len(filters) if append else 0, rule)


def _check(action, lineno):
    if action not in _ACTIONS:
        raise AssertionError(f"invalid action: {action!r}")
    if not isinstance(lineno, int) or lineno < 0:
        raise AssertionError("lineno must be an int >= 0")


def simplefilter(action, category=Warning, lineno=0, append=False):
    _check(action, lineno)
    _insert((action, None, category, None, lineno), append)


def filterwarnings(action, message="", category=Warning, module="", lineno=0, append=False):
    _check(action, lineno)
    _insert((action, _pattern(message, True), category, _pattern(module, False), lineno), append)


def _pattern(text, ignores_case):
    if not text:
        return None
    import re

    return re.compile(text, re.I if ignores_case else 0)


def resetwarnings():
    filters.clear()


def _fits(pattern, text):
    if pattern is None:
        return True
    return pattern == text if isinstance(pattern, str) else pattern.match(text) is not None


def _caller(level):
    """Where a warning is about: the file, the line, the module, and what was shown there."""
    try:
        frame = sys._getframe(max(level - 1, 0))
    except ValueError:
        return "sys", 1, "sys", {}
    registry = frame.f_globals.get("__warningregistry__")
    if registry is None:
        registry = frame.f_globals["__warningregistry__"] = {}
    name = frame.f_globals.get("__name__", "<string>")
    return frame.f_code.co_filename, frame.f_lineno, name, registry


def warn(message, category=None, stacklevel=1, source=None):
    if isinstance(message, Warning):
        category = type(message)
    category = category or UserWarning
    if not (isinstance(category, type) and issubclass(category, Warning)):
        kind = type(category).__name__
        raise TypeError(f"category must be a Warning subclass, not '{kind}'")
    filename, lineno, module, registry = _caller(stacklevel)
    warn_explicit(message, category, filename, lineno, module, registry, source=source)


def warn_explicit(
    message,
    category,
    filename,
    lineno,
    module=None,
    registry=None,
    module_globals=None,
    source=None,
):
    registry = {} if registry is None else registry
    module = module or filename or "<unknown>"
    if isinstance(message, Warning):
        text, category = str(message), type(message)
    else:
        text, message = message, category(message)
    key = (text, category, lineno)
    if registry.get(key):
        return
    action = defaultaction
    for rule, about, kind, where, line in filters:
        is_about = _fits(about, text) and _fits(where, module)
        if is_about and issubclass(category, kind) and line in (0, lineno):
            action = rule
            break
    if action == "ignore":
        return
    if action == "error":
        raise message
    if action == "once":
        if onceregistry.get((text, category)):
            return
        onceregistry[(text, category)] = 1
    elif action == "module":
        if registry.get((text, category, 0)):
            return
        registry[(text, category, 0)] = 1
    if action != "always":
        registry[key] = 1
    _show(WarningMessage(message, category, filename, lineno, source=source))


def _show(warning):
    if _kept is not None:
        _kept.append(warning)
        return
    message, category = warning.message, warning.category
    showwarning(message, category, warning.filename, warning.lineno, warning.file, warning.line)


_kept = None


class catch_warnings:
    """Puts back who is told of what; with `record` keeps what is said."""

    def __init__(self, *, record=False, module=None, action=None, category=Warning, lineno=0):
        self._record = record
        self._rule = action and (action, category, lineno)

    def __enter__(self):
        global _kept
        self._before = (list(filters), showwarning, _kept)
        _kept = [] if self._record else None
        if self._rule:
            simplefilter(*self._rule)
        return _kept

    def __exit__(self, *exception):
        global _kept, showwarning
        filters[:], showwarning, _kept = self._before
