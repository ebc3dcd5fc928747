"""Futures: results that are not there yet."""

from _verdigris import place_of
from asyncio.events import get_event_loop
from asyncio.exceptions import CancelledError, InvalidStateError

__all__ = ["Future", "isfuture"]

_PENDING = "PENDING"
_CANCELLED = "CANCELLED"
_FINISHED = "FINISHED"


def isfuture(value):
    return (
        hasattr(type(value), "_asyncio_future_blocking")
        and value._asyncio_future_blocking is not None
    )


class Future:
    """A result that is not there yet. Callbacks are called by the loop once it is."""

    _state = _PENDING
    _result = None
    _exception = None
    _cancel_message = None
    # What has ended a task that was cancelled, until somebody has asked for it.
    _cancellation = None
    # Whether a task that has got this future from a coroutine has to wait for it.
    _asyncio_future_blocking = False

    def __init__(self, *, loop=None):
        self._loop = get_event_loop() if loop is None else loop
        self._callbacks = []

    def __class_getitem__(cls, args):
        from types import GenericAlias

        return GenericAlias(cls, args)

    def get_loop(self):
        return self._loop

    def done(self):
        return self._state != _PENDING

    def cancelled(self):
        return self._state == _CANCELLED

    def cancel(self, msg=None):
        if self._state != _PENDING:
            return False
        self._state = _CANCELLED
        self._cancel_message = msg
        self._schedule_callbacks()
        return True

    def _cancelled_error(self):
        error = self._cancellation
        if error is not None:
            self._cancellation = None
            return error
        if self._cancel_message is None:
            return CancelledError()
        return CancelledError(self._cancel_message)

    def result(self):
        if self._state == _CANCELLED:
            raise self._cancelled_error()
        if self._state == _PENDING:
            raise InvalidStateError("Result is not set.")
        if self._exception is not None:
            raise self._exception.with_traceback(self._exception_traceback)
        return self._result

    def exception(self):
        if self._state == _CANCELLED:
            raise self._cancelled_error()
        if self._state == _PENDING:
            raise InvalidStateError("Exception is not set.")
        return self._exception

    def set_result(self, result):
        self._check_pending()
        self._result = result
        self._state = _FINISHED
        self._schedule_callbacks()

    def set_exception(self, exception):
        self._check_pending()
        if isinstance(exception, type):
            exception = exception()
        if type(exception) is StopIteration:
            message = "StopIteration interacts badly with generators and cannot be raised into a Future"
            raise TypeError(message)
        self._exception = exception
        self._exception_traceback = exception.__traceback__
        self._state = _FINISHED
        self._schedule_callbacks()

    def _check_pending(self):
        if self._state != _PENDING:
            raise InvalidStateError("invalid state")

    def add_done_callback(self, callback, *, context=None):
        if self._state == _PENDING:
            self._callbacks.append((callback, context))
        else:
            self._loop.call_soon(callback, self, context=context)

    def remove_done_callback(self, callback):
        kept = [pair for pair in self._callbacks if pair[0] != callback]
        removed = len(self._callbacks) - len(kept)
        if removed:
            self._callbacks[:] = kept
        return removed

    def _schedule_callbacks(self):
        callbacks = self._callbacks
        if callbacks:
            self._callbacks = []
            for callback, context in callbacks:
                self._loop.call_soon(callback, self, context=context)

    def __await__(self):
        if self._state == _PENDING:
            self._asyncio_future_blocking = True
            yield self
            if self._state == _PENDING:
                raise RuntimeError("await wasn't used with future")
        return self.result()

    __iter__ = __await__

    def _described(self):
        made = [self._state.lower()]
        if self._state == _FINISHED:
            if self._exception is not None:
                made.append(f"exception={self._exception!r}")
            else:
                made.append(f"result={self._result!r}")
        if self._callbacks:
            names = [_named(callback) for callback, _ in self._callbacks]
            if len(names) > 2:
                names = [names[0], f"<{len(names) - 2} more>", names[-1]]
            made.append(f"cb=[{', '.join(names)}]")
        return made

    def __repr__(self):
        return f"<{type(self).__name__} {' '.join(self._described())}>"


def _named(callback):
    place = place_of(callback)
    if place is None:
        return repr(callback)
    return f"{callback.__qualname__}() at {place[0]}:{place[1]}"
