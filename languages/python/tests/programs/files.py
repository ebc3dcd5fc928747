# Files of text, and what is like them.
import io
import sys

path = (sys.argv[1] if len(sys.argv) > 1 else "/tmp") + "/written.txt"
with open(path, "w") as f:
    print(f.write("one\ntwo\n"), f.writable(), f.readable(), f.name == path, f.closed)
    print("three", 3, file=f)
    f.writelines(["four\n", "five"])
print(f.closed)
with open(path) as f:
    print(f.readline(), repr(f.read(3)), f.read())
with open(path) as f:
    for number, line in enumerate(f):
        print(number, repr(line))
print(open(path).readlines(), len(open(path, "r", encoding="utf-8").read()))
with open(path, "a") as f:
    f.write("\nsix")
print([line.strip() for line in open(path)])
with open(path, "w"):
    pass
print(repr(open(path).read()))
for broken in (
    lambda: open("no/such/file"),
    lambda: open(path, "q"),
    lambda: f.write("x"),
    lambda: open(path).write("x"),
):
    try:
        broken()
    except (OSError, ValueError) as error:
        print(type(error).__name__, error)
try:
    open("missing.txt")
except FileNotFoundError as error:
    print(error, error.args, isinstance(error, OSError))
out = io.StringIO()
print("a", "b", file=out)
out.write("c\n")
print(repr(out.getvalue()), io.StringIO("x\ny").readlines(), list(io.StringIO("p\nq\n")))
print("to stdout", file=sys.stdout)
with open(path, "w") as f:
    f.write("")
