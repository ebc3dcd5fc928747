# Queens that do not threaten each other, by generators that call themselves. args: size.
# args: 10
# quick: 5
import sys


def place(n, row, columns, up, down):
    if row == n:
        yield tuple(columns)
        return
    for c in range(n):
        if c not in columns and row + c not in up and row - c not in down:
            columns.append(c)
            up.add(row + c)
            down.add(row - c)
            yield from place(n, row + 1, columns, up, down)
            columns.pop()
            up.discard(row + c)
            down.discard(row - c)


def main(n):
    count = 0
    first = None
    for solution in place(n, 0, [], set(), set()):
        if first is None:
            first = solution
        count += 1
    print(count, first)


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 6)
