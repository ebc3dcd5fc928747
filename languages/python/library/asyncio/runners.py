"""Programs that begin with a coroutine."""

from asyncio import events
from asyncio.coroutines import iscoroutine
from asyncio.tasks import all_tasks, gather

__all__ = ["Runner", "run"]


class Runner:
    """A loop for several coroutines one after the other."""

    def __init__(self, *, debug=None, loop_factory=None):
        self._debug = debug
        self._factory = loop_factory or events.new_event_loop
        self._loop = None
        self._was_closed = False

    def __enter__(self):
        self.get_loop()
        return self

    def __exit__(self, kind, value, traceback):
        self.close()

    def get_loop(self):
        if self._was_closed:
            raise RuntimeError("Runner is closed")
        if self._loop is None:
            self._loop = self._factory()
            events.set_event_loop(self._loop)
            if self._debug is not None:
                self._loop.set_debug(self._debug)
        return self._loop

    def run(self, coro, *, context=None):
        if not iscoroutine(coro):
            raise ValueError(f"a coroutine was expected, got {coro!r}")
        if events._get_running_loop() is not None:
            message = "Runner.run() cannot be called from a running event loop"
            raise RuntimeError(message)
        loop = self.get_loop()
        return loop.run_until_complete(loop.create_task(coro))

    def close(self):
        loop = self._loop
        if loop is None or self._was_closed:
            return
        self._was_closed = True
        try:
            _cancel_all(loop)
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.run_until_complete(loop.shutdown_default_executor())
        finally:
            events.set_event_loop(None)
            loop.close()


def run(main, *, debug=None):
    """Runs a coroutine in a loop of its own until it ends, and cancels the tasks that it leaves."""
    if events._get_running_loop() is not None:
        raise RuntimeError("asyncio.run() cannot be called from a running event loop")
    with Runner(debug=debug) as runner:
        return runner.run(main)


def _cancel_all(loop):
    tasks = all_tasks(loop)
    if not tasks:
        return
    for task in tasks:
        task.cancel()
    loop.run_until_complete(gather(*tasks, return_exceptions=True))
    for task in tasks:
        if not task.cancelled() and task.exception() is not None:
            loop.call_exception_handler(
                {
                    "message": "unhandled exception during asyncio.run() shutdown",
                    "exception": task.exception(),
                    "task": task,
                }
            )
