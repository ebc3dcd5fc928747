# LRU cache made of a dict and a circular doubly linked list, fed with a skewed stream of keys. args: requests.
# args: 45000
# quick: 200
import sys
import random


class Node:
    __slots__ = ("key", "value", "prev", "next")

    def __init__(self, key, value):
        self.key = key
        self.value = value
        self.prev = self
        self.next = self


class LRUCache:
    """Least recently used cache; the sentinel's `next` is the freshest entry."""

    def __init__(self, capacity):
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity = capacity
        self._root = Node(None, None)
        self._table = {}
        self.hits = self.misses = self.evictions = 0

    def __len__(self):
        return len(self._table)

    def __contains__(self, key):
        return key in self._table

    def __iter__(self):
        node = self._root.next
        while node is not self._root:
            yield node.key, node.value
            node = node.next

    @staticmethod
    def _unlink(node):
        node.prev.next = node.next
        node.next.prev = node.prev

    def _push_front(self, node):
        first = self._root.next
        node.prev = self._root
        node.next = first
        first.prev = node
        self._root.next = node

    def get(self, key, default=None):
        node = self._table.get(key)
        if node is None:
            self.misses += 1
            return default
        self.hits += 1
        if self._root.next is not node:
            self._unlink(node)
            self._push_front(node)
        return node.value

    def put(self, key, value):
        node = self._table.get(key)
        if node is not None:
            node.value = value
            self._unlink(node)
        else:
            if len(self._table) >= self.capacity:
                victim = self._root.prev
                self._unlink(victim)
                del self._table[victim.key]
                self.evictions += 1
            node = Node(key, value)
            self._table[key] = node
        self._push_front(node)

    def discard(self, key):
        node = self._table.pop(key, None)
        if node is None:
            return False
        self._unlink(node)
        return True


def skewed_keys(count, universe, seed):
    rng = random.Random(seed)
    for _ in range(count):
        # the product of two uniforms prefers small keys
        yield int(universe * rng.random() * rng.random())


def expensive(key):
    total = 0
    while key:
        total += key % 10
        key //= 10
    return total * total


def main(n):
    for capacity in (8, 64, 256):
        cache = LRUCache(capacity)
        checksum = 0
        for step, key in enumerate(skewed_keys(n, 1000, 77)):
            value = cache.get(key)
            if value is None:
                value = expensive(key) + 1
                cache.put(key, value)
            checksum = (checksum * 31 + value) % 1000003
            if step % 97 == 96 and cache.discard(key // 2):
                checksum += 1
        order = [k for k, _ in cache]
        rate = 100.0 * cache.hits / (cache.hits + cache.misses)
        print("cap=%d size=%d hits=%d misses=%d evicted=%d rate=%.2f%%"
              % (capacity, len(cache), cache.hits, cache.misses, cache.evictions, rate))
        print("  checksum", checksum, "freshest", order[:5], "oldest", order[-3:],
              "seven" if 7 in cache else "no seven")


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
