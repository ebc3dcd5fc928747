# The module shlex.
import io
import shlex


def show(function):
    try:
        print(repr(function()))
    except Exception as error:
        print(type(error).__name__, error, sep=": ")


for text in [
    "a b c", "a 'b c' d", 'a "b c" d', "a\\ b", "a 'b\\' c", '"a\\"b\\\\c\\d"', '""', "''", 'a""b',
    "a # c", "a#b", '"unclosed', "'x", "a\\", '"a\\', "a\nb", "  ", "", "a'b'c\"d\"e", "\\a\\b",
    '\u00e9 "\u00fc"', "a;b|c&&d>e", "x=1 y='2 3'", "#c\nd", "a \\\n b", "a-b.c ~/d*?",
]:  # fmt: skip
    print(ascii(text))
    show(lambda: ascii(shlex.split(text)))
    show(lambda: ascii(shlex.split(text, comments=True)))
    show(lambda: ascii(shlex.split(text, posix=False)))
    show(lambda: ascii(list(shlex.shlex(text))))
    show(lambda: ascii(list(shlex.shlex(text, posix=True))))
    show(lambda: ascii(list(shlex.shlex(text, punctuation_chars=True))))
    show(lambda: ascii(list(shlex.shlex(text, posix=True, punctuation_chars=";|&"))))
for text in ["", "a", "a b", "it's", "a-b_c.d/e:f,g@h%i+j=k", "$x", "\u00e9", "a\n", "~"]:
    show(lambda: ascii(shlex.quote(text)))
show(lambda: shlex.join(["a", "b c", "d'e", ""]))
show(lambda: shlex.split(shlex.join(["a", "b c", "d'e", "", '"', "\\"])))
show(lambda: shlex.quote(3))
show(lambda: shlex.__all__)
lexer = shlex.shlex('a b\nc "d e" f')
show(lambda: (lexer.get_token(), lexer.lineno, lexer.get_token(), lexer.lineno))
show(lambda: (lexer.push_token("zz"), lexer.get_token(), lexer.get_token(), lexer.lineno))
show(lambda: (lexer.wordchars, lexer.commenters, lexer.whitespace, lexer.quotes, lexer.escape))
show(lambda: (lexer.escapedquotes, lexer.whitespace_split, lexer.eof, lexer.infile))
show(lambda: (lexer.error_leader(), lexer.error_leader("f", 3), lexer.punctuation_chars))
lexer = shlex.shlex("a,b;c", posix=True)
lexer.whitespace = ","
lexer.whitespace_split = True
show(lambda: list(lexer))
lexer = shlex.shlex("a-b.c")
lexer.wordchars += "-."
show(lambda: list(lexer))
lexer = shlex.shlex("", posix=True)
show(lambda: (lexer.get_token(), lexer.eof))
lexer = shlex.shlex("")
show(lambda: (lexer.get_token(), lexer.eof))
lexer = shlex.shlex("a b")
show(lambda: (lexer.get_token(), lexer.push_source("x y", "inner"), lexer.infile, list(lexer)))
lexer = shlex.shlex(io.StringIO("a include b c"))
lexer.source = "include"
lexer.sourcehook = lambda name: (name, io.StringIO("1 2"))
show(lambda: list(lexer))
