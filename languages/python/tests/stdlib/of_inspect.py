# The module `inspect` of CPython's folder.
# needs: re contextlib
import inspect


def f(a, b: int = 2, /, c=3, *args, d, e=5, **kw) -> str:
    "Doc of f.\n\n    indented"
    return a


sig = inspect.signature(f)
print(
    sig,
    list(sig.parameters),
    sig.parameters["b"].annotation,
    sig.parameters["d"].kind,
    sig.return_annotation,
    sig.parameters["c"].default,
)
ba = sig.bind(1, 2, 3, 4, d=5, z=6)
print(ba.args, ba.kwargs, ba.arguments)
try:
    sig.bind()
except TypeError as e:
    print(e)


class A:
    "Class doc"

    x = 1

    def m(self, y):
        "m doc"

    @classmethod
    def c(cls):
        pass

    @staticmethod
    def s(q):
        pass

    @property
    def p(self):
        pass


class B(A):
    def __init__(self, k):
        pass

    def m(self, y):
        pass


print(
    inspect.signature(B),
    inspect.signature(A().m),
    inspect.signature(A.c),
    inspect.signature(A.s),
    inspect.getdoc(B(1).m),
    inspect.getmro(B),
)
print(
    [n for n, v in inspect.getmembers(A) if not n.startswith("__")],
    inspect.isfunction(f),
    inspect.ismethod(A().m),
    inspect.isclass(A),
    inspect.isbuiltin(len),
    inspect.ismodule(inspect),
    inspect.isgeneratorfunction(f),
    inspect.isroutine(A.m),
    inspect.isabstract(A),
    inspect.isdatadescriptor(A.p),
)
print(
    inspect.getdoc(f),
    inspect.getfile(f) == __file__,
    inspect.getmodule(f).__name__,
    inspect.unwrap(f) is f,
    inspect.getfullargspec(f),
)
print(inspect.cleandoc("  a\n    b"))


def gen():
    yield 1


g = gen()
print(inspect.isgenerator(g), inspect.getgeneratorstate(g), inspect.isgeneratorfunction(gen))
next(g)
print(inspect.getgeneratorstate(g))


def cur():
    return inspect.currentframe().f_code.co_name, inspect.stack()[1].function


print(
    cur(),
    inspect.getcallargs(f, 1, d=2),
    [a.kind for a in inspect.classify_class_attrs(A) if a.name in ("m", "c", "s", "p", "x")],
)


def outer():
    z = 1

    def inner():
        return z

    return inner


print(inspect.getclosurevars(outer()).nonlocals)
print(inspect.Parameter("x", inspect.Parameter.KEYWORD_ONLY, default=1), sig.replace(parameters=[]))
