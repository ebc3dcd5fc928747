"""What tasks wait at for each other: locks, events, conditions, semaphores, barriers."""

from collections import deque

from asyncio import events
from asyncio.exceptions import BrokenBarrierError, CancelledError

__all__ = ["Barrier", "BoundedSemaphore", "Condition", "Event", "Lock", "Semaphore"]


class _Waited:
    """Something that tasks wait at; it belongs to the loop where the first one has waited."""

    _loop = None

    def _get_loop(self):
        loop = events.get_running_loop()
        if self._loop is None:
            self._loop = loop
        if loop is not self._loop:
            raise RuntimeError(f"{self!r} is bound to a different event loop")
        return loop

    def _shown(self, state, waiters):
        start = f"<{type(self).__module__}.{type(self).__qualname__} object at {id(self):#x}"
        waiting = f", waiters:{len(waiters)}" if waiters else ""
        return f"{start} [{state}{waiting}]>"


class _Managed(_Waited):
    """Something that is held in an `async with`."""

    async def __aenter__(self):
        await self.acquire()

    async def __aexit__(self, kind, value, traceback):
        self.release()


class Lock(_Managed):
    def __init__(self):
        self._waiters = None
        self._locked = False

    def locked(self):
        return self._locked

    async def acquire(self):
        waiting = self._waiters
        if not self._locked and (
            waiting is None or all([waiter.cancelled() for waiter in waiting])
        ):
            self._locked = True
            return True
        if waiting is None:
            waiting = self._waiters = deque()
        waiter = self._get_loop().create_future()
        waiting.append(waiter)
        try:
            try:
                await waiter
            finally:
                waiting.remove(waiter)
        except CancelledError:
            # Somebody else may have been waiting for what this one was given.
            if not self._locked:
                self._wake_first()
            raise
        self._locked = True
        return True

    def release(self):
        if not self._locked:
            raise RuntimeError("Lock is not acquired.")
        self._locked = False
        self._wake_first()

    def _wake_first(self):
        if self._waiters:
            first = self._waiters[0]
            if not first.done():
                first.set_result(True)

    def __repr__(self):
        return self._shown("locked" if self._locked else "unlocked", self._waiters)


class Event(_Waited):
    def __init__(self):
        self._waiters = deque()
        self._value = False

    def is_set(self):
        return self._value

    def set(self):
        if not self._value:
            self._value = True
            for waiter in self._waiters:
                if not waiter.done():
                    waiter.set_result(True)

    def clear(self):
        self._value = False

    async def wait(self):
        if self._value:
            return True
        waiter = self._get_loop().create_future()
        self._waiters.append(waiter)
        try:
            await waiter
            return True
        finally:
            self._waiters.remove(waiter)

    def __repr__(self):
        return self._shown("set" if self._value else "unset", self._waiters)


class Condition(_Managed):
    def __init__(self, lock=None):
        self._lock = Lock() if lock is None else lock
        self.locked = self._lock.locked
        self.acquire = self._lock.acquire
        self.release = self._lock.release
        self._waiters = deque()

    async def wait(self):
        if not self.locked():
            raise RuntimeError("cannot wait on un-acquired lock")
        self.release()
        try:
            waiter = self._get_loop().create_future()
            self._waiters.append(waiter)
            try:
                await waiter
                return True
            finally:
                self._waiters.remove(waiter)
        finally:
            # It holds the lock again whatever happens meanwhile.
            cancelled = None
            while True:
                try:
                    await self.acquire()
                    break
                except CancelledError as error:
                    cancelled = error
            if cancelled is not None:
                raise cancelled

    async def wait_for(self, predicate):
        result = predicate()
        while not result:
            await self.wait()
            result = predicate()
        return result

    def notify(self, n=1):
        if not self.locked():
            raise RuntimeError("cannot notify on un-acquired lock")
        for waiter in self._waiters:
            if n <= 0:
                break
            if not waiter.done():
                n -= 1
                waiter.set_result(False)

    def notify_all(self):
        self.notify(len(self._waiters))

    def __repr__(self):
        return self._shown("locked" if self.locked() else "unlocked", self._waiters)


class Semaphore(_Managed):
    def __init__(self, value=1):
        if value < 0:
            raise ValueError("Semaphore initial value must be >= 0")
        self._waiters = None
        self._value = value

    def locked(self):
        if self._value == 0:
            return True
        return any([not waiter.cancelled() for waiter in self._waiters or ()])

    async def acquire(self):
        if not self.locked():
            self._value -= 1
            return True
        if self._waiters is None:
            self._waiters = deque()
        waiter = self._get_loop().create_future()
        self._waiters.append(waiter)
        try:
            try:
                await waiter
            finally:
                self._waiters.remove(waiter)
        except CancelledError:
            if not waiter.cancelled():
                self._value += 1
                self._wake_next()
            raise
        if self._value > 0:
            self._wake_next()
        return True

    def release(self):
        self._value += 1
        self._wake_next()

    def _wake_next(self):
        for waiter in self._waiters or ():
            if not waiter.done():
                self._value -= 1
                waiter.set_result(True)
                return

    def __repr__(self):
        state = "locked" if self.locked() else f"unlocked, value:{self._value}"
        return self._shown(state, self._waiters)


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        self._bound_value = value
        super().__init__(value)

    def release(self):
        if self._value >= self._bound_value:
            raise ValueError("BoundedSemaphore released too many times")
        super().release()


class Barrier(_Waited):
    """Where as many tasks wait as it has parties, and go on together."""

    def __init__(self, parties):
        if parties < 1:
            raise ValueError("parties must be > 0")
        self._cond = Condition()
        self._parties = parties
        # filling, draining, resetting, or broken
        self._state = "filling"
        self._count = 0

    parties = property(lambda self: self._parties)
    broken = property(lambda self: self._state == "broken")
    n_waiting = property(lambda self: self._count if self._state == "filling" else 0)

    async def __aenter__(self):
        return await self.wait()

    async def __aexit__(self, kind, value, traceback):
        pass

    async def wait(self):
        async with self._cond:
            await self._until_filling()
            try:
                place = self._count
                self._count += 1
                if place + 1 == self._parties:
                    self._state = "draining"
                    self._cond.notify_all()
                else:
                    await self._until_full()
                return place
            finally:
                self._count -= 1
                if self._count == 0:
                    if self._state in ("resetting", "draining"):
                        self._state = "filling"
                    self._cond.notify_all()

    async def _until_filling(self):
        await self._cond.wait_for(lambda: self._state not in ("draining", "resetting"))
        if self._state == "broken":
            raise BrokenBarrierError("Barrier aborted")

    async def _until_full(self):
        await self._cond.wait_for(lambda: self._state != "filling")
        if self._state in ("broken", "resetting"):
            raise BrokenBarrierError("Abort or reset of barrier")

    async def reset(self):
        async with self._cond:
            if self._count == 0:
                self._state = "filling"
            elif self._state != "resetting":
                self._state = "resetting"
            self._cond.notify_all()

    async def abort(self):
        async with self._cond:
            self._state = "broken"
            self._cond.notify_all()

    def __repr__(self):
        state = self._state
        if state != "broken":
            state += f", waiters:{self.n_waiting}/{self.parties}"
        return self._shown(state, None)
