# Conway's Game of Life twice, on a sparse set of cells and on a wrapped grid of rows. args: generations.
# args: 450
# quick: 4
import sys
from collections import Counter
from itertools import product

OFFSETS = [d for d in product((-1, 0, 1), repeat=2) if d != (0, 0)]

GLIDER = """
.O.
..O
OOO
"""

R_PENTOMINO = """
.OO
OO.
.O.
"""

PULSAR_QUARTER = """
..OOO.
......
O....O
O....O
O....O
..OOO.
"""


def parse(picture, dx=0, dy=0):
    return {(x + dx, y + dy)
            for y, line in enumerate(picture.strip().splitlines())
            for x, ch in enumerate(line) if ch == 'O'}


def step_set(cells):
    crowd = Counter((x + dx, y + dy) for x, y in cells for dx, dy in OFFSETS)
    return {cell for cell, k in crowd.items() if k == 3 or (k == 2 and cell in cells)}


def bounding_box(cells):
    xs = [x for x, _ in cells]
    ys = [y for _, y in cells]
    return min(xs), min(ys), max(xs), max(ys)


class Torus:
    def __init__(self, width, height, cells=()):
        self.width, self.height = width, height
        self.rows = [[0] * width for _ in range(height)]
        for x, y in cells:
            self.rows[y % height][x % width] = 1

    def step(self):
        h, w, rows = self.height, self.width, self.rows
        fresh = []
        for y in range(h):
            up, mid, down = rows[y - 1], rows[y], rows[(y + 1) % h]
            line = []
            for x in range(w):
                l = x - 1
                r = x + 1 if x + 1 < w else 0
                k = up[l] + up[x] + up[r] + mid[l] + mid[r] + down[l] + down[x] + down[r]
                line.append(1 if k == 3 or (k == 2 and mid[x]) else 0)
            fresh.append(line)
        self.rows = fresh

    def population(self):
        return sum(map(sum, self.rows))

    def cells(self):
        return {(x, y) for y, row in enumerate(self.rows) for x, v in enumerate(row) if v}

    def __str__(self):
        return '\n'.join(''.join('.O'[v] for v in row) for row in self.rows)


def fingerprint(cells):
    h = 0
    for x, y in sorted(cells):
        h = (h * 1000003 ^ (x & 0xffff) << 16 ^ (y & 0xffff)) & 0xffffffff
    return h


def main(n):
    start = parse(R_PENTOMINO, 10, 10) | parse(GLIDER, 0, 0) | parse(PULSAR_QUARTER, 24, 4)
    cells = set(start)
    history = []
    for _ in range(n):
        cells = step_set(cells)
        history.append(len(cells))
    print("sparse population", len(cells), "peak", max(history), "at", history.index(max(history)) + 1)
    print("box", bounding_box(cells), "print %08x" % fingerprint(cells))

    torus = Torus(40, 32, start)
    trail = 0
    for g in range(n):
        torus.step()
        trail = (trail * 7 + torus.population()) % 999983
    print("torus population", torus.population(), "trail", trail, "print %08x" % fingerprint(torus.cells()))

    # a glider on an otherwise empty board must agree on both representations
    lone, small = parse(GLIDER, 2, 2), Torus(12, 12, parse(GLIDER, 2, 2))
    for _ in range(n):
        lone = step_set(lone)
        small.step()
    wrapped = {(x % 12, y % 12) for x, y in lone}
    print("agree", wrapped == small.cells())
    print(str(small).replace('\n', '/')[:80])


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
