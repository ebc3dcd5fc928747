"""Calls that threads make for a loop, and coroutines that threads hand to one."""

from functools import partial

from asyncio.events import get_event_loop, get_running_loop
from asyncio.futures import isfuture
from asyncio.tasks import ensure_future

__all__ = ["run_coroutine_threadsafe", "to_thread", "wrap_future"]


def _hand_over(source, target):
    """What has come of one future comes of the other."""
    if target.done():
        return
    if source.cancelled():
        target.cancel()
    elif source.exception() is not None:
        target.set_exception(source.exception())
    else:
        target.set_result(source.result())


def wrap_future(future, *, loop=None):
    """A future of a loop for one of a thread."""
    if isfuture(future):
        return future
    loop = get_event_loop() if loop is None else loop
    made = loop.create_future()

    def ended(source):
        if not loop.is_closed():
            loop.call_soon_threadsafe(_hand_over, source, made)

    def cancel(target):
        if target.cancelled():
            future.cancel()

    future.add_done_callback(ended)
    made.add_done_callback(cancel)
    return made


def run_coroutine_threadsafe(coro, loop):
    """A future of a thread for a coroutine that a loop runs in another one."""
    from concurrent.futures import Future

    made = Future()

    def begin():
        try:
            task = ensure_future(coro, loop=loop)
        except BaseException as error:
            made.set_exception(error)
            raise
        made.set_running_or_notify_cancel()
        task.add_done_callback(lambda task: _end(task, made))

    loop.call_soon_threadsafe(begin)
    return made


def _end(task, future):
    if task.cancelled():
        from concurrent.futures import CancelledError

        future.set_exception(CancelledError())
    elif task.exception() is not None:
        future.set_exception(task.exception())
    else:
        future.set_result(task.result())


async def to_thread(func, /, *args, **kwargs):
    return await get_running_loop().run_in_executor(None, partial(func, *args, **kwargs))
