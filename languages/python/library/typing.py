"""What annotations say: objects that can be written there, that show how they were written, and that
say what they consist of."""

import collections as _collections
import collections.abc as _abc
import contextlib as _contextlib
import re as _re
import sys as _sys
from abc import ABCMeta as _ABCMeta, abstractmethod as _abstractmethod
from types import GenericAlias as _GenericAlias, UnionType as _UnionType

TYPE_CHECKING = False
_NoneType = type(None)


# How types are shown and checked.


def _shown(value):
    if isinstance(value, _GenericAlias):
        return repr(value)
    if isinstance(value, type):
        if value.__module__ == "builtins":
            return value.__qualname__
        return f"{value.__module__}.{value.__qualname__}"
    if value is ...:
        return "..."
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    if hasattr(value, "__code__"):
        return value.__name__
    return repr(value)


def _checked(value, message):
    """An argument of a type: a type, or what stands for one."""
    if value is None:
        return _NoneType
    if isinstance(value, str):
        return ForwardRef(value)
    if isinstance(value, (type, _Typed, _GenericAlias, _UnionType)) or callable(value):
        return value
    raise TypeError(f"{message} Got {value!r:.100}.")


def _as_tuple(args):
    return args if isinstance(args, tuple) else (args,)


def _parameters_of(args):
    """The type variables in arguments, each once."""
    found = []
    for arg in args:
        inner = [arg]
        if not isinstance(arg, TypeVar):
            inner = _parameters_of(arg) if isinstance(arg, list) else _inner(arg)
        found += [one for one in inner if one not in found]
    return tuple(found)


def _inner(arg):
    if isinstance(arg, type) and not isinstance(arg, _GenericAlias):
        return ()
    known = getattr(arg, "__parameters__", None)
    if known is None and isinstance(arg, (_GenericAlias, _UnionType)):
        return _parameters_of(arg.__args__)
    return known if isinstance(known, tuple) else ()


def _substituted(arg, values):
    """An argument with values for the type variables in it."""
    if isinstance(arg, TypeVar):
        return values.get(arg, arg)
    if isinstance(arg, list):
        return [_substituted(one, values) for one in arg]
    parameters = _inner(arg)
    if not parameters:
        return arg
    return arg[tuple(values.get(one, one) for one in parameters)]


class ForwardRef:
    """A type that is named by a text."""

    def __init__(self, arg, is_argument=True, module=None, *, is_class=False):
        if not isinstance(arg, str):
            raise TypeError(f"Forward reference must be a string -- got {arg!r}")
        self.__forward_arg__ = arg

    def __eq__(self, other):
        if not isinstance(other, ForwardRef):
            return NotImplemented
        return self.__forward_arg__ == other.__forward_arg__

    def __hash__(self):
        return hash(self.__forward_arg__)

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]

    def __call__(self):
        raise TypeError("a forward reference is no type")

    def __repr__(self):
        return f"ForwardRef({self.__forward_arg__!r})"


class _Typed:
    """What can be written where a type is."""

    def __or__(self, other):
        return Union[self, other]

    def __ror__(self, other):
        return Union[other, self]


class _Form(_Typed):
    """A special form: what brackets behind it mean is said by a function."""

    def __init__(self, name, make=None):
        self._name = name
        self._make = make

    def __getitem__(self, args):
        if self._make is None:
            raise TypeError(f"typing.{self._name} is not subscriptable")
        return self._make(self, args)

    def __call__(self, *args, **keywords):
        raise TypeError(f"Cannot instantiate typing.{self._name}")

    def __mro_entries__(self, bases):
        raise TypeError(f"Cannot subclass typing.{self._name}")

    def __instancecheck__(self, instance):
        raise TypeError(f"typing.{self._name} cannot be used with isinstance()")

    def __subclasscheck__(self, cls):
        raise TypeError(f"typing.{self._name} cannot be used with issubclass()")

    def __reduce__(self):
        return self._name

    def __repr__(self):
        return f"typing.{self._name}"


class _Subscripted(_Typed):
    """A type with arguments."""

    def __init__(self, origin, args, name=None, cls=None):
        self.__origin__ = origin
        self.__args__ = args
        self.__parameters__ = _parameters_of(args)
        self._name = name
        # What it is called as, or derives from, if that is a class.
        self._class = cls

    def __getitem__(self, args):
        if not self.__parameters__:
            raise TypeError(f"{self!r} is not a generic class")
        args = _as_tuple(args)
        wanted = len(self.__parameters__)
        if len(args) != wanted and not any(isinstance(p, ParamSpec) for p in self.__parameters__):
            what = "many" if len(args) > wanted else "few"
            raise TypeError(
                f"Too {what} arguments for {self!r}; actual {len(args)}, expected {wanted}"
            )
        message = "Parameters to generic types must be types."
        args = [a if isinstance(a, list) else _checked(a, message) for a in args]
        return self._with(dict(zip(self.__parameters__, args)))

    def _with(self, values):
        args = tuple(_substituted(arg, values) for arg in self.__args__)
        if self.__origin__ is Union:
            return Union[args]
        return type(self)(self.__origin__, args, self._name, self._class)

    def __call__(self, *args, **keywords):
        if self._class is None or self._name is not None:
            if self._class is None:
                raise TypeError(f"Cannot instantiate {self!r}")
            name = self._class.__name__
            raise TypeError(f"Type {self._name} cannot be instantiated; use {name}() instead")
        made = self._class(*args, **keywords)
        try:
            made.__orig_class__ = self
        except AttributeError:
            pass
        return made

    def __getattr__(self, name):
        if self._class is None or name.startswith("__") and name.endswith("__"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self._class, name)

    def __mro_entries__(self, bases):
        if self._class is None:
            raise TypeError(f"Cannot subclass {self!r}")
        found = [self._class]
        if self._class is not Generic and self._name is not None and Generic not in bases:
            later = bases[bases.index(self) + 1 :]
            if not any(isinstance(b, _Subscripted) or b is Generic for b in later):
                found.append(Generic)
        if self._class is Generic:
            # It comes last, behind other generic classes.
            others = [b for b in bases if isinstance(b, _Subscripted) and b is not self]
            if any(b._class is not Generic for b in others):
                return ()
        return tuple(found)

    def __instancecheck__(self, instance):
        if self.__origin__ is Union:
            return isinstance(instance, tuple(self.__args__))
        raise TypeError("Subscripted generics cannot be used with class and instance checks")

    def __subclasscheck__(self, cls):
        if self.__origin__ is Union:
            return issubclass(cls, tuple(self.__args__))
        raise TypeError("Subscripted generics cannot be used with class and instance checks")

    def __eq__(self, other):
        if not isinstance(other, _Subscripted) or self.__origin__ is not other.__origin__:
            if self.__origin__ is Union and isinstance(other, _UnionType):
                return set(self.__args__) == set(other.__args__)
            return NotImplemented
        if self.__origin__ is Union:
            return set(self.__args__) == set(other.__args__)
        return self.__args__ == other.__args__

    def __hash__(self):
        if self.__origin__ is Union:
            return hash(frozenset(self.__args__))
        return hash((self.__origin__, self.__args__))

    def __repr__(self):
        args = self.__args__
        if self.__origin__ is Union and len(args) == 2 and _NoneType in args:
            (one,) = [arg for arg in args if arg is not _NoneType]
            return f"typing.Optional[{_shown(one)}]"
        name = _shown(self.__origin__) if self._name is None else f"typing.{self._name}"
        return f"{name}[{', '.join(map(_shown, args)) or '()'}]"


class _Literal(_Subscripted):
    def _key(self):
        return frozenset((type(arg), arg) for arg in self.__args__)

    def __eq__(self, other):
        return self._key() == other._key() if isinstance(other, _Literal) else NotImplemented

    def __hash__(self):
        return hash(self._key())

    def __repr__(self):
        return f"typing.Literal[{', '.join(map(repr, self.__args__))}]"


class _Annotated(_Subscripted):
    def __init__(self, origin, args, metadata=(), cls=None):
        super().__init__(origin, (origin,), None, cls)
        self.__metadata__ = metadata

    def _with(self, values):
        return _Annotated(_substituted(self.__origin__, values), (), self.__metadata__)

    def __eq__(self, other):
        if not isinstance(other, _Annotated):
            return NotImplemented
        return (self.__origin__, self.__metadata__) == (other.__origin__, other.__metadata__)

    def __hash__(self):
        return hash((self.__origin__, self.__metadata__))

    def __call__(self, *args, **keywords):
        return self.__origin__(*args, **keywords)

    def __repr__(self):
        shown = ", ".join(map(repr, self.__metadata__))
        return f"typing.Annotated[{_shown(self.__origin__)}, {shown}]"


class _CallableType(_Subscripted):
    def _parts(self):
        """What it is called with, as a list if that is known, and what it returns."""
        *before, result = self.__args__
        if len(before) == 1 and (before[0] is ... or isinstance(before[0], (ParamSpec, _Joined))):
            return before[0], result
        return before, result

    def _with(self, values):
        made = []
        for arg in self.__args__:
            new = _substituted(arg, values)
            made += new if isinstance(new, list) else [new]
        return _CallableType(self.__origin__, tuple(made), self._name, self._class)

    def __repr__(self):
        before, result = self._parts()
        return f"typing.Callable[{_shown(before)}, {_shown(result)}]"


class _Joined(_Subscripted):
    """What `Concatenate` makes."""


# The special forms.


def _union_of(form, args):
    if args == ():
        raise TypeError("Cannot take a Union of no types.")
    flat = []
    for arg in _as_tuple(args):
        arg = _checked(arg, "Union[arg, ...]: each arg must be a type.")
        is_union = isinstance(arg, _UnionType) or getattr(arg, "__origin__", None) is Union
        for one in arg.__args__ if is_union else (arg,):
            if one not in flat:
                flat.append(one)
    return flat[0] if len(flat) == 1 else _Subscripted(Union, tuple(flat), "Union")


def _optional_of(form, arg):
    return Union[_checked(arg, "Optional[t] requires a single type."), None]


def _literal_of(form, args):
    flat = []
    for arg in _as_tuple(args):
        for one in arg.__args__ if isinstance(arg, _Literal) else (arg,):
            if not any(type(one) is type(known) and one == known for known in flat):
                flat.append(one)
    return _Literal(Literal, tuple(flat), "Literal")


def _annotated_of(form, args):
    if not isinstance(args, tuple) or len(args) < 2:
        raise TypeError(
            "Annotated[...] should be used with at least two arguments (a type and an annotation)."
        )
    origin, *metadata = args
    origin = _checked(origin, "Annotated[t, ...]: t must be a type.")
    if isinstance(origin, _Annotated):
        origin, metadata = origin.__origin__, [*origin.__metadata__, *metadata]
    return _Annotated(origin, (), tuple(metadata))


def _single(form, arg):
    arg = _checked(arg, f"typing.{form._name} accepts only single type.")
    return _Subscripted(form, (arg,), form._name)


def _concatenated(form, args):
    args = _as_tuple(args)
    if not (args[-1] is ... or isinstance(args[-1], ParamSpec)):
        raise TypeError(
            "The last parameter to Concatenate should be a ParamSpec variable or ellipsis."
        )
    return _Joined(form, args, "Concatenate")


class _AnyMeta(type):
    def __instancecheck__(cls, instance):
        if cls is Any:
            raise TypeError("typing.Any cannot be used with isinstance()")
        return super().__instancecheck__(instance)

    def __repr__(cls):
        return "typing.Any" if cls is Any else super().__repr__()


class Any(metaclass=_AnyMeta):
    """Any type."""

    def __new__(cls, *args, **keywords):
        if cls is Any:
            raise TypeError("Any cannot be instantiated")
        return super().__new__(cls)


NoReturn, Never, Self = _Form("NoReturn"), _Form("Never"), _Form("Self")
LiteralString, TypeAlias = _Form("LiteralString"), _Form("TypeAlias")
Union, Optional = _Form("Union", _union_of), _Form("Optional", _optional_of)
Literal, Annotated = _Form("Literal", _literal_of), _Form("Annotated", _annotated_of)
ClassVar, Final = _Form("ClassVar", _single), _Form("Final", _single)
Required, NotRequired = _Form("Required", _single), _Form("NotRequired", _single)
TypeGuard, Unpack = _Form("TypeGuard", _single), _Form("Unpack", _single)
Concatenate = _Form("Concatenate", _concatenated)


# Type variables, and classes that have some.


class TypeVar(_Typed):
    def __init__(self, name, *constraints, bound=None, covariant=False, contravariant=False):
        if covariant and contravariant:
            raise ValueError("Bivariant types are not supported.")
        if len(constraints) == 1:
            raise TypeError("A single constraint is not allowed")
        message = "TypeVar(name, constraint, ...): constraints must be types."
        self.__name__ = name
        self.__constraints__ = tuple(_checked(one, message) for one in constraints)
        self.__bound__ = None if bound is None else _checked(bound, "Bound must be a type.")
        self.__covariant__, self.__contravariant__ = covariant, contravariant
        self.__module__ = _caller()

    def __call__(self):
        raise TypeError("a type variable is no type")

    def __mro_entries__(self, bases):
        raise TypeError(f"Cannot subclass an instance of {type(self).__name__}")

    def __repr__(self):
        sign = "+" if self.__covariant__ else "-" if self.__contravariant__ else "~"
        return sign + self.__name__


class ParamSpecArgs(_Typed):
    _attribute = "args"

    def __init__(self, origin):
        self.__origin__ = origin

    def __call__(self):
        raise TypeError("it is no type")

    def __repr__(self):
        return f"{self.__origin__.__name__}.{self._attribute}"


class ParamSpecKwargs(ParamSpecArgs):
    _attribute = "kwargs"


class ParamSpec(TypeVar):
    @property
    def args(self):
        return ParamSpecArgs(self)

    @property
    def kwargs(self):
        return ParamSpecKwargs(self)


class TypeVarTuple(TypeVar):
    def __init__(self, name):
        super().__init__(name)

    def __iter__(self):
        yield Unpack[self]

    def __repr__(self):
        return self.__name__


def _caller(depth=0):
    """The name of the module that has called the library."""
    try:
        return _sys._getframe(depth).f_globals.get("__name__", "__main__")
    except (AttributeError, ValueError):
        return None


AnyStr = TypeVar("AnyStr", bytes, str)
T, KT, VT = TypeVar("T"), TypeVar("KT"), TypeVar("VT")
T_co = TypeVar("T_co", covariant=True)


class Generic:
    """A class with type variables."""

    __slots__ = ()
    _is_protocol = False

    def __class_getitem__(cls, args):
        args = _as_tuple(args)
        if cls is Generic or cls is Protocol:
            if not args:
                raise TypeError(f"Parameter list to {cls.__qualname__}[...] cannot be empty")
            if not all(isinstance(arg, (TypeVar, _Subscripted)) for arg in args):
                raise TypeError(
                    f"Parameters to {cls.__name__}[...] must all be type variables "
                    "or parameter specification variables."
                )
            if len(set(args)) != len(args):
                raise TypeError(f"Parameters to {cls.__name__}[...] must all be unique")
            return _Subscripted(cls, args, None if cls is Generic else None, cls)
        wanted = getattr(cls, "__parameters__", ())
        if not wanted:
            raise TypeError(f"{cls!r} is not a generic class")
        is_open = any(isinstance(one, (ParamSpec, TypeVarTuple)) for one in wanted)
        if len(args) != len(wanted) and not is_open:
            what = "many" if len(args) > len(wanted) else "few"
            raise TypeError(
                f"Too {what} arguments for {cls!r}; actual {len(args)}, expected {len(wanted)}"
            )
        message = "Parameters to generic types must be types."
        args = tuple(a if isinstance(a, list) or a is ... else _checked(a, message) for a in args)
        return _Subscripted(cls, args, None, cls)

    def __init_subclass__(cls, *args, **keywords):
        super().__init_subclass__(*args, **keywords)
        bases = cls.__dict__.get("__orig_bases__", ())
        own = [b for b in bases if isinstance(b, _Subscripted) and b._class in (Generic, Protocol)]
        if Generic in bases:
            raise TypeError("Cannot inherit from plain Generic")
        if own:
            cls.__parameters__ = own[0].__parameters__
        else:
            cls.__parameters__ = _parameters_of(bases)


# Protocols.

_OF_CLASSES = frozenset(
    """__abstractmethods__ __annotations__ __dict__ __doc__ __init__ __module__ __new__ __slots__
    __subclasshook__ __weakref__ __class_getitem__ __orig_bases__ __parameters__ __qualname__
    __init_subclass__ __match_args__ __static_attributes__ __firstlineno__ __hash__
    _is_protocol _is_runtime_protocol _abc_impl""".split()
)


def _members(cls):
    """What an object has to have for a protocol."""
    found = set()
    for base in cls.__mro__[:-1]:
        if base.__dict__.get("_is_protocol", False) and base not in (Protocol, Generic):
            names = [*base.__dict__, *base.__dict__.get("__annotations__", {})]
            names = [name for name in names if name not in _OF_CLASSES]
            found.update(name for name in names if not name.startswith("_abc_"))
    return found


class _ProtocolMeta(_ABCMeta):
    def __instancecheck__(cls, instance):
        if not cls.__dict__.get("_is_protocol", False):
            return super().__instancecheck__(instance)
        if not getattr(cls, "_is_runtime_protocol", False):
            raise TypeError(
                "Instance and class checks can only be used with @runtime_checkable protocols"
            )
        if cls in instance.__class__.__mro__:
            return True
        for name in _members(cls):
            if not hasattr(instance, name):
                return False
            if callable(getattr(cls, name, None)) and getattr(instance, name) is None:
                return False
        return True

    def __subclasscheck__(cls, other):
        if not cls.__dict__.get("_is_protocol", False):
            return super().__subclasscheck__(other)
        if not getattr(cls, "_is_runtime_protocol", False):
            raise TypeError(
                "Instance and class checks can only be used with @runtime_checkable protocols"
            )
        names = _members(cls)
        if not all(callable(getattr(cls, name, None)) for name in names):
            raise TypeError("Protocols with non-method members don't support issubclass()")
        if not isinstance(other, type):
            raise TypeError("issubclass() arg 1 must be a class")
        return all(getattr(other, name, None) is not None for name in names)


class Protocol(Generic, metaclass=_ProtocolMeta):
    """What has certain attributes."""

    __slots__ = ()
    _is_protocol = True

    def __init_subclass__(cls, *args, **keywords):
        super().__init_subclass__(*args, **keywords)
        cls._is_protocol = Protocol in cls.__bases__

    def __new__(cls, *args, **keywords):
        if cls.__dict__.get("_is_protocol", False):
            raise TypeError("Protocols cannot be instantiated")
        return super().__new__(cls)


def runtime_checkable(cls):
    if not (isinstance(cls, type) and getattr(cls, "_is_protocol", False)):
        raise TypeError(
            f"@runtime_checkable can be only applied to protocol classes, got {cls!r}"
        )
    cls._is_runtime_protocol = True
    return cls


def _supports(name, method, result):
    """A protocol of one method."""

    @_abstractmethod
    def function(self):
        pass

    function.__name__ = method
    bases = (Protocol,) if result is None else (Protocol[T_co],)
    from types import new_class

    made = new_class(name, bases, {}, lambda body: body.update({method: function}))
    made.__module__ = "typing"
    return runtime_checkable(made)


SupportsInt, SupportsFloat = _supports("SupportsInt", "__int__", None), _supports(
    "SupportsFloat", "__float__", None
)
SupportsIndex = _supports("SupportsIndex", "__index__", None)
SupportsBytes = _supports("SupportsBytes", "__bytes__", None)
SupportsComplex = _supports("SupportsComplex", "__complex__", None)
SupportsAbs, SupportsRound = _supports("SupportsAbs", "__abs__", T_co), _supports(
    "SupportsRound", "__round__", T_co
)


# The names that builtin and abstract classes have here.


class _Named(_Typed):
    """A class under another name."""

    def __init__(self, name, origin, count):
        self._name = name
        self.__origin__ = origin
        # How many arguments it takes, or -1.
        self._count = count

    def __getitem__(self, args):
        args = _as_tuple(args)
        if self._count >= 0 and len(args) != self._count:
            what = "many" if len(args) > self._count else "few"
            raise TypeError(
                f"Too {what} arguments for {self!r}; actual {len(args)}, expected {self._count}"
            )
        message = "Parameters to generic types must be types."
        args = tuple(arg if arg is ... else _checked(arg, message) for arg in args)
        return _Subscripted(self.__origin__, args, self._name, self.__origin__)

    def __call__(self, *args, **keywords):
        if self.__origin__.__module__ != "builtins":
            return self.__origin__(*args, **keywords)
        name = self.__origin__.__name__
        raise TypeError(f"Type {self._name} cannot be instantiated; use {name}() instead")

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(f"type object {self._name!r} has no attribute {name!r}")
        return getattr(self.__origin__, name)

    def __mro_entries__(self, bases):
        return (self.__origin__, Generic) if Generic not in bases else (self.__origin__,)

    def __instancecheck__(self, instance):
        return isinstance(instance, self.__origin__)

    def __subclasscheck__(self, cls):
        return issubclass(cls, self.__origin__)

    def __repr__(self):
        return f"typing.{self._name}"


class _NamedCallable(_Named):
    def __getitem__(self, args):
        if not isinstance(args, tuple) or len(args) != 2:
            raise TypeError("Callable must be used as Callable[[arg, ...], result].")
        before, result = args
        result = _checked(result, "Callable[args, result]: result must be a type.")
        if isinstance(before, list):
            message = "Callable[[arg, ...], result]: each arg must be a type."
            flat = [_checked(arg, message) for arg in before]
        elif before is ... or isinstance(before, (ParamSpec, _Joined)):
            flat = [before]
        else:
            raise TypeError(
                "Callable[args, result]: args must be a list. " f"Got {before}"
            )
        return _CallableType(self.__origin__, (*flat, result), "Callable", self.__origin__)


class _NamedTuple(_Named):
    def __getitem__(self, args):
        if args == ():
            return _Subscripted(tuple, (), "Tuple", tuple)
        return super().__getitem__(args)


List, Set, FrozenSet = _Named("List", list, 1), _Named("Set", set, 1), _Named(
    "FrozenSet", frozenset, 1
)
Dict, Type, Tuple = _Named("Dict", dict, 2), _Named("Type", type, 1), _NamedTuple("Tuple", tuple, -1)
Callable = _NamedCallable("Callable", _abc.Callable, 2)
for _name, _count in (
    ("Awaitable", 1), ("Coroutine", 3), ("AsyncIterable", 1), ("AsyncIterator", 1),
    ("AsyncGenerator", 2), ("Iterable", 1), ("Iterator", 1), ("Generator", 3), ("Hashable", 0),
    ("Sized", 0), ("Container", 1), ("Collection", 1), ("Reversible", 1), ("Sequence", 1),
    ("MutableSequence", 1), ("ByteString", 0), ("Mapping", 2), ("MutableMapping", 2),
    ("MutableSet", 1), ("MappingView", 1), ("KeysView", 1), ("ItemsView", 2), ("ValuesView", 1),
):  # fmt: skip
    if hasattr(_abc, _name):
        globals()[_name] = _Named(_name, getattr(_abc, _name), _count)
AbstractSet = _Named("AbstractSet", _abc.Set, 1)
Deque, DefaultDict = _Named("Deque", _collections.deque, 1), _Named(
    "DefaultDict", _collections.defaultdict, 2
)
OrderedDict = _Named("OrderedDict", _collections.OrderedDict, 2)
Counter, ChainMap = _Named("Counter", _collections.Counter, 1), _Named(
    "ChainMap", _collections.ChainMap, 2
)
for _name, _own in (
    ("ContextManager", "AbstractContextManager"),
    ("AsyncContextManager", "AbstractAsyncContextManager"),
):
    if hasattr(_contextlib, _own):
        globals()[_name] = _Named(_name, getattr(_contextlib, _own), 1)
Pattern, Match = _Named("Pattern", _re.Pattern, 1), _Named("Match", _re.Match, 1)
Text = str
del _name, _count, _own


class IO(Generic[AnyStr]):
    """A stream."""


class TextIO(IO[str]):
    pass


class BinaryIO(IO[bytes]):
    pass


# Classes that are made by their annotations.

_OF_NAMED_TUPLES = ("__annotations__", "__qualname__", "__module__", "__orig_bases__")
_NOT_IN_NAMED_TUPLES = ("__new__", "__init__", "__slots__", "__getnewargs__", "_fields")


def _as_annotation(value):
    if value is None:
        return _NoneType
    return ForwardRef(value) if isinstance(value, str) else value


class _NamedTupleMeta(type):
    def __new__(mcls, name, bases, namespace):
        if not bases:
            return super().__new__(mcls, name, bases, namespace)
        written = namespace.get("__annotations__", {})
        annotations = {key: _as_annotation(value) for key, value in written.items()}
        defaults = []
        for field in annotations:
            if field in namespace:
                defaults.append(namespace[field])
            elif defaults:
                raise TypeError(
                    f"non-default namedtuple field {field} cannot follow default fields"
                )
        module = namespace["__module__"]
        made = _collections.namedtuple(name, list(annotations), defaults=defaults, module=module)
        made.__annotations__ = annotations
        made.__orig_bases__ = (NamedTuple,)
        for key, value in namespace.items():
            if key in _NOT_IN_NAMED_TUPLES:
                raise AttributeError(f"Cannot overwrite NamedTuple attribute {key}")
            if key not in annotations and key not in _OF_NAMED_TUPLES:
                setattr(made, key, value)
        return made


class _NamedTupleBase(metaclass=_NamedTupleMeta):
    pass


class _NamedTupleForm:
    def __call__(self, typename, fields=(), /, **keywords):
        pairs = list(fields) + list(keywords.items())
        made = _collections.namedtuple(typename, [name for name, _ in pairs], module=_caller())
        made.__annotations__ = {name: _as_annotation(value) for name, value in pairs}
        return made

    def __mro_entries__(self, bases):
        return (_NamedTupleBase,)

    def __repr__(self):
        return "<function NamedTuple>"


NamedTuple = _NamedTupleForm()


class _TypedDictMeta(type):
    def __new__(mcls, name, bases, namespace, total=True):
        made = super().__new__(mcls, name, (dict,), namespace)
        annotations, required, optional = {}, set(), set()
        for base in bases:
            annotations.update(base.__dict__.get("__annotations__", {}))
            required |= base.__dict__.get("__required_keys__", set())
            optional |= base.__dict__.get("__optional_keys__", set())
        for key, value in namespace.get("__annotations__", {}).items():
            value = annotations[key] = _as_annotation(value)
            form = getattr(value, "__origin__", None)
            is_required = form is Required or total and form is not NotRequired
            (required if is_required else optional).add(key)
        made.__annotations__ = annotations
        made.__required_keys__ = frozenset(required)
        made.__optional_keys__ = frozenset(optional)
        made.__total__ = total
        return made

    def __call__(cls, *args, **keywords):
        return dict(*args, **keywords)

    def __instancecheck__(cls, instance):
        raise TypeError("TypedDict does not support instance and class checks")

    def __subclasscheck__(cls, other):
        raise TypeError("TypedDict does not support instance and class checks")


class _TypedDictForm:
    def __call__(self, typename, fields=(), /, *, total=True, **keywords):
        namespace = {"__annotations__": dict(fields, **keywords), "__module__": _caller()}
        return _TypedDictMeta(typename, (), namespace, total=total)

    def __mro_entries__(self, bases):
        return (_TypedDictBase,)


_TypedDictBase = type.__new__(_TypedDictMeta, "TypedDict", (dict,), {})
TypedDict = _TypedDictForm()


def is_typeddict(tp):
    return isinstance(tp, _TypedDictMeta)


class NewType(_Typed):
    """A type that is another one to the interpreter."""

    def __init__(self, name, tp):
        self.__qualname__ = name
        self.__name__ = name.rpartition(".")[2]
        self.__supertype__ = tp
        module = _caller()
        if module != "typing":
            self.__module__ = module

    def __call__(self, value, /):
        return value

    def __mro_entries__(self, bases):
        name = self.__name__
        raise TypeError(
            f"Cannot subclass an instance of NewType. Perhaps you were looking for: "
            f"`{bases[0].__name__} = NewType({bases[0].__name__!r}, {name})`"
        )

    def __repr__(self):
        return f"{self.__module__}.{self.__qualname__}"


# Functions.


def cast(typ, val):
    return val


def reveal_type(obj, /):
    print(f"Runtime type is {type(obj).__name__!r}", file=_sys.stderr)
    return obj


def assert_type(val, typ, /):
    return val


def assert_never(arg, /):
    shown = repr(arg)
    if len(shown) > 100:
        shown = shown[:100] + "..."
    raise AssertionError(f"Expected code to be unreachable, but got: {shown}")


_overloads = {}


def _not_to_be_called(*args, **keywords):
    raise NotImplementedError(
        "You should not call an overloaded function. "
        "A series of @overload-decorated functions outside a stub module should always be "
        "followed by an implementation that is not @overload-ed."
    )


def overload(func):
    inner = getattr(func, "__func__", func)
    key = inner.__module__, inner.__qualname__
    _overloads.setdefault(key, []).append(func)
    return _not_to_be_called


def get_overloads(func):
    inner = getattr(func, "__func__", func)
    return list(_overloads.get((inner.__module__, inner.__qualname__), ()))


def clear_overloads():
    _overloads.clear()


def final(f):
    try:
        f.__final__ = True
    except (AttributeError, TypeError):
        pass
    return f


def no_type_check(arg):
    try:
        arg.__no_type_check__ = True
    except TypeError:
        pass
    return arg


def dataclass_transform(**options):
    def mark(made):
        made.__dataclass_transform__ = options
        return made

    return mark


def _evaluated(value, globals, locals):
    """A type with what its texts name."""
    if isinstance(value, str):
        value = ForwardRef(value)
    if isinstance(value, ForwardRef):
        written = value.__forward_arg__
        return _evaluated(eval(written, dict(globals), dict(locals)), globals, locals)
    if value is None:
        return _NoneType
    if isinstance(value, _Annotated):
        inner = _evaluated(value.__origin__, globals, locals)
        return _Annotated(inner, (), value.__metadata__)
    if isinstance(value, _Literal) or isinstance(value, type):
        return value
    if isinstance(value, _GenericAlias):
        args = tuple(_evaluated(arg, globals, locals) for arg in value.__args__)
        return _GenericAlias(value.__origin__, args)
    if isinstance(value, _Subscripted):
        args = tuple(
            arg if arg is ... else _evaluated(arg, globals, locals) for arg in value.__args__
        )
        if value.__origin__ is Union:
            return Union[args]
        return type(value)(value.__origin__, args, value._name, value._class)
    return value


def _without_extras(value):
    if isinstance(value, _Annotated):
        return _without_extras(value.__origin__)
    if getattr(value, "__origin__", None) in (Required, NotRequired):
        return _without_extras(value.__args__[0])
    if isinstance(value, _GenericAlias) and not isinstance(value, type):
        args = tuple(map(_without_extras, value.__args__))
        return value if args == value.__args__ else _GenericAlias(value.__origin__, args)
    if isinstance(value, _Subscripted) and not isinstance(value, _Literal):
        args = tuple(map(_without_extras, value.__args__))
        if args == value.__args__:
            return value
        if value.__origin__ is Union:
            return Union[args]
        return type(value)(value.__origin__, args, value._name, value._class)
    return value


def get_type_hints(obj, globalns=None, localns=None, include_extras=False):
    if getattr(obj, "__no_type_check__", None):
        return {}
    hints = {}
    if isinstance(obj, type):
        for base in reversed(obj.__mro__):
            module = _sys.modules.get(base.__module__)
            globals = dict(vars(module)) if globalns is None and module else globalns or {}
            locals = dict(vars(base)) if localns is None else localns
            for name, value in dict(base.__dict__.get("__annotations__", {})).items():
                hints[name] = _evaluated(value, globals, locals)
    else:
        inner = obj
        while hasattr(inner, "__wrapped__"):
            inner = inner.__wrapped__
        if globalns is None:
            globalns = getattr(inner, "__globals__", None)
            if globalns is None:
                globalns = vars(obj) if hasattr(obj, "__path__") or hasattr(obj, "__file__") else {}
        annotations = getattr(obj, "__annotations__", None)
        if annotations is None:
            if callable(obj):
                return {}
            raise TypeError(f"{obj!r} is not a module, class, method, or function.")
        for name, value in dict(annotations).items():
            hints[name] = _evaluated(value, globalns, localns or {})
    if include_extras:
        return hints
    return {name: _without_extras(value) for name, value in hints.items()}


def get_origin(tp):
    if isinstance(tp, _Annotated):
        return Annotated
    if isinstance(tp, (_Subscripted, _Named, _GenericAlias, ParamSpecArgs)):
        return tp.__origin__
    if isinstance(tp, _UnionType):
        return _UnionType
    return Generic if tp is Generic else None


def get_args(tp):
    if isinstance(tp, _Annotated):
        return (tp.__origin__, *tp.__metadata__)
    if isinstance(tp, _CallableType):
        return tp._parts()
    if isinstance(tp, (_Subscripted, _GenericAlias, _UnionType)):
        args = tp.__args__
        if tp.__origin__ is _abc.Callable if hasattr(tp, "__origin__") else False:
            if len(args) == 2 and isinstance(args[0], list):
                return args
            if args and args[0] is not ...:
                return list(args[:-1]), args[-1]
        return args
    return ()
