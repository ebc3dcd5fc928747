"""Fields in format strings, for `string.Formatter`."""


def formatter_parser(text):
    """The parts of a format string: literal text, and the field behind it or `None`."""
    literal, at = [], 0
    while at < len(text):
        letter = text[at]
        at += 1
        if letter not in "{}":
            literal.append(letter)
            continue
        if text[at : at + 1] == letter:
            literal.append(letter)
            at += 1
            continue
        if letter == "}":
            raise ValueError("Single '}' encountered in format string")
        if at == len(text):
            raise ValueError("Single '{' encountered in format string")
        field, at = _field(text, at)
        yield ("".join(literal), *field)
        literal = []
    if literal:
        yield "".join(literal), None, None, None


def _field(text, at):
    """A field from behind its brace on, in three parts, and where it ends."""
    start, depth, brackets = at, 1, 0
    split = None
    while at < len(text):
        letter = text[at]
        if letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
            if not depth:
                break
        elif split is None and letter == "[":
            brackets += 1
        elif split is None and letter == "]":
            brackets -= 1
        elif split is None and letter in "!:" and depth == 1 and brackets <= 0:
            split = at
        at += 1
    else:
        raise ValueError("expected '}' before end of string")
    if split is None:
        return (text[start:at], "", None), at + 1
    name, rest = text[start:split], text[split:at]
    if rest[0] == ":":
        return (name, rest[1:], None), at + 1
    if len(rest) < 2:
        raise ValueError("end of string while looking for conversion specifier")
    if len(rest) > 2 and rest[2] != ":":
        raise ValueError("expected ':' after conversion specifier")
    return (name, rest[3:], rest[1]), at + 1


def formatter_field_name_split(name):
    """The first part of a field's name, and an iterator over what follows."""
    end = min([at for at in (name.find("."), name.find("[")) if at >= 0], default=len(name))
    first = name[:end]
    return int(first) if first.isdecimal() else first, _rest(name, end)


def _rest(name, at):
    while at < len(name):
        if name[at] == ".":
            stop = at + 1
            while stop < len(name) and name[stop] not in ".[":
                stop += 1
            yield True, name[at + 1 : stop]
            at = stop
        elif name[at] == "[":
            stop = name.find("]", at)
            if stop < 0:
                raise ValueError("Missing ']' in format string")
            part = name[at + 1 : stop]
            if not part:
                raise ValueError("Empty attribute in format string")
            yield False, int(part) if part.isdecimal() else part
            at = stop + 1
        else:
            raise ValueError("Only '.' or '[' may follow ']' in format field specifier")
