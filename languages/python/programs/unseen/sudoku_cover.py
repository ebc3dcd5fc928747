# Sudoku by constraint propagation on sets, and as exact cover with dicts of sets; also a small tiling problem. args: puzzles.
# args: 22
# quick: 1
import sys
from itertools import product

DIGITS = set("123456789")
CELLS = [(r, c) for r in range(9) for c in range(9)]


def _units():
    rows = [[(r, c) for c in range(9)] for r in range(9)]
    cols = [[(r, c) for r in range(9)] for c in range(9)]
    boxes = [[(r + i, c + j) for i in range(3) for j in range(3)] for r in (0, 3, 6) for c in (0, 3, 6)]
    return rows + cols + boxes


UNITS = _units()
UNITS_OF = {cell: [u for u in UNITS if cell in u] for cell in CELLS}
PEERS = {cell: {p for u in UNITS_OF[cell] for p in u} - {cell} for cell in CELLS}


class Contradiction(Exception):
    pass


def make_puzzle(k):
    """A shifted latin pattern, relabelled and rows swapped, with holes punched."""
    state = k * 7919 + 17

    def rnd(limit):
        nonlocal state
        state = (state * 69069 + 1) % 4294967296
        return (state >> 12) % limit

    digits = list("123456789")
    for i in range(8, 0, -1):
        j = rnd(i + 1)
        digits[i], digits[j] = digits[j], digits[i]
    order = []
    for band in sorted(range(3), key=lambda b: (b * 5 + k) % 3):
        rows = [3 * band, 3 * band + 1, 3 * band + 2]
        order += rows[k % 3:] + rows[:k % 3]
    full = [[digits[(r * 3 + r // 3 + c) % 9] for c in range(9)] for r in order]
    for _ in range(90):
        full[rnd(9)][rnd(9)] = "."
    return "".join("".join(row) for row in full)


class SetSolver:
    def __init__(self):
        self.guesses = 0

    def assign(self, options, cell, digit):
        for other in sorted(options[cell] - {digit}):
            self.eliminate(options, cell, other)

    def eliminate(self, options, cell, digit):
        if digit not in options[cell]:
            return
        options[cell] = options[cell] - {digit}
        left = len(options[cell])
        if left == 0:
            raise Contradiction(cell)
        if left == 1:
            (only,) = options[cell]
            for p in PEERS[cell]:
                self.eliminate(options, p, only)
        for unit in UNITS_OF[cell]:
            places = [p for p in unit if digit in options[p]]
            if not places:
                raise Contradiction(digit)
            if len(places) == 1 and len(options[places[0]]) > 1:
                self.assign(options, places[0], digit)

    def search(self, options):
        open_cells = [(len(v), c) for c, v in options.items() if len(v) > 1]
        if not open_cells:
            return options
        _, cell = min(open_cells)
        for digit in sorted(options[cell]):
            self.guesses += 1
            copy = dict(options)
            try:
                self.assign(copy, cell, digit)
                found = self.search(copy)
            except Contradiction:
                continue
            if found:
                return found
        return None

    def solve(self, text):
        options = {c: DIGITS for c in CELLS}
        for cell, ch in zip(CELLS, text):
            if ch in DIGITS:
                self.assign(options, cell, ch)
        result = self.search(options)
        return result and "".join(min(result[c]) for c in CELLS)


def cover_solve(X, Y, solution):
    if not X:
        yield list(solution)
        return
    column = min(X, key=lambda c: (len(X[c]), c))
    for r in sorted(X[column]):
        solution.append(r)
        removed = select(X, Y, r)
        yield from cover_solve(X, Y, solution)
        deselect(X, Y, r, removed)
        solution.pop()


def select(X, Y, r):
    removed = []
    for j in Y[r]:
        for i in X[j]:
            for k in Y[i]:
                if k != j:
                    X[k].remove(i)
        removed.append(X.pop(j))
    return removed


def deselect(X, Y, r, removed):
    for j in reversed(Y[r]):
        X[j] = removed.pop()
        for i in X[j]:
            for k in Y[i]:
                if k != j:
                    X[k].add(i)


def invert(Y):
    X = {}
    for row, columns in Y.items():
        for c in columns:
            X.setdefault(c, set()).add(row)
    return X


def sudoku_by_cover(text):
    Y = {}
    for r, c, d in product(range(9), range(9), range(1, 10)):
        b = r // 3 * 3 + c // 3
        Y[r, c, d] = [(0, r, c), (1, r, d), (2, c, d), (3, b, d)]
    X = invert(Y)
    given = [(i // 9, i % 9, int(ch)) for i, ch in enumerate(text) if ch != "."]
    for g in given:
        select(X, Y, g)
    for s in cover_solve(X, Y, []):
        grid = {(r, c): d for r, c, d in s + given}
        return "".join(str(grid[cell]) for cell in CELLS)
    return None


def domino_tilings(h, w):
    Y = {}
    for r in range(h):
        for c in range(w):
            if c + 1 < w:
                Y[r, c, 0] = [(r, c), (r, c + 1)]
            if r + 1 < h:
                Y[r, c, 1] = [(r, c), (r + 1, c)]
    return sum(1 for _ in cover_solve(invert(Y), Y, []))


def valid(solution, puzzle):
    grid = dict(zip(CELLS, solution))
    return (all({grid[c] for c in u} == DIGITS for u in UNITS)
            and all(p in (".", s) for s, p in zip(solution, puzzle)))


def main(n):
    solver = SetSolver()
    checks = 0
    for k in range(n):
        puzzle = make_puzzle(k)
        one = solver.solve(puzzle)
        two = sudoku_by_cover(puzzle)
        checks = (checks * 31 + int(one[:9]) + int(two[-9:])) % 1000000007
        if k < 3:
            print("clues", 81 - puzzle.count("."), valid(one, puzzle), valid(two, puzzle), one[:27])
    print("checks", checks, "guesses", solver.guesses)
    print("dominoes", [domino_tilings(2, w) for w in range(1, 6)], domino_tilings(3, 3), domino_tilings(4, 4))
    print("impossible", outcome("11" + "." * 79), outcome("." * 81))


def outcome(text):
    try:
        return SetSolver().solve(text) is None
    except Contradiction as e:
        return "contradiction " + str(len(e.args))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
