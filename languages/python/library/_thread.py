"""Threads that take turns: one runs until it waits for something, and then the one goes on that has
been ready for the longest time. Each has a stack of its own; the first thread lets others run where
it waits itself, and comes back when its own turn has come."""

from time import monotonic as _monotonic
from _verdigris import thread_new as _new, thread_resume as _resume
from _verdigris import thread_suspend as _suspend, thread_wait as _wait

error = RuntimeError
TIMEOUT_MAX = 9223372036.0


class _Thread:
    __slots__ = ("ident", "number", "sentinels", "locals", "woken", "deadline")

    def __init__(self, ident):
        self.ident = ident
        self.number = None
        self.sentinels = []
        self.locals = {}
        self.woken = False
        self.deadline = None


_main = _Thread(1)
_current = _main
_idents = 1
_running = 0
_is_interrupted = False
# Who can go on, in this order, and who does so at a time at the latest.
_ready = []
_sleeping = []


def _next():
    """Who goes on now, if need be after some time."""
    while True:
        if _sleeping:
            now = _monotonic()
            due = [thread for thread in _sleeping if thread.deadline <= now]
            for thread in sorted(due, key=lambda thread: thread.deadline):
                _sleeping.remove(thread)
                _ready.append(thread)
        if _ready:
            return _ready.pop(0)
        if not _sleeping:
            raise RuntimeError("deadlock: every thread waits, and none is left to wake another")
        _wait(max(0.0, min(thread.deadline for thread in _sleeping) - _monotonic()))


def _switch():
    """The thread that runs has said what it waits for: others go on until it has its turn."""
    global _current, _is_interrupted
    if _current is not _main:
        _suspend()
        return
    while True:
        if _is_interrupted:
            _is_interrupted = False
            if _main in _ready:
                _ready.remove(_main)
            raise KeyboardInterrupt
        thread = _next()
        if thread is _main:
            return
        _current = thread
        try:
            ended = _resume(thread.number)
        except Exception as error:
            # It is at the end of its stack.
            ended = True
            _complain("a thread", error)
        finally:
            _current = _main
        if ended:
            _finish(thread)


def _block(waiting, deadline=None):
    """Waits among others until it is woken, or until a time. Whether it was woken."""
    me = _current
    me.woken = False
    waiting.append(me)
    if deadline is not None:
        me.deadline = deadline
        _sleeping.append(me)
    try:
        _switch()
    finally:
        if not me.woken:
            if me in waiting:
                waiting.remove(me)
            if me in _sleeping:
                _sleeping.remove(me)
    return me.woken


def _wake(waiting, count=1):
    """Wakes those that have waited for the longest time."""
    for thread in waiting[:count]:
        thread.woken = True
        if thread in _sleeping:
            _sleeping.remove(thread)
        if thread not in _ready:
            _ready.append(thread)
    del waiting[:count]


def _pass():
    """Lets those go on that can, before the thread that runs."""
    if _ready or _sleeping:
        _ready.append(_current)
        _switch()


def _sleep(seconds):
    """What `time.sleep` does where there are threads."""
    if seconds <= 0:
        return _pass()
    me = _current
    me.deadline = _monotonic() + seconds
    _sleeping.append(me)
    try:
        _switch()
    finally:
        if me in _sleeping:
            _sleeping.remove(me)


def _deadline(timeout):
    """When a number of seconds will be over; nothing if that is never."""
    return None if timeout is None or timeout < 0 else _monotonic() + timeout


def get_ident():
    return _current.ident


get_native_id = get_ident


def _complain(what, error):
    import sys

    print(f"Exception ignored in thread started by: {what}", file=sys.stderr)
    sys.excepthook(type(error), error, error.__traceback__)


def start_new_thread(function, args, kwargs={}):
    global _idents, _running
    if not callable(function):
        raise TypeError("first arg must be callable")
    if not isinstance(args, tuple):
        raise TypeError("2nd arg must be a tuple")
    if not isinstance(kwargs, dict):
        raise TypeError("optional 3rd arg must be a dictionary")

    def begin():
        try:
            function(*args, **kwargs)
        except SystemExit:
            pass
        except KeyboardInterrupt:
            # It is meant for the program, whichever thread runs.
            interrupt_main()
        except BaseException as error:
            _complain(repr(function), error)

    thread = _Thread(_idents + 1)
    thread.number = _new(begin)
    _idents += 1
    _running += 1
    # It begins at once, and who has started it goes on where it first waits.
    _ready[:0] = [thread, _current]
    _switch()
    return thread.ident


start_new = start_new_thread


def _finish(thread):
    global _running
    _running -= 1
    thread.locals.clear()
    for sentinel in thread.sentinels:
        if sentinel._held:
            sentinel.release()


def exit():
    raise SystemExit


exit_thread = exit


def interrupt_main(signum=2):
    """The first thread is interrupted where it goes on."""
    global _is_interrupted
    if _current is _main:
        raise KeyboardInterrupt
    _is_interrupted = True


def stack_size(size=0):
    return 0


def _count():
    return _running


def _check(blocking, timeout):
    if not blocking and timeout != -1:
        raise ValueError("can't specify a timeout for a non-blocking call")
    if timeout < 0 and timeout != -1:
        raise ValueError("timeout value must be a non-negative number")
    if timeout > TIMEOUT_MAX:
        raise OverflowError("timeout value is too large")


class lock:
    __module__ = "_thread"
    __slots__ = ("_held", "_waiting", "__weakref__")

    def __init__(self):
        self._held = False
        self._waiting = []

    def acquire(self, blocking=True, timeout=-1):
        if timeout != -1 or not blocking:
            _check(blocking, timeout)
        if self._held and not self._wait(blocking, timeout):
            return False
        self._held = True
        return True

    def _wait(self, blocking, timeout):
        """Waits until it is free. Whether it is."""
        if not blocking:
            _pass()
            return not self._held
        deadline = _deadline(timeout)
        while self._held:
            if not _block(self._waiting, deadline):
                return not self._held
        return True

    def release(self):
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False
        if self._waiting:
            _wake(self._waiting)

    def locked(self):
        if self._held:
            _pass()
        return self._held

    acquire_lock = acquire
    release_lock = release
    locked_lock = locked

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *exception):
        self.release()

    def _at_fork_reinit(self):
        self.__init__()

    def __repr__(self):
        state = "locked" if self._held else "unlocked"
        return f"<{state} _thread.lock object at {id(self):#x}>"


LockType = lock


def allocate_lock():
    return lock()


allocate = allocate_lock


def _set_sentinel():
    """A lock that the end of the thread that runs releases."""
    made = lock()
    _current.sentinels.append(made)
    return made


class RLock:
    __module__ = "_thread"
    __slots__ = ("_owner", "_times", "_waiting", "__weakref__")

    def __init__(self):
        self._owner = None
        self._times = 0
        self._waiting = []

    def acquire(self, blocking=True, timeout=-1):
        _check(blocking, timeout)
        me = _current
        if self._owner is not None and self._owner is not me:
            if not blocking:
                _pass()
            deadline = _deadline(timeout)
            while self._owner is not None:
                if not blocking or not _block(self._waiting, deadline):
                    if self._owner is not None:
                        return False
        self._owner = me
        self._times += 1
        return True

    def release(self):
        if self._owner is not _current:
            raise RuntimeError("cannot release un-acquired lock")
        self._times -= 1
        if not self._times:
            self._free()

    def _free(self):
        self._owner = None
        if self._waiting:
            _wake(self._waiting)

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *exception):
        self.release()

    def _is_owned(self):
        return self._owner is _current

    def _acquire_restore(self, state):
        self.acquire()
        self._times = state[0]

    def _release_save(self):
        if not self._times:
            raise RuntimeError("cannot release un-acquired lock")
        state = self._times, self._owner
        self._times = 0
        self._free()
        return state

    def _recursion_count(self):
        return self._times if self._owner is _current else 0

    def _at_fork_reinit(self):
        self.__init__()

    def __repr__(self):
        state = "locked" if self._times else "unlocked"
        owner = self._owner.ident if self._owner else 0
        return (
            f"<{state} _thread.RLock object owner={owner} count={self._times} at {id(self):#x}>"
        )


_locals = 0


def _values_of(self):
    """The attributes of a `_local` in the thread that runs."""
    key = object.__getattribute__(self, "_key")
    known = _current.locals
    if key not in known:
        known[key] = {}
        args, keywords = object.__getattribute__(self, "_args")
        if type(self).__init__ is not object.__init__:
            type(self).__init__(self, *args, **keywords)
    return known[key]


class _local:
    """An object whose attributes are other ones in each thread."""

    __module__ = "_thread"
    __slots__ = ("_key", "_args", "__weakref__")

    def __new__(cls, /, *args, **keywords):
        global _locals
        if (args or keywords) and cls.__init__ is object.__init__:
            raise TypeError("Initialization arguments are not supported")
        self = object.__new__(cls)
        _locals += 1
        object.__setattr__(self, "_key", _locals)
        object.__setattr__(self, "_args", (args, keywords))
        # In the thread that makes it, its class calls its `__init__`.
        _current.locals[_locals] = {}
        return self

    def __getattribute__(self, name):
        values = _values_of(self)
        if name == "__dict__":
            return values
        if name in values:
            return values[name]
        try:
            return object.__getattribute__(self, name)
        except AttributeError:
            pass
        hook = getattr(type(self), "__getattr__", None)
        if hook is not None:
            return hook(self, name)
        kind = "_thread._local" if type(self) is _local else type(self).__name__
        raise AttributeError(f"{kind!r} object has no attribute {name!r}")

    def __setattr__(self, name, value):
        if name == "__dict__":
            kind = type(self).__name__
            raise AttributeError(f"{kind!r} object attribute '__dict__' is read-only")
        values = _values_of(self)
        if hasattr(getattr(type(self), name, None), "__set__"):
            object.__setattr__(self, name, value)
        else:
            values[name] = value

    def __delattr__(self, name):
        values = _values_of(self)
        if name not in values:
            kind = "_thread._local" if type(self) is _local else type(self).__name__
            raise AttributeError(f"{kind!r} object has no attribute {name!r}")
        del values[name]
