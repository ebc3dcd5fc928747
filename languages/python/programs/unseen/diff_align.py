# Edit distance, longest common subsequence with backtracking, and a line diff of mutated texts. args: length of the strings.
# args: 500
# quick: 24
import sys
import random


def editDistance(a, b):
    if len(a) < len(b):
        a, b = b, a
    previousRow = range(len(b) + 1)
    for i, ca in enumerate(a):
        currentRow = [i + 1]
        for j, cb in enumerate(b):
            insertion = previousRow[j + 1] + 1
            deletion = currentRow[j] + 1
            substitution = previousRow[j] + (ca != cb)
            currentRow.append(min(insertion, deletion, substitution))
        previousRow = currentRow
    return previousRow[-1]


def damerau(a, b):
    # optimal string alignment in a dict keyed by pairs
    d = {}
    for i in range(-1, len(a)):
        d[i, -1] = i + 1
    for j in range(-1, len(b)):
        d[-1, j] = j + 1
    for i in range(len(a)):
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            best = d[i - 1, j - 1] + cost
            if d[i - 1, j] + 1 < best:
                best = d[i - 1, j] + 1
            if d[i, j - 1] + 1 < best:
                best = d[i, j - 1] + 1
            if i and j and a[i] == b[j - 1] and a[i - 1] == b[j]:
                best = min(best, d[i - 2, j - 2] + 1)
            d[i, j] = best
    return d[len(a) - 1, len(b) - 1]


def lcsTable(xs, ys):
    m, n = len(xs), len(ys)
    table = [[0] * (n + 1) for _ in range(m + 1)]
    for i in range(m - 1, -1, -1):
        row, below = table[i], table[i + 1]
        for j in range(n - 1, -1, -1):
            if xs[i] == ys[j]:
                row[j] = below[j + 1] + 1
            else:
                row[j] = below[j] if below[j] >= row[j + 1] else row[j + 1]
    return table


def walkDiff(xs, ys):
    table = lcsTable(xs, ys)
    i = j = 0
    while i < len(xs) and j < len(ys):
        if xs[i] == ys[j]:
            yield ' ', xs[i]
            i += 1
            j += 1
        elif table[i + 1][j] >= table[i][j + 1]:
            yield '-', xs[i]
            i += 1
        else:
            yield '+', ys[j]
            j += 1
    for x in xs[i:]:
        yield '-', x
    for y in ys[j:]:
        yield '+', y


def lcs(xs, ys):
    return ''.join(item for mark, item in walkDiff(xs, ys) if mark == ' ')


def patch(script):
    return [item for mark, item in script if mark != '-']


def mutate(text, rng, rate, alphabet):
    out = []
    for ch in text:
        r = rng.random()
        if r < rate:
            continue
        elif r < 2 * rate:
            out.append(rng.choice(alphabet))
        elif r < 3 * rate:
            out.extend((ch, rng.choice(alphabet)))
        else:
            out.append(ch)
    return ''.join(out)


def longestCommonSubstring(a, b):
    best, end = 0, 0
    last = [0] * (len(b) + 1)
    for i in range(len(a)):
        row = [0] * (len(b) + 1)
        for j in range(len(b)):
            if a[i] == b[j]:
                row[j + 1] = last[j] + 1
                if row[j + 1] > best:
                    best, end = row[j + 1], i + 1
        last = row
    return a[end - best:end]


def main(n):
    print(editDistance("kitten", "sitting"), damerau("teh cat", "the act"), lcs("AGCAT", "GACTA"))
    rng = random.Random(31337)
    dna = ''.join(rng.choice("ACGT") for _ in range(n))
    other = mutate(dna, rng, 0.08, "ACGT")
    dist = editDistance(dna, other)
    third = dna[:n // 2]
    print("lengths", len(dna), len(other), "distance", dist, "osa", damerau(third, other[:n // 2]))
    common = lcs(dna, other)
    print("lcs", len(common), common[:30])
    block = longestCommonSubstring(dna, other)
    print("block", len(block), block[:20])
    lines = ["line %d of %s" % (k * k % 37, "abc"[k % 3]) for k in range(n // 2)]
    edited = [s for k, s in enumerate(lines) if k % 9 != 4]
    for k in range(3, len(edited), 11):
        edited.insert(k, edited[k].upper())
    script = list(walkDiff(lines, edited))
    marks = [m for m, _ in script]
    print("diff", {m: marks.count(m) for m in ' -+'}, patch(script) == edited)
    for mark, text in script[:6]:
        print(mark + text)


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 24)
