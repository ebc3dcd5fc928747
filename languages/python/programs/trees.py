# Search trees that are gone through by generators within generators. args: keys.
# args: 15000
# quick: 100
import sys


class Node:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None

    def __iter__(self):
        if self.left:
            yield from self.left
        yield self.key
        if self.right:
            yield from self.right

    def deep(self, level=0):
        if self.right:
            for pair in self.right.deep(level + 1):
                yield pair
        yield level, self.key
        if self.left:
            for pair in self.left.deep(level + 1):
                yield pair


class Tree:
    def __init__(self, keys):
        self.root = None
        for key in keys:
            self.insert(key)

    def insert(self, key):
        node = Node(key)
        at = self.root
        if at is None:
            self.root = node
            return
        while True:
            if key < at.key:
                if at.left is None:
                    at.left = node
                    return
                at = at.left
            else:
                if at.right is None:
                    at.right = node
                    return
                at = at.right

    def __iter__(self):
        return iter(self.root)


def scattered(n):
    state = 7
    for _ in range(n):
        state = (state * 16807) % 2147483647
        yield state % (4 * n)


def pairs(keys):
    before = None
    for key in keys:
        if before is not None:
            yield before, key
        before = key


def gaps(keys):
    return (b - a for a, b in pairs(keys))


def main(n):
    tree = Tree(scattered(n))
    widest = max(gaps(tree))
    twice = sum(1 for gap in gaps(tree) if gap == 0)
    deepest = max(level for level, _ in tree.root.deep())
    print(widest, twice, deepest, sum(key for key in tree if key % 3 == 0))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
