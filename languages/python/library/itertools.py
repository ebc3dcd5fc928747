"""Iterators out of iterators: generators where that is enough, so that the JIT compiles them into
the loops that they are used in."""


def count(start=0, step=1):
    while True:
        yield start
        start += step


def cycle(iterable):
    seen = []
    for item in iterable:
        yield item
        seen.append(item)
    while seen:
        yield from seen


def repeat(object, times=None):
    if times is None:
        while True:
            yield object
    for _ in range(times):
        yield object


def accumulate(iterable, func=None, *, initial=None):
    total = initial
    is_first = initial is None
    if not is_first:
        yield total
    for item in iterable:
        if is_first:
            total = item
            is_first = False
        elif func is None:
            total = total + item
        else:
            total = func(total, item)
        yield total


def chain(*iterables):
    for iterable in iterables:
        yield from iterable


def _chain_from_iterable(iterables):
    for iterable in iterables:
        yield from iterable


chain.from_iterable = _chain_from_iterable


def compress(data, selectors):
    for item, is_wanted in zip(data, selectors):
        if is_wanted:
            yield item


def dropwhile(predicate, iterable):
    iterator = iter(iterable)
    for item in iterator:
        if not predicate(item):
            yield item
            break
    yield from iterator


def takewhile(predicate, iterable):
    for item in iterable:
        if not predicate(item):
            return
        yield item


def filterfalse(predicate, iterable):
    for item in iterable:
        if not (item if predicate is None else predicate(item)):
            yield item


def starmap(function, iterable):
    for arguments in iterable:
        yield function(*arguments)


def pairwise(iterable):
    iterator = iter(iterable)
    for before in iterator:
        for item in iterator:
            yield before, item
            before = item


def islice(iterable, *bounds):
    if not 1 <= len(bounds) <= 3:
        few_or_many = "at least 2" if len(bounds) == 0 else "at most 4"
        raise TypeError(
            f"islice expected {few_or_many} arguments, got {len(bounds) + 1}"
        )
    start, stop, step = 0, bounds[0], 1
    if len(bounds) > 1:
        start, stop = bounds[0], bounds[1]
    if len(bounds) > 2:
        step = bounds[2]
    start = 0 if start is None else start
    step = 1 if step is None else step
    if stop is not None and not _is_place(stop):
        raise ValueError(
            "Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize."
        )
    if not _is_place(start):
        raise ValueError(
            "Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize."
        )
    if not _is_place(step) or step == 0:
        raise ValueError("Step for islice() must be a positive integer or None.")
    return _islice(iter(iterable), start, stop, step)


def _is_place(value):
    return hasattr(value, "__index__") and 0 <= value <= 9223372036854775807


def _islice(iterator, wanted, stop, step):
    # Items are taken when they are asked for, those that are left out included.
    taken = 0
    while True:
        while taken < wanted:
            try:
                next(iterator)
            except StopIteration:
                return
            taken += 1
        if stop is not None and taken >= stop:
            return
        try:
            item = next(iterator)
        except StopIteration:
            return
        taken += 1
        yield item
        wanted += step
        if stop is not None and wanted > stop:
            wanted = stop


class groupby:
    def __init__(self, iterable, key=None):
        self._iterator = iter(iterable)
        self._key = key
        # The item that comes next, with its key, if it has been taken.
        self._has_item = False
        self._item = None
        self._item_key = None
        # Which group is being read: older ones have ended.
        self._group = 0
        self._group_key = None
        self._is_started = False

    def __iter__(self):
        return self

    def __next__(self):
        self._group += 1
        if self._is_started:
            while not self._has_item or self._item_key == self._group_key:
                self._take()
        elif not self._has_item:
            self._take()
        self._is_started = True
        self._group_key = self._item_key
        return self._group_key, self._members(self._group)

    def _take(self):
        self._has_item = False
        self._item = next(self._iterator)
        self._item_key = self._item if self._key is None else self._key(self._item)
        self._has_item = True

    def _members(self, group):
        while self._group == group:
            if not self._has_item:
                try:
                    self._take()
                except StopIteration:
                    return
            if not self._item_key == self._group_key:
                return
            self._has_item = False
            yield self._item


def tee(iterable, n=2):
    if n < 0:
        raise ValueError("n must be >= 0")
    iterator = iter(iterable)
    # A chain of [item, what comes behind it]; what has not been taken yet is an empty link.
    link = []
    return tuple([_tee(iterator, link) for _ in range(n)])


def _tee(iterator, link):
    while True:
        if not link:
            try:
                item = next(iterator)
            except StopIteration:
                return
            link.append(item)
            link.append([])
        item, link = link
        yield item


def zip_longest(*iterables, fillvalue=None):
    iterators = [iter(iterable) for iterable in iterables]
    active = len(iterators)
    has_ended = [False] * active
    while active:
        items = []
        for n in range(len(iterators)):
            item = fillvalue
            if not has_ended[n]:
                try:
                    item = next(iterators[n])
                except StopIteration:
                    has_ended[n] = True
                    active -= 1
                    if active == 0:
                        return
            items.append(item)
        yield tuple(items)


def product(*iterables, repeat=1):
    pools = [tuple(iterable) for iterable in iterables] * repeat
    return _product(pools)


def _product(pools):
    count = len(pools)
    if count == 0:
        yield ()
    elif count == 1:
        for a in pools[0]:
            yield (a,)
    elif count == 2:
        last = pools[1]
        for a in pools[0]:
            for b in last:
                yield (a, b)
    else:
        *others, first, second = pools
        if not first or not second:
            return
        for begin in _product(others):
            for a in first:
                longer = begin + (a,)
                for b in second:
                    yield longer + (b,)


def permutations(iterable, r=None):
    pool = tuple(iterable)
    if r is None:
        r = len(pool)
    if r < 0:
        raise ValueError("r must be non-negative")
    return _permutations(pool, r)


def _permutations(pool, r):
    n = len(pool)
    if r > n:
        return
    items = list(pool)
    # How many exchanges are left at each place of a result.
    left = [n - place for place in range(r)]
    yield tuple(items[:r])
    while True:
        at = r - 1
        while at >= 0:
            left[at] -= 1
            if left[at] > 0:
                other = n - left[at]
                items[at], items[other] = items[other], items[at]
                yield tuple(items) if r == n else tuple(items[:r])
                break
            # All have been here: the first one goes behind all others.
            items.append(items.pop(at))
            left[at] = n - at
            at -= 1
        if at < 0:
            return


def combinations(iterable, r):
    pool = tuple(iterable)
    if r < 0:
        raise ValueError("r must be non-negative")
    return _combinations(pool, r, 1)


def combinations_with_replacement(iterable, r):
    pool = tuple(iterable)
    if r < 0:
        raise ValueError("r must be non-negative")
    return _combinations(pool, r, 0)


def _combinations(pool, r, step):
    # Places rise by at least `step` from one to the next.
    n = len(pool)
    if r > n and (step == 1 or n == 0):
        return
    places = [step * place for place in range(r)]
    items = [pool[place] for place in places]
    while True:
        yield tuple(items)
        at = r - 1
        while at >= 0 and places[at] == n - 1 - step * (r - 1 - at):
            at -= 1
        if at < 0:
            return
        place = places[at] + 1
        for behind in range(at, r):
            places[behind] = place
            items[behind] = pool[place]
            place += step
