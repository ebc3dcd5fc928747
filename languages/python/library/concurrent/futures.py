"""Calls that threads make, and what comes of them."""

import threading as _threading
from _thread import _block, _deadline, _pass, _wake
from collections import deque as _deque, namedtuple as _namedtuple
from time import monotonic as _monotonic

__all__ = [
    "FIRST_COMPLETED", "FIRST_EXCEPTION", "ALL_COMPLETED", "CancelledError", "TimeoutError",
    "InvalidStateError", "BrokenExecutor", "Future", "Executor", "wait", "as_completed",
    "ProcessPoolExecutor", "ThreadPoolExecutor",
]  # fmt: skip

FIRST_COMPLETED = "FIRST_COMPLETED"
FIRST_EXCEPTION = "FIRST_EXCEPTION"
ALL_COMPLETED = "ALL_COMPLETED"
_PENDING, _RUNNING, _FINISHED = "pending", "running", "finished"
_CANCELLED = "cancelled"
TimeoutError = TimeoutError
DoneAndNotDoneFutures = _namedtuple("DoneAndNotDoneFutures", "done not_done")


class Error(Exception):
    pass


class CancelledError(Error):
    pass


class InvalidStateError(Error):
    pass


class BrokenExecutor(RuntimeError):
    pass


class BrokenThreadPool(BrokenExecutor):
    pass


for _kind in (Error, CancelledError, InvalidStateError, BrokenExecutor):
    _kind.__module__ = "concurrent.futures._base"
BrokenThreadPool.__module__ = "concurrent.futures.thread"


class Future:
    """What will come of a call."""

    def __init__(self):
        self._state = _PENDING
        self._result = self._exception = None
        self._waiting = []
        self._callbacks = []

    def _is_done(self):
        return self._state in (_CANCELLED, _FINISHED)

    def _end(self, state):
        self._state = state
        _wake(self._waiting, len(self._waiting))
        for callback in self._callbacks:
            self._call(callback)

    def _call(self, callback):
        try:
            callback(self)
        except Exception:
            import logging

            logging.getLogger("concurrent.futures").exception(
                "exception calling callback for %r", self
            )

    def cancel(self):
        if self._state in (_RUNNING, _FINISHED):
            return False
        if self._state == _PENDING:
            self._end(_CANCELLED)
        return True

    def cancelled(self):
        return self._state == _CANCELLED

    def running(self):
        _pass()
        return self._state == _RUNNING

    def done(self):
        if not self._is_done():
            _pass()
        return self._is_done()

    def add_done_callback(self, fn):
        if self._is_done():
            self._call(fn)
        else:
            self._callbacks.append(fn)

    def _wait(self, timeout):
        if not self._is_done():
            if timeout is not None and timeout <= 0:
                _pass()
            else:
                _block(self._waiting, _deadline(timeout))
        if not self._is_done():
            raise TimeoutError()
        if self._state == _CANCELLED:
            raise CancelledError()

    def result(self, timeout=None):
        self._wait(timeout)
        if self._exception is not None:
            try:
                raise self._exception
            finally:
                # The exception refers to where it was raised, and that to this.
                self = None
        return self._result

    def exception(self, timeout=None):
        self._wait(timeout)
        return self._exception

    def set_running_or_notify_cancel(self):
        if self._state == _CANCELLED:
            return False
        if self._state != _PENDING:
            raise RuntimeError("Future in unexpected state")
        self._state = _RUNNING
        return True

    def _check_open(self):
        if self._is_done():
            raise InvalidStateError(f"{self._state.upper()}: {self!r}")

    def set_result(self, result):
        self._check_open()
        self._result = result
        self._end(_FINISHED)

    def set_exception(self, exception):
        self._check_open()
        self._exception = exception
        self._end(_FINISHED)

    def __class_getitem__(cls, item):
        from types import GenericAlias

        return GenericAlias(cls, item)

    def __repr__(self):
        said = ""
        if self._state == _FINISHED and self._exception is not None:
            said = f" raised {type(self._exception).__name__}"
        elif self._state == _FINISHED:
            said = f" returned {type(self._result).__name__}"
        return f"<{type(self).__name__} at {id(self):#x} state={self._state}{said}>"


class _Signal:
    """Threads that wait until one of several futures is done."""

    def __init__(self, futures):
        self._futures = futures
        self._waiting = []
        for future in futures:
            future.add_done_callback(self._wake)

    def _wake(self, future):
        _wake(self._waiting, len(self._waiting))

    def wait(self, end):
        """Whether there was one before a time."""
        return _block(self._waiting, end)

    def end(self):
        for future in self._futures:
            if self._wake in future._callbacks:
                future._callbacks.remove(self._wake)


def _is_failed(future):
    return future._state == _FINISHED and future._exception is not None


def wait(fs, timeout=None, return_when=ALL_COMPLETED):
    futures = set(fs)
    if return_when not in (FIRST_COMPLETED, FIRST_EXCEPTION, ALL_COMPLETED):
        raise ValueError(f"Invalid return condition: {return_when!r}")

    def is_enough(done):
        if len(done) == len(futures):
            return True
        if return_when == FIRST_COMPLETED:
            return bool(done)
        return return_when == FIRST_EXCEPTION and any(_is_failed(future) for future in done)

    end = _deadline(timeout)
    signal = _Signal(futures)
    try:
        while True:
            done = {future for future in futures if future._is_done()}
            if is_enough(done) or not signal.wait(end):
                break
    finally:
        signal.end()
    done = {future for future in futures if future._is_done()}
    return DoneAndNotDoneFutures(done, futures - done)


def as_completed(fs, timeout=None):
    left = list(dict.fromkeys(fs))
    count, end = len(left), _deadline(timeout)
    finished = _deque(future for future in left if future._is_done())
    left = [future for future in left if not future._is_done()]
    for future in left:
        future.add_done_callback(finished.append)
    signal = _Signal(left)
    try:
        for n in range(count):
            while not finished:
                if end is not None and end <= _monotonic() or not signal.wait(end):
                    if not finished:
                        raise TimeoutError(f"{count - n} (of {count}) futures unfinished")
            yield finished.popleft()
    finally:
        signal.end()


class Executor:
    """What makes calls."""

    def submit(self, fn, /, *args, **kwargs):
        raise NotImplementedError()

    def map(self, fn, *iterables, timeout=None, chunksize=1):
        end = _deadline(timeout)
        futures = [self.submit(fn, *args) for args in zip(*iterables)]

        def results():
            try:
                for future in futures:
                    left = None if end is None else max(0.0, end - _monotonic())
                    yield future.result(left)
            finally:
                for future in futures:
                    future.cancel()

        return results()

    def shutdown(self, wait=True, *, cancel_futures=False):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.shutdown(wait=True)
        return False


_pools = 0
_open = []


class ThreadPoolExecutor(Executor):
    def __init__(self, max_workers=None, thread_name_prefix="", initializer=None, initargs=()):
        global _pools
        if max_workers is None:
            import os

            max_workers = min(32, (os.cpu_count() or 1) + 4)
        if max_workers <= 0:
            raise ValueError("max_workers must be greater than 0")
        if initializer is not None and not callable(initializer):
            raise TypeError("initializer must be a callable")
        self._max_workers = max_workers
        self._prefix = thread_name_prefix or f"ThreadPoolExecutor-{_pools}"
        if not thread_name_prefix:
            _pools += 1
        self._initializer, self._initargs = initializer, initargs
        self._calls = _deque()
        self._idle = []
        self._threads = []
        self._shutdown = False
        self._broken = ""
        if not _open:
            _threading._register_atexit(_end_all)
        _open.append(self)

    def submit(self, fn, /, *args, **kwargs):
        if self._broken:
            raise BrokenThreadPool(self._broken)
        if self._shutdown:
            raise RuntimeError("cannot schedule new futures after shutdown")
        future = Future()
        self._calls.append((future, fn, args, kwargs))
        if self._idle:
            _wake(self._idle)
        elif len(self._threads) < self._max_workers:
            name = f"{self._prefix}_{len(self._threads)}"
            thread = _threading.Thread(target=self._work, name=name, daemon=False)
            self._threads.append(thread)
            thread.start()
        return future

    def _work(self):
        if self._initializer is not None:
            try:
                self._initializer(*self._initargs)
            except BaseException:
                import logging

                logger = logging.getLogger("concurrent.futures")
                logger.critical("Exception in initializer:", exc_info=True)
                self._break()
                return
        while True:
            while not self._calls:
                if self._shutdown:
                    return
                _block(self._idle)
            future, fn, args, kwargs = self._calls.popleft()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = fn(*args, **kwargs)
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)
            # What it was called with need not wait for the next call.
            future = fn = args = kwargs = result = None

    def _break(self):
        self._broken = "A thread initializer failed, the thread pool is not usable anymore"
        while self._calls:
            future = self._calls.popleft()[0]
            future.set_exception(BrokenThreadPool(self._broken))

    def shutdown(self, wait=True, *, cancel_futures=False):
        self._shutdown = True
        if self in _open:
            _open.remove(self)
        if cancel_futures:
            for call in list(self._calls):
                call[0].cancel()
            self._calls.clear()
        _wake(self._idle, len(self._idle))
        if wait:
            for thread in self._threads:
                thread.join()


def _end_all():
    """At the end of the program no more calls come."""
    for pool in list(_open):
        pool.shutdown(wait=False)


class ProcessPoolExecutor(Executor):
    def __init__(self, *args, **keywords):
        raise NotImplementedError("processes are not supported yet: ThreadPoolExecutor has threads")


for _kind in (Future, Executor):
    _kind.__module__ = "concurrent.futures._base"
ThreadPoolExecutor.__module__ = "concurrent.futures.thread"
