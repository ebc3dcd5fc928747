"""Calls of finalizers."""


def call(value):
    """What it raises is said, since nobody has called it."""
    method = getattr(type(value), "__del__", None)
    if method is None:
        return
    try:
        method(value)
    except BaseException as error:
        import sys
        from traceback import print_exception

        print(f"Exception ignored in: {method!r}", file=sys.stderr)
        print_exception(type(error), error, error.__traceback__)
