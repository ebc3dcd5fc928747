"""What is a coroutine."""

from collections.abc import Coroutine

from _verdigris import code_kind

__all__ = ["iscoroutine", "iscoroutinefunction"]


def iscoroutine(value):
    return isinstance(value, Coroutine) or code_kind(value) == 4 and hasattr(value, "send")


def iscoroutinefunction(function):
    """Whether calls of a function make coroutines."""
    while hasattr(function, "func") and not hasattr(function, "__code__") and code_kind(function) is None:
        function = function.func
    return callable(function) and code_kind(function) == 2
