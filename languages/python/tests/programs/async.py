"""Coroutines, `await`, `async for`, `async with`, asynchronous generators and comprehensions."""


def run(coroutine):
    """What a coroutine returns, and what it has asked of the outside meanwhile."""
    asked = []
    while True:
        try:
            asked.append(coroutine.send(None))
        except StopIteration as stop:
            return stop.value, asked


def said(function, *args):
    """What a call raises."""
    try:
        return function(*args)
    except BaseException as error:
        return f"{type(error).__name__}: {error}"


class Ask:
    """An awaitable that asks the outside."""

    def __init__(self, question, answer=None):
        self.question = question
        self.answer = answer

    def __await__(self):
        got = yield self.question
        return self.answer if got is None else got


# Coroutines.
async def add(a, b):
    first = await Ask("first", a)
    second = await Ask("second", b)
    return first + second


async def nested(n):
    if n == 0:
        return await add(1, 2)
    return 1 + await nested(n - 1)


print(run(add(3, 4)))
print(run(nested(5)))
print(add.__name__, type(add(1, 2)).__name__, type(add(1, 2)).__module__)
c = add(1, 2)
print(repr(c).split(" at ")[0], c.__name__, c.__qualname__, c.cr_running, c.cr_await, c.cr_origin)
print(c.send(None), type(c.cr_await).__name__, c.cr_suspended)
print(c.send(10), said(c.send, 20), c.cr_await, c.cr_suspended)
print(said(c.send, None), said(c.throw, ValueError("x")), c.close())


async def sends():
    got = [await Ask(n) for n in range(3)]
    return got


c = sends()
print(c.send(None), c.send("a"), c.send("b"), said(c.send, "c"))
print(said(add(1, 2).send, 3))
print(said(iter, add(1, 2)), said(next, add(1, 2)), said(list, add(1, 2)))


async def running():
    me.send(None)


me = running()
print(said(me.send, None))


async def twice():
    inner = add(1, 2)
    inner.send(None)
    await inner


print(said(run, twice()))

# What cannot be awaited.


class Bad:
    def __await__(self):
        return 3


class Worse:
    def __await__(self):
        return add(1, 2)


async def wait_for(value):
    return await value


for value in [1, None, [1], "x", Bad(), Worse(), int, (x for x in "a")]:
    print(said(run, wait_for(value)))


class Iterator:
    """An iterator of its own behind `__await__`."""

    def __init__(self):
        self.left = 3

    def __await__(self):
        return self

    def __iter__(self):
        return self

    def __next__(self):
        self.left -= 1
        if self.left < 0:
            raise StopIteration("ended")
        return self.left


print(run(wait_for(Iterator())))
print(run(wait_for(add(5, 6).__await__())) if hasattr(add(1, 2).__await__(), "__await__") else "no")
wrapper = add(5, 6).__await__()
print(repr(wrapper).split(" at ")[0], next(wrapper), wrapper.send("s"), said(next, wrapper))


# Exceptions.
async def fails():
    await Ask("before")
    raise KeyError("inside")


async def catches():
    try:
        await fails()
    except KeyError as error:
        await Ask("while handled")
        return f"caught {error}", error.__context__
    finally:
        await Ask("finally")


print(run(catches()))


async def stops():
    raise StopIteration(3)


print(said(run, stops()))


async def stubborn():
    try:
        await Ask(1)
    except ValueError as error:
        got = await Ask(f"got {error}")
        return got


c = stubborn()
print(c.send(None), c.throw(ValueError("thrown")), said(c.send, "end"))
c = stubborn()
print(c.send(None), said(c.throw, TypeError, "made here"))
c = stubborn()
print(said(c.throw, TypeError("at once")), said(c.send, None))


async def guarded():
    try:
        await Ask(1)
    finally:
        print("closed")


c = guarded()
c.send(None)
print(c.close(), said(c.send, None))


async def refuses():
    try:
        await Ask(1)
    except GeneratorExit:
        await Ask(2)


c = refuses()
c.send(None)
print(said(c.close))


# What is handled where a coroutine waits is its own, also if those who go on with it handle the same.
async def handles():
    try:
        await Ask(1)
    except KeyError:
        await Ask("handled")
        raise


c = handles()
c.send(None)
try:
    raise KeyError("the same")
except KeyError as error:
    print(c.throw(error))
print(said(c.send, None))


# Context managers.
class Manager:
    def __init__(self, name, swallows=False):
        self.name = name
        self.swallows = swallows

    async def __aenter__(self):
        await Ask(f"enter {self.name}")
        return self.name

    async def __aexit__(self, kind, value, traceback):
        await Ask(f"exit {self.name} {kind and kind.__name__} {value}")
        return self.swallows


async def managed(n):
    async with Manager("a") as a, Manager("b", True) as b:
        if n == 0:
            return a + b
        if n == 1:
            raise ValueError("in the body")
    async with Manager("c"):
        for x in range(3):
            async with Manager(x):
                if x == 1:
                    break
                if x == 0:
                    continue
    return "end"


for n in range(3):
    print(run(managed(n)))


async def failing_body():
    async with Manager("f"):
        1 // 0


print(said(run, failing_body()))


class HalfManager:
    async def __aenter__(self):
        pass


class Plain:
    def __aenter__(self):
        return 1

    def __aexit__(self, *args):
        return 2


class PlainExit:
    async def __aenter__(self):
        return 1

    def __aexit__(self, *args):
        return 2


async def with_manager(manager):
    async with manager:
        pass


for manager in [1, HalfManager(), Plain(), PlainExit()]:
    print(said(run, with_manager(manager)))


# Loops.
class Countdown:
    def __init__(self, n):
        self.n = n

    def __aiter__(self):
        return self

    async def __anext__(self):
        if self.n == 0:
            raise StopAsyncIteration
        await Ask(self.n)
        self.n -= 1
        return self.n + 1


async def loops(n):
    seen = []
    async for x in Countdown(n):
        if x == 2:
            continue
        if x == 7:
            break
        seen.append(x)
    else:
        seen.append("else")
    async for seen[0], *rest in Pairs():
        pass
    return seen, rest


class Pairs:
    async def __aiter__(self):
        yield 1, 2, 3
        yield 4, 5


print(run(loops(4)))
print(run(loops(8)))


class Wrong:
    def __aiter__(self):
        return 3


class WrongNext:
    def __aiter__(self):
        return self

    def __anext__(self):
        return 5


class AwaitFails:
    def __aiter__(self):
        return self

    def __anext__(self):
        return Bad()


async def over(value):
    async for x in value:
        pass


for value in [[1], Wrong(), WrongNext(), AwaitFails(), range(3), add(1, 2)]:
    coroutine = over(value)
    try:
        run(coroutine)
    except TypeError as error:
        cause = error.__cause__
        print(error, "|", type(cause).__name__, cause)


# Asynchronous generators.
async def numbers(n):
    try:
        for x in range(n):
            await Ask(f"before {x}")
            got = yield x
            if got is not None:
                await Ask(f"got {got}")
    finally:
        await Ask("cleanup")


async def collect(generator):
    return [x async for x in generator]


print(run(collect(numbers(3))))
g = numbers(2)
print(repr(g).split(" at ")[0], type(g).__name__, g.__name__, g.ag_running, g.ag_await)
print(g.__aiter__() is g, repr(g.__anext__()).split(" at ")[0], repr(g.asend(1)).split(" at ")[0])
print(repr(g.aclose()).split(" at ")[0], repr(g.athrow(ValueError)).split(" at ")[0])


async def by_hand():
    made = []
    g = numbers(5)
    made.append(await g.__anext__())
    made.append(await g.asend("sent"))
    made.append(await g.asend(None))
    try:
        made.append(await g.athrow(ValueError("thrown")))
    except ValueError as error:
        made.append(str(error))
    try:
        await g.__anext__()
    except StopAsyncIteration as error:
        made.append(repr(error))
    made.append(await g.aclose())
    return made


print(run(by_hand()))


async def closing():
    g = numbers(5)
    await g.__anext__()
    made = [await g.aclose(), await g.aclose()]
    fresh = numbers(2)
    made.append(await fresh.aclose())
    made.append([x async for x in fresh])
    return made


print(run(closing()))


async def ignores():
    try:
        yield 1
    except GeneratorExit:
        yield 2


async def close_it(g):
    await g.__anext__()
    await g.aclose()


print(said(run, close_it(ignores())))


async def raises_stop():
    yield 1
    raise StopAsyncIteration


async def raises_other_stop():
    yield 1
    raise StopIteration


print(said(run, collect(raises_stop())))
print(said(run, collect(raises_other_stop())))


async def return_early():
    yield 1
    return
    yield 2


print(run(collect(return_early())))
g = numbers(3)
asked = g.asend(1)
print(said(asked.send, None))
g = numbers(3)
asked = g.__anext__()
print(asked.send(None), said(g.__anext__().send, None), said(g.aclose().send, None))
print(said(g.athrow(ValueError).send, None), g.ag_running)
print(said(asked.send, None), said(asked.send, None), g.ag_running)
closed = g.aclose()
print(said(closed.send, 1), closed.send(None), said(closed.send, None), said(closed.send, None))
asked = numbers(1).__anext__()
print(asked.close(), said(asked.send, None))


async def default():
    g = numbers(1)
    return [await anext(g), await anext(g, "default"), await anext(aiter(Countdown(1)))]


print(run(default()))
print(said(aiter, 3), said(anext, 3), said(aiter, Wrong()))


# Comprehensions.
async def comprehensions():
    made = [x async for x in numbers(3) if x != 1]
    made.append({x: y async for x in numbers(2) for y in "ab"})
    made.append({x + y async for x in numbers(2) async for y in numbers(2)})
    made.append([[y async for y in numbers(x)] for x in range(3)])
    made.append([await add(x, x) for x in range(2)])
    generator = (await add(x, 1) for x in range(2))
    made.append(type(generator).__name__)
    made.append([x async for x in generator])
    made.append([x async for x in (y async for y in numbers(2))])
    made.append([x for x in await wait_for(Ask("outside", [1, 2]))])
    return made


print(run(comprehensions())[0])


# A generator that can be awaited.
import types


@types.coroutine
def generator_based(n):
    got = yield n
    return got, n


async def uses_generator():
    return await generator_based(5)


c = uses_generator()
print(c.send(None), said(c.send, "answer"), type(generator_based(1)).__name__)
print(isinstance(add(1, 2), types.CoroutineType), isinstance(g, types.AsyncGeneratorType))

from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Coroutine

print(isinstance(add(1, 2), (Coroutine,)), isinstance(add(1, 2), Awaitable), isinstance(1, Awaitable))
print(isinstance(g, AsyncGenerator), isinstance(Countdown(1), AsyncIterator), issubclass(Pairs, AsyncIterable))


# Mistakes that the compiler finds.
for text in [
    "await x",
    "def f(): await x",
    "def f():\n  async for x in y: pass",
    "async with x: pass",
    "def f(): return [x async for x in y]",
    "def f(): return [await x for x in y]",
    "async def f(): yield from x",
    "async def f():\n  yield 1\n  return 2",
    "class C:\n  await x",
    "lambda: await x",
]:
    try:
        compile(text, "<text>", "exec")
    except SyntaxError as error:
        print(str(error).split(" (")[0])


def f():
    return (x async for x in numbers(2))


print(type(f()).__name__)


# In loops that are compiled.
async def busy(n):
    total = 0
    for x in range(n):
        total += await wait_for(immediate(x))
    async for x in quick(n):
        total -= x
    return total


async def immediate(x):
    return x * 2


async def quick(n):
    for x in range(n):
        yield x


print(run(busy(3000)))


# The places that an exception comes through.
async def deep(n):
    if n == 0:
        await Ask(1)
        raise OverflowError("deep")
    await deep(n - 1)


async def through():
    async with Manager("m"):
        async for x in quick(2):
            await deep(2)


run(through())
