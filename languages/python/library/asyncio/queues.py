"""Queues between tasks."""

from collections import deque
from heapq import heappop, heappush

from asyncio import events
from asyncio.locks import Event, _Waited

__all__ = ["LifoQueue", "PriorityQueue", "Queue", "QueueEmpty", "QueueFull"]


class QueueEmpty(Exception):
    """There is no item."""


class QueueFull(Exception):
    """There is no room for an item."""


class Queue(_Waited):
    """Items come out in the order in which they were put in."""

    def __init__(self, maxsize=0):
        self._maxsize = maxsize
        self._getters = deque()
        self._putters = deque()
        self._unfinished = 0
        self._finished = Event()
        self._finished.set()
        self._init(maxsize)

    def __class_getitem__(cls, args):
        from types import GenericAlias

        return GenericAlias(cls, args)

    # What other kinds of queues do otherwise.

    def _init(self, maxsize):
        self._queue = deque()

    def _get(self):
        return self._queue.popleft()

    def _put(self, item):
        self._queue.append(item)

    def qsize(self):
        return len(self._queue)

    @property
    def maxsize(self):
        return self._maxsize

    def empty(self):
        return not self._queue

    def full(self):
        return 0 < self._maxsize <= self.qsize()

    async def put(self, item):
        while self.full():
            await self._wait_in(self._putters, self.full)
        return self.put_nowait(item)

    def put_nowait(self, item):
        if self.full():
            raise QueueFull
        self._put(item)
        self._unfinished += 1
        self._finished.clear()
        _wake_next(self._getters)

    async def get(self):
        while self.empty():
            await self._wait_in(self._getters, self.empty)
        return self.get_nowait()

    def get_nowait(self):
        if self.empty():
            raise QueueEmpty
        item = self._get()
        _wake_next(self._putters)
        return item

    async def _wait_in(self, line, has_to_wait):
        waiter = self._get_loop().create_future()
        line.append(waiter)
        try:
            await waiter
        except BaseException:
            waiter.cancel()
            if waiter in line:
                line.remove(waiter)
            if not has_to_wait() and not waiter.cancelled():
                # It was woken up and cancelled: the next one goes on in its place.
                _wake_next(line)
            raise

    def task_done(self):
        if self._unfinished <= 0:
            raise ValueError("task_done() called too many times")
        self._unfinished -= 1
        if self._unfinished == 0:
            self._finished.set()

    async def join(self):
        if self._unfinished > 0:
            await self._finished.wait()

    def _described(self):
        made = f"maxsize={self._maxsize!r}"
        if self._queue:
            made += f" _queue={list(self._queue)!r}"
        if self._getters:
            made += f" _getters[{len(self._getters)}]"
        if self._putters:
            made += f" _putters[{len(self._putters)}]"
        if self._unfinished:
            made += f" tasks={self._unfinished}"
        return made

    def __repr__(self):
        return f"<{type(self).__name__} at {id(self):#x} {self._described()}>"

    def __str__(self):
        return f"<{type(self).__name__} {self._described()}>"


def _wake_next(line):
    while line:
        waiter = line.popleft()
        if not waiter.done():
            waiter.set_result(None)
            return


class PriorityQueue(Queue):
    """The smallest item comes out first."""

    def _init(self, maxsize):
        self._queue = []

    def _put(self, item):
        heappush(self._queue, item)

    def _get(self):
        return heappop(self._queue)


class LifoQueue(Queue):
    """The last item that was put in comes out first."""

    def _init(self, maxsize):
        self._queue = []

    def _put(self, item):
        self._queue.append(item)

    def _get(self):
        return self._queue.pop()
