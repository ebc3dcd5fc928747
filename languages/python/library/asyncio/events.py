"""The event loop: what is called next, and what is called later. Timers are a heap, and where
nothing is to be done the process sleeps until the next of them."""

import _thread
import sys
import time
from collections import deque
from heapq import heapify, heappop, heappush

from _verdigris import code_kind

__all__ = [
    "AbstractEventLoop",
    "BaseEventLoop",
    "Handle",
    "TimerHandle",
    "get_event_loop",
    "get_running_loop",
    "new_event_loop",
    "set_event_loop",
]

# Timers that end within this many seconds end together.
_RESOLUTION = 1e-9
# How long the process sleeps at once where no timer says how long.
_IDLE = 3600.0
# Cancelled timers that may be in the heap before they are taken out of it.
_MANY_CANCELLED = 100

_running = None
_current = None


def _name_of(callback):
    return repr(callback) if code_kind(callback) is None else callback.__qualname__


class Handle:
    """A call that is to be made."""

    def __init__(self, callback, args, loop, context=None):
        self._callback = callback
        self._args = args
        self._loop = loop
        self._context = context
        self._cancelled = False

    def cancel(self):
        if not self._cancelled:
            self._cancelled = True
            self._callback = None
            self._args = None

    def cancelled(self):
        return self._cancelled

    def _run(self):
        try:
            self._callback(*self._args)
        except (SystemExit, KeyboardInterrupt):
            raise
        except BaseException as error:
            name = _name_of(self._callback)
            context = {"message": f"Exception in callback {name}()", "exception": error}
            context["handle"] = self
            self._loop.call_exception_handler(context)

    def _described(self):
        if self._cancelled:
            return ["cancelled"]
        name = _name_of(self._callback)
        return [f"{name}({', '.join([repr(arg) for arg in self._args])})"]

    def __repr__(self):
        return f"<{' '.join([type(self).__name__, *self._described()])}>"


class TimerHandle(Handle):
    """A call that is to be made at a time."""

    def __init__(self, when, callback, args, loop, context=None):
        super().__init__(callback, args, loop, context)
        self._when = when
        self._scheduled = False

    def when(self):
        return self._when

    def cancel(self):
        if not self._cancelled and self._scheduled:
            self._loop._cancelled_timers += 1
        super().cancel()

    def __lt__(self, other):
        return self._when < other._when

    def __le__(self, other):
        return self._when <= other._when

    def _described(self):
        return [f"when={self._when}", *super()._described()]


class AbstractEventLoop:
    """What loops have in common."""


class BaseEventLoop(AbstractEventLoop):
    """A loop of one thread, without files and sockets. Others may wake it."""

    def __init__(self):
        self._ready = deque()
        self._timers = []
        self._cancelled_timers = 0
        self._stopping = False
        self._closed = False
        self._is_running = False
        self._debug = False
        self._handler = None
        self._task_factory = None
        self._tasks = {}
        self._current_task = None
        self._executor = None
        # The thread of the loop, while it waits.
        self._waiting = []

    # Calls.

    def call_soon(self, callback, *args, context=None):
        self._check_open()
        if self._debug:
            self._check_callback(callback, "call_soon")
        handle = Handle(callback, args, self, context)
        self._ready.append(handle)
        return handle

    def call_soon_threadsafe(self, callback, *args, context=None):
        handle = self.call_soon(callback, *args, context=context)
        _thread._wake(self._waiting)
        return handle

    def run_in_executor(self, executor, func, *args):
        """Lets a thread make a call."""
        from asyncio.threads import wrap_future

        self._check_open()
        if executor is None:
            if self._executor is None:
                from concurrent.futures import ThreadPoolExecutor

                self._executor = ThreadPoolExecutor(thread_name_prefix="asyncio")
            executor = self._executor
        return wrap_future(executor.submit(func, *args), loop=self)

    def set_default_executor(self, executor):
        self._executor = executor

    def call_later(self, delay, callback, *args, context=None):
        if delay is None:
            raise TypeError("delay must not be None")
        return self.call_at(self.time() + delay, callback, *args, context=context)

    def call_at(self, when, callback, *args, context=None):
        if when is None:
            raise TypeError("when cannot be None")
        self._check_open()
        if self._debug:
            self._check_callback(callback, "call_at")
        timer = TimerHandle(when, callback, args, self, context)
        heappush(self._timers, timer)
        timer._scheduled = True
        return timer

    def time(self):
        return time.monotonic()

    def _check_callback(self, callback, method):
        if code_kind(callback) == 2:
            raise TypeError(f"coroutines cannot be used with {method}()")
        if not callable(callback):
            message = f"a callable object was expected by {method}(), got {callback!r}"
            raise TypeError(message)

    def _check_open(self):
        if self._closed:
            raise RuntimeError("Event loop is closed")

    # Futures and tasks.

    def create_future(self):
        from asyncio.futures import Future

        return Future(loop=self)

    def create_task(self, coro, *, name=None, context=None):
        from asyncio.tasks import Task

        self._check_open()
        if self._task_factory is None:
            return Task(coro, loop=self, name=name, context=context)
        task = self._task_factory(self, coro)
        if name is not None and hasattr(task, "set_name"):
            task.set_name(name)
        return task

    def set_task_factory(self, factory):
        if factory is not None and not callable(factory):
            raise TypeError("task factory must be a callable or None")
        self._task_factory = factory

    def get_task_factory(self):
        return self._task_factory

    # Running.

    def run_forever(self):
        global _running
        self._check_open()
        if self._is_running:
            raise RuntimeError("This event loop is already running")
        if _running is not None:
            raise RuntimeError("Cannot run the event loop while another loop is running")
        _running = self
        self._is_running = True
        try:
            while True:
                self._run_once()
                if self._stopping:
                    break
        finally:
            self._stopping = False
            self._is_running = False
            _running = None

    def run_until_complete(self, future):
        from asyncio.futures import isfuture
        from asyncio.tasks import ensure_future

        self._check_open()
        if self._is_running:
            raise RuntimeError("This event loop is already running")
        if _running is not None:
            raise RuntimeError("Cannot run the event loop while another loop is running")
        future = ensure_future(future, loop=self)
        future.add_done_callback(_stop_loop)
        try:
            self.run_forever()
        finally:
            future.remove_done_callback(_stop_loop)
        if not future.done():
            raise RuntimeError("Event loop stopped before Future completed.")
        return future.result()

    def stop(self):
        self._stopping = True

    def is_running(self):
        return self._is_running

    def is_closed(self):
        return self._closed

    def close(self):
        if self._is_running:
            raise RuntimeError("Cannot close a running event loop")
        self._closed = True
        if self._executor is not None:
            self._executor.shutdown(wait=False)
            self._executor = None
        self._ready.clear()
        self._timers.clear()

    async def shutdown_asyncgens(self):
        """Nothing: which asynchronous generators have not ended is not known."""

    async def shutdown_default_executor(self):
        if self._executor is not None:
            self._executor.shutdown(wait=True)

    def _run_once(self):
        self._forget_cancelled()
        timers, ready = self._timers, self._ready
        if not ready and not self._stopping:
            if timers:
                wait = timers[0]._when - self.time()
            else:
                wait = _IDLE
            if wait > 0:
                self._wait(wait)
        elif _thread._count():
            _thread._pass()
        end = self.time() + _RESOLUTION
        while timers and timers[0]._when < end:
            timer = heappop(timers)
            timer._scheduled = False
            ready.append(timer)
        # What these calls add is for the next time.
        for _ in range(len(ready)):
            handle = ready.popleft()
            if not handle._cancelled:
                handle._run()

    def _wait(self, seconds):
        """Waits for the next timer, or until another thread has something to be done."""
        if _thread._count():
            _thread._block(self._waiting, _thread._deadline(seconds))
        else:
            time.sleep(seconds)

    def _forget_cancelled(self):
        timers = self._timers
        if self._cancelled_timers > max(_MANY_CANCELLED, len(timers) // 2):
            for timer in timers:
                timer._scheduled = not timer._cancelled
            timers[:] = [timer for timer in timers if timer._scheduled]
            heapify(timers)
            self._cancelled_timers = 0
        while timers and timers[0]._cancelled:
            self._cancelled_timers -= 1
            heappop(timers)._scheduled = False

    # What nobody has caught.

    def set_exception_handler(self, handler):
        if handler is not None and not callable(handler):
            raise TypeError(f"A callable object or None is expected, got {handler!r}")
        self._handler = handler

    def get_exception_handler(self):
        return self._handler

    def call_exception_handler(self, context):
        if self._handler is None:
            self.default_exception_handler(context)
        else:
            self._handler(self, context)

    def default_exception_handler(self, context):
        print(context.get("message") or "Unhandled exception in event loop", file=sys.stderr)
        for key in sorted(context):
            if key not in ("message", "exception"):
                print(f"{key}: {context[key]!r}", file=sys.stderr)
        error = context.get("exception")
        if error is not None:
            print(f"{type(error).__name__}: {error}", file=sys.stderr)

    def get_debug(self):
        return self._debug

    def set_debug(self, enabled):
        self._debug = enabled

    def __getattr__(self, name):
        if name in _REFUSED:
            raise NotImplementedError(f"the method '{name}' of event loops is not supported yet")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __repr__(self):
        state = f"running={self.is_running()} closed={self.is_closed()} debug={self.get_debug()}"
        return f"<{type(self).__name__} {state}>"


# Files, sockets, processes and signals are not for these loops.
_REFUSED = frozenset(
    """add_reader remove_reader add_writer remove_writer add_signal_handler remove_signal_handler
    sock_recv sock_recv_into sock_sendall sock_connect sock_accept sock_sendfile sendfile
    create_connection create_server create_unix_connection create_unix_server
    create_datagram_endpoint connect_accepted_socket start_tls connect_read_pipe
    connect_write_pipe subprocess_exec subprocess_shell getaddrinfo getnameinfo""".split()
)


def _stop_loop(future):
    if not future.cancelled():
        error = future.exception()
        if isinstance(error, (SystemExit, KeyboardInterrupt)):
            # It has come out of the loop already.
            return
    future.get_loop().stop()


def get_running_loop():
    if _running is None:
        raise RuntimeError("no running event loop")
    return _running


def _get_running_loop():
    return _running


def _set_running_loop(loop):
    global _running
    _running = loop


def get_event_loop():
    global _current
    if _running is not None:
        return _running
    if _current is None:
        _current = new_event_loop()
    return _current


def set_event_loop(loop):
    global _current
    if loop is not None and not isinstance(loop, AbstractEventLoop):
        what = type(loop).__name__
        raise TypeError(f"loop must be an instance of AbstractEventLoop or None, not '{what}'")
    _current = loop


def new_event_loop():
    return BaseEventLoop()
