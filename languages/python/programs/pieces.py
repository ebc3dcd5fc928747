# Pieces that fill a box, tried one after the other, as sets of cells in integers. args: width of
# the box.
# args: 6
# quick: 3
import sys

SHAPES = {
    'l': ('##', '#.', '#.'),
    's': ('.##', '##.'),
    't': ('###', '.#.'),
    'o': ('##', '##'),
    'i': ('####',),
    'v': ('##', '#.'),
    'u': ('#.#', '###'),
}


def cells(shape):
    signs = [(r, c, sign) for r, row in enumerate(shape) for c, sign in enumerate(row)]
    return frozenset((r, c) for r, c, sign in signs if sign == '#')


def turned(shape):
    width = max(c for _, c in shape)
    return frozenset((width - c, r) for r, c in shape)


def mirrored(shape):
    width = max(c for _, c in shape)
    return frozenset((r, width - c) for r, c in shape)


def forms(shape):
    found = []
    for _ in range(2):
        for _ in range(4):
            if shape not in found:
                found.append(shape)
            shape = turned(shape)
        shape = mirrored(shape)
    return found


def places(shape, width, height):
    """Each way to put a piece into the box, by the first cell that it takes."""
    by_first = {}
    for form in forms(shape):
        for row in range(height - max(r for r, _ in form)):
            for column in range(width - max(c for _, c in form)):
                taken = [(r + row) * width + c + column for r, c in form]
                mask = 0
                for cell in taken:
                    mask |= 1 << cell
                by_first.setdefault(min(taken), []).append(mask)
    return by_first


class Box:
    def __init__(self, width, height):
        self.full = (1 << width * height) - 1
        self.pieces = [
            (name, places(cells(shape), width, height)) for name, shape in sorted(SHAPES.items())
        ]
        self.tried = 0

    def solutions(self, filled, used, chosen):
        if filled == self.full:
            yield ''.join(chosen)
            return
        first = 0
        while filled >> first & 1:
            first += 1
        for at, (name, by_first) in enumerate(self.pieces):
            if used >> at & 1:
                continue
            for mask in by_first.get(first, ()):
                self.tried += 1
                if not filled & mask:
                    chosen.append(name)
                    yield from self.solutions(filled | mask, used | 1 << at, chosen)
                    chosen.pop()


def main(n):
    box = Box(n, 4)
    count = 0
    words = set()
    for word in box.solutions(0, 0, []):
        count += 1
        words.add(word)
    print(count, box.tried, sorted(words)[:2])


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
