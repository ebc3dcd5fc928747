"""The module asyncio: the loop, tasks, and what they wait for. Nothing here depends on how long
something takes: tasks sleep for nothing, for times that are counted from the same moment, or for so
long that they are cancelled."""

import asyncio
import sys


def said(error):
    return f"{type(error).__name__}({', '.join([repr(arg) for arg in error.args])})"


log = []


def note(*parts):
    log.append(" ".join([str(part) for part in parts]))


def show(title):
    print(title, "|", "; ".join(log))
    log.clear()


async def step(name, n, result=None, error=None):
    for i in range(n):
        note(name, i)
        await asyncio.sleep(0)
    if error is not None:
        raise error
    return name if result is None else result


# Programs and tasks.
async def simple():
    note(await step("a", 2))
    return "done"


print(asyncio.run(simple()))
show("run")
for wrong in [3, simple, step]:
    try:
        asyncio.run(wrong)
    except ValueError as error:
        print(str(error).split(" at ")[0])


async def failing():
    await step("f", 1, error=KeyError("k"))


try:
    asyncio.run(failing())
except KeyError as error:
    print(said(error))
show("failing")


async def nested_run():
    coroutine = simple()
    try:
        asyncio.run(coroutine)
    except RuntimeError as error:
        note(error)
    coroutine.close()


asyncio.run(nested_run())
show("nested")


async def tasks():
    a = asyncio.create_task(step("a", 3))
    b = asyncio.create_task(step("b", 2), name="second")
    note(a.get_name().startswith("Task-"), b.get_name(), a.done(), asyncio.current_task() is a)
    a.set_name(7)
    note(a.get_name())
    a.add_done_callback(lambda task: note("callback", task.result()))
    note(len(asyncio.all_tasks()), await b, await a, a.done(), a.exception(), a.cancelled())
    a.add_done_callback(lambda task: note("late callback"))
    await asyncio.sleep(0)
    c = asyncio.create_task(step("c", 1, error=ValueError("c")))
    try:
        await c
    except ValueError as error:
        note(said(error), c.exception() is error)
    try:
        c.result()
    except ValueError as error:
        note(said(error))
    for wrong in (lambda: a.set_result(1), lambda: a.set_exception(ValueError())):
        try:
            wrong()
        except RuntimeError as error:
            note(error)


asyncio.run(tasks())
show("tasks")


# To cancel.
async def cancelled():
    async def sleeper(name, swallows=False):
        try:
            await asyncio.sleep(100)
        except asyncio.CancelledError as error:
            note(name, said(error))
            if not swallows:
                raise
        finally:
            note(name, "finally")
        return "survived"

    a = asyncio.create_task(sleeper("a"))
    b = asyncio.create_task(sleeper("b", True))
    c = asyncio.create_task(sleeper("c"))
    await asyncio.sleep(0)
    note(a.cancel(), b.cancel("why"), a.cancelling(), a.cancelled())
    try:
        await a
    except asyncio.CancelledError as error:
        note(said(error), a.cancelled(), a.done(), a.cancel())
    note(await b, b.cancelled(), b.cancelling(), b.uncancel())
    unstarted = asyncio.create_task(sleeper("never"))
    unstarted.cancel()
    note(await asyncio.gather(unstarted, return_exceptions=True))
    c.cancel(msg="last words")
    try:
        await c
    except asyncio.CancelledError as error:
        note(said(error))
    for ask in (c.result, c.exception):
        try:
            ask()
        except asyncio.CancelledError as error:
            note(said(error))
    asyncio.create_task(sleeper("left behind"))
    await asyncio.sleep(0)


asyncio.run(cancelled())
show("cancelled")


# Futures.
async def futures():
    loop = asyncio.get_running_loop()
    future = loop.create_future()
    note(repr(future), future.done())
    for ask in (future.result, future.exception):
        try:
            ask()
        except asyncio.InvalidStateError as error:
            note(said(error))
    future.add_done_callback(lambda f: note("one"))
    gone = lambda f: note("gone")
    future.add_done_callback(gone)
    future.add_done_callback(gone)
    note(future.remove_done_callback(gone))
    loop.call_soon(future.set_result, 42)
    note(await future, repr(future), future.get_loop() is loop)
    try:
        future.set_result(1)
    except asyncio.InvalidStateError as error:
        note(error)
    failed = asyncio.Future()
    failed.set_exception(KeyError)
    note(said(failed.exception()), repr(failed))
    try:
        await failed
    except KeyError as error:
        note(said(error))
    try:
        asyncio.Future().set_exception(StopIteration)
    except TypeError as error:
        note(error)
    dropped = asyncio.Future()
    note(dropped.cancel("m"), dropped.cancel(), dropped.cancelled(), repr(dropped))
    try:
        await dropped
    except asyncio.CancelledError as error:
        note(said(error))
    note(asyncio.isfuture(future), asyncio.isfuture(3), asyncio.isfuture(asyncio.current_task()))


asyncio.run(futures())
show("futures")


# What is called by the loop.
async def calls():
    loop = asyncio.get_running_loop()
    loop.call_soon(note, "soon")
    cancelled = loop.call_soon(note, "not this")
    cancelled.cancel()
    now = loop.time()
    later = loop.call_at(now + 0.03, note, "later")
    loop.call_at(now + 0.01, note, "sooner")
    loop.call_at(now + 0.02, note, "between")
    loop.call_at(now + 0.015, note, "nor this").cancel()
    note(later.cancelled(), cancelled.cancelled(), later.when() == now + 0.03)
    await asyncio.sleep(0.05, "slept")
    called = loop.create_future()
    loop.call_later(0.001, called.set_result, "called later")
    note(await called)
    loop.set_exception_handler(lambda loop, context: note("handled", said(context["exception"])))
    loop.call_soon(lambda: 1 // 0)
    await asyncio.sleep(0)
    note(loop.is_running(), loop.is_closed(), loop.get_debug())
    for wrong in (lambda: loop.call_soon(3), lambda: loop.run_until_complete(loop.create_future())):
        try:
            wrong()
        except (TypeError, RuntimeError) as error:
            note(said(error))


asyncio.run(calls())
show("calls")

loop = asyncio.new_event_loop()
note(loop.run_until_complete(step("x", 1)), loop.is_running())
loop.call_soon(note, "before the end")
loop.call_soon(loop.stop)
loop.run_forever()
loop.close()
for call in (lambda: loop.call_soon(print), lambda: loop.run_forever(), lambda: asyncio.get_running_loop()):
    try:
        call()
    except RuntimeError as error:
        note(error)
show("loop")


# Several at once.
async def gathering():
    note(await asyncio.gather(step("a", 2), step("b", 1), asyncio.sleep(0, "c")))
    note(await asyncio.gather())
    same = asyncio.create_task(step("s", 1))
    note(await asyncio.gather(same, same))
    note(await asyncio.gather(step("e", 1, error=ValueError("e")), step("d", 3), return_exceptions=True))
    other = asyncio.create_task(step("other", 4))
    try:
        await asyncio.gather(step("e", 1, error=ValueError("first")), other)
    except ValueError as error:
        note(said(error), other.done())
    note(await other)
    inner = asyncio.create_task(step("inner", 10))
    group = asyncio.gather(inner, step("in", 10))
    await asyncio.sleep(0)
    note(group.cancel())
    try:
        await group
    except asyncio.CancelledError as error:
        note(said(error), inner.cancelled(), group.cancelled())


asyncio.run(gathering())
show("gather")


async def waiting():
    named = [asyncio.create_task(step(name, n), name=name) for name, n in [("a", 1), ("b", 3), ("c", 5)]]
    done, pending = await asyncio.wait(named, return_when=asyncio.FIRST_COMPLETED)
    note(sorted([t.get_name() for t in done]), sorted([t.get_name() for t in pending]))
    done, pending = await asyncio.wait(pending)
    note(sorted([t.get_name() for t in done]), pending)
    bad = asyncio.create_task(step("bad", 1, error=ValueError("bad")))
    slow = asyncio.create_task(step("slow", 5))
    done, pending = await asyncio.wait({bad, slow}, return_when=asyncio.FIRST_EXCEPTION)
    note(bad in done, slow in pending)
    done, pending = await asyncio.wait([slow], timeout=10)
    never = asyncio.get_running_loop().create_future()
    done, pending = await asyncio.wait([never], timeout=0.001)
    note(done, len(pending))
    coroutine = step("x", 1)
    for wrong in ([], [coroutine], coroutine):
        try:
            await asyncio.wait(wrong)
        except (TypeError, ValueError) as error:
            note(said(error))
    try:
        await asyncio.wait([never], return_when="sometime")
    except ValueError as error:
        note(said(error))
    coroutine.close()


asyncio.run(waiting())
show("wait")


async def limited():
    note(await asyncio.wait_for(step("a", 2), 10), await asyncio.wait_for(step("n", 1), None))
    for limit in (0.001, 0, -1):
        try:
            await asyncio.wait_for(asyncio.sleep(100), limit)
        except asyncio.TimeoutError as error:
            note(said(error), type(error.__cause__).__name__)
    ready = asyncio.get_running_loop().create_future()
    ready.set_result("ready")
    note(await asyncio.wait_for(ready, 0))

    async def stubborn():
        try:
            await asyncio.sleep(100)
        except asyncio.CancelledError:
            return "in spite of that"

    note(await asyncio.wait_for(stubborn(), 0.001))
    outer = asyncio.create_task(asyncio.wait_for(stubborn(), 100))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    outer.cancel()
    try:
        note(await outer)
    except asyncio.CancelledError as error:
        note(said(error))


asyncio.run(limited())
show("wait_for")


async def timeouts():
    async with asyncio.timeout(100) as limit:
        note(limit.expired(), limit.when() > 0)
    try:
        async with asyncio.timeout(0.001) as limit:
            try:
                await asyncio.sleep(100)
            except asyncio.CancelledError as error:
                note("inside", said(error))
                raise
    except TimeoutError as error:
        note(said(error), type(error.__cause__).__name__, limit.expired())
    async with asyncio.timeout(None) as limit:
        note(limit.when())
        limit.reschedule(asyncio.get_running_loop().time() + 100)
    try:
        async with asyncio.timeout_at(asyncio.get_running_loop().time() - 1):
            await asyncio.sleep(100)
    except TimeoutError:
        note("at once")
    try:
        async with asyncio.timeout(100):
            raise KeyError("own")
    except KeyError as error:
        note(said(error))
    try:
        async with limit:
            pass
    except RuntimeError as error:
        note(error)
    note(asyncio.current_task().cancelling())


asyncio.run(timeouts())
show("timeout")


async def completed():
    async def after(name, steps):
        for _ in range(steps):
            await asyncio.sleep(0)
        if name == "bad":
            raise ValueError(name)
        return name

    made = []
    for next_one in asyncio.as_completed([after("c", 20), after("a", 1), after("bad", 10)]):
        try:
            made.append(await next_one)
        except ValueError as error:
            made.append(said(error))
    note(made)
    try:
        for next_one in asyncio.as_completed([asyncio.sleep(100)], timeout=0.001):
            await next_one
    except TimeoutError as error:
        note(said(error))


asyncio.run(completed())
show("as_completed")


async def shielded():
    inner = asyncio.create_task(step("inner", 3))

    async def outer():
        return await asyncio.shield(inner)

    task = asyncio.create_task(outer())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError as error:
        note(said(error), inner.cancelled())
    note(await inner, await asyncio.shield(inner), await asyncio.shield(step("s", 1)))
    try:
        await asyncio.shield(step("e", 1, error=ValueError("e")))
    except ValueError as error:
        note(said(error))


asyncio.run(shielded())
show("shield")


# Queues.
async def queues():
    queue = asyncio.Queue(maxsize=2)

    async def producer():
        for n in range(5):
            await queue.put(n)
            note("put", n, queue.qsize())
        await queue.put(None)

    async def consumer():
        while (item := await queue.get()) is not None:
            note("got", item)
            queue.task_done()
        queue.task_done()

    await asyncio.gather(producer(), consumer())
    await queue.join()
    note(queue.empty(), queue.full(), queue.maxsize, str(queue))
    for call in (queue.get_nowait, queue.task_done):
        try:
            call()
        except (asyncio.QueueEmpty, ValueError) as error:
            note(said(error))
    queue.put_nowait(1)
    queue.put_nowait(2)
    try:
        queue.put_nowait(3)
    except asyncio.QueueFull as error:
        note(said(error), str(queue))
    small = asyncio.PriorityQueue()
    last = asyncio.LifoQueue()
    for n in (3, 1, 2):
        small.put_nowait(n)
        await last.put(n)
    note([await small.get() for _ in range(3)], [await last.get() for _ in range(3)])
    getter = asyncio.create_task(small.get())
    await asyncio.sleep(0)
    note(str(small))
    getter.cancel()
    second = asyncio.create_task(small.get())
    await asyncio.sleep(0)
    await small.put("for the second")
    note(await second, getter.cancelled())


asyncio.run(queues())
show("queues")


# Locks.
async def locks():
    lock = asyncio.Lock()

    async def worker(name):
        async with lock:
            note(name, "in", lock.locked())
            await asyncio.sleep(0)
            note(name, "out")

    await asyncio.gather(*[worker(name) for name in "abc"])
    note(lock.locked(), await lock.acquire(), repr(lock).split("[")[1])
    waiter = asyncio.create_task(lock.acquire())
    await asyncio.sleep(0)
    note(repr(lock).split("[")[1])
    waiter.cancel()
    lock.release()
    try:
        lock.release()
    except RuntimeError as error:
        note(error)
    event = asyncio.Event()

    async def waits(name):
        note(name, "waits")
        note(name, await event.wait())

    waiting = asyncio.gather(waits("x"), waits("y"))
    await asyncio.sleep(0)
    note(event.is_set(), repr(event).split("[")[1])
    event.set()
    await waiting
    note(event.is_set(), await event.wait())
    event.clear()
    note(event.is_set())
    semaphore = asyncio.Semaphore(2)

    async def limited(name):
        async with semaphore:
            note("+" + name)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        note("-" + name)

    await asyncio.gather(*[limited(name) for name in "abcde"])
    note(semaphore.locked(), repr(semaphore).split("[")[1])
    bounded = asyncio.BoundedSemaphore(1)
    try:
        bounded.release()
    except ValueError as error:
        note(error)
    try:
        asyncio.Semaphore(-1)
    except ValueError as error:
        note(error)


asyncio.run(locks())
show("locks")


async def conditions():
    condition = asyncio.Condition()
    items = []

    async def consumer(name):
        async with condition:
            await condition.wait_for(lambda: items)
            note(name, items.pop())

    tasks = [asyncio.create_task(consumer(name)) for name in "ab"]
    await asyncio.sleep(0)
    async with condition:
        items.append(1)
        condition.notify()
    await asyncio.sleep(0)
    async with condition:
        items.extend([2, 3])
        condition.notify_all()
    await asyncio.gather(*tasks)
    for call in (condition.notify, condition.release):
        try:
            call()
        except RuntimeError as error:
            note(error)
    barrier = asyncio.Barrier(3)

    async def party(name):
        place = await barrier.wait()
        note(name, place)

    await asyncio.gather(*[party(name) for name in "pqr"])
    note(barrier.n_waiting, barrier.broken, barrier.parties)


asyncio.run(conditions())
show("conditions")


# Groups of tasks.
async def groups():
    async with asyncio.TaskGroup() as group:
        a = group.create_task(step("a", 2))
        b = group.create_task(step("b", 1), name="named")
        note("body")
    note(a.result(), b.result(), b.get_name())
    try:
        group.create_task(coroutine := step("x", 1))
    except RuntimeError as error:
        note(str(error).split("<")[0], str(error).split(">")[-1])
    coroutine.close()

    async def cancelled_from_outside():
        async with asyncio.TaskGroup() as group:
            group.create_task(step("inner", 100))
            await asyncio.sleep(100)

    task = asyncio.create_task(cancelled_from_outside())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError as error:
        note(said(error))


asyncio.run(groups())
show("groups")


# What tasks must not do.
async def mistakes():
    class Wrong:
        def __await__(self):
            yield 3

    async def awaits(value):
        return await value

    for value in (Wrong(), 3):
        try:
            await asyncio.create_task(awaits(value))
        except (RuntimeError, TypeError) as error:
            note(error)
    for value in (3, "x", simple):
        try:
            asyncio.create_task(value)
        except TypeError as error:
            note(str(error).split(" at ")[0])
        try:
            asyncio.ensure_future(value)
        except TypeError as error:
            note(error)

    class Awaitable:
        def __await__(self):
            yield from asyncio.sleep(0).__await__()
            return "awaitable"

    note(await asyncio.ensure_future(Awaitable()), await asyncio.gather(Awaitable()))
    note(asyncio.iscoroutinefunction(simple), asyncio.iscoroutinefunction(note))
    coroutine = simple()
    note(asyncio.iscoroutine(coroutine), asyncio.iscoroutine(simple))
    coroutine.close()


asyncio.run(mistakes())
show("mistakes")


async def asynchronous_generators():
    async def ticks(n):
        for i in range(n):
            await asyncio.sleep(0)
            yield i

    async def consume(name):
        async for i in ticks(2):
            note(name, i)

    await asyncio.gather(consume("a"), consume("b"))
    note([i async for i in ticks(3)])


asyncio.run(asynchronous_generators())
show("generators")



# Managers of `contextlib`.
import contextlib


@contextlib.asynccontextmanager
async def managed(name):
    note("enter", name)
    try:
        yield name
    except KeyError as error:
        note("swallowed", said(error))
    finally:
        await asyncio.sleep(0)
        note("leave", name)


async def managers():
    async with managed("a") as a, contextlib.nullcontext(5) as five:
        note(a, five)
    async with managed("b"):
        raise KeyError("b")
    try:
        async with managed("c"):
            1 // 0
    except ZeroDivisionError as error:
        note(error)

    @managed("d")
    async def decorated(x):
        return x

    note(await decorated(3), await decorated(4))
    async with contextlib.AsyncExitStack() as stack:
        note(await stack.enter_async_context(managed("e")), stack.enter_context(contextlib.nullcontext(6)))
        stack.push_async_callback(step, "callback", 1)
        stack.callback(note, "plain")

    async def numbers():
        try:
            yield 1
            yield 2
        finally:
            note("closed")

    async with contextlib.aclosing(numbers()) as made:
        async for n in made:
            note(n)
            break


asyncio.run(managers())
show("contextlib")

with asyncio.Runner() as runner:
    note(runner.run(step("r", 1)), runner.run(step("s", 1)), runner.get_loop().is_closed())
show("runner")


async def exits():
    await asyncio.sleep(0)
    sys.exit(3)


try:
    asyncio.run(exits())
except SystemExit as error:
    print("exit", error.code)
