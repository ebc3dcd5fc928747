"""Classes that are made of fields: their methods are compiled from a text, as if written."""

from _verdigris import source_module as _source_module


class FrozenInstanceError(AttributeError):
    pass


class _Missing:
    def __repr__(self):
        return "<dataclasses._MISSING_TYPE object>"


class _Factory:
    def __repr__(self):
        return "<factory>"


MISSING = _Missing()
KW_ONLY = object()
_FACTORY = _Factory()


class InitVar:
    def __init__(self, type):
        self.type = type

    def __class_getitem__(cls, type):
        return InitVar(type)


class Field:
    def __init__(self, default, default_factory, init, repr, hash, compare, metadata, kw_only):
        self.name = None
        self.type = None
        self.default = default
        self.default_factory = default_factory
        self.init = init
        self.repr = repr
        self.hash = hash
        self.compare = compare
        self.metadata = {} if metadata is None else metadata
        self.kw_only = kw_only
        self._is_init_var = False

    def __repr__(self):
        return (
            f"Field(name={self.name!r},type={self.type!r},default={self.default!r},"
            f"default_factory={self.default_factory!r},init={self.init!r},repr={self.repr!r},"
            f"hash={self.hash!r},compare={self.compare!r},metadata={self.metadata!r},"
            f"kw_only={self.kw_only!r})"
        )


def field(
    *,
    default=MISSING,
    default_factory=MISSING,
    init=True,
    repr=True,
    hash=None,
    compare=True,
    metadata=None,
    kw_only=MISSING,
):
    if default is not MISSING and default_factory is not MISSING:
        raise ValueError("cannot specify both default and default_factory")
    return Field(default, default_factory, init, repr, hash, compare, metadata, kw_only)


def _is_written(annotation, name):
    """Whether an annotation that is a text begins with a name, maybe behind that of a module."""
    if not isinstance(annotation, str):
        return False
    first = annotation.partition("[")[0].strip()
    return first.rpartition(".")[2] == name


def _is_class_var(annotation):
    if isinstance(annotation, str):
        return _is_written(annotation, "ClassVar")
    return repr(annotation).startswith("typing.ClassVar")


def _own_fields(cls, kw_only):
    result = []
    for name, annotation in cls.__dict__.get("__annotations__", {}).items():
        if annotation is KW_ONLY or _is_written(annotation, "KW_ONLY"):
            kw_only = True
            continue
        if _is_class_var(annotation):
            continue
        default = getattr(cls, name, MISSING)
        if isinstance(default, Field):
            made = default
            if made.default is MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, made.default)
        else:
            made = field(default=default)
        if made.default_factory is MISSING and made.default.__class__.__hash__ is None:
            raise ValueError(
                f"mutable default {made.default.__class__} for field {name} is not allowed: "
                "use default_factory"
            )
        made.name = name
        made.type = annotation
        if made.kw_only is MISSING:
            made.kw_only = kw_only
        if isinstance(annotation, InitVar) or _is_written(annotation, "InitVar"):
            made._is_init_var = True
        result.append(made)
    return result


def _compiled(cls, name, parameters, body, names):
    # A class of the same name around it, so that messages call it by that.
    lines = [f"class {cls.__name__}:", f"    def {name}({', '.join(parameters)}):"]
    lines += ["        " + line for line in body or ["pass"]]
    made = _source_module("dataclass_" + cls.__name__, "\n".join(lines) + "\n", names)
    return getattr(made, cls.__name__).__dict__[name]


def _init(cls, fields, is_frozen):
    names = {"_FACTORY": _FACTORY, "_set": object.__setattr__}
    positional, by_keyword, body, has_default = [], [], [], False
    for made in fields:
        name = made.name
        value = name
        if made.default_factory is not MISSING:
            names[f"_factory_{name}"] = made.default_factory
            value = f"_factory_{name}()"
            if made.init:
                value = f"{value} if {name} is _FACTORY else {name}"
        elif not made.init:
            continue
        if made.init:
            parameter = name
            if made.default is not MISSING:
                names[f"_default_{name}"] = made.default
                parameter = f"{name}=_default_{name}"
            elif made.default_factory is not MISSING:
                parameter = f"{name}=_FACTORY"
            elif has_default and not made.kw_only:
                raise TypeError(f"non-default argument {name!r} follows default argument")
            has_default = has_default or (parameter != name and not made.kw_only)
            (by_keyword if made.kw_only else positional).append(parameter)
        if not made._is_init_var:
            if is_frozen:
                body.append(f"_set(self, {name!r}, {value})")
            else:
                body.append(f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        variables = [made.name for made in fields if made._is_init_var]
        body.append(f"self.__post_init__({', '.join(variables)})")
    parameters = ["self"] + positional + (["*"] + by_keyword if by_keyword else [])
    return _compiled(cls, "__init__", parameters, body, names)


def _tuple_of(of, fields):
    return "(" + "".join([f"{of}.{made.name}, " for made in fields]) + ")"


def _set_new(cls, name, function):
    if name in cls.__dict__:
        return False
    setattr(cls, name, function)
    return True


def _frozen_methods(cls, fields):
    names = tuple([made.name for made in fields])

    def __setattr__(self, name, value):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self, name):
        if type(self) is cls or name in names:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    for method in (__setattr__, __delattr__):
        if not _set_new(cls, method.__name__, method):
            raise TypeError(
                f"Cannot overwrite attribute {method.__name__} in class {cls.__name__}"
            )


class _DataclassParams:
    """What a class was made with."""

    def __init__(self, **params):
        self.__dict__.update(params)

    def __repr__(self):
        return f"_DataclassParams({','.join(f'{k}={v!r}' for k, v in vars(self).items())})"


def _with_slots(cls, is_frozen, has_weakref):
    """The same class with a slot for each field: it has to be made again for that."""
    if "__slots__" in cls.__dict__:
        raise TypeError(f"{cls.__name__} already specifies __slots__")
    names = tuple(made.name for made in fields(cls))
    known = set()
    for base in cls.__mro__[1:-1]:
        slots = base.__dict__.get("__slots__", ())
        known.update([slots] if isinstance(slots, str) else slots)
    slots = tuple(name for name in names if name not in known)
    if has_weakref and "__weakref__" not in known:
        slots += ("__weakref__",)
    left_out = {*names, "__dict__", "__weakref__"}
    namespace = {k: v for k, v in cls.__dict__.items() if k not in left_out}
    namespace["__slots__"] = slots
    made = type(cls)(cls.__name__, cls.__bases__, namespace)
    made.__qualname__ = cls.__qualname__
    if is_frozen:
        if "__getstate__" not in cls.__dict__:
            made.__getstate__ = _values_of
        if "__setstate__" not in cls.__dict__:
            made.__setstate__ = _set_values
    return made


def _values_of(self):
    return [getattr(self, made.name) for made in fields(self)]


def _set_values(self, state):
    for made, value in zip(fields(self), state):
        object.__setattr__(self, made.name, value)


def _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only):
    all_fields = {}
    for base in reversed(cls.__mro__[1:]):
        for made in getattr(base, "__dataclass_fields__", {}).values():
            all_fields[made.name] = made
        parameters = getattr(base, "__dataclass_params__", None)
        if parameters is not None and parameters.frozen != frozen:
            if frozen:
                raise TypeError("cannot inherit frozen dataclass from a non-frozen one")
            raise TypeError("cannot inherit non-frozen dataclass from a frozen one")
    for made in _own_fields(cls, kw_only):
        all_fields[made.name] = made
    cls.__dataclass_fields__ = all_fields
    cls.__dataclass_params__ = _DataclassParams(
        init=init, repr=repr, eq=eq, order=order, unsafe_hash=unsafe_hash, frozen=frozen
    )
    in_init = list(all_fields.values())
    listed = [made for made in in_init if not made._is_init_var]
    if init:
        cls.__init__ = _init(cls, in_init, frozen)
    if repr:
        shown = [f"{made.name}={{self.{made.name}!r}}" for made in listed if made.repr]
        name = "{self.__class__.__qualname__}"
        body = [f'return f"{name}({", ".join(shown)})"']
        _set_new(cls, "__repr__", _compiled(cls, "__repr__", ["self"], body, {}))
    compared = [made for made in listed if made.compare]
    a, b = _tuple_of("self", compared), _tuple_of("other", compared)
    test = ["if other.__class__ is not self.__class__:", "    return NotImplemented"]
    if eq:
        body = test + [f"return {a} == {b}"]
        _set_new(cls, "__eq__", _compiled(cls, "__eq__", ["self", "other"], body, {}))
    if order:
        if not eq:
            raise ValueError("eq must be true if order is true")
        for name, sign in (("__lt__", "<"), ("__le__", "<="), ("__gt__", ">"), ("__ge__", ">=")):
            body = test + [f"return {a} {sign} {b}"]
            if not _set_new(cls, name, _compiled(cls, name, ["self", "other"], body, {})):
                raise TypeError(
                    f"Cannot overwrite attribute {name} in class {cls.__name__}. "
                    "Consider using functools.total_ordering"
                )
    if frozen:
        _frozen_methods(cls, listed)
    own_hash = cls.__dict__.get("__hash__")
    has_hash = own_hash is not None and "__hash__" in cls.__dict__
    if unsafe_hash or (eq and frozen and not has_hash):
        if unsafe_hash and has_hash:
            raise TypeError(f"Cannot overwrite attribute __hash__ in class {cls.__name__}")
        hashed = [made for made in listed if (made.compare if made.hash is None else made.hash)]
        body = [f"return hash({_tuple_of('self', hashed)})"]
        cls.__hash__ = _compiled(cls, "__hash__", ["self"], body, {})
    elif eq and not frozen and not has_hash:
        cls.__hash__ = None
    if match_args:
        names = [made.name for made in in_init if made.init and not made.kw_only]
        _set_new(cls, "__match_args__", tuple(names))
    if not cls.__doc__:
        cls.__doc__ = cls.__name__
    return cls


def dataclass(
    cls=None,
    /,
    *,
    init=True,
    repr=True,
    eq=True,
    order=False,
    unsafe_hash=False,
    frozen=False,
    match_args=True,
    kw_only=False,
    slots=False,
    weakref_slot=False,
):
    def wrap(cls):
        made = _process(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only)
        if weakref_slot and not slots:
            raise TypeError("weakref_slot is True but slots is False")
        return _with_slots(made, frozen, weakref_slot) if slots else made

    return wrap if cls is None else wrap(cls)


def fields(class_or_instance):
    found = getattr(class_or_instance, "__dataclass_fields__", None)
    if found is None:
        raise TypeError("must be called with a dataclass type or instance")
    return tuple([made for made in found.values() if not made._is_init_var])


def is_dataclass(obj):
    return hasattr(obj if isinstance(obj, type) else type(obj), "__dataclass_fields__")


def _is_instance(obj):
    return hasattr(type(obj), "__dataclass_fields__")


def _plain(value, convert, dict_factory):
    if _is_instance(value):
        return convert(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*[_plain(item, convert, dict_factory) for item in value])
    if isinstance(value, (list, tuple)):
        return type(value)([_plain(item, convert, dict_factory) for item in value])
    if isinstance(value, dict):
        return type(value)(
            [
                (_plain(key, convert, dict_factory), _plain(item, convert, dict_factory))
                for key, item in value.items()
            ]
        )
    return value


def asdict(obj, *, dict_factory=dict):
    if not _is_instance(obj):
        raise TypeError("asdict() should be called on dataclass instances")

    def convert(obj):
        return dict_factory(
            [
                (made.name, _plain(getattr(obj, made.name), convert, dict_factory))
                for made in fields(obj)
            ]
        )

    return convert(obj)


def astuple(obj, *, tuple_factory=tuple):
    if not _is_instance(obj):
        raise TypeError("astuple() should be called on dataclass instances")

    def convert(obj):
        return tuple_factory(
            [_plain(getattr(obj, made.name), convert, None) for made in fields(obj)]
        )

    return convert(obj)


def replace(obj, /, **changes):
    if not _is_instance(obj):
        raise TypeError("replace() should be called on dataclass instances")
    for made in obj.__dataclass_fields__.values():
        if not made.init:
            if made.name in changes:
                raise ValueError(
                    f"field {made.name} is declared with init=False, "
                    "it cannot be specified with replace()"
                )
        elif made.name not in changes:
            if made._is_init_var and made.default is MISSING:
                raise ValueError(f"InitVar {made.name!r} must be specified with replace()")
            changes[made.name] = getattr(obj, made.name)
    return obj.__class__(**changes)


def make_dataclass(cls_name, fields, *, bases=(), namespace=None, **options):
    namespace = dict(namespace or {})
    annotations = {}
    for item in fields:
        if isinstance(item, str):
            item = (item, object)
        annotations[item[0]] = item[1]
        if len(item) == 3:
            namespace[item[0]] = item[2]
    namespace["__annotations__"] = annotations
    namespace.setdefault("__module__", "types")
    return dataclass(type(cls_name, bases, namespace), **options)
