# The module `textwrap` of CPython's folder.
# needs: re
import textwrap

t = "Seven grey geese went over the long bridge, one by one.  None looked back! " * 3
print(textwrap.wrap(t, 30))
print(textwrap.fill(t, 40, initial_indent="* ", subsequent_indent="  "))
print(
    textwrap.shorten("Cold  water!", width=12),
    textwrap.shorten("Cold  water!", width=11),
    textwrap.shorten("Cold water", width=10, placeholder="..."),
)
print(
    textwrap.dedent("""\
    first
      second
    """),
    textwrap.indent("first\n\n \nsecond", "  "),
    repr(textwrap.indent("a\n\nb", "+ ", lambda line: True)),
)
print(
    textwrap.wrap("a-very-rather-many-parted-word and more", 12),
    textwrap.wrap("x" * 30, 10),
    textwrap.wrap("aaa bbbb ccc", 5, break_long_words=False, max_lines=2),
)
print(
    textwrap.TextWrapper(width=20, expand_tabs=True, fix_sentence_endings=True).wrap(
        "One. Two. three\tfour five six."
    )
)
