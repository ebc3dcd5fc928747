# Lists, tuples, slices, unpacking, comprehensions.
a = [1, 2, 3]
a.append(4)
a.extend([5, 6])
a.insert(0, 0)
print(a, len(a), a[0], a[-1], a[2:5], a[::2], a[::-1], a[10:], a[-3:-1])
print(a.pop(), a.pop(0), a, a.index(3), a.count(2), 3 in a, 9 in a)
a.remove(3)
a.reverse()
print(a, a + [7], a * 2, [0] * 5)
a[1:3] = [10, 20, 30]
print(a)
a[::2] = ['x', 'y', 'z']
print(a)
del a[0]
del a[1:]
print(a)
b = [3, 1, 2]
c = b
c.sort()
print(b, b is c, b == [1, 2, 3], b != [1], [1, 2] < [1, 3], [1] < [1, 0])
b = sorted(['banana', 'apple', 'Cherry'], key=str.lower) if False else sorted(['banana', 'apple', 'cherry'], key=len)
print(b, sorted([3, 1, 2], reverse=True), sorted([(1, 'b'), (1, 'a'), (0, 'z')]))
print(sorted([5, 3, 9, 1, 7, 2, 8, 4, 6, 0] * 3, key=lambda x: -x))
print([x * x for x in range(10) if x % 2], [(x, y) for x in range(3) for y in range(x)])
print([[j for j in range(i)] for i in range(4)], [x for x in [1, [2, 3]]])
t = (1, 2, 3)
x, y, z = t
print(x, y, z, t[1], t[-1], t + (4,), t * 2, len(t), t == (1, 2, 3), t < (1, 2, 4), (), (1,))
first, *rest = [1, 2, 3, 4]
*start, last = 'abc'
p, (q, *r), s = 1, [2, 3, 4], 5
print(first, rest, start, last, p, q, r, s)
x, y = y, x
print(x, y)
m = [[1, 2], [3, 4]]
m[0][1] += 10
m[1] += [5]
print(m, [row[0] for row in m], sum(map(sum, m)))
print(list(zip([1, 2, 3], 'abc')), list(enumerate('ab', 1)), list(map(lambda v: v + 1, [1, 2])), list(filter(None, [0, 1, 2])))
print(list(range(5)), list(range(2, 10, 3)), list(range(5, 0, -2)), range(3), len(range(0, 100, 7)), 14 in range(0, 100, 7))
print(any([0, 1]), all([1, 0]), any([]), all([]), min('hello'), max([1, 5, 3], key=lambda v: -v))
l = [1, 2, 3]
l2 = l[:]
l2[0] = 99
print(l, l2, list(reversed(l)), l.copy() == l, [*l, *l2], (*l, 0))
l.clear()
print(l, not l)
nested = [1, 2]
nested.append(nested)
print(nested)
for i, v in enumerate([10, 20, 30]):
    if i == 1:
        continue
    print(i, v)
else:
    print('done')
for i in range(10):
    if i * i > 20:
        print('break at', i)
        break
else:
    print('never')
total = 0
data = list(range(100))
for i in range(len(data)):
    data[i] = data[i] * 2
    total += data[i]
print(total, data[50])
stack = []
for i in range(60):
    stack.append(i)
    if i % 3 == 0:
        stack.pop()
print(len(stack), stack[:5])
for bad in (lambda: [1][5], lambda: [].pop(), lambda: [1].remove(2), lambda: [1]['a'], lambda: (1,)[3]):
    try:
        bad()
    except (IndexError, ValueError, TypeError) as e:
        print(type(e).__name__, e)
try:
    a, b = [1, 2, 3]
except ValueError as e:
    print(e)
try:
    a, b, c = [1]
except ValueError as e:
    print(e)
try:
    a, b = 5
except TypeError as e:
    print(e)
print([1, 2, 3] == [1, 2, 3.0], [1, True], [None, ...])
print(list(range(40)))
print(slice(1, None).indices(5), slice(None, None, -1).indices(4), slice(-2, 10, 3).indices(6))
print(' a b c '.split(None, 1), ' a b c '.rsplit(None, 1), ' a b '.split(None, 0), ' a b '.rsplit(None, 0))
