# Trie of made-up words with ranked autocompletion, wildcard search and fuzzy lookup. args: words.
# args: 18000
# quick: 120
import sys
import random
import heapq


class TrieNode:
    def __init__(self):
        self.children = {}
        self.weight = 0
        self.best = 0        # greatest weight in the subtree

    def child(self, ch):
        node = self.children.get(ch)
        if node is None:
            node = self.children[ch] = TrieNode()
        return node


class Trie:
    def __init__(self):
        self.root = TrieNode()
        self.size = 0
        self.nodes = 1

    def add(self, word, weight=1):
        node = self.root
        path = [node]
        for ch in word:
            if ch not in node.children:
                self.nodes += 1
            node = node.child(ch)
            path.append(node)
        if node.weight == 0:
            self.size += 1
        node.weight += weight
        for p in path:
            p.best = max(p.best, node.weight)

    def _find(self, prefix):
        node = self.root
        for ch in prefix:
            if ch not in node.children:
                return None
            node = node.children[ch]
        return node

    def __contains__(self, word):
        node = self._find(word)
        return bool(node and node.weight)

    def words(self, prefix=""):
        def walk(node, sofar):
            if node.weight:
                yield sofar
            for ch in sorted(node.children):
                yield from walk(node.children[ch], sofar + ch)
        start = self._find(prefix)
        if start is not None:
            yield from walk(start, prefix)

    def complete(self, prefix, limit=3):
        """Best-first search: the heaviest completions come out in order."""
        start = self._find(prefix)
        if start is None:
            return []
        found, queue, tick = [], [(-start.best, prefix, 0, start)], 0
        while queue and len(found) < limit:
            _, word, _, node = heapq.heappop(queue)
            if node is None:
                found.append(word)
                continue
            if node.weight:
                tick += 1
                heapq.heappush(queue, (-node.weight, word, -tick, None))
            for ch, nxt in node.children.items():
                tick += 1
                heapq.heappush(queue, (-nxt.best, word + ch, tick, nxt))
        return found

    def match(self, pattern):
        hits = []

        def rec(node, i, acc):
            if i == len(pattern):
                if node.weight:
                    hits.append("".join(acc))
                return
            c = pattern[i]
            options = node.children if c == "?" else ([c] if c in node.children else [])
            for ch in options:
                acc.append(ch)
                rec(node.children[ch], i + 1, acc)
                acc.pop()

        rec(self.root, 0, [])
        return sorted(hits)

    def fuzzy(self, word, budget):
        first = list(range(len(word) + 1))
        result = []
        stack = [(self.root, "", first)]
        while stack:
            node, text, row = stack.pop()
            if node.weight and row[-1] <= budget:
                result.append((row[-1], text))
            for ch, nxt in node.children.items():
                new = [row[0] + 1]
                for j, target in enumerate(word, 1):
                    new.append(min(new[j - 1] + 1, row[j] + 1, row[j - 1] + (ch != target)))
                if min(new) <= budget:
                    stack.append((nxt, text + ch, new))
        result.sort()
        return result


def invent(rng):
    syllables = rng.choice((1, 2, 2, 3))
    return "".join(rng.choice("bdklmnprst") + rng.choice("aeiou") + rng.choice(("", "", "n", "r"))
                   for _ in range(syllables))


def main(n):
    rng = random.Random(5150)
    vocabulary = [invent(rng) for _ in range(n)]
    trie = Trie()
    for w in vocabulary:
        trie.add(w, rng.randint(1, 20))
    print("words", trie.size, "nodes", trie.nodes, "distinct", len(set(vocabulary)))
    listed = list(trie.words())
    print("sorted", listed == sorted(set(vocabulary)), listed[0], listed[-1])
    for prefix in ("b", "ka", "mi", "zz"):
        print(repr(prefix), sum(1 for _ in trie.words(prefix)), trie.complete(prefix))
    lengths = sum(len(w) for c in "bdklmnprst" for v in "aeiou" for w in trie.complete(c + v, 5))
    print("completed letters", lengths)
    print("wildcards", len(trie.match("?a??")), trie.match("?o")[:6])
    queries = [vocabulary[i][:-1] + "u" for i in range(0, n, max(1, n // 8))]
    near = [trie.fuzzy(q, 1) for q in queries]
    print("fuzzy", sum(map(len, near)), near[0][:3])
    print("contains", sum(w[2:] in trie for w in vocabulary), "" in trie, vocabulary[0] in trie)


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 120)
