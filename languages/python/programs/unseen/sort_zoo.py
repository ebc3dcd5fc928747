# A collection of sorting algorithms on lists of ints, floats, strings and tuples, all compared with sorted(). args: items.
# args: 2500
# quick: 30
import random
import sys


def insertion_sort(a):
    for i in range(1, len(a)):
        x = a[i]
        j = i - 1
        while j >= 0 and a[j] > x:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = x
    return a


def shell_sort(a):
    gap = 1
    while gap < len(a) // 3:
        gap = 3 * gap + 1
    while gap:
        for i in range(gap, len(a)):
            x, j = a[i], i
            while j >= gap and x < a[j - gap]:
                a[j] = a[j - gap]
                j -= gap
            a[j] = x
        gap //= 3
    return a


def quick_functional(xs):
    if len(xs) < 2:
        return xs
    pivot = xs[len(xs) // 2]
    return (quick_functional([x for x in xs if x < pivot]) + [x for x in xs if x == pivot]
            + quick_functional([x for x in xs if x > pivot]))


def quick_in_place(a):
    todo = [(0, len(a) - 1)]
    while todo:
        lo, hi = todo.pop()
        if hi - lo < 1:
            continue
        mid = (lo + hi) >> 1
        if a[mid] < a[lo]:
            a[mid], a[lo] = a[lo], a[mid]
        if a[hi] < a[lo]:
            a[hi], a[lo] = a[lo], a[hi]
        if a[hi] < a[mid]:
            a[hi], a[mid] = a[mid], a[hi]
        pivot = a[mid]
        i, j = lo, hi
        while i <= j:
            while a[i] < pivot:
                i += 1
            while pivot < a[j]:
                j -= 1
            if i <= j:
                a[i], a[j] = a[j], a[i]
                i += 1
                j -= 1
        todo.append((lo, j))
        todo.append((i, hi))
    return a


def merge(left, right):
    out = []
    i = j = 0
    while i < len(left) and j < len(right):
        if right[j] < left[i]:
            out.append(right[j])
            j += 1
        else:
            out.append(left[i])
            i += 1
    return out + left[i:] + right[j:]


def merge_sort(a):
    if len(a) <= 1:
        return a[:]
    half = len(a) // 2
    return merge(merge_sort(a[:half]), merge_sort(a[half:]))


def merge_bottom_up(a):
    runs = [[x] for x in a]
    while len(runs) > 1:
        runs = [merge(*runs[k:k + 2]) if k + 1 < len(runs) else runs[k] for k in range(0, len(runs), 2)]
    return runs[0] if runs else []


def heap_sort(a):
    def sift(root, end):
        x = a[root]
        while (kid := 2 * root + 1) < end:
            if kid + 1 < end and a[kid] < a[kid + 1]:
                kid += 1
            if not x < a[kid]:
                break
            a[root] = a[kid]
            root = kid
        a[root] = x

    n = len(a)
    for r in reversed(range(n // 2)):
        sift(r, n)
    for end in range(n - 1, 0, -1):
        a[0], a[end] = a[end], a[0]
        sift(0, end)
    return a


def comb_sort(a):
    gap, swapped = len(a), True
    while gap > 1 or swapped:
        gap = max(1, int(gap / 1.3))
        swapped = False
        for i in range(len(a) - gap):
            if a[i] > a[i + gap]:
                a[i], a[i + gap] = a[i + gap], a[i]
                swapped = True
    return a


def radix_sort(a):
    offset = min(a, default=0)
    a = [x - offset for x in a]
    shift = 0
    top = max(a, default=0)
    while top >> shift:
        buckets = [[] for _ in range(16)]
        for x in a:
            buckets[x >> shift & 15].append(x)
        a = [x for b in buckets for x in b]
        shift += 4
    return [x + offset for x in a]


def counting_sort(a):
    low, high = min(a), max(a)
    tally = [0] * (high - low + 1)
    for x in a:
        tally[x - low] += 1
    out = []
    for v, k in enumerate(tally, low):
        out += [v] * k
    return out


class Tree:
    def __init__(self):
        self.root = None

    def insert(self, v):
        if self.root is None:
            self.root = [v, None, None]
            return
        node = self.root
        while True:
            side = 1 if v < node[0] else 2
            if node[side] is None:
                node[side] = [v, None, None]
                return
            node = node[side]

    def __iter__(self):
        stack, node = [], self.root
        while stack or node:
            while node:
                stack.append(node)
                node = node[1]
            node = stack.pop()
            yield node[0]
            node = node[2]


def tree_sort(a):
    t = Tree()
    for v in a:
        t.insert(v)
    return list(t)


def quick_select(a, k):
    a = list(a)
    while True:
        pivot = a[len(a) // 2]
        small = [x for x in a if x < pivot]
        same = a.count(pivot)
        if k < len(small):
            a = small
        elif k < len(small) + same:
            return pivot
        else:
            k -= len(small) + same
            a = [x for x in a if x > pivot]


GENERAL = [shell_sort, quick_functional, quick_in_place, merge_sort, merge_bottom_up, heap_sort, comb_sort, tree_sort]
INT_ONLY = [radix_sort, counting_sort]


def main(n):
    rng = random.Random(606)
    ints = [rng.randint(-n, n) for _ in range(n)]
    floats = [rng.gauss(0, 10) for _ in range(n)]
    strings = ["".join(rng.choice("abcde") for _ in range(rng.randint(1, 6))) for _ in range(n)]
    pairs = list(zip((x % 7 for x in ints), strings))
    for name, data in (("ints", ints), ("floats", floats), ("strings", strings), ("pairs", pairs)):
        expected = sorted(data)
        good = []
        for algorithm in GENERAL + (INT_ONLY if name == "ints" else []):
            result = algorithm(list(data))
            if result == expected:
                good.append(algorithm.__name__)
        print(name, len(good), "right; median", quick_select(data, n // 2), "ends", expected[0], expected[-1])
    print(" ".join(good))
    small = ints[:40]
    print(insertion_sort(small[:]) == sorted(small), insertion_sort(small[::-1])[:8])
    print(sum(i * x for i, x in enumerate(heap_sort(ints[:]))), radix_sort([]), quick_in_place([]), merge_bottom_up([]))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
