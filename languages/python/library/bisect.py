"""Searching in sorted lists by halving."""


def bisect_right(a, x, lo=0, hi=None, *, key=None):
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = len(a)
    while lo < hi:
        middle = (lo + hi) >> 1
        item = a[middle] if key is None else key(a[middle])
        if x < item:
            hi = middle
        else:
            lo = middle + 1
    return lo


def bisect_left(a, x, lo=0, hi=None, *, key=None):
    if lo < 0:
        raise ValueError("lo must be non-negative")
    if hi is None:
        hi = len(a)
    while lo < hi:
        middle = (lo + hi) >> 1
        item = a[middle] if key is None else key(a[middle])
        if item < x:
            lo = middle + 1
        else:
            hi = middle
    return lo


def insort_right(a, x, lo=0, hi=None, *, key=None):
    wanted = x if key is None else key(x)
    a.insert(bisect_right(a, wanted, lo, hi, key=key), x)


def insort_left(a, x, lo=0, hi=None, *, key=None):
    wanted = x if key is None else key(x)
    a.insert(bisect_left(a, wanted, lo, hi, key=key), x)


bisect = bisect_right
insort = insort_right
