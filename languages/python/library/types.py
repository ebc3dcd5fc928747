"""The types of builtin objects that have no name, and those of annotations."""

from _verdigris import code_kind as _code_kind, iterable_coroutine as _iterable_coroutine


def _function():
    yield


async def _coroutine():
    pass


async def _asynchronous():
    yield


FunctionType = LambdaType = type(_function)
GeneratorType = type(_function())
CoroutineType = type(_coroutine())
AsyncGeneratorType = type(_asynchronous())
BuiltinFunctionType = BuiltinMethodType = type(len)
NoneType = type(None)
EllipsisType = type(...)
NotImplementedType = type(NotImplemented)


class _Object:
    def method(self):
        pass


MethodType = type(_Object().method)


def _name_of(value):
    if value is ...:
        return "..."
    if isinstance(value, (GenericAlias, UnionType)):
        return repr(value)
    if isinstance(value, type):
        if value is NoneType:
            return "None"
        if value.__module__ == "builtins":
            return value.__qualname__
        return f"{value.__module__}.{value.__qualname__}"
    return repr(value)


class GenericAlias:
    def __init__(self, origin, args):
        self.__origin__ = origin
        self.__args__ = args if isinstance(args, tuple) else (args,)

    def __call__(self, *args, **keywords):
        return self.__origin__(*args, **keywords)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(f"type object 'GenericAlias' has no attribute '{name}'")
        return getattr(self.__origin__, name)

    def __mro_entries__(self, bases):
        return (self.__origin__,)

    def __getitem__(self, args):
        return GenericAlias(self.__origin__, args)

    def __eq__(self, other):
        if not isinstance(other, GenericAlias):
            return NotImplemented
        return self.__origin__ == other.__origin__ and self.__args__ == other.__args__

    def __hash__(self):
        return hash((self.__origin__, self.__args__))

    def __or__(self, other):
        return union(self, other)

    def __ror__(self, other):
        return union(other, self)

    def __instancecheck__(self, instance):
        raise TypeError("isinstance() argument 2 cannot be a parameterized generic")

    def __subclasscheck__(self, cls):
        raise TypeError("issubclass() argument 2 cannot be a parameterized generic")

    def __repr__(self):
        args = [_name_of(value) for value in self.__args__]
        return f"{_name_of(self.__origin__)}[{', '.join(args) or '()'}]"


class UnionType:
    def __init__(self, args):
        self.__args__ = args

    def __or__(self, other):
        return union(self, other)

    def __ror__(self, other):
        return union(other, self)

    def __eq__(self, other):
        if not isinstance(other, UnionType):
            return NotImplemented
        return set(self.__args__) == set(other.__args__)

    def __hash__(self):
        return hash(frozenset(self.__args__))

    def __instancecheck__(self, instance):
        return isinstance(instance, self.__args__)

    def __subclasscheck__(self, cls):
        return issubclass(cls, self.__args__)

    def __repr__(self):
        return " | ".join([_name_of(value) for value in self.__args__])


def union(*values):
    """What `a | b` is for types."""
    args = []
    for value in values:
        parts = value.__args__ if isinstance(value, UnionType) else (value,)
        for part in parts:
            if part is None:
                part = NoneType
            if part not in args:
                args.append(part)
    return args[0] if len(args) == 1 else UnionType(tuple(args))


class mappingproxy:
    def __init__(self, mapping):
        self._mapping = mapping

    def __getitem__(self, key):
        return self._mapping[key]

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        return iter(self._mapping)

    def __len__(self):
        return len(self._mapping)

    def get(self, key, default=None):
        return self._mapping.get(key, default)

    def keys(self):
        return self._mapping.keys()

    def values(self):
        return self._mapping.values()

    def items(self):
        return self._mapping.items()

    def copy(self):
        return self._mapping.copy()

    def __eq__(self, other):
        return self._mapping == other

    __hash__ = None

    def __repr__(self):
        return f"mappingproxy({self._mapping!r})"


MappingProxyType = mappingproxy


class SimpleNamespace:
    def __init__(self, /, **keywords):
        self.__dict__.update(keywords)

    def __eq__(self, other):
        if not isinstance(other, SimpleNamespace):
            return NotImplemented
        return self.__dict__ == other.__dict__

    __hash__ = None

    def __repr__(self):
        parts = [f"{name}={value!r}" for name, value in self.__dict__.items()]
        name = type(self).__name__
        name = "namespace" if name == "SimpleNamespace" else name
        return f"{name}({', '.join(parts)})"



def new_class(name, bases=(), kwds=None, exec_body=None):
    kwds = dict(kwds or {})
    metaclass = kwds.pop("metaclass", type(bases[0]) if bases else type)
    namespace = {}
    if exec_body is not None:
        exec_body(namespace)
    return metaclass(name, bases, namespace, **kwds)


def coroutine(function):
    """A function whose calls can be awaited: of a generator function, or of any that returns what
    is a generator or can be awaited."""
    if not callable(function):
        raise TypeError("types.coroutine() expects a callable")
    kind = _code_kind(function)
    if kind == 1:
        return _iterable_coroutine(function)
    if kind in (2, 4):
        return function
    from functools import wraps

    @wraps(function)
    def call(*args, **keywords):
        made = function(*args, **keywords)
        if isinstance(made, GeneratorType) and _code_kind(made) == 1:
            return _Awaited(made)
        return made

    return call


class _Awaited:
    """A generator that can be awaited."""

    def __init__(self, generator):
        self._generator = generator
        self.__name__ = generator.__name__
        self.__qualname__ = generator.__qualname__

    def send(self, value):
        return self._generator.send(value)

    def throw(self, *args):
        return self._generator.throw(*args)

    def close(self):
        return self._generator.close()

    def __next__(self):
        return next(self._generator)

    def __iter__(self):
        return self

    __await__ = __iter__
