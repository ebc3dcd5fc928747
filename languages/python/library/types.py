"""The types of builtin objects that have no name, and those of annotations."""

from _verdigris import code_kind as _code_kind, iterable_coroutine as _iterable_coroutine
import sys as _sys
from _proxy import mappingproxy


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
CodeType = type(_function.__code__)
BuiltinFunctionType = BuiltinMethodType = type(len)
NoneType = type(None)
EllipsisType = type(...)
NotImplementedType = type(NotImplemented)
ModuleType = type(_sys)
WrapperDescriptorType = type(object.__init__)
MethodWrapperType = type(object().__str__)
MethodDescriptorType = type(str.join)
ClassMethodDescriptorType = type(dict.__dict__["fromkeys"])


class _Object:
    __slots__ = ("slot",)

    def method(self):
        pass


class _WithDict:
    pass


MethodType = type(_Object().method)
MemberDescriptorType = type(_Object.slot)
GetSetDescriptorType = type(_WithDict.__dict__["__dict__"])


def _cell():
    value = None
    return lambda: value


CellType = type(_cell().__closure__[0])

try:
    raise TypeError
except TypeError as _error:
    TracebackType = type(_error.__traceback__)
FrameType = type(_sys._getframe())


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

    @property
    def __parameters__(self):
        from typing import _parameters_of

        return _parameters_of(self.__args__)

    def __call__(self, *args, **keywords):
        return self.__origin__(*args, **keywords)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(f"type object 'GenericAlias' has no attribute '{name}'")
        return getattr(self.__origin__, name)

    def __mro_entries__(self, bases):
        return (self.__origin__,)

    def __getitem__(self, args):
        parameters = self.__parameters__
        if not parameters:
            raise TypeError(f"{self!r} is not a generic class")
        args = args if isinstance(args, tuple) else (args,)
        if len(args) != len(parameters):
            what = "many" if len(args) > len(parameters) else "few"
            raise TypeError(
                f"Too {what} arguments for {self!r}; actual {len(args)}, expected {len(parameters)}"
            )
        from typing import _substituted

        values = dict(zip(parameters, args))
        made = tuple(_substituted(arg, values) for arg in self.__args__)
        return GenericAlias(self.__origin__, made)

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



def resolve_bases(bases):
    """The bases, where those that are no classes are replaced by what they stand for."""
    made = []
    for base in bases:
        if isinstance(base, type) or not hasattr(base, "__mro_entries__"):
            made.append(base)
            continue
        entries = base.__mro_entries__(bases)
        if not isinstance(entries, tuple):
            raise TypeError("__mro_entries__ must return a tuple")
        made.extend(entries)
    return bases if len(made) == len(bases) and all(map(_is, made, bases)) else tuple(made)


def _is(a, b):
    return a is b


def _metaclass(bases, wanted):
    for base in bases:
        kind = type(base)
        if issubclass(wanted, kind):
            continue
        if not issubclass(kind, wanted):
            raise TypeError(
                "metaclass conflict: the metaclass of a derived class must be a (non-strict) "
                "subclass of the metaclasses of all its bases"
            )
        wanted = kind
    return wanted


def prepare_class(name, bases=(), kwds=None):
    kwds = dict(kwds or {})
    default = type(bases[0]) if bases else type
    metaclass = kwds.pop("metaclass", default)
    if isinstance(metaclass, type):
        metaclass = _metaclass(bases, metaclass)
    prepare = getattr(metaclass, "__prepare__", None)
    namespace = {} if prepare is None else prepare(name, bases, **kwds)
    return metaclass, namespace, kwds


def new_class(name, bases=(), kwds=None, exec_body=None):
    resolved = resolve_bases(bases)
    metaclass, namespace, kwds = prepare_class(name, resolved, kwds)
    if exec_body is not None:
        exec_body(namespace)
    if resolved is not bases:
        namespace["__orig_bases__"] = bases
    return metaclass(name, resolved, namespace, **kwds)



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


class DynamicClassAttribute:
    """A property of instances alone: of the class, the attribute is looked for elsewhere."""

    def __init__(self, fget=None, fset=None, fdel=None, doc=None):
        self.fget = fget
        self.fset = fset
        self.fdel = fdel
        self.__doc__ = doc or getattr(fget, "__doc__", None)
        self.overwrite_doc = doc is None
        self.__isabstractmethod__ = bool(getattr(fget, "__isabstractmethod__", False))

    def __get__(self, instance, owner=None):
        if instance is None:
            if self.__isabstractmethod__:
                return self
            raise AttributeError()
        if self.fget is None:
            raise AttributeError("unreadable attribute")
        return self.fget(instance)

    def __set__(self, instance, value):
        if self.fset is None:
            raise AttributeError("can't set attribute")
        self.fset(instance, value)

    def __delete__(self, instance):
        if self.fdel is None:
            raise AttributeError("can't delete attribute")
        self.fdel(instance)

    def getter(self, fget):
        doc = fget.__doc__ if self.overwrite_doc else None
        return self._changed(fget, self.fset, self.fdel, doc or self.__doc__)

    def setter(self, fset):
        return self._changed(self.fget, fset, self.fdel, self.__doc__)

    def deleter(self, fdel):
        return self._changed(self.fget, self.fset, fdel, self.__doc__)

    def _changed(self, fget, fset, fdel, doc):
        made = type(self)(fget, fset, fdel, doc)
        made.overwrite_doc = self.overwrite_doc
        return made
