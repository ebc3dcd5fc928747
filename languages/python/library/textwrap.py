"""Texts in lines of a width."""

__all__ = ["TextWrapper", "wrap", "fill", "dedent", "indent", "shorten"]

_SPACE = "\t\n\x0b\x0c\r "


def _is_word(c):
    return c == "_" or c.isalnum()


class TextWrapper:
    def __init__(
        self,
        width=70,
        initial_indent="",
        subsequent_indent="",
        expand_tabs=True,
        replace_whitespace=True,
        fix_sentence_endings=False,
        break_long_words=True,
        drop_whitespace=True,
        break_on_hyphens=True,
        tabsize=8,
        *,
        max_lines=None,
        placeholder=" [...]",
    ):
        self.width = width
        self.initial_indent = initial_indent
        self.subsequent_indent = subsequent_indent
        self.expand_tabs = expand_tabs
        self.replace_whitespace = replace_whitespace
        self.fix_sentence_endings = fix_sentence_endings
        self.break_long_words = break_long_words
        self.drop_whitespace = drop_whitespace
        self.break_on_hyphens = break_on_hyphens
        self.tabsize = tabsize
        self.max_lines = max_lines
        self.placeholder = placeholder

    def _pieces(self, text):
        """Words and the spaces between them."""
        if self.expand_tabs:
            text = text.expandtabs(self.tabsize)
        if self.replace_whitespace:
            text = text.translate({ord(c): " " for c in _SPACE})
        pieces, at = [], 0
        while at < len(text):
            is_space = text[at] in _SPACE
            end = at + 1
            while end < len(text) and (text[end] in _SPACE) == is_space:
                end += 1
            if is_space or not self.break_on_hyphens:
                pieces.append(text[at:end])
            else:
                pieces.extend(self._at_hyphens(text[at:end]))
            at = end
        if self.fix_sentence_endings:
            for n in range(len(pieces) - 1):
                if pieces[n + 1] == " " and self._ends_sentence(pieces[n]):
                    pieces[n + 1] = "  "
        return pieces

    def _ends_sentence(self, word):
        word = word.removesuffix('"').removesuffix("'")
        return len(word) > 1 and word[-1] in ".!?" and word[-2].isascii() and word[-2].islower()

    def _at_hyphens(self, word):
        """Parts of a word, each of which ends where a line may end."""
        parts, start = [], 0
        size = len(word)
        n = 0
        while n < size:
            if word[n] != "-":
                n += 1
                continue
            dashes = n
            while n < size and word[n] == "-":
                n += 1
            is_dash = n - dashes >= 2
            if is_dash:
                before = dashes > 0 and (_is_word(word[dashes - 1]) or word[dashes - 1] in "!\"'&.,?")
                if before and n < size and _is_word(word[n]):
                    parts.append(word[start:dashes])
                    parts.append(word[dashes:n])
                    start = n
                continue
            letters = word[max(start, dashes - 2) : dashes]
            follow = word[n : n + 2]
            has_letters = len(letters) == 2 and all(_is_letter(c) for c in letters)
            if has_letters and len(follow) == 2 and _is_letter(follow[0]) and _goes_on(follow):
                parts.append(word[start:n])
                start = n
        if start < size:
            parts.append(word[start:])
        return parts

    def _lines(self, pieces):
        if self.width <= 0:
            raise ValueError(f"invalid width {self.width!r} (must be > 0)")
        if self.max_lines is not None:
            indent = self.subsequent_indent if self.max_lines > 1 else self.initial_indent
            if len(indent) + len(self.placeholder.lstrip()) > self.width:
                raise ValueError("placeholder too large for max width")
        lines = []
        pieces.reverse()
        while pieces:
            line, size = [], 0
            indent = self.subsequent_indent if lines else self.initial_indent
            width = self.width - len(indent)
            if self.drop_whitespace and lines and not pieces[-1].strip():
                pieces.pop()
            while pieces and size + len(pieces[-1]) <= width:
                size += len(pieces[-1])
                line.append(pieces.pop())
            if pieces and len(pieces[-1]) > width:
                self._cut(pieces, line, size, width)
                size = sum(map(len, line))
            if self.drop_whitespace and line and not line[-1].strip():
                size -= len(line.pop())
            if not line:
                continue
            is_last = self.max_lines is not None and len(lines) + 1 >= self.max_lines
            is_end = not pieces or self.drop_whitespace and len(pieces) == 1 and not pieces[0].strip()
            if not is_last or is_end and size <= width:
                lines.append(indent + "".join(line))
                continue
            while line:
                if line[-1].strip() and size + len(self.placeholder) <= width:
                    line.append(self.placeholder)
                    lines.append(indent + "".join(line))
                    break
                size -= len(line.pop())
            else:
                if lines:
                    last = lines[-1].rstrip()
                    if len(last) + len(self.placeholder) <= self.width:
                        lines[-1] = last + self.placeholder
                        break
                lines.append(indent + self.placeholder.lstrip())
            break
        return lines

    def _cut(self, pieces, line, size, width):
        """Takes as much of a word that no line has room for as this one has."""
        room = max(width, 1) if width < 1 else width - size
        if not self.break_long_words:
            if not line:
                line.append(pieces.pop())
            return
        word = pieces[-1]
        end = 1 if width < 1 else room
        if self.break_on_hyphens and len(word) > end:
            hyphen = word.rfind("-", 0, end)
            if hyphen > 0 and word[:hyphen].strip("-"):
                end = hyphen + 1
        line.append(word[:end])
        pieces[-1] = word[end:]

    def wrap(self, text):
        return self._lines(self._pieces(text))

    def fill(self, text):
        return "\n".join(self.wrap(text))


def _is_letter(c):
    return _is_word(c) and not c.isdecimal()


def _goes_on(follow):
    return _is_letter(follow[1]) or follow[1] == "-"


def wrap(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).wrap(text)


def fill(text, width=70, **kwargs):
    return TextWrapper(width=width, **kwargs).fill(text)


def shorten(text, width, **kwargs):
    return TextWrapper(width=width, max_lines=1, **kwargs).fill(" ".join(text.strip().split()))


def dedent(text):
    lines = [line if line.strip(" \t") else "" for line in text.split("\n")]
    margin = None
    for line in lines:
        if not line:
            continue
        own = line[: len(line) - len(line.lstrip(" \t"))]
        if margin is None:
            margin = own
            continue
        same = 0
        while same < min(len(own), len(margin)) and own[same] == margin[same]:
            same += 1
        margin = margin[:same]
    if margin:
        lines = [line[len(margin) :] for line in lines]
    return "\n".join(lines)


def indent(text, prefix, predicate=None):
    if predicate is None:
        predicate = str.strip
    return "".join(
        prefix + line if predicate(line) else line for line in text.splitlines(True)
    )
