# Groups of exceptions, `except*`, notes, and tracebacks as objects.

import sys
import traceback

group = ExceptionGroup(
    "several", [ValueError(1), TypeError("t"), ExceptionGroup("in", [KeyError("k"), ValueError(2)])]
)
print(repr(group), str(group), group.message, len(group.exceptions), group.args[0])
print(
    isinstance(group, Exception),
    ExceptionGroup.__mro__[1].__name__,
    ExceptionGroup.__mro__[2].__name__,
)
fitting, rest = group.split(ValueError)
print(repr(fitting), repr(rest))
print(repr(group.subgroup(KeyError)), group.subgroup(OSError), group.split(OSError)[1] is group)
print(repr(group.subgroup(lambda error: isinstance(error, TypeError))))
print(repr(group.split((KeyError, TypeError))[0]))
print(
    type(BaseExceptionGroup("b", [ValueError()])).__name__,
    type(BaseExceptionGroup("b", [KeyboardInterrupt()])).__name__,
)
for args in [("m",), (1, [ValueError()]), ("m", []), ("m", [1]), ("m", 5)]:
    try:
        ExceptionGroup(*args)
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
try:
    ExceptionGroup("m", [KeyboardInterrupt()])
except TypeError as error:
    print(error)


class Coded(ExceptionGroup):
    def __new__(cls, message, exceptions, code):
        self = super().__new__(cls, message, exceptions)
        self.code = code
        return self

    def derive(self, exceptions):
        return Coded(self.message, exceptions, self.code)


coded = Coded("c", [ValueError(1), KeyError(2)], 42)
part = coded.subgroup(KeyError)
print(type(part).__name__, part.code, repr(part.exceptions))


def check(raised):
    try:
        try:
            if raised is not None:
                raise raised
        except* ValueError as part:
            print("values", repr(part), repr(sys.exc_info()[1]) == repr(part))
        except* (KeyError, TypeError):
            print("keys or types", type(sys.exc_info()[1]).__name__)
        else:
            print("else")
        finally:
            print("finally")
    except BaseException as error:
        print("out", repr(error))
    print(sys.exc_info())


check(None)
check(ValueError(1))
check(OSError(5))
check(ExceptionGroup("a", [ValueError(1), KeyError(2)]))
check(ExceptionGroup("a", [ValueError(1), OSError(2)]))
check(group)


def again(first, second):
    try:
        raise ExceptionGroup("all", [ValueError(1), KeyError(2), OSError(3)])
    except* ValueError as part:
        if first:
            raise
        if second:
            raise RuntimeError("new") from part
    except* KeyError:
        if second:
            raise LookupError("other")


for first, second in [(False, False), (True, False), (False, True)]:
    try:
        again(first, second)
    except BaseException as error:
        print(repr(error), [repr(inner.__cause__) for inner in error.exceptions])
try:
    try:
        raise ValueError(1)
    except* ExceptionGroup:
        pass
except TypeError as error:
    print(error)


def in_loop():
    made = []
    for n in range(5):
        try:
            try:
                raise ExceptionGroup("g", [ValueError(n), TypeError(n)])
            except* ValueError as part:
                made.append(part.exceptions[0].args[0])
        except ExceptionGroup as left:
            made.append(repr(left.exceptions[0]))
    return made


print(in_loop())


def hot(n):
    count = 0
    for i in range(n):
        try:
            if i % 3 == 0:
                raise ValueError(i)
        except* ValueError:
            count += 1
    return count


print(hot(300))

# Notes.
noted = ValueError("with notes")
noted.add_note("first")
noted.add_note("second\nthird")
print(noted.__notes__)
try:
    noted.add_note(5)
except TypeError as error:
    print(error)

# Tracebacks.


def fails(n):
    if n == 0:
        raise ZeroDivisionError("at the end")
    fails(n - 1)


try:
    fails(2)
except ZeroDivisionError as error:
    tb = error.__traceback__
    first = tb
    names = []
    while tb is not None:
        names.append((tb.tb_frame.f_code.co_name, tb.tb_lineno, tb.tb_lasti >= 0))
        tb = tb.tb_next
    print(names)
    print(first.tb_frame.f_globals["fails"] is fails, type(first).__name__)
    print([tuple(row)[1:] for row in traceback.extract_tb(first)])
    print(
        traceback.format_exc()
        .replace(__file__, "FILE")
        .replace("\n    ~~~~~^^^^^^^", "")
        .splitlines()[0]
    )
    print(traceback.format_exception_only(type(error), error))
    kept = error
try:
    raise kept.with_traceback(None)
except ZeroDivisionError as error:
    print(error is kept, error.__traceback__.tb_next)


def extract():
    return [row.name for row in traceback.extract_stack()]


print(extract()[-1], traceback.format_exception_only(noted))


class Broken(Exception):
    def __str__(self):
        raise ValueError


print(traceback.format_exception_only(Broken()))
try:
    try:
        1 / 0
    except ZeroDivisionError as inner:
        raise KeyError("k") from inner
except KeyError as error:
    lines = "".join(traceback.format_exception(error)).splitlines()
    print([line for line in lines if not line.startswith(" ")])
    print(error.__cause__.__traceback__.tb_lineno == error.__traceback__.tb_lineno - 2)
