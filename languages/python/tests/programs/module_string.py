# The module string: templates.
import string
from string import Template


def show(function):
    try:
        print(repr(function()))
    except Exception as error:
        print(type(error).__name__, error, sep=": ")


for text in [
    "$who likes ${what}", "$$5", "$who$$", "${who}s", "$", "$ x", "a\nb $", "\n\n  $1", "${", "${}",
    "${1}", "$a_b1-c", "$WHO", "$\u00e9", "no sign", "", "$who.x ${what}", "$$$who", "${who what}",
]:  # fmt: skip
    template = Template(text)
    print(ascii(text))
    show(lambda: ascii(template.substitute(who="tim", what="kung pao", a_b1=1, WHO=2)))
    show(lambda: ascii(template.substitute({"who": "tim"}, what=None)))
    show(lambda: ascii(template.safe_substitute(who="tim")))
    show(lambda: (template.is_valid(), template.get_identifiers()))
show(lambda: Template("$a $b").substitute({"a": 1, "b": 2}, a=3))
show(lambda: Template("$a $b").safe_substitute({"a": 1}, b=[2]))
show(lambda: Template("$a").substitute())
show(lambda: Template("$a").safe_substitute())
show(lambda: Template("$self $mapping").substitute(self=1, mapping=2))
show(lambda: (Template("x").template, Template.delimiter, Template.idpattern, Template.flags))
show(lambda: Template.pattern.groupindex)


class Percent(Template):
    delimiter = "%"
    idpattern = "[a-z]+_[a-z]+"


class Braces(Template):
    braceidpattern = "[a-z.]+"


class Own(Template):
    delimiter = "{{"
    pattern = r"""
    \{\{(?:
    (?P<escaped>\{\{) |
    (?P<named>[_a-z][_a-z0-9]*)\}\} |
    (?P<braced>[_a-z][_a-z0-9]*)\}\} |
    (?P<invalid>)
    )
    """


show(lambda: Percent("%% %with_underscore %notunderscored").safe_substitute(with_underscore="x"))
show(lambda: Percent("%notunderscored").substitute(notunderscored=1))
show(lambda: Braces("${a.b} $a").substitute({"a.b": 1, "a": 2}))
show(lambda: Own("{{{{ {{x}} {{y}}").safe_substitute(x=1))
show(lambda: Own("{{ x").substitute(x=1))
show(lambda: string.capwords("  one tWO  three ", None))
show(lambda: string.capwords("a-b", "-"))
show(lambda: (string.hexdigits, string.octdigits, string.printable == string.printable))
text = Template("$n: ${text}, $$ $n")
print([text.substitute(n=n, text="x" * (n % 3)) for n in range(50)][-1])
