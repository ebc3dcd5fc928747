"""The exceptions of asyncio."""

__all__ = ["BrokenBarrierError", "CancelledError", "InvalidStateError", "TimeoutError"]


class CancelledError(BaseException):
    """What was awaited, or who awaited it, was cancelled."""


TimeoutError = TimeoutError


class InvalidStateError(Exception):
    """A result is asked for that is not there, or given a second time."""


class BrokenBarrierError(RuntimeError):
    """A barrier was broken while something waited at it."""
