"""Locks, for programs of one thread: there are no others, and starting one is refused."""

from time import monotonic as _monotonic, sleep as _sleep

error = RuntimeError
TIMEOUT_MAX = 9223372036.0


def get_ident():
    return 1


get_native_id = get_ident


def start_new_thread(function, args, kwargs={}):
    raise NotImplementedError("threads are not supported yet")


start_new = start_new_thread


def exit():
    raise SystemExit


exit_thread = exit


def interrupt_main(signum=2):
    raise KeyboardInterrupt


def stack_size(size=0):
    return 0


def _count():
    return 0


def _wait(timeout):
    """No other thread releases a lock: who waits for it waits as long as it has said."""
    if timeout < 0:
        raise RuntimeError("a lock is waited for that its only thread holds")
    _sleep(timeout)
    return False


def _check(blocking, timeout):
    if not blocking and timeout != -1:
        raise ValueError("can't specify a timeout for a non-blocking call")
    if timeout < 0 and timeout != -1:
        raise ValueError("timeout value must be a non-negative number")


class lock:
    def __init__(self):
        self._held = False

    def acquire(self, blocking=True, timeout=-1):
        _check(blocking, timeout)
        if self._held:
            return _wait(timeout) if blocking else False
        self._held = True
        return True

    def release(self):
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False

    def locked(self):
        return self._held

    acquire_lock = acquire
    release_lock = release
    locked_lock = locked

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *exception):
        self.release()

    def _at_fork_reinit(self):
        self._held = False

    def __repr__(self):
        state = "locked" if self._held else "unlocked"
        return f"<{state} _thread.lock object at {id(self):#x}>"


LockType = lock


def allocate_lock():
    return lock()


allocate = allocate_lock


def _set_sentinel():
    return lock()


class RLock:
    def __init__(self):
        self._times = 0

    def acquire(self, blocking=True, timeout=-1):
        _check(blocking, timeout)
        self._times += 1
        return True

    def release(self):
        if not self._times:
            raise RuntimeError("cannot release un-acquired lock")
        self._times -= 1

    def __enter__(self):
        return self.acquire()

    def __exit__(self, *exception):
        self.release()

    def _is_owned(self):
        return self._times > 0

    def _acquire_restore(self, state):
        self._times = state

    def _release_save(self):
        times, self._times = self._times, 0
        return times

    def _at_fork_reinit(self):
        self._times = 0

    def __repr__(self):
        state = "locked" if self._times else "unlocked"
        return (
            f"<{state} _thread.RLock object owner={1 if self._times else 0} count={self._times} "
            f"at {id(self):#x}>"
        )


class _local:
    """The data of the only thread."""
