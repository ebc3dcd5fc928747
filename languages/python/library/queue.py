"""Queues by which threads hand things to each other."""

from _thread import _block, _deadline, _pass, _wake
from collections import deque as _deque
from heapq import heappop as _heappop, heappush as _heappush

__all__ = ["Empty", "Full", "LifoQueue", "PriorityQueue", "Queue", "SimpleQueue"]


class Empty(Exception):
    pass


class Full(Exception):
    pass


Empty.__module__ = "_queue"


class _Line:
    """Threads that wait until something holds."""

    def __init__(self):
        self._waiting = []

    def wait_until(self, holds, block, timeout):
        """Whether it does, in the end."""
        if holds():
            return True
        if not block:
            _pass()
            return holds()
        if timeout is not None and timeout < 0:
            raise ValueError("'timeout' must be a non-negative number")
        end = _deadline(timeout)
        while not holds():
            if not _block(self._waiting, end):
                return holds()
        return True

    def wake(self, count=1):
        _wake(self._waiting, count)

    def wake_all(self):
        _wake(self._waiting, len(self._waiting))


class Queue:
    def __init__(self, maxsize=0):
        self.maxsize = maxsize
        self.unfinished_tasks = 0
        self._getters, self._putters, self._joiners = _Line(), _Line(), _Line()
        self._init(maxsize)

    # What a class that derives from it may say otherwise.

    def _init(self, maxsize):
        self.queue = _deque()

    def _qsize(self):
        return len(self.queue)

    def _put(self, item):
        self.queue.append(item)

    def _get(self):
        return self.queue.popleft()

    def _has_room(self):
        return self.maxsize <= 0 or self._qsize() < self.maxsize

    def put(self, item, block=True, timeout=None):
        if not self._putters.wait_until(self._has_room, block, timeout):
            raise Full
        self._put(item)
        self.unfinished_tasks += 1
        self._getters.wake()

    def get(self, block=True, timeout=None):
        if not self._getters.wait_until(self._qsize, block, timeout):
            raise Empty
        item = self._get()
        self._putters.wake()
        return item

    def put_nowait(self, item):
        return self.put(item, block=False)

    def get_nowait(self):
        return self.get(block=False)

    def task_done(self):
        if self.unfinished_tasks <= 0:
            raise ValueError("task_done() called too many times")
        self.unfinished_tasks -= 1
        if not self.unfinished_tasks:
            self._joiners.wake_all()

    def join(self):
        self._joiners.wait_until(lambda: not self.unfinished_tasks, True, None)

    def qsize(self):
        _pass()
        return self._qsize()

    def empty(self):
        if not self._qsize():
            _pass()
        return not self._qsize()

    def full(self):
        if not self._has_room():
            _pass()
        return not self._has_room()

    def __class_getitem__(cls, item):
        from types import GenericAlias

        return GenericAlias(cls, item)


class PriorityQueue(Queue):
    def _init(self, maxsize):
        self.queue = []

    def _put(self, item):
        _heappush(self.queue, item)

    def _get(self):
        return _heappop(self.queue)


class LifoQueue(Queue):
    def _init(self, maxsize):
        self.queue = []

    def _get(self):
        return self.queue.pop()


class SimpleQueue:
    def __init__(self):
        self._queue = _deque()
        self._getters = _Line()

    def put(self, item, block=True, timeout=None):
        self._queue.append(item)
        self._getters.wake()

    def get(self, block=True, timeout=None):
        if not self._getters.wait_until(self._queue.__len__, block, timeout):
            raise Empty
        return self._queue.popleft()

    def put_nowait(self, item):
        return self.put(item)

    def get_nowait(self):
        return self.get(block=False)

    def empty(self):
        return not self.qsize()

    def qsize(self):
        if not self._queue:
            _pass()
        return len(self._queue)

    def __class_getitem__(cls, item):
        from types import GenericAlias

        return GenericAlias(cls, item)


SimpleQueue.__module__ = "_queue"
