# Routes, components and colours of a graph whose edges are in dicts and sets. args: nodes.
# args: 6000
# quick: 40
import sys


def edges(n):
    state = 11
    for node in range(n):
        for _ in range(4):
            state = (state * 48271) % 2147483647
            yield node, state % n


def graph(n):
    near = {}
    for a, b in edges(n):
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    return near


def distances(near, start):
    seen = {start: 0}
    front = [start]
    while front:
        onward = []
        for node in front:
            for other in near[node]:
                if other not in seen:
                    seen[other] = seen[node] + 1
                    onward.append(other)
        front = onward
    return seen


def coloured(near):
    colours = {}
    for node in sorted(near, key=lambda node: (-len(near[node]), node)):
        taken = {colours[other] for other in near[node] if other in colours}
        colour = 0
        while colour in taken:
            colour += 1
        colours[node] = colour
    return colours


def triangles(near):
    count = 0
    for node, others in near.items():
        for other in others:
            if node < other:
                count += len(others & near[other])
    return count // 3


def pairs(near):
    weights = {}
    for node, others in near.items():
        for other in others:
            key = (min(node, other), max(node, other))
            weights[key] = weights.get(key, 0) + (node ^ other) % 17
    return weights


def main(n):
    near = graph(n)
    reached = distances(near, 0)
    colours = coloured(near)
    weights = pairs(near)
    print(
        len(reached), max(reached.values()), max(colours.values()), triangles(near), len(weights),
        sum(weights.values()),
    )


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
