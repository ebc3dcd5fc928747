# Dicts and sets.
d = {'a': 1, 'b': 2}
d['c'] = 3
print(d, len(d), d['a'], 'b' in d, 'z' in d, d.get('z'), d.get('z', 0), d.get('a'))
d['a'] += 10
del d['b']
d['b'] = 'again'
print(d, list(d), list(d.keys()), list(d.values()), list(d.items()))
for k in d:
    print(k, d[k], end=';')
print()
for k, v in d.items():
    print(k, v, end=';')
print()
print(d.pop('a'), d.pop('zz', None), d.setdefault('n', []), d.setdefault('n', 5), d)
d.update({'x': 1}, y=2)
d.update([('p', 3), ['q', 4]])
print(d, {**d, 'x': 9}, {'a': 1} | {'b': 2}, dict(a=1, b=2), dict([(1, 2)]), dict.fromkeys('ab', 0))
print({1: 'int', 1.0: 'float', True: 'bool'}, {(1, 2): 'tuple'}[(1, 2)], {None: 0}[None])
print({i: i * i for i in range(5)}, {k: v for v, k in enumerate('abc')})
print({'a': 1, 'b': 2} == {'b': 2, 'a': 1}, {'a': 1} == {'a': 1.0}, {'a': 1} != {'a': 2})
print(sorted({'b': 1, 'a': 2}), sorted({'b': 1, 'a': 2}.items()), max({'b': 1, 'c': 0}))
counts = {}
for word in 'the cat and the dog and the bird'.split():
    counts[word] = counts.get(word, 0) + 1
print(counts)
big = {}
for i in range(200):
    big[i * 7 % 101] = i
    if i % 5 == 0:
        big.pop(i * 7 % 101)
print(len(big), sum(big), sum(big.values()), list(big)[:5])
print(d.popitem(), 'q' in d)
e = d.copy()
e.clear()
print(e, d != e, bool(e))
try:
    d['missing']
except KeyError as err:
    print('KeyError', err)
try:
    {[]: 1}
except TypeError as err:
    print(err)
try:
    for k in d:
        d[k + 'x'] = 1
except RuntimeError as err:
    print(err)
s = {3, 1, 2}
s.add(5)
s.discard(9)
print(sorted(s), len(s), 3 in s, s == {1, 2, 3, 5}, sorted(s | {9}), sorted(s & {1, 2}), sorted(s - {1}), sorted(s ^ {1, 7}))
s |= {100}
s -= {1}
print(sorted(s), {1, 2} < {1, 2, 3}, {1, 2} <= {1, 2}, {1} > {2}, set() == frozenset(), sorted(frozenset([2, 1])))
print(sorted({x % 3 for x in range(10)}), set(), frozenset(), {1}, s.isdisjoint({7}), {1}.issubset({1, 2}), {1, 2}.union([3]) == {1, 2, 3})
try:
    {1}.remove(2)
except KeyError as err:
    print('KeyError', err)
keys = {'x': 1, 'y': 2}.keys()
print(keys == {'x', 'y'}, 'x' in keys, len(keys), {'a': 1}.items())
print({'a': {'b': [1, {'c': 2}]}}['a']['b'][1]['c'])
words = {}
for w in ['x', 'yy', 'z', 'ww']:
    words.setdefault(len(w), []).append(w)
print(words, {'k': 'v', 1: None, (): ...})


# Whole sets and dicts, whose keys are equal as the program says.
class Same:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return isinstance(other, Same) and self.n % 10 == other.n % 10

    def __hash__(self):
        return self.n % 10

    def __repr__(self):
        return f'Same({self.n})'


for make in (lambda n: (n, n), lambda n: 2 ** 70 + n, lambda n: Same(n), lambda n: frozenset([n])):
    two, three = {make(1), make(2)}, {make(2), make(3), make(4)}
    print(len(two | three), len(two & three), len(two - three), len(two ^ three))
    print(two <= three, {make(2)} <= two, two >= {make(2)}, two.isdisjoint({make(2)}))
    print(two.isdisjoint({make(5)}), {make(1)}.issubset(two), two.issuperset({make(1), make(7)}))
    two -= {make(1)}
    three.update([make(2), make(9)])
    print(len(two), len(three), len(two.union(three, [make(8)])))
    table = {make(1): 1, make(2): 2}
    table.update({make(2): 20})
    table |= {make(1): 10}
    print(list(table.values()), list((table | {make(2): 3}).values()), len({**table, make(1): 0}))
