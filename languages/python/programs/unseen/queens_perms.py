# N-queens with generators (three ways) and permutations, combinations, subsets and Gray codes by recursive generators. args: size.
# args: 8
# quick: 4
import sys
from itertools import permutations as std_permutations
from itertools import combinations as std_combinations


def queens(n, placed=()):
    row = len(placed)
    if row == n:
        yield placed
        return
    for col in range(n):
        if all(c != col and abs(c - col) != row - r for r, c in enumerate(placed)):
            yield from queens(n, placed + (col,))


def queens_by_sets(n):
    cols, diag, anti = set(), set(), set()
    board = []

    def place(row):
        if row == n:
            yield list(board)
        else:
            for c in range(n):
                if c in cols or row - c in diag or row + c in anti:
                    continue
                cols.add(c); diag.add(row - c); anti.add(row + c)
                board.append(c)
                for solution in place(row + 1):
                    yield solution
                board.pop()
                cols.remove(c); diag.remove(row - c); anti.remove(row + c)

    return place(0)


def queens_bits(n):
    full = (1 << n) - 1
    count = 0
    stack = [(0, 0, 0)]
    while stack:
        cols, left, right = stack.pop()
        if cols == full:
            count += 1
            continue
        free = full & ~(cols | left | right)
        while free:
            bit = free & -free
            free ^= bit
            stack.append((cols | bit, (left | bit) << 1 & full, (right | bit) >> 1))
    return count


def perms(items):
    if len(items) <= 1:
        yield items
    else:
        head, tail = items[:1], items[1:]
        for p in perms(tail):
            for i in range(len(items)):
                yield p[:i] + head + p[i:]


def heaps(a, k=None):
    if k is None:
        a = list(a)
        k = len(a)
    if k <= 1:
        yield tuple(a)
        return
    for i in range(k):
        yield from heaps(a, k - 1)
        j = i if k % 2 == 0 else 0
        if i < k - 1:
            a[j], a[k - 1] = a[k - 1], a[j]


def combos(pool, k):
    if k == 0:
        yield []
        return
    for i in range(len(pool) - k + 1):
        for rest in combos(pool[i + 1:], k - 1):
            yield [pool[i]] + rest


def subsets(items):
    if not items:
        yield frozenset()
        return
    first, *others = items
    for s in subsets(others):
        yield s
        yield s | {first}


def gray(bits):
    if bits == 0:
        yield ''
        return
    flip = False
    for code in gray(bits - 1):
        for d in ('10' if flip else '01'):
            yield code + d
        flip = not flip


def parity(p):
    return sum(p[i] > p[j] for i in range(len(p)) for j in range(i + 1, len(p))) & 1


def running_mean():
    total, n = 0, 0
    mean = None
    while True:
        value = yield mean
        total += value
        n += 1
        mean = total / n


def main(n):
    solutions = list(queens(n))
    other = list(queens_by_sets(n))
    print("queens", len(solutions), len(other), queens_bits(n + 1), [list(s) for s in solutions] == other)
    for col in solutions[len(solutions) // 2][:3]:
        print(" ".join("Q" if c == col else "-" for c in range(n)))

    word = "abcdefghij"[:n]
    mine = sorted(perms(word))
    print("perms", len(mine), mine == ["".join(p) for p in std_permutations(word)], mine[1], mine[-2])
    swapped = list(heaps(range(n)))
    print("heap order", len(set(swapped)), sum(map(parity, swapped)), swapped[-1])

    pool = [k * k for k in range(n + 3)]
    chosen = list(combos(pool, n // 2))
    print("combos", len(chosen), sum(map(sum, chosen)), [tuple(c) for c in chosen] == list(std_combinations(pool, n // 2)))
    sums = {}
    for s in subsets(pool):
        sums[sum(s)] = sums.get(sum(s), 0) + 1
    print("subset sums", len(sums), max(sums, key=lambda k: (sums[k], k)), sum(sums.values()))
    codes = list(gray(n))
    steps = {sum(a != b for a, b in zip(x, y)) for x, y in zip(codes, codes[1:])}
    print("gray", codes[:4], codes[-1], steps)

    averager = running_mean()
    next(averager)
    mean = [averager.send(int(c, 2)) for c in codes][-1]
    averager.close()
    lazy = queens(n + 1)
    print("mean", mean, "first of larger", next(lazy), next(lazy, None), next(queens(3), "none"))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
