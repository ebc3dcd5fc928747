"""The collector, as far as a program has a say in it."""

from _verdigris import collect as _collect

DEBUG_STATS = 1
DEBUG_COLLECTABLE = 2
DEBUG_UNCOLLECTABLE = 4
DEBUG_SAVEALL = 32
DEBUG_LEAK = 38
garbage = []
callbacks = []
_state = {"enabled": True, "threshold": (700, 10, 10), "debug": 0}


def enable():
    _state["enabled"] = True


def disable():
    """It is noted, but the collector goes on."""
    _state["enabled"] = False


def isenabled():
    return _state["enabled"]


def collect(generation=2):
    if not 0 <= generation <= 2:
        raise ValueError("invalid generation")
    _collect()
    return 0


def get_threshold():
    return _state["threshold"]


def set_threshold(*numbers):
    _state["threshold"] = (numbers + _state["threshold"][len(numbers) :])[:3]


def get_count():
    return (0, 0, 0)


def get_debug():
    return _state["debug"]


def set_debug(flags):
    _state["debug"] = flags


def freeze():
    pass


unfreeze = freeze


def get_freeze_count():
    return 0


def is_tracked(value):
    return not isinstance(value, (int, float, complex, str, bytes, type(None), type(...)))


def is_finalized(value):
    return False


def get_objects(generation=None):
    raise NotImplementedError("'gc.get_objects()' is not supported yet")


def get_referrers(*values):
    raise NotImplementedError("'gc.get_referrers()' is not supported yet")


def get_referents(*values):
    raise NotImplementedError("'gc.get_referents()' is not supported yet")
