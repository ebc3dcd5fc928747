# The modules fnmatch and glob.
import fnmatch
import glob
import os
import sys


def show(function):
    try:
        print(repr(function()))
    except Exception as error:
        print(type(error).__name__, error, sep=": ")


for pattern in [
    "", "*", "**", "a*", "*a", "a*b*c", "*a*", "?", "a?c", "[abc]", "[!abc]", "[a-c]x", "[^a]", "[]a]",
    "[!]a]", "[", "[a", "[]", "[!]", "[a-]", "[-a]", "[--a]", "[c-a]", "[c-ab]", "[!c-a]", "[a-c-e]",
    "[\\]", "[\\a-z]", "[a&&b]", "[a||b~~c]", "[[a]", "a.b", "a+b(c)", "\\*", "a\nb", "x**y", "[a-b-c-]",
    "\u00e9*", "*.p[yc]",
]:  # fmt: skip
    print(ascii(pattern), ascii(fnmatch.translate(pattern)))
names = ["a", "abc", "aXbYc", "b", "x.py", "x.pyc", "A", "]", "-", "^", "", "a\nb", "ac", "[a", ".hid"]
for pattern in ["*", "a*", "a*b*c", "[!a]", "?", "*.py*", "[]-]", "[", "[[]a", "a?b", "A", ""]:
    show(lambda: (pattern, fnmatch.filter(names, pattern)))
    show(lambda: [fnmatch.fnmatch(name, pattern) for name in names])
show(lambda: fnmatch.fnmatchcase("ABC", "abc"))
show(lambda: fnmatch.fnmatchcase("a" * 50, "*a" * 20 + "b"))

folder = (sys.argv[1] if len(sys.argv) > 1 else "/tmp") + "/tree"
for name in ["one/two/three", "one/.hidden", "four", "[odd]"]:
    os.makedirs(f"{folder}/{name}", exist_ok=True)
for name in ["a.txt", "b.txt", ".dot", "one/c.txt", "one/two/d.py", "one/two/three/e.txt", "[odd]/f"]:
    with open(f"{folder}/{name}", "w") as file:
        file.write(name)


def found(pattern, **options):
    show(lambda: (pattern, sorted(glob.glob(pattern, root_dir=folder, **options))))
    show(lambda: sorted(p[len(folder) :] for p in glob.iglob(folder + "/" + pattern, **options)))


for pattern in [
    "*", "*.txt", "?.txt", ".*", "one/*", "one", "one/", "none", "*/", "*/*.txt", "*/*/*", "one/t*/d.*",
    "[ab].txt", "[!a].txt", "[[]odd]/*", "**", "**/*.txt", "one/**", "**/", "nothing/*", "*/two",
]:  # fmt: skip
    found(pattern)
    found(pattern, recursive=True)
found("**", recursive=True, include_hidden=True)
found("*", include_hidden=True)
show(lambda: glob.glob(""))
show(lambda: (glob.escape("a*[b]?"), glob.has_magic("a[b]"), glob.has_magic("ab")))
show(lambda: sorted(glob.glob(glob.escape(folder) + "/" + glob.escape("[odd]") + "/f")) == [folder + "/[odd]/f"])
