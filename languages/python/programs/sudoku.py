# Puzzles whose candidates are struck out cell by cell, with guesses where that ends: dicts of
# strings. args: puzzles.
# args: 3
# quick: 1
import sys

DIGITS = '123456789'
PUZZLES = (
    '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79',
    '..9748...7.........2.1.9.....7...24..64.1.59..98...3.....8.3.2.........6...2759..',
    '1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..',
)


def lines():
    for k in range(9):
        yield [(k, c) for c in range(9)]
        yield [(r, k) for r in range(9)]
        yield [(k // 3 * 3 + r, k % 3 * 3 + c) for r in range(3) for c in range(3)]


LINES = list(lines())
OF_CELL = {(r, c): [line for line in LINES if (r, c) in line] for r in range(9) for c in range(9)}
PEERS = {cell: {other for line in of for other in line} - {cell} for cell, of in OF_CELL.items()}


class Wrong(Exception):
    pass


class Solver:
    def __init__(self):
        self.guesses = 0

    def assign(self, grid, cell, digit):
        for other in grid[cell].replace(digit, ''):
            self.strike(grid, cell, other)

    def strike(self, grid, cell, digit):
        if digit not in grid[cell]:
            return
        left = grid[cell] = grid[cell].replace(digit, '')
        if not left:
            raise Wrong(cell)
        if len(left) == 1:
            for other in sorted(PEERS[cell]):
                self.strike(grid, other, left)
        for line in OF_CELL[cell]:
            at = [other for other in line if digit in grid[other]]
            if not at:
                raise Wrong(line)
            if len(at) == 1:
                self.assign(grid, at[0], digit)

    def solved(self, grid):
        open_cells = [(len(left), cell) for cell, left in grid.items() if len(left) > 1]
        if not open_cells:
            return grid
        _, cell = min(open_cells)
        for digit in grid[cell]:
            self.guesses += 1
            copy = dict(grid)
            try:
                self.assign(copy, cell, digit)
                return self.solved(copy)
            except Wrong:
                continue
        raise Wrong(cell)

    def solve(self, puzzle):
        grid = {cell: DIGITS for cell in OF_CELL}
        for cell, digit in zip(sorted(OF_CELL), puzzle):
            if digit != '.':
                self.assign(grid, cell, digit)
        return ''.join(self.solved(grid)[cell] for cell in sorted(OF_CELL))


def main(n):
    solver = Solver()
    last = ''
    for k in range(n):
        last = solver.solve(PUZZLES[k % len(PUZZLES)])
    print(solver.guesses, last)


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
