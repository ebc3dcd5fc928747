# The module textwrap.
import random
import textwrap

random.seed(7)
words='the quick brown fox jumps-over a lazy dog -- well-known e-mail, "quoted." End! Is it? long--dash averyveryveryverylongword x-y-z 12-34 co-op --option -v foo_bar-baz it\'s... a.b\t\n  tab'.split(' ')
T=[' '.join(random.choice(words) for _ in range(random.randint(0, 25))) for _ in range(6)]
for t in T:
    for w in (1,5,9,20,33,70):
        print(textwrap.wrap(t,w))
    print(textwrap.wrap(t,20,initial_indent='* ',subsequent_indent='    '), textwrap.wrap(t,15,break_long_words=False,break_on_hyphens=False), textwrap.wrap(t,30,fix_sentence_endings=True), textwrap.wrap(t,12,drop_whitespace=False))
    for n in (1,2,3):
        print(textwrap.wrap(t,20,max_lines=n), textwrap.wrap(t,12,max_lines=n,placeholder='...'))
    print(repr(textwrap.shorten(t,25)), repr(textwrap.fill(t,18)), repr(textwrap.indent(t,'> ')), repr(textwrap.dedent('  '+t.replace(' a ','\n   a '))))
for f in (lambda: textwrap.wrap('a b',0), lambda: textwrap.wrap('a b',3,max_lines=1), lambda: textwrap.indent('a\n\n b\n','  ', lambda l: True)):
    try: print(repr(f()))
    except Exception as e: print(type(e).__name__,e)
