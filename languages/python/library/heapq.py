"""Heaps in lists: an item is not larger than the two at twice its place and behind.

The steps are those of every implementation that compares on the way down to a leaf and then up
again (Knuth, volume 3, 5.2.3, exercise 18), so that equal items end where others put them."""


def _up(heap, first, place):
    # The item at `place` goes up to where it belongs, not above `first`.
    item = heap[place]
    while place > first:
        above = (place - 1) >> 1
        if not item < heap[above]:
            break
        heap[place] = heap[above]
        place = above
    heap[place] = item


def _down(heap, place):
    # The item at `place` goes down to a leaf, and up again.
    first, end, item = place, len(heap), heap[place]
    child = 2 * place + 1
    while child < end:
        other = child + 1
        if other < end and not heap[child] < heap[other]:
            child = other
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    heap[place] = item
    _up(heap, first, place)


def heappush(heap, item):
    heap.append(item)
    _up(heap, 0, len(heap) - 1)


def heappop(heap):
    last = heap.pop()
    if not heap:
        return last
    item = heap[0]
    heap[0] = last
    _down(heap, 0)
    return item


def heapreplace(heap, item):
    smallest = heap[0]
    heap[0] = item
    _down(heap, 0)
    return smallest


def heappushpop(heap, item):
    if heap and heap[0] < item:
        item, heap[0] = heap[0], item
        _down(heap, 0)
    return item


def heapify(x):
    for place in range(len(x) // 2 - 1, -1, -1):
        _down(x, place)


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[: max(n, 0)]


def merge(*iterables, key=None, reverse=False):
    rows = []
    for number, iterable in enumerate(iterables):
        iterator = iter(iterable)
        for item in iterator:
            rows.append([item if key is None else key(item), number, item, iterator])
            break
    while rows:
        # There are few of them, and those before come first if they are equal.
        best = rows[0]
        for row in rows[1:]:
            if best[0] < row[0] if reverse else row[0] < best[0]:
                best = row
        yield best[2]
        for item in best[3]:
            best[0] = item if key is None else key(item)
            best[2] = item
            break
        else:
            rows.remove(best)
