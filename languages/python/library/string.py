"""Characters by kind, templates, and formats whose parts can be replaced."""

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


class Formatter:
    def format(self, format_string, /, *args, **kwargs):
        return self.vformat(format_string, args, kwargs)

    def vformat(self, format_string, args, kwargs):
        used = set()
        made, _ = self._formatted(format_string, args, kwargs, used, 2, 0)
        self.check_unused_args(used, args, kwargs)
        return made

    def _formatted(self, text, args, kwargs, used, depth, number):
        """The text, and the number of the next argument; `None` if they are not numbered so."""
        if depth < 0:
            raise ValueError("Max string recursion exceeded")
        made = []
        for literal, name, spec, conversion in self.parse(text):
            if literal:
                made.append(literal)
            if name is None:
                continue
            if name == "":
                if number is None:
                    raise ValueError(
                        "cannot switch from manual field specification to automatic field numbering"
                    )
                name = str(number)
                number += 1
            elif name.isdigit():
                if number:
                    raise ValueError(
                        "cannot switch from manual field specification to automatic field numbering"
                    )
                number = None
            value, first = self.get_field(name, args, kwargs)
            used.add(first)
            value = self.convert_field(value, conversion)
            spec, number = self._formatted(spec, args, kwargs, used, depth - 1, number)
            made.append(self.format_field(value, spec))
        return "".join(made), number

    def get_value(self, key, args, kwargs):
        return args[key] if isinstance(key, int) else kwargs[key]

    def check_unused_args(self, used_args, args, kwargs):
        pass

    def format_field(self, value, format_spec):
        return format(value, format_spec)

    def convert_field(self, value, conversion):
        if conversion is None:
            return value
        if conversion == "s":
            return str(value)
        if conversion == "r":
            return repr(value)
        if conversion == "a":
            return ascii(value)
        raise ValueError(f"Unknown conversion specifier {conversion!s}")

    def parse(self, format_string):
        return _fields(format_string)

    def get_field(self, field_name, args, kwargs):
        at = _end_of_first(field_name)
        first = _index(field_name[:at])
        value = self.get_value(first, args, kwargs)
        for is_attribute, step in _steps(field_name, at):
            value = getattr(value, step) if is_attribute else value[step]
        return value, first


def _fields(text):
    """The parts of a format: a text, and the field behind it with its format and conversion."""
    at = 0
    while at < len(text):
        literal, at, is_field = _literal(text, at)
        if is_field:
            name, spec, conversion, at = _field(text, at)
            yield literal, name, spec, conversion
        else:
            yield literal, None, None, None


def _literal(text, at):
    """A text up to a field or a doubled brace, where it ends, and whether a field follows."""
    end = at
    while end < len(text) and text[end] not in "{}":
        end += 1
    if end == len(text):
        return text[at:], end, False
    c = text[end]
    if text[end + 1 : end + 2] == c:
        return text[at : end + 1], end + 2, False
    if c == "}" or end + 1 == len(text):
        raise ValueError(f"Single '{c}' encountered in format string")
    return text[at:end], end + 1, True


def _field(text, at):
    """A field behind its brace: name, format, conversion, and where it ends."""
    end = at
    in_brackets = False
    while end < len(text) and (in_brackets or text[end] not in "{}:!"):
        if text[end] == "[":
            in_brackets = True
        elif text[end] == "]":
            in_brackets = False
        end += 1
    if end == len(text):
        raise ValueError("expected '}' before end of string")
    name, conversion = text[at:end], None
    if text[end] == "{":
        raise ValueError("unexpected '{' in field name")
    if text[end] == "!":
        if end + 1 == len(text):
            raise ValueError("end of string while looking for conversion specifier")
        conversion = text[end + 1]
        end += 2
        if end == len(text):
            raise ValueError("unmatched '{' in format spec")
        if text[end] not in ":}":
            raise ValueError("expected ':' after conversion specifier")
    if text[end] == "}":
        return name, "", conversion, end + 1
    start = end = end + 1
    depth = 1
    while end < len(text):
        depth += (text[end] == "{") - (text[end] == "}")
        if depth == 0:
            return name, text[start:end], conversion, end + 1
        end += 1
    raise ValueError("unmatched '{' in format spec")


def _index(text):
    return int(text) if text.isdecimal() and text.isascii() else text


def _end_of_first(name):
    at = 0
    while at < len(name) and name[at] not in ".[":
        at += 1
    return at


def _steps(name, at):
    """The attributes and items behind the first part of the name of a field."""
    while at < len(name):
        if name[at] == ".":
            end = at + 1
            while end < len(name) and name[end] not in ".[":
                end += 1
            is_attribute, step = True, name[at + 1 : end]
        elif name[at] == "[":
            end = name.find("]", at)
            if end < 0:
                raise ValueError("Missing ']' in format string")
            is_attribute, step = False, name[at + 1 : end]
            end += 1
        else:
            raise ValueError("Only '.' or '[' may follow ']' in format field specifier")
        if not step:
            raise ValueError("Empty attribute in format string")
        yield is_attribute, step if is_attribute else _index(step)
        at = end
