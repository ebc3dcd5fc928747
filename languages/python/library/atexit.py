"""What is called when a program has ended."""

_calls = []


def register(function, *args, **keywords):
    _calls.append((function, args, keywords))
    return function


def unregister(function):
    _calls[:] = [call for call in _calls if call[0] != function]


def _run_exitfuncs():
    """Calls them, the last one first; what one raises is shown, and the others go on."""
    import sys

    while _calls:
        function, args, keywords = _calls.pop()
        try:
            function(*args, **keywords)
        except BaseException as error:
            print(f"Exception ignored in atexit callback: {function!r}", file=sys.stderr)
            sys.excepthook(type(error), error, error.__traceback__)


def _clear():
    _calls.clear()


def _ncallbacks():
    return len(_calls)
