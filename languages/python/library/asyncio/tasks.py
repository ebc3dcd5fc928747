"""Tasks: coroutines that the loop runs; and what waits for several of them."""

from _verdigris import place_of
from asyncio import events
from asyncio.coroutines import iscoroutine
from asyncio.exceptions import CancelledError, InvalidStateError
from asyncio.futures import Future, isfuture

__all__ = [
    "ALL_COMPLETED",
    "FIRST_COMPLETED",
    "FIRST_EXCEPTION",
    "Task",
    "all_tasks",
    "as_completed",
    "create_task",
    "current_task",
    "ensure_future",
    "gather",
    "shield",
    "sleep",
    "wait",
    "wait_for",
]

FIRST_COMPLETED = "FIRST_COMPLETED"
FIRST_EXCEPTION = "FIRST_EXCEPTION"
ALL_COMPLETED = "ALL_COMPLETED"

_count = 0


class Task(Future):
    """A coroutine that the loop runs, step by step; its result is the coroutine's."""

    def __init__(self, coro, *, loop=None, name=None, context=None):
        global _count
        super().__init__(loop=loop)
        if not iscoroutine(coro):
            raise TypeError(f"a coroutine was expected, got {coro!r}")
        if name is None:
            _count += 1
            self._name = f"Task-{_count}"
        else:
            self._name = str(name)
        self._coro = coro
        self._context = context
        # What it waits for.
        self._waits_for = None
        # Whether it is to be cancelled at its next step, and how often that was asked for.
        self._must_cancel = False
        self._cancel_requests = 0
        self._loop.call_soon(self._step, context=context)
        self._loop._tasks[self] = None

    def get_coro(self):
        return self._coro

    def get_name(self):
        return self._name

    def set_name(self, value):
        self._name = str(value)

    def set_result(self, result):
        raise RuntimeError("Task does not support set_result operation")

    def set_exception(self, exception):
        raise RuntimeError("Task does not support set_exception operation")

    def cancel(self, msg=None):
        if self.done():
            return False
        self._cancel_requests += 1
        waits_for = self._waits_for
        if waits_for is not None and waits_for.cancel(msg=msg):
            # That wakes this task up with the error.
            return True
        self._must_cancel = True
        self._cancel_message = msg
        return True

    def cancelling(self):
        return self._cancel_requests

    def uncancel(self):
        if self._cancel_requests > 0:
            self._cancel_requests -= 1
        return self._cancel_requests

    def _step(self, error=None):
        if self.done():
            raise InvalidStateError(f"_step(): already done: {self!r}, {error!r}")
        if self._must_cancel:
            if not isinstance(error, CancelledError):
                error = self._cancelled_error()
            self._must_cancel = False
        self._waits_for = None
        loop = self._loop
        before, loop._current_task = loop._current_task, self
        try:
            if error is None:
                asked = self._coro.send(None)
            else:
                asked = self._coro.throw(error)
        except StopIteration as stop:
            if self._must_cancel:
                # It was cancelled in its last step.
                self._must_cancel = False
                self._finish(super().cancel, self._cancel_message)
            else:
                self._finish(super().set_result, stop.value)
        except CancelledError as cancelled:
            self._cancellation = cancelled
            self._finish(super().cancel, None)
        except (KeyboardInterrupt, SystemExit) as ending:
            self._finish(super().set_exception, ending)
            raise
        except BaseException as failure:
            self._finish(super().set_exception, failure)
        else:
            self._wait_for(asked)
        finally:
            loop._current_task = before

    def _finish(self, how, what):
        self._loop._tasks.pop(self, None)
        how(what)

    def _wait_for(self, asked):
        """Goes on when what the coroutine has asked for is there."""
        blocking = getattr(asked, "_asyncio_future_blocking", None)
        if blocking is None:
            if asked is None:
                self._loop.call_soon(self._step, context=self._context)
            elif hasattr(asked, "gi_running"):
                self._fail(f"yield was used instead of yield from for generator in task {self!r} with {asked!r}")
            else:
                self._fail(f"Task got bad yield: {asked!r}")
        elif asked.get_loop() is not self._loop:
            self._fail(f"Task {self!r} got Future {asked!r} attached to a different loop")
        elif not blocking:
            self._fail(f"yield was used instead of yield from in task {self!r} with {asked!r}")
        elif asked is self:
            self._fail(f"Task cannot await on itself: {self!r}")
        else:
            asked._asyncio_future_blocking = False
            asked.add_done_callback(self._wake_up, context=self._context)
            self._waits_for = asked
            if self._must_cancel and asked.cancel(msg=self._cancel_message):
                self._must_cancel = False

    def _fail(self, message):
        self._loop.call_soon(self._step, RuntimeError(message), context=self._context)

    def _wake_up(self, future):
        try:
            future.result()
        except BaseException as error:
            self._step(error)
        else:
            self._step()

    def _described(self):
        state, *rest = super()._described()
        if self._must_cancel:
            state = "cancelling"
        made = [state, f"name={self._name!r}", f"coro={self._described_coro()}"]
        if self._waits_for is not None:
            made.append(f"wait_for={self._waits_for!r}")
        return made + rest

    def _described_coro(self):
        place = place_of(self._coro)
        if place is None:
            return repr(self._coro)
        file, first, line = place
        name = self._coro.__qualname__
        if line >= 0:
            return f"<{name}() running at {file}:{line}>"
        state = "done" if self.done() else "running"
        return f"<{name}() {state}, defined at {file}:{first}>"


def create_task(coro, *, name=None, context=None):
    loop = events.get_running_loop()
    return loop.create_task(coro, name=name, context=context)


def current_task(loop=None):
    loop = events.get_running_loop() if loop is None else loop
    return loop._current_task


def all_tasks(loop=None):
    loop = events.get_running_loop() if loop is None else loop
    return set(loop._tasks)


async def _awaited(awaitable):
    return await awaitable


def ensure_future(value, *, loop=None):
    """A future for what can be awaited."""
    if isfuture(value):
        if loop is not None and loop is not value.get_loop():
            raise ValueError("The future belongs to a different loop than the one specified as the loop argument")
        return value
    if not iscoroutine(value):
        if not hasattr(type(value), "__await__"):
            raise TypeError("An asyncio.Future, a coroutine or an awaitable is required")
        value = _awaited(value)
    if loop is None:
        loop = events.get_event_loop()
    return loop.create_task(value)


class _Nothing:
    def __await__(self):
        yield


async def sleep(delay, result=None):
    if delay <= 0:
        await _Nothing()
        return result
    loop = events.get_running_loop()
    future = loop.create_future()
    timer = loop.call_later(delay, _give, future, result)
    try:
        return await future
    finally:
        timer.cancel()


def _give(future, result):
    if not future.done():
        future.set_result(result)


class _Gathering(Future):
    """What `gather` returns: to cancel it cancels what is gathered."""

    def __init__(self, children, loop):
        super().__init__(loop=loop)
        self._children = children
        self._cancel_requested = False

    def cancel(self, msg=None):
        if self.done():
            return False
        is_any = False
        for child in self._children:
            if child.cancel(msg=msg):
                is_any = True
        if is_any:
            self._cancel_requested = True
        return is_any


def gather(*awaitables, return_exceptions=False):
    """A future of the results of all, in the order of the arguments."""
    if not awaitables:
        future = events.get_event_loop().create_future()
        future.set_result([])
        return future
    futures = {}
    children = []
    loop = outer = None
    left = 0

    def done(child):
        nonlocal left
        left -= 1
        if outer is None or outer.done():
            return
        if not return_exceptions:
            error = child._cancelled_error() if child.cancelled() else child.exception()
            if error is not None:
                outer.set_exception(error)
                return
        if left > 0:
            return
        if outer._cancel_requested:
            outer.set_exception(children[-1]._cancelled_error())
        else:
            outer.set_result([outcome(child) for child in children])

    def outcome(child):
        if child.cancelled():
            return CancelledError("" if child._cancel_message is None else child._cancel_message)
        error = child.exception()
        return child.result() if error is None else error

    for awaitable in awaitables:
        child = futures.get(awaitable)
        if child is None:
            child = ensure_future(awaitable, loop=loop)
            if loop is None:
                loop = child.get_loop()
            futures[awaitable] = child
            left += 1
            child.add_done_callback(done)
        children.append(child)
    outer = _Gathering(children, loop)
    return outer


def shield(awaitable):
    """A future for what can be awaited, which is not cancelled with it."""
    inner = ensure_future(awaitable)
    if inner.done():
        return inner
    outer = inner.get_loop().create_future()

    def inner_done(inner):
        if outer.cancelled():
            return
        if inner.cancelled():
            outer.cancel()
        elif inner.exception() is not None:
            outer.set_exception(inner.exception())
        else:
            outer.set_result(inner.result())

    def outer_done(outer):
        if not inner.done():
            inner.remove_done_callback(inner_done)

    inner.add_done_callback(inner_done)
    outer.add_done_callback(outer_done)
    return outer


async def wait(fs, *, timeout=None, return_when=ALL_COMPLETED):
    """The sets of those that are done and of those that are not."""
    if isfuture(fs) or iscoroutine(fs):
        raise TypeError(f"expect a list of futures, not {type(fs).__name__}")
    if not fs:
        raise ValueError("Set of Tasks/Futures is empty.")
    if return_when not in (FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED):
        raise ValueError(f"Invalid return_when value: {return_when}")
    futures = set(fs)
    if any([iscoroutine(future) for future in futures]):
        raise TypeError("Passing coroutines is forbidden, use tasks explicitly.")
    loop = events.get_running_loop()
    futures = {ensure_future(future, loop=loop) for future in futures}
    waiter = loop.create_future()
    timer = None if timeout is None else loop.call_later(timeout, _give, waiter, None)
    left = len(futures)

    def done(future):
        nonlocal left
        left -= 1
        failed = not future.cancelled() and future.exception() is not None
        if (
            left <= 0
            or return_when == FIRST_COMPLETED
            or return_when == FIRST_EXCEPTION
            and failed
        ):
            if timer is not None:
                timer.cancel()
            _give(waiter, None)

    for future in futures:
        future.add_done_callback(done)
    try:
        await waiter
    finally:
        if timer is not None:
            timer.cancel()
        for future in futures:
            future.remove_done_callback(done)
    finished = {future for future in futures if future.done()}
    return finished, futures - finished


async def _cancel_and_wait(future):
    waiter = events.get_running_loop().create_future()

    def done(future):
        _give(waiter, None)

    future.add_done_callback(done)
    try:
        future.cancel()
        await waiter
    finally:
        future.remove_done_callback(done)


async def _cancel_for_timeout(future):
    """Cancels what has taken too long; its result, if it ends with one none the less."""
    await _cancel_and_wait(future)
    try:
        return future.result()
    except CancelledError as error:
        raise TimeoutError() from error


async def wait_for(fut, timeout):
    """The result, or a `TimeoutError` if that takes too long; then what is awaited is cancelled."""
    loop = events.get_running_loop()
    if timeout is None:
        return await fut
    if timeout <= 0:
        future = ensure_future(fut, loop=loop)
        if future.done():
            return future.result()
        return await _cancel_for_timeout(future)
    waiter = loop.create_future()
    timer = loop.call_later(timeout, _give, waiter, None)

    def done(future):
        _give(waiter, None)

    future = ensure_future(fut, loop=loop)
    future.add_done_callback(done)
    try:
        try:
            await waiter
        except CancelledError:
            if future.done():
                return future.result()
            future.remove_done_callback(done)
            await _cancel_and_wait(future)
            raise
        if future.done():
            return future.result()
        future.remove_done_callback(done)
        return await _cancel_for_timeout(future)
    finally:
        timer.cancel()


def as_completed(fs, *, timeout=None):
    """Coroutines that give the results in the order in which they come."""
    from asyncio.queues import Queue

    if isfuture(fs) or iscoroutine(fs):
        raise TypeError(f"expect an iterable of futures, not {type(fs).__name__}")
    finished = Queue()
    loop = events.get_event_loop()
    left = {ensure_future(future, loop=loop) for future in set(fs)}
    timer = None

    def too_late():
        for future in left:
            future.remove_done_callback(done)
            finished.put_nowait(None)
        left.clear()

    def done(future):
        if future in left:
            left.remove(future)
            finished.put_nowait(future)
            if not left and timer is not None:
                timer.cancel()

    async def next_one():
        future = await finished.get()
        if future is None:
            raise TimeoutError
        return future.result()

    for future in left:
        future.add_done_callback(done)
    if left and timeout is not None:
        timer = loop.call_later(timeout, too_late)
    for _ in range(len(left)):
        yield next_one()
