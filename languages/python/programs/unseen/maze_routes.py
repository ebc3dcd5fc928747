# Dijkstra, A* and breadth-first search over a grid of random costs kept in a dict of tuples. args: rows.
# args: 115
# quick: 7
import sys
import heapq
import random
from collections import deque, defaultdict

WALL = 0
DIRS = ((1, 0, "S"), (0, 1, "E"), (-1, 0, "N"), (0, -1, "W"))


def build(rows: int, cols: int, seed: int) -> dict:
    rng = random.Random(seed)
    grid = {}
    for r in range(rows):
        for c in range(cols):
            grid[(r, c)] = WALL if rng.random() < 0.18 else rng.randint(1, 9)
    grid[(0, 0)] = grid[(rows - 1, cols - 1)] = 1
    # carve one corridor so that an exit always exists
    r = c = 0
    while (r, c) != (rows - 1, cols - 1):
        if grid[r, c] == WALL:
            grid[r, c] = 9
        if r == rows - 1 or (c < cols - 1 and rng.random() < 0.5):
            c += 1
        else:
            r += 1
    return grid


def neighbours(grid, pos):
    r, c = pos
    for dr, dc, _ in DIRS:
        nxt = (r + dr, c + dc)
        if grid.get(nxt, WALL) != WALL:
            yield nxt


def dijkstra(grid: dict, source: tuple):
    dist = {source: 0}
    parent = {source: None}
    done = set()
    heap = [(0, source)]
    while heap:
        d, u = heapq.heappop(heap)
        if u in done:
            continue
        done.add(u)
        for v in neighbours(grid, u):
            nd = d + grid[v]
            if v not in dist or nd < dist[v]:
                dist[v] = nd
                parent[v] = u
                heapq.heappush(heap, (nd, v))
    return dist, parent


def astar(grid, source, goal):
    def h(p):
        return abs(p[0] - goal[0]) + abs(p[1] - goal[1])

    g = defaultdict(lambda: float("inf"))
    g[source] = 0
    frontier = [(h(source), 0, source)]
    came = {}
    closed = set()
    while frontier:
        _, negcost, here = heapq.heappop(frontier)
        if here == goal:
            path = [here]
            while path[-1] in came:
                path.append(came[path[-1]])
            return g[goal], path[::-1], len(closed)
        if here in closed:
            continue
        closed.add(here)
        for nxt in neighbours(grid, here):
            alt = g[here] + grid[nxt]
            if alt < g[nxt]:
                g[nxt] = alt
                came[nxt] = here
                heapq.heappush(frontier, (alt + h(nxt), -alt, nxt))
    return None, [], len(closed)


def bfs_levels(grid, source):
    seen = {source: 0}
    todo = deque([source])
    while todo:
        p = todo.popleft()
        for q in neighbours(grid, p):
            if q not in seen:
                seen[q] = seen[p] + 1
                todo.append(q)
    return seen


def components(grid):
    unseen = {p for p, cost in grid.items() if cost != WALL}
    sizes = []
    for p in grid:
        if p in unseen:
            region = bfs_levels(grid, p).keys()
            sizes.append(len(region))
            unseen -= region
    return sorted(sizes, reverse=True)


def letters(path):
    names = {(dr, dc): name for dr, dc, name in DIRS}
    return "".join(names[b[0] - a[0], b[1] - a[1]] for a, b in zip(path, path[1:]))


def main(n):
    rows, cols = n, n + n // 2
    grid = build(rows, cols, 4)
    start, goal = (0, 0), (rows - 1, cols - 1)
    dist, parent = dijkstra(grid, start)
    print("reachable", len(dist), "of", len(grid), "cost", dist[goal], "sum", sum(dist.values()))
    far = max(dist.items(), key=lambda kv: (kv[1], kv[0]))
    print("farthest", far[0], far[1])
    node, route = goal, []
    while node is not None:
        route.append(node)
        node = parent[node]
    route.reverse()
    cost, path, explored = astar(grid, start, goal)
    print("astar", cost, cost == dist[goal], "explored", explored, "steps", len(path) - 1)
    print("same cost", sum(grid[p] for p in route[1:]) == sum(grid[p] for p in path[1:]))
    levels = bfs_levels(grid, start)
    print("fewest steps", levels[goal], "deepest", max(levels.values()))
    print("regions", components(grid)[:6])
    print(letters(route)[:60])


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
