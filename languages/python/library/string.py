"""Characters by kind, and templates."""

import re as _re

ascii_lowercase = "abcdefghijklmnopqrstuvwxyz"
ascii_uppercase = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ascii_letters = ascii_lowercase + ascii_uppercase
digits = "0123456789"
hexdigits = digits + "abcdef" + "ABCDEF"
octdigits = "01234567"
punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
whitespace = " \t\n\r\v\f"
printable = digits + ascii_letters + punctuation + whitespace


def capwords(s, sep=None):
    return (" " if sep is None else sep).join([word.capitalize() for word in s.split(sep)])


_nothing = {}


class Template:
    delimiter = "$"
    idpattern = "(?a:[_a-z][_a-z0-9]*)"
    braceidpattern = None
    flags = _re.IGNORECASE

    def __init_subclass__(cls):
        super().__init_subclass__()
        cls.pattern = cls._compiled()

    @classmethod
    def _compiled(cls):
        pattern = cls.__dict__.get("pattern")
        if pattern is None:
            sign = _re.escape(cls.delimiter)
            braced = cls.braceidpattern or cls.idpattern
            pattern = (
                f"{sign}(?:(?P<escaped>{sign})|(?P<named>{cls.idpattern})"
                f"|{{(?P<braced>{braced})}}|(?P<invalid>))"
            )
            return _re.compile(pattern, cls.flags)
        return _re.compile(pattern, cls.flags | _re.VERBOSE)

    def __init__(self, template):
        self.template = template

    def _mistake(self, match):
        if match.group("invalid") is None:
            return ValueError("Unrecognized named group in pattern", self.pattern)
        at = match.start("invalid")
        lines = self.template[:at].splitlines(keepends=True)
        line = len(lines) or 1
        column = at - len("".join(lines[:-1])) if lines else 1
        return ValueError(f"Invalid placeholder in string: line {line}, col {column}")

    def _substituted(self, values, are_needed):
        def text(match):
            name = match.group("named") or match.group("braced")
            if name is not None:
                if are_needed:
                    return str(values(name))
                try:
                    return str(values(name))
                except KeyError:
                    return match.group()
            if match.group("escaped") is not None:
                return self.delimiter
            if are_needed or match.group("invalid") is None:
                raise self._mistake(match)
            return match.group()

        return self.pattern.sub(text, self.template)

    def substitute(self, mapping=_nothing, /, **kws):
        return self._substituted(_values(mapping, kws), True)

    def safe_substitute(self, mapping=_nothing, /, **kws):
        return self._substituted(_values(mapping, kws), False)

    def is_valid(self):
        for match in self.pattern.finditer(self.template):
            if match.group("invalid") is not None:
                return False
            names = match.group("named"), match.group("braced"), match.group("escaped")
            if names == (None, None, None):
                raise self._mistake(match)
        return True

    def get_identifiers(self):
        found = []
        for match in self.pattern.finditer(self.template):
            name = match.group("named") or match.group("braced")
            if name is not None:
                if name not in found:
                    found.append(name)
            elif match.group("invalid") is None and match.group("escaped") is None:
                raise self._mistake(match)
        return found


Template.pattern = Template._compiled()


def _values(mapping, keywords):
    """A function from names to values, of which those of keywords come first."""
    if not keywords:
        return mapping.__getitem__

    def value(name):
        return keywords[name] if name in keywords else mapping[name]

    return value
