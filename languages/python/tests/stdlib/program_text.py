# Text processing: an adventure in markdown, wrapping, tables and unicode
import re, string, textwrap, difflib, html
from collections import Counter

SRC = """# Title *here*

Some **bold** text with `code` & a [link](http://x.y/?a=1&b=2).
It goes on
over lines -- "quoted".

* item one
* item two
    1. nested
* three

> quote me

| a | bb |
|---|---:|
| 1 | 22 |
"""

INLINE = [
    (re.compile(r"`([^`]+)`"), lambda m: f"<code>{html.escape(m[1])}</code>"),
    (re.compile(r"\*\*(.+?)\*\*"), r"<b>\1</b>"),
    (re.compile(r"\*(.+?)\*"), r"<i>\1</i>"),
    (re.compile(r"\[(?P<t>[^\]]+)\]\((?P<u>[^)\s]+)\)"), r'<a href="\g<u>">\g<t></a>'),
]


def inline(s):
    s = html.escape(s, quote=False)
    for rx, sub in INLINE:
        s = rx.sub(sub, s)
    return s


def blocks(text):
    buf = []
    for line in text.splitlines() + [""]:
        if line.strip():
            buf.append(line)
        elif buf:
            yield buf
            buf = []


def render(text):
    out = []
    for b in blocks(text):
        first = b[0]
        if m := re.match(r"(#+)\s+(.*)", first):
            n = len(m.group(1))
            out.append(f"<h{n}>{inline(m.group(2))}</h{n}>")
        elif first.startswith("* "):
            out.append("<ul>")
            for l in b:
                depth = (len(l) - len(l.lstrip())) // 4
                out.append("  " * (depth + 1) + "<li>" + inline(re.sub(r"^\s*(\*|\d+\.)\s+", "", l)) + "</li>")
            out.append("</ul>")
        elif first[0] == ">":
            out.append("<blockquote>%s</blockquote>" % " ".join(inline(l.lstrip("> ")) for l in b))
        elif first[0] == "|":
            rows = [[c.strip() for c in l.strip("|").split("|")] for l in b]
            aligns = ["right" if c.endswith(":") else "left" for c in rows[1]]
            for i, r in enumerate(rows):
                if i != 1:
                    out.append("".join(f"<t{'hd'[i > 0]} {a}>{c}" for c, a in zip(r, aligns)))
        else:
            out.append("<p>" + inline("\n".join(b)) + "</p>")
    return "\n".join(out)


print(render(SRC))
para = "The quick brown fox — naïve café — jumps over the lazy dog; again and again, until thirty-two columns are full."
print(textwrap.fill(para, 32, initial_indent="* ", subsequent_indent="  "))
print(textwrap.shorten(para, 40, placeholder="…"), textwrap.indent("a\n\nb", "> "), sep="\n")
print(Counter(re.findall(r"\w+", para.lower())).most_common(3))
words = para.split()
print("{:<8}|{:^8}|{:>8}|{:*^12}|{!r:>6}|{:08.3f}|{:+,d}|{:#x}|{:e}|{:%}".format("ab", "cd", "ef", "mid", "q", 3.14159, 1234567, 255, 12345.678, 0.256))
print("%-5s|%05d|%+.2e|%x|%c|%%|%r|%5.1f" % ("a", 42, 1234.5, 255, "z", "q", 2.25))
print(f"{words[0]!r:>10} {len(words)=} {max(words, key=len):.^16} {3.0:g} {1e20:g} {10**20:,} {0.1+0.2:.17g}")
print(str.maketrans("abc", "xyz", "d"), "abcd".translate(str.maketrans("abc", "xyz", "d")), "a-b_c".title(), "hello world".capitalize().swapcase())
print("a,b;c d".replace(",", " ").replace(";", " ").split(), re.split(r"([,;])\s*", "a, b;c"), "x=1=2".partition("="), "x=1=2".rpartition("="), "  pad ".strip().zfill(6), "tab\tx".expandtabs(4))
print(re.sub(r"(?i)\b(\w)(\w*)", lambda m: m[1].upper() + m[2].lower(), "hELLO big wORLD"), re.findall(r"(\d+)-(\d+)", "1-2, 33-44"), re.fullmatch(r"[a-f\d]+", "dead01") is not None)
print([m.span() for m in re.finditer(r"(?<=o)\w", "fox box ooo")], re.escape("a.b*c"), re.compile("a|b", re.M | re.I).flags)
a, b = "one two three four".split(), "one 2 three five four".split()
print(list(difflib.unified_diff(a, b, lineterm="")), difflib.get_close_matches("appel", ["ape", "apple", "peach"]), round(difflib.SequenceMatcher(None, "abcd", "bcde").ratio(), 3))
print("\n".join(difflib.ndiff("a\nb\nc".splitlines(), "a\nx\nc".splitlines())))
print(string.capwords("the end of it"), string.Formatter().format("{0[k]} {1.real}", {"k": 1}, 2j), string.Template("$a ${b}$$").safe_substitute(a=1))
print(html.unescape("&lt;&eacute;&#39;&#x41;"), "é".encode("latin-1"), b"\xc3\xa9".decode(), "\N{GREEK SMALL LETTER ALPHA}", ascii("né"), "abc" "def"[1:], "\x41\u00e9\t".encode())
