# The module `contextlib` of CPython's folder.
# needs: contextlib
from contextlib import *
import io, sys


@contextmanager
def framed(*args):
    print("enter", args)
    try:
        yield args
    except ValueError as e:
        print("caught", e)
    finally:
        print("exit")


with framed(1, 2) as a:
    print(a)
with framed():
    raise ValueError("v")


@framed()
def deco():
    print("in deco")


deco()
deco()
try:
    with framed():
        raise KeyError("k")
except KeyError as e:
    print("out", e)
with suppress(ZeroDivisionError, KeyError):
    1 / 0
f = io.StringIO()
with redirect_stdout(f):
    print("hidden")
print(repr(f.getvalue()))


class Page:
    def close(self):
        print("closed")


with closing(Page()) as p:
    pass
with ExitStack() as stack:
    stack.callback(print, "callback", 1)
    stack.enter_context(framed("s"))

    @stack.push
    def swallow(t, v, tb):
        print("swallow", t and t.__name__)
        return True

    raise RuntimeError
with nullcontext(5) as n:
    print(n)


class T(ContextDecorator):
    def __enter__(self):
        print("T in")
        return self

    def __exit__(self, *e):
        print("T out")
        return False


@T()
def ft(x):
    return x + 1


print(ft(1), isinstance(T(), AbstractContextManager))
with ExitStack() as st:
    kept = st.pop_all()
kept.close()
