# Ranges whose numbers are beyond 64 bits, or that have more of them than that.
B = 1 << 70
def show(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
for r in (range(B), range(B, B + 5), range(B + 10, B, -3), range(-B, B, 1 << 69), range(0, B, B), range(B, 0), range(10, B, 1 << 80), range(-2**63, 2**63 - 1), range(-2**63, 2**63 - 1, 2**40), range(2**63 - 3, 2**63 - 1), range(-2**63, -2**63 + 3), range(2**63 - 1, 2**63 + 2)):
    print(r, bool(r), repr(r))
    show(lambda: len(r))
    show(lambda: r[0]); show(lambda: r[-1]); show(lambda: r[B]); show(lambda: r["a"])
    show(lambda: r[1:3]); show(lambda: r[::-1]); show(lambda: r[::2]); show(lambda: r[-3:]); show(lambda:r[B:])
    print(B in r, B + 1 in r, 3 in r, B in range(3))
    it = iter(r); print([n for _, n in zip(range(3), it)])
    it = reversed(r); print([n for _, n in zip(range(3), it)])
    show(lambda: r.index(B)); show(lambda: r.count(B))
print(range(B, B + 3) == range(B, B + 3), range(B, B) == range(0), range(B, B + 3, 2) == range(B, B + 4, 2), range(B, B+1, 5) == range(B, B+1), range(B) != range(B + 1))
print(hash(range(B, B + 3)) == hash(range(B, B + 3)), isinstance(range(B), range), {range(B): 1}[range(B)])
print(type(range(B)).__name__, type(range(B)) == range)
show(lambda: range(B).foo)
def f(): range(B).start = 1
show(f)
print(sum(range(B, B + 10)), list(range(B, B + 6, 2)), max(range(B, B + 3)))
for i in range(B, B + 2): print(i)

import sys
narrow = range(sys.maxsize)
print(len(narrow), narrow[-1], narrow[1 << 40], list(narrow[-2:]), narrow[::1 << 62])
show(lambda: len(range(sys.maxsize + 1)))
print(range(0, 10**18, 3)[::10**17], list(range(0, 10**30, 10**29))[3], 10**29 in range(0, 10**30, 10**29))
for n, i in enumerate(range(B, -B, -1)):
    if n == 3:
        print(i)
        break


def total(first, count):
    made = 0
    for i in range(first, first + count):
        made += i % 7
    return made


print([total(1 << 65, n) for n in (0, 1, 10, 2000)], total(1 << 62, 2000), total((1 << 63) - 1000, 2000))
