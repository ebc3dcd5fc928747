"""Threads and what they wait for. They take turns (see `_thread`), so that what looks at the state
of another thread lets that one go on first."""

import _thread
from _thread import RLock, TIMEOUT_MAX, _block, _deadline, _local as local, _pass, _wake
from _thread import allocate_lock as Lock, get_ident, get_native_id, stack_size
from time import monotonic as _monotonic

ThreadError = RuntimeError
_active = {}
_names = 0
_at_end = []
_profile_hook = _trace_hook = None


class Condition:
    """Threads that wait until something holds, which others say."""

    def __init__(self, lock=None):
        self._lock = RLock() if lock is None else lock
        self._waiting = []
        self.acquire = self._lock.acquire
        self.release = self._lock.release

    def __enter__(self):
        return self._lock.__enter__()

    def __exit__(self, *exception):
        return self._lock.__exit__(*exception)

    def _is_owned(self):
        if isinstance(self._lock, RLock):
            return self._lock._is_owned()
        return self._lock.locked()

    def wait(self, timeout=None):
        if not self._is_owned():
            raise RuntimeError("cannot wait on un-acquired lock")
        own = self._lock
        saved = own._release_save() if isinstance(own, RLock) else own.release()
        try:
            if timeout is not None and timeout <= 0:
                _pass()
                return False
            return _block(self._waiting, _deadline(timeout))
        finally:
            if isinstance(own, RLock):
                own._acquire_restore(saved)
            else:
                own.acquire()

    def wait_for(self, predicate, timeout=None):
        end = _deadline(timeout)
        result = predicate()
        while not result:
            left = None if end is None else end - _monotonic()
            if left is not None and left <= 0:
                break
            self.wait(left)
            result = predicate()
        return result

    def notify(self, n=1):
        if not self._is_owned():
            raise RuntimeError("cannot notify on un-acquired lock")
        _wake(self._waiting, n)

    def notify_all(self):
        self.notify(len(self._waiting))

    notifyAll = notify_all

    def __repr__(self):
        return f"<Condition({self._lock}, {len(self._waiting)})>"


class Semaphore:
    """So many threads can go on at once."""

    def __init__(self, value=1):
        if value < 0:
            raise ValueError("semaphore initial value must be >= 0")
        self._value = value
        self._waiting = []

    def acquire(self, blocking=True, timeout=None):
        if not blocking and timeout is not None:
            raise ValueError("can't specify timeout for non-blocking acquire")
        if not self._value and not blocking:
            _pass()
        deadline = _deadline(timeout)
        while not self._value:
            if not blocking or not _block(self._waiting, deadline) and not self._value:
                return False
        self._value -= 1
        return True

    __enter__ = acquire

    def release(self, n=1):
        if n < 1:
            raise ValueError("n must be one or more")
        self._value += n
        _wake(self._waiting, n)

    def __exit__(self, *exception):
        self.release()

    def __repr__(self):
        kind = type(self)
        return f"<{kind.__module__}.{kind.__qualname__} at {id(self):#x}: value={self._value}>"


class BoundedSemaphore(Semaphore):
    def __init__(self, value=1):
        super().__init__(value)
        self._initial_value = value

    def release(self, n=1):
        if n < 1:
            raise ValueError("n must be one or more")
        if self._value + n > self._initial_value:
            raise ValueError("Semaphore released too many times")
        super().release(n)

    def __repr__(self):
        start = super().__repr__()[:-1]
        return f"{start}/{self._initial_value}>"


class Event:
    """What has happened or not, which threads wait for."""

    def __init__(self):
        self._flag = False
        self._waiting = []

    def is_set(self):
        if not self._flag:
            _pass()
        return self._flag

    isSet = is_set

    def set(self):
        self._flag = True
        _wake(self._waiting, len(self._waiting))

    def clear(self):
        self._flag = False

    def wait(self, timeout=None):
        if not self._flag:
            if timeout is not None and timeout <= 0:
                _pass()
                return self._flag
            # Who was woken has seen it, even if it is cleared by now.
            return _block(self._waiting, _deadline(timeout)) or self._flag
        return True

    def __repr__(self):
        kind, status = type(self), "set" if self._flag else "unset"
        return f"<{kind.__module__}.{kind.__qualname__} at {id(self):#x}: {status}>"


class BrokenBarrierError(RuntimeError):
    pass


class Barrier:
    """A number of threads that go on together."""

    def __init__(self, parties, action=None, timeout=None):
        self._parties = parties
        self._action = action
        self._timeout = timeout
        self._is_broken = False
        self._begin()

    def _begin(self):
        """The next round. What is in a list is shared by those who wait in it."""
        self._round = {"waiting": [], "count": 0, "broken": False}

    @property
    def parties(self):
        return self._parties

    @property
    def n_waiting(self):
        return self._round["count"]

    @property
    def broken(self):
        return self._is_broken

    def wait(self, timeout=None):
        if self._is_broken:
            raise BrokenBarrierError
        mine, place = self._round, self._round["count"]
        mine["count"] += 1
        if place + 1 == self._parties:
            try:
                if self._action is not None:
                    self._action()
            except BaseException:
                self.abort()
                raise
            self._begin()
            _wake(mine["waiting"], self._parties)
            return place
        woken = _block(mine["waiting"], _deadline(self._timeout if timeout is None else timeout))
        if not woken and self._round is mine:
            self.abort()
        if mine["broken"]:
            raise BrokenBarrierError
        return place

    def _break(self):
        old = self._round
        old["broken"] = True
        self._begin()
        _wake(old["waiting"], self._parties)

    def abort(self):
        self._is_broken = True
        self._break()

    def reset(self):
        self._is_broken = False
        if self._round["count"]:
            self._break()

    def __repr__(self):
        kind = type(self)
        state = "broken" if self._is_broken else f"waiters={self.n_waiting}/{self._parties}"
        return f"<{kind.__module__}.{kind.__qualname__} at {id(self):#x}: {state}>"


class ExceptHookArgs(tuple):
    """What is said about an exception that has ended a thread."""

    exc_type = property(lambda self: self[0])
    exc_value = property(lambda self: self[1])
    exc_traceback = property(lambda self: self[2])
    thread = property(lambda self: self[3])

    def __repr__(self):
        names = ("exc_type", "exc_value", "exc_traceback", "thread")
        parts = ", ".join(f"{name}={value!r}" for name, value in zip(names, self))
        return f"_thread.ExceptHookArgs({parts})"


def excepthook(args, /):
    import sys

    if args.exc_type is SystemExit:
        return
    name = args.thread.name if args.thread is not None else get_ident()
    print(f"Exception in thread {name}:", file=sys.stderr)
    from traceback import print_exception

    print_exception(args.exc_type, args.exc_value, args.exc_traceback, file=sys.stderr)
    sys.stderr.flush()


__excepthook__ = excepthook


class Thread:
    _initialized = False

    def __init__(
        self, group=None, target=None, name=None, args=(), kwargs=None, *, daemon=None
    ):
        global _names
        assert group is None, "group argument must be None for now"
        if name is None:
            _names += 1
            name = f"Thread-{_names}"
            own = getattr(target, "__name__", None)
            if own is not None:
                name += f" ({own})"
        self._target = target
        self._name = str(name)
        self._args = args
        self._kwargs = {} if kwargs is None else kwargs
        self._daemonic = current_thread().daemon if daemon is None else daemon
        self._ident = None
        self._is_started = self._is_stopped = False
        self._waiting = []
        self._initialized = True

    def _check(self):
        if not self._initialized:
            raise RuntimeError("Thread.__init__() not called")

    def start(self):
        if not self._initialized:
            raise RuntimeError("thread.__init__() not called")
        if self._is_started:
            raise RuntimeError("threads can only be started once")
        self._is_started = True
        try:
            _thread.start_new_thread(self._live, ())
        except BaseException:
            if self._ident is None:
                self._is_started = False
            raise

    def _live(self):
        """All that the thread does."""
        self._ident = get_ident()
        _active[self._ident] = self
        try:
            self.run()
        except KeyboardInterrupt:
            _thread.interrupt_main()
        except BaseException as error:
            args = ExceptHookArgs((type(error), error, error.__traceback__, self))
            try:
                excepthook(args)
            except BaseException as another:
                import sys

                sys.excepthook(type(another), another, another.__traceback__)
        finally:
            self._is_stopped = True
            del _active[self._ident]
            _wake(self._waiting, len(self._waiting))

    def run(self):
        try:
            if self._target is not None:
                self._target(*self._args, **self._kwargs)
        finally:
            del self._target, self._args, self._kwargs

    def join(self, timeout=None):
        self._check()
        if not self._is_started:
            raise RuntimeError("cannot join thread before it is started")
        if self is current_thread():
            raise RuntimeError("cannot join current thread")
        if self._is_stopped:
            return
        if timeout is not None and timeout <= 0:
            _pass()
        else:
            _block(self._waiting, _deadline(timeout))

    def is_alive(self):
        self._check()
        if self._is_started and not self._is_stopped and self is not current_thread():
            _pass()
        return self._is_started and not self._is_stopped

    @property
    def name(self):
        self._check()
        return self._name

    @name.setter
    def name(self, name):
        self._check()
        self._name = str(name)

    @property
    def ident(self):
        self._check()
        return self._ident

    native_id = ident

    @property
    def daemon(self):
        self._check()
        return self._daemonic

    @daemon.setter
    def daemon(self, daemonic):
        self._check()
        if self._is_started:
            raise RuntimeError("cannot set daemon status of active thread")
        self._daemonic = daemonic

    def getName(self):
        return self.name

    def setName(self, name):
        self.name = name

    def isDaemon(self):
        return self.daemon

    def setDaemon(self, daemonic):
        self.daemon = daemonic

    def __repr__(self):
        self._check()
        status = "initial"
        if self._is_started:
            status = "stopped" if self._is_stopped else "started"
        if self._daemonic:
            status += " daemon"
        if self._ident is not None:
            status += f" {self._ident}"
        return f"<{type(self).__name__}({self._name}, {status})>"


class Timer(Thread):
    """A call after some time, unless it is cancelled."""

    def __init__(self, interval, function, args=None, kwargs=None):
        super().__init__()
        self.interval = interval
        self.function = function
        self.args = [] if args is None else args
        self.kwargs = {} if kwargs is None else kwargs
        self.finished = Event()

    def cancel(self):
        self.finished.set()

    def run(self):
        self.finished.wait(self.interval)
        if not self.finished._flag:
            self.function(*self.args, **self.kwargs)
        self.finished.set()


class _Known(Thread):
    """A thread that was not made by this module."""

    def __init__(self, name, daemon):
        Thread.__init__(self, name=name, daemon=daemon)
        self._is_started = True
        self._ident = get_ident()
        _active[self._ident] = self

    def join(self, timeout=None):
        raise RuntimeError("cannot join a thread that was not started here")


class _MainThread(_Known):
    def join(self, timeout=None):
        Thread.join(self, timeout)


class _DummyThread(_Known):
    pass


_main_thread = _MainThread("MainThread", False)


def current_thread():
    known = _active.get(get_ident())
    return _DummyThread(f"Dummy-{get_ident()}", True) if known is None else known


currentThread = current_thread


def main_thread():
    return _main_thread


def enumerate():
    _pass()
    return list(_active.values())


def active_count():
    return len(enumerate())


activeCount = active_count


def settrace(func):
    raise NotImplementedError("'threading.settrace()' is not supported yet")


settrace_all_threads = settrace


def setprofile(func):
    raise NotImplementedError("'threading.setprofile()' is not supported yet")


def gettrace():
    return _trace_hook


def getprofile():
    return _profile_hook


def _register_atexit(function, *args, **keywords):
    """A call that is made before threads are waited for at the end."""
    _at_end.append((function, args, keywords))


def _shutdown():
    """Waits for the threads that are no daemons, at the end of the program."""
    while _at_end:
        function, args, keywords = _at_end.pop()
        function(*args, **keywords)
    while True:
        left = [
            thread
            for thread in _active.values()
            if not thread.daemon and thread is not _main_thread
        ]
        if not left:
            break
        left[0].join()
    _main_thread._is_stopped = True
