# Views of bytes: items, parts, kinds of items, and arrays that keep their length meanwhile.

import array
b = bytearray(b"hello world")
m = memoryview(b)
print(m[0], m[-1], m[1:4].tobytes(), bytes(m[::2].tobytes()), m[::-1].tolist()[:3])
m[0] = 72
m[1:3] = b"EL"
m[::5] = b"..."
print(b, len(m), m.nbytes, m.itemsize, m.format, m.readonly, m.shape, m.strides, m.ndim)
for bad in (lambda: m[20], lambda: m["a"], lambda: m.__setitem__(0, 300), lambda: m.__setitem__(0, "x"), lambda: m.__setitem__(slice(0,2), b"abc"), lambda: m.__setitem__(slice(0,2), "ab"), lambda: memoryview("x"), lambda: hash(m), lambda: m.cast("h"), lambda: m.__delitem__(0)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
r = memoryview(b"abcdefgh")
print(hash(r) == hash(b"abcdefgh"), r == b"abcdefgh", r[2:4] == b"cd", r != b"x", r.readonly)
try:
    r[0] = 1
except TypeError as e:
    print(e)
for f in "bBhHiIlLqQfdc?":
    print(f, r.cast(f).tolist()[:2] if f not in "fd" else len(r.cast(f)))
c = r.cast("B", [2, 4])
print(c.tolist(), c[1, 2], c.shape, c.strides, c.ndim)
a = array.array("i", [1, 2, 3, -4])
am = memoryview(a)
am[1] = 99
am[2:4] = array.array("i", [7, 8])
print(a, am.format, am.itemsize, am.tolist(), am[::2].tolist(), am.nbytes, am.cast("B")[:5].tolist())
with memoryview(b) as mm:
    print(mm[0])
try:
    mm[0]
except ValueError as e:
    print(e)


def show(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__, error)


# A bytearray keeps its length as long as it is looked at.
buffer = bytearray(range(8))
view = memoryview(buffer)
changes = [
    lambda: buffer.append(1),
    lambda: buffer.extend(b"xy"),
    lambda: buffer.insert(0, 1),
    lambda: buffer.pop(),
    lambda: buffer.remove(3),
    lambda: buffer.clear(),
    lambda: buffer.__delitem__(0),
    lambda: buffer.__delitem__(slice(0, 2)),
    lambda: buffer.__setitem__(slice(0, 2), b"longer"),
    lambda: buffer.__iadd__(b"more"),
    lambda: buffer.__imul__(2),
]
for change in changes:
    show(change)
buffer[0:2] = b"xy"
buffer.reverse()
buffer.extend(b"")
print(buffer, len(view))
part = view[2:5]
view.release()
show(lambda: buffer.append(1))
part.release()
part.release()
buffer.append(1)
print(buffer)
for name in ("obj", "nbytes", "format", "itemsize", "shape", "readonly"):
    show(lambda: getattr(view, name))
show(lambda: len(view))
show(lambda: list(view))
show(lambda: view == view)


def peek(data):
    with memoryview(data) as view:
        return sum(view)


print(peek(buffer), peek(b"abc"))
buffer += b"z"
print(len(buffer))


# What takes bytes takes views.
view = memoryview(b"key=value;other=x")
print(bytes(view[:3]), bytearray(view[4:9]), view[4:9].hex(), str(view[:3], "ascii"))
print(b"".join([view[:3], b"-", view[4:9]]), b"<" + view[:3], b"a" in view, 97 in view)
print(b"key=value".startswith(view[:3]), b"xkeyx".find(view[:3]), b"a,b".split(memoryview(b",")))
print(int.from_bytes(view[:2], "big"), view[:3] in b"a key", b"key" == view[:3], view[:3] == view[:3])
print(list(reversed(view[:3])), view[:0].tolist(), view[::-4].tobytes(), bool(view[:0]), bool(view))
grown = bytearray(b"ab")
grown += memoryview(b"cd")
grown.extend(memoryview(b"ef"))
grown[1:1] = memoryview(b"--")
print(grown, isinstance(view, memoryview), type(view))
first, *rest = memoryview(b"xyz")
print(first, rest, {memoryview(b"k"): 1}[memoryview(b"k")], sorted(memoryview(b"cab")))


# Items of other kinds.
room = bytearray(16)
shorts = memoryview(room).cast("h")
shorts[0], shorts[-1] = -2, 513
shorts[1:4] = memoryview(b"\1\0\2\0\3\0").cast("h")
print(shorts.tolist(), room.hex(), len(shorts), shorts.nbytes, shorts.itemsize, shorts.format)
show(lambda: shorts.__setitem__(0, 40000))
show(lambda: shorts.__setitem__(0, 1.5))
doubles = memoryview(room).cast("d")
doubles[1] = 2.5
print(doubles[1], room[8:].hex(), doubles.cast("B").cast("H").tolist()[:2])
show(lambda: doubles.cast("h"))
flags = memoryview(bytearray(3)).cast("?")
flags[1] = "yes"
print(flags.tolist())
letters = memoryview(bytearray(b"abc")).cast("c")
letters[0] = b"z"
show(lambda: letters.__setitem__(0, b"zz"))
show(lambda: letters.__setitem__(0, 1))
print(letters.tolist(), letters[0])
table = memoryview(bytearray(range(12))).cast("B", [3, 4])
table[1, 2] = 255
print(table.tolist(), table.shape, table.strides, table.ndim, len(table), table[-1, -1])
for wrong in (lambda: table[3, 0], lambda: table[0], lambda: table[0, 0, 0], lambda: table[:, 0]):
    show(wrong)
show(lambda: memoryview(b"abc").cast("h"))
show(lambda: memoryview(b"abcd").cast("z"))
show(lambda: memoryview(b"abcd")[::2].cast("H"))
fixed = memoryview(room).toreadonly()
show(lambda: fixed.__setitem__(0, 1))
print(fixed.readonly, fixed.contiguous, memoryview(b"abcd")[::2].contiguous, fixed.obj is room)
show(lambda: memoryview(5))
show(lambda: memoryview())
