"""How `format` shows decimal numbers."""

from _verdigris import decimal_operation as _operation
from _verdigris import decimal_show as _show

# Of a context that rounds nothing but as the number says.
_MOST = 999999999999999999


class _Specifier:
    """The parts of a specifier: [[fill]align][sign][z][0][width][,][.precision][type]"""

    def __init__(self, text):
        rest = text
        self.fill, self.align = " ", ">"
        has_align = True
        if len(rest) > 1 and rest[1] in "<>=^":
            self.fill, self.align, rest = rest[0], rest[1], rest[2:]
        elif rest and rest[0] in "<>=^":
            self.align, rest = rest[0], rest[1:]
        else:
            has_align = False
        self.sign = "-"
        if rest and rest[0] in "+- ":
            self.sign, rest = rest[0], rest[1:]
        self.no_negative_zero = rest.startswith("z")
        if self.no_negative_zero:
            rest = rest[1:]
        if rest.startswith("0"):
            if has_align:
                _wrong()
            self.fill, self.align, rest = "0", "=", rest[1:]
        self.is_padded = self.fill == "0" and self.align == "=" and not has_align
        digits, rest = _digits(rest)
        self.width = int(digits or 0)
        self.separator = ""
        if rest.startswith(","):
            self.separator, rest = ",", rest[1:]
        self.precision = None
        if rest.startswith("."):
            digits, rest = _digits(rest[1:])
            if not digits:
                _wrong()
            self.precision = int(digits)
        self.type = None
        if rest and rest[0] in "eEfFgGn%":
            self.type, rest = rest[0], rest[1:]
        if rest or self.type == "n" and self.separator:
            _wrong()


def _wrong():
    raise ValueError("invalid format string")


def _digits(text):
    n = 0
    while n < len(text) and text[n] in "0123456789":
        n += 1
    return text[:n], text[n:]


def format_number(number, text, context):
    if not isinstance(text, str):
        raise TypeError("format argument must be str")
    spec = _Specifier(text)
    head, coefficient, exponent, _ = parts = number._parts
    kind = spec.type or ("G" if context._capitals else "g")
    if kind == "n":
        # There are no locales but that of C.
        kind = "g"
    if head >= 2:
        body = _show((head & ~1, coefficient, exponent, 0), context._capitals, 0)
        if spec.is_padded:
            spec.fill, spec.align = " ", ">"
        if kind == "%":
            body += "%"
        return _aligned(_sign(head & 1, spec), body, spec)
    if kind == "%":
        exponent += 2
    rounding = context._settings[1]
    unlimited = (_MOST, rounding, -_MOST, _MOST, 0)
    parts = (head, coefficient, exponent, 0)
    precision = spec.precision
    if precision is not None:
        if kind in "eE":
            if coefficient:
                parts = _with_digits(parts, precision + 1, unlimited)
        elif kind in "fF%":
            parts = _operation("quantize", unlimited, parts, (0, 1, -precision, 0), None)
        elif len(str(coefficient)) > precision:
            parts = _operation("to_digits", unlimited, parts, (0, precision or 1, 0, 0), None)
    head, coefficient, exponent, _ = parts
    if not coefficient and exponent > 0 and kind in "fF%":
        exponent = 0
    digits = str(coefficient)
    left = exponent + len(digits)
    if kind in "eE":
        point = 1 - precision if not coefficient and precision is not None else 1
    elif kind in "fF%":
        point = left
    elif exponent <= 0 and left > -6:
        point = left
    else:
        point = 1
    if point < 0:
        whole, fraction = "0", "0" * -point + digits
    elif point > len(digits):
        whole, fraction = digits + "0" * (point - len(digits)), ""
    else:
        whole, fraction = digits[:point] or "0", digits[point:]
    negative = head & 1
    if spec.no_negative_zero and not coefficient:
        negative = 0
    behind = "." + fraction if fraction else ""
    shift = left - point
    if shift or kind in "eE":
        behind += ("E" if kind in "EG" else "e") + f"{shift:+}"
    if kind == "%":
        behind += "%"
    sign = _sign(negative, spec)
    if spec.is_padded or spec.fill == "0" and spec.align == "=":
        least = spec.width - len(behind) - len(sign)
    else:
        least = 0
    return _aligned(sign, _grouped(whole, spec.separator, least) + behind, spec)


def _with_digits(parts, digits, settings):
    """A number other than zero with exactly so many digits."""
    for _ in range(2):
        last = parts[2] + len(str(parts[1])) - digits
        # The second time is for one that has got a digit more by rounding.
        parts = _operation("quantize", settings, parts, (0, 1, last, 0), None)
    return parts


def _sign(negative, spec):
    if negative:
        return "-"
    return spec.sign if spec.sign in "+ " else ""


def _grouped(whole, separator, least):
    """Digits with separators, and with zeros before them up to a width."""
    if not separator:
        return whole.rjust(least, "0")
    while True:
        groups = []
        rest = whole
        while len(rest) > 3:
            groups.insert(0, rest[-3:])
            rest = rest[:-3]
        made = separator.join([rest, *groups])
        if len(made) >= least:
            return made
        whole = "0" + whole


def _aligned(sign, body, spec):
    padding = spec.fill * (spec.width - len(sign) - len(body))
    if spec.align == "<":
        return sign + body + padding
    if spec.align == ">":
        return padding + sign + body
    if spec.align == "=":
        return sign + padding + body
    half = len(padding) // 2
    return padding[:half] + sign + body + padding[half:]
