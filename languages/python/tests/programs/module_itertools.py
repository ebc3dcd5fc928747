# Iterators out of iterators.
from itertools import (
    accumulate,
    chain,
    combinations,
    combinations_with_replacement,
    compress,
    count,
    cycle,
    dropwhile,
    filterfalse,
    groupby,
    islice,
    pairwise,
    permutations,
    product,
    repeat,
    starmap,
    takewhile,
    tee,
    zip_longest,
)

print(list(islice(count(3), 5)), list(islice(count(1, 0.5), 3)), list(islice(count(5, -2), 4)))
print(list(islice(cycle("abc"), 8)), list(cycle([])))
print(list(repeat("x", 3)), list(islice(repeat(1), 2)), list(map(pow, range(5), repeat(2))))
print(list(accumulate([1, 2, 3, 4])), list(accumulate([3, 1, 4, 1, 5], max)))
print(list(accumulate([1, 2, 3], initial=100)), list(accumulate([])), list(accumulate([], initial=1)))
print(list(chain([1, 2], "ab", (3,))), list(chain.from_iterable(["ab", "cd"])), list(chain()))
print(list(compress("ABCDEF", [1, 0, 1, 0, 1, 1])))
print(list(dropwhile(lambda x: x < 5, [1, 4, 6, 4, 1])), list(takewhile(lambda x: x < 5, [1, 4, 6, 4, 1])))
print(list(filterfalse(lambda x: x % 2, range(10))), list(filterfalse(None, [0, 1, "", 2])))
print(list(starmap(pow, [(2, 5), (3, 2), (10, 3)])))
print(list(pairwise("ABCDE")), list(pairwise("A")), list(pairwise("")))

for args in [(3,), (2, 5), (2, None), (0, 10, 3), (3, 3), (1, None, 4), (None, 4), (20,), (5, 2)]:
    source = iter(range(12))
    print(args, list(islice(source, *args)), list(source))
for args in [(-1,), (1, -1, 1), (0, 5, 0), ("a",), (0, 5, -1)]:
    try:
        print(list(islice("abc", *args)))
    except ValueError as error:
        print(args, error)

print([(key, list(group)) for key, group in groupby("AAAABBBCCDAABBB")])
print([key for key, group in groupby("AAAABBBCCDAABBB")])
print([(key, list(group)) for key, group in groupby(range(10), key=lambda x: x // 3)])
groups = groupby([1, 1, 2, 2, 3])
first = next(groups)
second = next(groups)
print(first[0], list(first[1]), second[0], list(second[1]), list(groups)[0][0])

a, b, c = tee(iter(range(5)), 3)
print(next(a), next(a), list(b), list(a), list(c))
a, b = tee("xy")
print(list(zip(a, b)))

print(list(zip_longest("ABCD", "xy", fillvalue="-")), list(zip_longest("a", "bc", [1, 2, 3])))
print(list(product("AB", [1, 2])), list(product([0, 1], repeat=3)), list(product()), list(product("ab", [])))
print(["".join(p) for p in permutations("ABC")], list(permutations(range(4), 2)))
print(list(permutations("ab", 0)), list(permutations("ab", 3)), len(list(permutations(range(6)))))
print(["".join(c) for c in combinations("ABCD", 2)], list(combinations(range(4), 3)), list(combinations("ab", 3)))
print(list(combinations("abc", 0)), list(combinations("abc", 3)), len(list(combinations(range(10), 5))))
print(["".join(c) for c in combinations_with_replacement("ABC", 2)])
print(list(combinations_with_replacement("ab", 3)), list(combinations_with_replacement([], 2)))
print(list(combinations_with_replacement([], 0)))


def primes():
    found = []
    for n in count(2):
        if all(n % p for p in takewhile(lambda p: p * p <= n, found)):
            found.append(n)
            yield n


print(list(islice(primes(), 30)), sum(islice(primes(), 300)))


def loop(n):
    total = 0
    for a, b in zip(count(), cycle([1, 2, 3])):
        if a == n:
            return total
        total += a * b


print(loop(5000), sum(x * y for x, y in product(range(60), range(60))))
for bad in (lambda: permutations([1], -1), lambda: combinations([1], -1), lambda: tee([], -1)):
    try:
        bad()
    except ValueError as error:
        print(error)
