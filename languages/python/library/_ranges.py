"""Ranges of numbers that are beyond 64 bits, or as many."""

from operator import index as _index

_MOST = (1 << 63) - 1
_narrow = range


class _RangeClass(type):
    """Its name is that of the builtin class, which it is taken for."""

    def __repr__(cls):
        return "<class 'range'>"

    def __eq__(cls, other):
        return other is cls or other is _narrow

    def __hash__(cls):
        return hash(_narrow)


class range(metaclass=_RangeClass):
    __slots__ = ("start", "stop", "step", "_count")

    def __init__(self, start, stop, step):
        put = object.__setattr__
        put(self, "start", start)
        put(self, "stop", stop)
        put(self, "step", step)
        last = stop - 1 if step > 0 else stop + 1
        put(self, "_count", max(0, (last - start) // step + 1))

    def __setattr__(self, name, value):
        if name in ("start", "stop", "step"):
            raise AttributeError("readonly attribute")
        raise AttributeError(f"'range' object has no attribute {name!r}")

    @property
    def __class__(self):
        return _narrow

    def __len__(self):
        if self._count > _MOST:
            raise OverflowError("Python int too large to convert to C ssize_t")
        return self._count

    def __bool__(self):
        return self._count > 0

    def __iter__(self):
        number, step = self.start, self.step
        for _ in _times(self._count):
            yield number
            number += step

    def __reversed__(self):
        number, step = self.start + (self._count - 1) * self.step, self.step
        for _ in _times(self._count):
            yield number
            number -= step

    def __getitem__(self, key, /):
        if isinstance(key, slice):
            start, stop, step = _indices(key, self._count)
            first = self.start + start * self.step
            return _narrow(first, self.start + stop * self.step, self.step * step)
        try:
            place = _index(key)
        except TypeError:
            name = type(key).__name__
            raise TypeError(f"range indices must be integers or slices, not {name}") from None
        if place < 0:
            place += self._count
        if not 0 <= place < self._count:
            raise IndexError("range object index out of range")
        return self.start + place * self.step

    def _place(self, value):
        """Where an integer is; nothing, if it is not there."""
        place, rest = divmod(value - self.start, self.step)
        return place if not rest and 0 <= place < self._count else None

    def __contains__(self, value):
        if isinstance(value, int):
            return self._place(value) is not None
        return any(number == value for number in self)

    def index(self, value, /):
        place = self._place(value) if isinstance(value, int) else None
        if place is None:
            raise ValueError(f"{value!r} is not in range")
        return place

    def count(self, value, /):
        return int(value in self)

    def _key(self):
        if not self._count:
            return (0, None, None)
        return (self._count, self.start, None if self._count == 1 else self.step)

    def __eq__(self, other):
        if type(other) is _narrow:
            return self._key() == range(other.start, other.stop, other.step)._key()
        return self._key() == other._key() if type(other) is range else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __reduce__(self):
        return _narrow, (self.start, self.stop, self.step)

    def __repr__(self):
        step = "" if self.step == 1 else f", {self.step}"
        return f"range({self.start}, {self.stop}{step})"


range.__module__ = "builtins"


def _indices(part, count):
    """What `slice.indices` says, of any length."""
    step = 1 if part.step is None else _index(part.step)
    if step == 0:
        raise ValueError("slice step cannot be zero")
    least, most = (0, count) if step > 0 else (-1, count - 1)

    def bound(given, usual):
        if given is None:
            return usual
        given = _index(given)
        if given < 0:
            return max(given + count, least)
        return min(given, most)

    if step > 0:
        return bound(part.start, 0), bound(part.stop, count), step
    return bound(part.start, count - 1), bound(part.stop, -1), step


def _times(count):
    """Goes round as often as a number says, which may have more than 64 bits."""
    while count > _MOST:
        yield from _narrow(1 << 32)
        count -= 1 << 32
    yield from _narrow(count)


def wide(*args):
    """`range(..)` of these, of which one at least is large."""
    numbers = [_index(value) for value in args]
    if len(numbers) == 1:
        numbers.insert(0, 0)
    if len(numbers) == 2:
        numbers.append(1)
    return range(*numbers)
