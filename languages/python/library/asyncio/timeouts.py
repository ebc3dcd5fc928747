"""What may take so long."""

from asyncio import events
from asyncio.exceptions import CancelledError
from asyncio.tasks import current_task

__all__ = ["Timeout", "timeout", "timeout_at"]


class Timeout:
    """An `async with` whose body is cancelled at a time, which is a `TimeoutError` outside."""

    def __init__(self, when):
        self._state = "created"
        self._timer = None
        self._task = None
        self._when = when

    def when(self):
        return self._when

    def reschedule(self, when):
        if self._state != "active":
            if self._state == "created":
                raise RuntimeError("Timeout has not been entered")
            raise RuntimeError(f"Cannot change state of {self._state} Timeout")
        self._when = when
        if self._timer is not None:
            self._timer.cancel()
        if when is None:
            self._timer = None
            return
        loop = events.get_running_loop()
        if when <= loop.time():
            self._timer = loop.call_soon(self._expire)
        else:
            self._timer = loop.call_at(when, self._expire)

    def expired(self):
        return self._state in ("expiring", "expired")

    async def __aenter__(self):
        if self._state != "created":
            raise RuntimeError("Timeout has already been entered")
        task = current_task()
        if task is None:
            raise RuntimeError("Timeout should be used inside a task")
        self._state = "active"
        self._task = task
        self._cancelling = task.cancelling()
        self.reschedule(self._when)
        return self

    async def __aexit__(self, kind, value, traceback):
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._state == "expiring":
            self._state = "expired"
            if self._task.uncancel() <= self._cancelling and kind is CancelledError:
                # Nobody else has cancelled it meanwhile.
                raise TimeoutError from value
        elif self._state == "active":
            self._state = "finished"
        return None

    def _expire(self):
        self._task.cancel()
        self._state = "expiring"
        self._timer = None

    def __repr__(self):
        info = [self._state]
        if self._state == "active":
            info.append(f"when={None if self._when is None else round(self._when, 3)}")
        return f"<Timeout [{self._state}] {' '.join(info[1:])}".rstrip() + ">"


def timeout(delay):
    return Timeout(None if delay is None else events.get_running_loop().time() + delay)


def timeout_at(when):
    return Timeout(when)
