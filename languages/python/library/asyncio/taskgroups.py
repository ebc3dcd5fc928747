"""Groups of tasks that end together."""

from asyncio import events
from asyncio.exceptions import CancelledError
from asyncio.tasks import current_task

__all__ = ["TaskGroup"]


class TaskGroup:
    """An `async with` that waits for the tasks that were made in it. When one fails, the others are
    cancelled, and so is the body."""

    def __init__(self):
        self._entered = False
        self._exiting = False
        self._aborting = False
        self._loop = None
        self._parent = None
        # Whether the task of the body was cancelled on behalf of the group.
        self._cancelled_parent = False
        self._tasks = set()
        self._errors = []
        self._base_error = None
        self._waiter = None

    async def __aenter__(self):
        if self._entered:
            raise RuntimeError(f"TaskGroup {self!r} has been already entered")
        self._entered = True
        self._loop = events.get_running_loop()
        self._parent = current_task(self._loop)
        if self._parent is None:
            raise RuntimeError(f"TaskGroup {self!r} cannot determine the parent task")
        return self

    async def __aexit__(self, kind, value, traceback):
        self._exiting = True
        if kind is not None and _ends_all(value) and self._base_error is None:
            self._base_error = value
        cancelled = value if kind is CancelledError else None
        if self._cancelled_parent and self._parent.uncancel() == 0:
            # That was the group itself.
            cancelled = None
        if kind is not None and not self._aborting:
            self._abort()
        while self._tasks:
            if self._waiter is None:
                self._waiter = self._loop.create_future()
            try:
                await self._waiter
            except CancelledError as error:
                if not self._aborting:
                    # Somebody else has cancelled the task of the body.
                    cancelled = error
                    self._abort()
            self._waiter = None
        if self._base_error is not None:
            raise self._base_error
        if cancelled is not None and not self._errors:
            raise cancelled
        if kind is not None and kind is not CancelledError:
            self._errors.append(value)
        if self._errors:
            errors, self._errors = self._errors, None
            raise BaseExceptionGroup("unhandled errors in a TaskGroup", errors) from None

    def create_task(self, coro, *, name=None, context=None):
        if not self._entered:
            raise RuntimeError(f"TaskGroup {self!r} has not been entered")
        if self._exiting and not self._tasks:
            raise RuntimeError(f"TaskGroup {self!r} is finished")
        if self._aborting:
            raise RuntimeError(f"TaskGroup {self!r} is shutting down")
        task = self._loop.create_task(coro, name=name, context=context)
        task.add_done_callback(self._on_done)
        self._tasks.add(task)
        return task

    def _abort(self):
        self._aborting = True
        for task in self._tasks:
            if not task.done():
                task.cancel()

    def _on_done(self, task):
        self._tasks.discard(task)
        if self._waiter is not None and not self._tasks and not self._waiter.done():
            self._waiter.set_result(True)
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            return
        self._errors.append(error)
        if _ends_all(error) and self._base_error is None:
            self._base_error = error
        if self._parent.done():
            self._loop.call_exception_handler(
                {
                    "message": f"Task {task!r} has errored out but its parent task {self._parent} is already completed",
                    "exception": error,
                    "task": task,
                }
            )
            return
        if not self._aborting and not self._cancelled_parent:
            self._abort()
            self._cancelled_parent = True
            self._parent.cancel()

    def __repr__(self):
        info = [""]
        if self._tasks:
            info.append(f"tasks={len(self._tasks)}")
        if self._errors:
            info.append(f"errors={len(self._errors)}")
        if self._aborting:
            info.append("cancelling")
        elif self._entered:
            info.append("entered")
        return f"<TaskGroup{' '.join(info)}>"


def _ends_all(error):
    return isinstance(error, (SystemExit, KeyboardInterrupt))
