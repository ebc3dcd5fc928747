"""Groups of exceptions: what `except*` and their methods do."""


def checked(cls, message, exceptions):
    """The class of a new group, if it can be made of this."""
    if not isinstance(message, str):
        kind = type(message).__name__
        raise TypeError(f"BaseExceptionGroup.__new__() argument 1 must be str, not {kind}")
    if not hasattr(exceptions, "__getitem__"):
        raise TypeError("second argument (exceptions) must be a sequence")
    exceptions = tuple(exceptions)
    if not exceptions:
        raise ValueError("second argument (exceptions) must be a non-empty sequence")
    for n, value in enumerate(exceptions):
        if not isinstance(value, BaseException):
            raise ValueError(f"Item {n} of second argument (exceptions) is not an exception")
    are_plain = all(isinstance(value, Exception) for value in exceptions)
    if cls is BaseExceptionGroup and are_plain:
        cls = ExceptionGroup
    elif not are_plain and issubclass(cls, Exception):
        if cls is ExceptionGroup:
            raise TypeError("Cannot nest BaseExceptions in an ExceptionGroup")
        raise TypeError(f"Cannot nest BaseExceptions in {cls.__name__!r}")
    return cls


def derive(group, exceptions):
    return BaseExceptionGroup(group.message, exceptions)


def _test(condition):
    if isinstance(condition, type) and issubclass(condition, BaseException):
        return lambda value: isinstance(value, condition)
    if isinstance(condition, tuple) and all(
        isinstance(kind, type) and issubclass(kind, BaseException) for kind in condition
    ):
        return lambda value: isinstance(value, condition)
    if callable(condition) and not isinstance(condition, type):
        return condition
    raise TypeError("expected a function, exception type or tuple of exception types")


def split(group, condition):
    return _split(group, _test(condition))


def subgroup(group, condition):
    return _split(group, _test(condition))[0]


def _split(value, holds):
    """Two parts of an exception: what a condition holds for, and the rest."""
    if holds(value):
        return value, None
    if not isinstance(value, BaseExceptionGroup):
        return None, value
    fitting, rest = [], []
    for inner in value.exceptions:
        fits, others = _split(inner, holds)
        if fits is not None:
            fitting.append(fits)
        if others is not None:
            rest.append(others)
    return _part(value, fitting), _part(value, rest)


def _part(group, exceptions):
    if not exceptions:
        return None
    made = group.derive(exceptions)
    if not isinstance(made, BaseExceptionGroup):
        raise TypeError("derive must return an instance of BaseExceptionGroup")
    made.__traceback__ = group.__traceback__
    made.__cause__ = group.__cause__
    made.__context__ = group.__context__
    made.__suppress_context__ = group.__suppress_context__
    if hasattr(group, "__notes__"):
        made.__notes__ = list(group.__notes__)
    return made


def begin(value):
    """A `try` with `except*` has caught something: what is left of it, and what was raised."""
    return [value, value, []]


def match(state, kinds):
    """The part of what is left that a clause is for, or `None`."""
    for kind in kinds if isinstance(kinds, tuple) else (kinds,):
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            message = "catching classes that do not inherit from BaseException is not allowed"
            raise TypeError(message)
        if issubclass(kind, BaseExceptionGroup):
            message = "catching ExceptionGroup with except* is not allowed. Use except instead."
            raise TypeError(message)
    whole, rest, _ = state
    if rest is None:
        return None
    if not isinstance(rest, BaseExceptionGroup):
        if not isinstance(rest, kinds):
            return None
        state[1] = None
        made = BaseExceptionGroup("", (rest,))
        made.__traceback__ = rest.__traceback__
        return made
    fitting, state[1] = _split(rest, lambda value: isinstance(value, kinds))
    return fitting


def raised(state, value):
    """A clause has raised something."""
    state[2].append(value)


def finish(state):
    """What goes on behind all clauses, or `None`."""
    whole, rest, values = state
    if not values:
        return rest
    # What was raised again as a part of the whole is put together with the rest once more.
    again = [value for value in values if _is_part(value, whole)]
    new = [value for value in values if not _is_part(value, whole)]
    if rest is not None:
        again.append(rest)
    if again and isinstance(whole, BaseExceptionGroup):
        leaves = {id(leaf) for value in again for leaf in _leaves(value)}
        again = [_split(whole, lambda value: id(value) in leaves)[0]]
    values = new + again
    if not new:
        return again[0] if len(again) == 1 else BaseExceptionGroup("", again)
    return BaseExceptionGroup("", values)


def _leaves(value):
    if not isinstance(value, BaseExceptionGroup):
        return [value]
    return [leaf for inner in value.exceptions for leaf in _leaves(inner)]


def _is_part(value, whole):
    if value is whole:
        return True
    if not isinstance(value, BaseExceptionGroup) or not isinstance(whole, BaseExceptionGroup):
        return False
    known = {id(leaf) for leaf in _leaves(whole)}
    return (
        value.__traceback__ is not None
        and value.message == whole.message
        and all(id(leaf) in known for leaf in _leaves(value))
    )
