"""Context managers out of generators, and ready ones; those of `async with`, too."""

from abc import ABC as _ABC, abstractmethod as _abstractmethod
from functools import wraps


def _has(cls, *names):
    """Whether objects of a class have methods of these names."""
    for name in names:
        found = [base.__dict__[name] for base in cls.__mro__ if name in base.__dict__]
        if not found or found[0] is None:
            return False
    return True


class AbstractContextManager(_ABC):
    def __enter__(self):
        return self

    @_abstractmethod
    def __exit__(self, exc_type, exc_value, traceback):
        return None

    @classmethod
    def __subclasshook__(cls, other):
        if cls is not AbstractContextManager:
            return NotImplemented
        return True if _has(other, "__enter__", "__exit__") else NotImplemented


class AbstractAsyncContextManager(_ABC):
    async def __aenter__(self):
        return self

    @_abstractmethod
    async def __aexit__(self, exc_type, exc_value, traceback):
        return None

    @classmethod
    def __subclasshook__(cls, other):
        if cls is not AbstractAsyncContextManager:
            return NotImplemented
        return True if _has(other, "__aenter__", "__aexit__") else NotImplemented


class ContextDecorator:
    def _recreate_cm(self):
        return self

    def __call__(self, func):
        @wraps(func)
        def inner(*args, **keywords):
            with self._recreate_cm():
                return func(*args, **keywords)

        return inner


class _GeneratorContextManager(ContextDecorator):
    def __init__(self, func, args, keywords):
        self.gen = func(*args, **keywords)
        self._made_by = func, args, keywords

    def _recreate_cm(self):
        return _GeneratorContextManager(*self._made_by)

    def __enter__(self):
        try:
            return next(self.gen)
        except StopIteration:
            raise RuntimeError("generator didn't yield") from None

    def __exit__(self, exc_type, exc_value, traceback):
        if exc_type is None:
            try:
                next(self.gen)
            except StopIteration:
                return False
            raise RuntimeError("generator didn't stop")
        if exc_value is None:
            exc_value = exc_type()
        try:
            self.gen.throw(exc_value)
        except StopIteration as stop:
            return stop is not exc_value
        except RuntimeError as error:
            if error is exc_value:
                return False
            if isinstance(exc_value, StopIteration) and error.__cause__ is exc_value:
                return False
            raise
        except BaseException as error:
            if error is not exc_value:
                raise
            return False
        raise RuntimeError("generator didn't stop after throw()")


def contextmanager(func):
    @wraps(func)
    def helper(*args, **keywords):
        return _GeneratorContextManager(func, args, keywords)

    return helper


class AsyncContextDecorator:
    def _recreate_cm(self):
        return self

    def __call__(self, func):
        @wraps(func)
        async def inner(*args, **keywords):
            async with self._recreate_cm():
                return await func(*args, **keywords)

        return inner


class _AsyncGeneratorContextManager(AsyncContextDecorator):
    def __init__(self, func, args, keywords):
        self.gen = func(*args, **keywords)
        self._made_by = func, args, keywords

    def _recreate_cm(self):
        return _AsyncGeneratorContextManager(*self._made_by)

    async def __aenter__(self):
        try:
            return await anext(self.gen)
        except StopAsyncIteration:
            raise RuntimeError("generator didn't yield") from None

    async def __aexit__(self, exc_type, exc_value, traceback):
        if exc_type is None:
            try:
                await anext(self.gen)
            except StopAsyncIteration:
                return False
            raise RuntimeError("generator didn't stop")
        if exc_value is None:
            exc_value = exc_type()
        try:
            await self.gen.athrow(exc_value)
        except StopAsyncIteration as stop:
            return stop is not exc_value
        except RuntimeError as error:
            if error is exc_value:
                return False
            is_stop = isinstance(exc_value, (StopIteration, StopAsyncIteration))
            if is_stop and error.__cause__ is exc_value:
                return False
            raise
        except BaseException as error:
            if error is not exc_value:
                raise
            return False
        raise RuntimeError("generator didn't stop after athrow()")


def asynccontextmanager(func):
    @wraps(func)
    def helper(*args, **keywords):
        return _AsyncGeneratorContextManager(func, args, keywords)

    return helper


class aclosing(AbstractAsyncContextManager):
    def __init__(self, thing):
        self.thing = thing

    async def __aenter__(self):
        return self.thing

    async def __aexit__(self, *exc_info):
        await self.thing.aclose()


class closing(AbstractContextManager):
    def __init__(self, thing):
        self.thing = thing

    def __enter__(self):
        return self.thing

    def __exit__(self, *exc_info):
        self.thing.close()


class nullcontext(AbstractContextManager, AbstractAsyncContextManager):
    def __init__(self, enter_result=None):
        self.enter_result = enter_result

    def __enter__(self):
        return self.enter_result

    def __exit__(self, *exception):
        return None

    async def __aenter__(self):
        return self.enter_result

    async def __aexit__(self, *exception):
        return None


class suppress(AbstractContextManager):
    def __init__(self, *exceptions):
        self._exceptions = exceptions

    def __exit__(self, exc_type, exc_value, traceback):
        return exc_type is not None and issubclass(exc_type, self._exceptions)


class _Redirected(AbstractContextManager):
    """What is written to a standard stream goes elsewhere for a while."""

    _stream = ""

    def __init__(self, new_target):
        self._new_target = new_target
        self._before = []

    def __enter__(self):
        import sys

        self._before.append(getattr(sys, self._stream))
        setattr(sys, self._stream, self._new_target)
        return self._new_target

    def __exit__(self, exc_type, exc_value, traceback):
        import sys

        setattr(sys, self._stream, self._before.pop())


class redirect_stdout(_Redirected):
    _stream = "stdout"


class redirect_stderr(_Redirected):
    _stream = "stderr"


class chdir(AbstractContextManager):
    """Another working folder for a while."""

    def __init__(self, path):
        self.path = path
        self._before = []

    def __enter__(self):
        import os

        self._before.append(os.getcwd())
        os.chdir(self.path)

    def __exit__(self, *exception):
        import os

        os.chdir(self._before.pop())


class ExitStack(AbstractContextManager):
    def __init__(self):
        self._exits = []

    def pop_all(self):
        other = type(self)()
        other._exits, self._exits = self._exits, []
        return other

    def push(self, exit):
        method = getattr(type(exit), "__exit__", None)
        if method is None:
            self._exits.append(exit)
        else:
            self._exits.append(lambda *details: method(exit, *details))
        return exit

    def enter_context(self, cm):
        result = type(cm).__enter__(cm)
        self.push(cm)
        return result

    def callback(self, callback, /, *args, **keywords):
        self._exits.append(lambda *details: callback(*args, **keywords) and None)
        return callback

    def close(self):
        self.__exit__(None, None, None)

    def __exit__(self, exc_type, exc_value, traceback):
        pending, is_suppressed = exc_value, False
        while self._exits:
            leave = self._exits.pop()
            try:
                if leave(None if pending is None else type(pending), pending, traceback):
                    is_suppressed, pending = True, None
            except BaseException as error:
                is_suppressed, pending = False, error
        if pending is not None and pending is not exc_value:
            raise pending
        return is_suppressed and exc_value is not None


class AsyncExitStack(AbstractAsyncContextManager):
    """Managers of both kinds that are left in the reverse of the order in which they were entered."""

    def __init__(self):
        # Each with whether what it returns is awaited.
        self._exits = []

    def pop_all(self):
        other = type(self)()
        other._exits, self._exits = self._exits, []
        return other

    def _push(self, exit, name, is_async):
        method = getattr(type(exit), name, None)
        if method is None:
            self._exits.append((exit, is_async))
        else:
            self._exits.append((lambda *details: method(exit, *details), is_async))
        return exit

    def push(self, exit):
        return self._push(exit, "__exit__", False)

    def push_async_exit(self, exit):
        return self._push(exit, "__aexit__", True)

    def enter_context(self, cm):
        result = type(cm).__enter__(cm)
        self.push(cm)
        return result

    async def enter_async_context(self, cm):
        result = await type(cm).__aenter__(cm)
        self.push_async_exit(cm)
        return result

    def callback(self, callback, /, *args, **keywords):
        self._exits.append((lambda *details: callback(*args, **keywords) and None, False))
        return callback

    def push_async_callback(self, callback, /, *args, **keywords):
        async def leave(*details):
            await callback(*args, **keywords)

        self._exits.append((leave, True))
        return callback

    async def aclose(self):
        await self.__aexit__(None, None, None)

    async def __aexit__(self, exc_type, exc_value, traceback):
        pending, is_suppressed = exc_value, False
        while self._exits:
            leave, is_async = self._exits.pop()
            try:
                result = leave(None if pending is None else type(pending), pending, traceback)
                if is_async:
                    result = await result
                if result:
                    is_suppressed, pending = True, None
            except BaseException as error:
                is_suppressed, pending = False, error
        if pending is not None and pending is not exc_value:
            raise pending
        return is_suppressed and exc_value is not None
