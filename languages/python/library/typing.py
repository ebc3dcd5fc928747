"""What annotations say: objects that can be written there, and that do nothing."""

import collections.abc as _abc
from collections import namedtuple as _namedtuple
from types import GenericAlias as _GenericAlias, _name_of, union as _union

TYPE_CHECKING = False


class _Form:
    def __init__(self, name):
        self._name = name

    def __getitem__(self, args):
        return _Subscripted(self._name, args)

    def __call__(self, *args, **keywords):
        raise TypeError(f"Cannot instantiate {self!r}")

    def __or__(self, other):
        return _union(self, other)

    def __ror__(self, other):
        return _union(other, self)

    def __repr__(self):
        return f"typing.{self._name}"


class _Subscripted(_Form):
    def __init__(self, name, args, origin=None):
        self._name = name
        self.__args__ = args if isinstance(args, tuple) else (args,)
        self.__origin__ = origin

    def __getitem__(self, args):
        return self

    def __call__(self, *args, **keywords):
        if self.__origin__ is None:
            raise TypeError(f"Cannot instantiate {self!r}")
        return self.__origin__(*args, **keywords)

    def __mro_entries__(self, bases):
        return () if self.__origin__ is None else (self.__origin__,)

    def __eq__(self, other):
        if not isinstance(other, _Subscripted):
            return NotImplemented
        return self._name == other._name and self.__args__ == other.__args__

    def __hash__(self):
        return hash((self._name, self.__args__))

    def __repr__(self):
        args = [_shown(value) for value in self.__args__]
        return f"typing.{self._name}[{', '.join(args) or '()'}]"


def _shown(value):
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, str):
        return f"ForwardRef({value!r})"
    return _name_of(value)


class _Alias(_Form):
    def __init__(self, name, origin):
        self._name = name
        self.__origin__ = origin

    def __getitem__(self, args):
        return _Subscripted(self._name, args, self.__origin__)

    def __call__(self, *args, **keywords):
        return self.__origin__(*args, **keywords)

    def __mro_entries__(self, bases):
        return (self.__origin__,)

    def __instancecheck__(self, instance):
        return isinstance(instance, self.__origin__)

    def __subclasscheck__(self, cls):
        return issubclass(cls, self.__origin__)


class _OptionalForm(_Form):
    def __getitem__(self, arg):
        return _Subscripted("Optional", arg)


class _UnionForm(_Form):
    def __getitem__(self, args):
        args = args if isinstance(args, tuple) else (args,)
        distinct = []
        for value in args:
            value = type(None) if value is None else value
            if value not in distinct:
                distinct.append(value)
        if len(distinct) == 1:
            return distinct[0]
        if len(distinct) == 2 and type(None) in distinct:
            distinct.remove(type(None))
            return _Subscripted("Optional", distinct[0])
        return _Subscripted("Union", tuple(distinct))


class _LiteralForm(_Form):
    def __getitem__(self, args):
        return _Values("Literal", args)


class _Values(_Subscripted):
    def __repr__(self):
        return f"typing.{self._name}[{', '.join(map(repr, self.__args__))}]"


Any = _Form("Any")
NoReturn, Never, Self, LiteralString = map(_Form, ("NoReturn", "Never", "Self", "LiteralString"))
ClassVar, Final, Annotated = _Form("ClassVar"), _Form("Final"), _Form("Annotated")
Concatenate, TypeAlias, TypeGuard = _Form("Concatenate"), _Form("TypeAlias"), _Form("TypeGuard")
Required, NotRequired, Unpack = _Form("Required"), _Form("NotRequired"), _Form("Unpack")
Optional, Union, Literal = _OptionalForm("Optional"), _UnionForm("Union"), _LiteralForm("Literal")

List, Dict, Set = _Alias("List", list), _Alias("Dict", dict), _Alias("Set", set)
Tuple = _Alias("Tuple", tuple)
FrozenSet, Type = _Alias("FrozenSet", frozenset), _Alias("Type", type)
Callable, Iterable, Iterator = (
    _Alias("Callable", _abc.Callable),
    _Alias("Iterable", _abc.Iterable),
    _Alias("Iterator", _abc.Iterator),
)
Sequence, Mapping, Generator = (
    _Alias("Sequence", _abc.Sequence),
    _Alias("Mapping", _abc.Mapping),
    _Alias("Generator", _abc.Generator),
)
Awaitable, Coroutine, AsyncIterable, AsyncIterator, AsyncGenerator = (
    _Alias("Awaitable", _abc.Awaitable),
    _Alias("Coroutine", _abc.Coroutine),
    _Alias("AsyncIterable", _abc.AsyncIterable),
    _Alias("AsyncIterator", _abc.AsyncIterator),
    _Alias("AsyncGenerator", _abc.AsyncGenerator),
)
MutableSequence, MutableMapping, MutableSet = (
    _Alias("MutableSequence", _abc.MutableSequence),
    _Alias("MutableMapping", _abc.MutableMapping),
    _Alias("MutableSet", _abc.MutableSet),
)
Hashable, Sized, Container, Collection, Reversible, AbstractSet = (
    _Alias("Hashable", _abc.Hashable),
    _Alias("Sized", _abc.Sized),
    _Alias("Container", _abc.Container),
    _Alias("Collection", _abc.Collection),
    _Alias("Reversible", _abc.Reversible),
    _Alias("AbstractSet", _abc.Set),
)


class TypeVar:
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        self.__name__ = name
        self.__constraints__ = constraints
        self.__bound__ = bound
        self._sign = "+" if covariant else "-" if contravariant else "~"

    def __or__(self, other):
        return _union(self, other)

    def __ror__(self, other):
        return _union(other, self)

    def __repr__(self):
        return self._sign + self.__name__


class ParamSpec(TypeVar):
    @property
    def args(self):
        return Any

    @property
    def kwargs(self):
        return Any


AnyStr = TypeVar("AnyStr", str)


class Generic:
    __slots__ = ()

    def __class_getitem__(cls, args):
        return _GenericAlias(cls, args)


class Protocol(Generic):
    __slots__ = ()


class SupportsInt(Protocol):
    pass


class SupportsFloat(Protocol):
    pass


class SupportsIndex(Protocol):
    pass


def runtime_checkable(cls):
    return cls


_OF_NAMED_TUPLES = ("__annotations__", "__qualname__", "__module__")


class _NamedTupleMeta(type):
    def __new__(mcls, name, bases, namespace):
        if not bases:
            return super().__new__(mcls, name, bases, namespace)
        annotations = namespace.get("__annotations__", {})
        defaults = []
        for field in annotations:
            if field in namespace:
                defaults.append(namespace[field])
            elif defaults:
                raise TypeError(
                    f"non-default namedtuple field {field} cannot follow default fields"
                )
        module = namespace["__module__"]
        made = _namedtuple(name, list(annotations), defaults=defaults, module=module)
        made.__annotations__ = annotations
        for key, value in namespace.items():
            if key not in annotations and key not in _OF_NAMED_TUPLES:
                setattr(made, key, value)
        return made


class _NamedTupleBase(metaclass=_NamedTupleMeta):
    pass


class _NamedTupleForm:
    def __call__(self, typename, fields=(), /, **keywords):
        pairs = list(fields) + list(keywords.items())
        made = _namedtuple(typename, [name for name, _ in pairs])
        made.__annotations__ = dict(pairs)
        return made

    def __mro_entries__(self, bases):
        return (_NamedTupleBase,)


NamedTuple = _NamedTupleForm()


class _TypedDictMeta(type):
    def __new__(mcls, name, bases, namespace, total=True):
        return super().__new__(mcls, name, (dict,), namespace)


class TypedDict(dict, metaclass=_TypedDictMeta):
    pass


class NewType:
    def __init__(self, name, tp):
        self.__name__ = name
        self.__supertype__ = tp

    def __call__(self, value):
        return value

    def __or__(self, other):
        return _union(self, other)

    def __ror__(self, other):
        return _union(other, self)

    def __repr__(self):
        return f"{self.__module__}.{self.__name__}"


def cast(typ, val):
    return val


def overload(func):
    return func


def final(f):
    return f


def no_type_check(arg):
    return arg


def assert_never(arg):
    raise AssertionError(f"Expected code to be unreachable, but got: {arg!r}")


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    return dict(getattr(obj, "__annotations__", {}))


def get_origin(tp):
    return getattr(tp, "__origin__", None)


def get_args(tp):
    return getattr(tp, "__args__", ())
