# The module string: templates and formatters.
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

formatter = string.Formatter()
for text in [
    "", "a", "{}", "{0}", "a{{b}}c", "x{a!r:>{w}}y", "{", "}", "{a", "{a!", "{a!r", "{a!rx}", "{a!}", "{a:",
    "{a:{", "{a:{b", "{a:{b}", "{a}}", "{{}", "{}}", "{a[0].b}", "{a[}", "{a[x]y}", "{a.}", "{.b}", "{[0]}",
    "{0.x[y]}", "{a!r:}", "{:{}{}}", "{a:}}", "{a b}", "{!r}", "{:>5}", "{a{b}}", "{a[}]}", "{a[:]}",
    "{0!s}{1}",
]:  # fmt: skip
    print(repr(text))
    show(lambda: list(formatter.parse(text)))
    show(lambda: formatter.format(text, 1, 2, a=[7], w=3, b="q"))
show(lambda: formatter.format("{} {}", 1, 2))
show(lambda: formatter.format("{} {0}", 1))
show(lambda: formatter.format("{0} {}", 1))
show(lambda: formatter.format("{:{}} {}", 1, 4, 5))
show(lambda: formatter.format("{:{:{}}}", 1, 2, 3))
show(lambda: formatter.format("{x}"))
show(lambda: formatter.format("{3}", 1))
show(lambda: formatter.vformat("{0}{k}", (1,), {"k": 2}))
show(lambda: formatter.format("{a.real}{b[0]}{c[k]}", a=1, b=[2], c={"k": 3}))
show(lambda: formatter.convert_field(1, "x"))
show(lambda: formatter.convert_field("\u00e9", "a"))
show(lambda: formatter.get_field("0", (5,), {}))
show(lambda: formatter.format("{self}", self=1))


class Upper(string.Formatter):
    def get_value(self, key, args, kwargs):
        return f"<{key}>" if isinstance(key, str) else args[key]

    def check_unused_args(self, used_args, args, kwargs):
        print(sorted(map(str, used_args)), args, kwargs)

    def format_field(self, value, format_spec):
        return super().format_field(value, format_spec).upper()


show(lambda: Upper().format("{a} {0:>4} {b!r}", "x"))
