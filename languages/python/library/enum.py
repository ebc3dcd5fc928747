"""Enumerations: classes whose instances are their attributes."""

from types import MappingProxyType as _MappingProxyType


class auto:
    """A value that follows from those before it."""

    def __init__(self, value=None):
        self.value = value

    def __repr__(self):
        return f"auto({self.value!r})"


class member:
    """What is a member although it is a function or a class."""

    def __init__(self, value):
        self.value = value


class nonmember:
    """What is no member although it looks like one."""

    def __init__(self, value):
        self.value = value


property = property


class FlagBoundary:
    """What becomes of bits that no member has."""

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return f"<FlagBoundary.{self._name.upper()}: {self._name!r}>"


STRICT, CONFORM, EJECT, KEEP = map(FlagBoundary, ("strict", "conform", "eject", "keep"))


class _Namespace(dict):
    """The body of an enumeration: which names are members, and what follows from those before."""

    def __init__(self, name, generate):
        super().__init__()
        self._class = name
        self._members = {}
        self._ignored = ()
        self._generate = generate

    def _resolved(self, key, value):
        if value.value is None:
            known = list(self._members.values())
            value.value = self._generate(key, 1, len(known), known)
        return value.value

    def __setitem__(self, key, value):
        if key == "_generate_next_value_":
            self._generate = getattr(value, "__func__", value)
        elif key == "_ignore_":
            names = value.replace(",", " ").split() if isinstance(value, str) else value
            self._ignored = tuple(names)
            return
        elif key in self._members:
            raise TypeError(f"{key!r} already defined as {self._members[key]!r}")
        elif key in self._ignored:
            pass
        elif isinstance(value, nonmember):
            value = value.value
        elif isinstance(value, member):
            value = self._members[key] = value.value
        elif self._is_private(key):
            pass
        elif isinstance(value, auto):
            value = self._members[key] = self._resolved(key, value)
        elif not (_is_function(value) or isinstance(value, type)) and _is_member(key, value):
            if isinstance(value, tuple) and any(isinstance(part, auto) for part in value):
                parts = [
                    self._resolved(key, part) if isinstance(part, auto) else part for part in value
                ]
                value = type(value)(parts)
            self._members[key] = value
        super().__setitem__(key, value)

    def _is_private(self, key):
        return key.startswith(f"_{self._class}__") and not key.endswith("__")


def _is_member(name, value):
    if name.startswith("__") and name.endswith("__"):
        return False
    if name in ("_missing_", "_generate_next_value_", "_ignore_", "_order_", "_boundary_"):
        return False
    if isinstance(value, (property, staticmethod, classmethod)):
        return False
    return not (hasattr(value, "__get__") or hasattr(value, "__set__"))


_OF_MEMBERS = ("__repr__", "__str__", "__format__", "__reduce_ex__", "__copy__", "__deepcopy__")


_OF_ENUMERATIONS = """__class__ __contains__ __doc__ __getitem__ __init_subclass__ __iter__ __len__
__members__ __module__ __name__ __qualname__""".split()


def _is_function(value):
    return callable(value) and not isinstance(value, type)


class EnumType(type):
    @classmethod
    def __prepare__(mcls, name, bases, **keywords):
        generate = None
        for base in bases:
            generate = getattr(base, "_generate_next_value_", generate)
        return _Namespace(name, generate)

    def __new__(mcls, name, bases, namespace, /, boundary=None, _simple=False, **keywords):
        enums = [base for base in bases if isinstance(base, EnumType)]
        if not enums:
            namespace = dict(namespace)
            return super().__new__(mcls, name, bases, namespace, **keywords)
        for base in enums:
            if base._member_names_:
                raise TypeError(f"<enum '{name}'> cannot extend {base!r}")
        if not isinstance(namespace, _Namespace):
            written, namespace = namespace, mcls.__prepare__(name, bases)
            for key, value in written.items():
                namespace[key] = value
        members = namespace._members
        names = set(namespace._ignored)
        rest = {k: v for k, v in namespace.items() if k not in members and k not in names}
        order = rest.pop("_order_", None)
        cls = super().__new__(mcls, name, bases, rest, **keywords)
        cls._member_names_ = []
        cls._member_map_ = {}
        cls._value2member_map_ = {}
        data_type = cls._data_type_()
        if data_type is not object:
            # How members are shown is said by enumerations, unless the data say it.
            shown = _OF_MEMBERS[:1] if issubclass(cls, globals().get("ReprEnum", ())) else _OF_MEMBERS
            for key in shown:
                owner = next(base for base in cls.__mro__ if key in base.__dict__)
                if owner.__module__ == "builtins":
                    type.__setattr__(cls, key, enums[-1].__dict__.get(key, getattr(Enum, key)))
        if boundary is not None:
            cls._boundary_ = boundary
        for key, value in members.items():
            cls._add_(key, value, data_type)
        if order is not None:
            order = order.replace(",", " ").split() if isinstance(order, str) else list(order)
            if order != cls._member_names_:
                raise TypeError(
                    f"member order does not match _order_:\n  {order!r}\n  {cls._member_names_!r}"
                )
        return cls

    def _data_type_(cls):
        for base in cls.__mro__:
            if base in (int, str, float, tuple, list, dict, set, frozenset):
                return base
        return object

    def _add_(cls, name, value, data_type):
        arguments = value if isinstance(value, tuple) else (value,)
        if data_type is tuple:
            arguments = (arguments,)
        new = _user_new(cls)
        if new is not None:
            member = new(cls, *arguments)
        elif data_type is object:
            member = object.__new__(cls)
        else:
            member = data_type.__new__(cls, *arguments)
        if not hasattr(member, "_value_"):
            member._value_ = value if data_type is object else data_type(*arguments)
        member._name_ = name
        if _has_init(cls):
            cls.__init__(member, *arguments)
        for known in cls._member_map_.values():
            if known._value_ == member._value_:
                cls._member_map_[name] = known
                type.__setattr__(cls, name, known)
                return
        member._sort_order_ = len(cls._member_names_)
        member.__objclass__ = cls
        if not _is_combined(cls, member._value_):
            cls._member_names_.append(name)
        cls._member_map_[name] = member
        type.__setattr__(cls, name, member)
        try:
            cls._value2member_map_[member._value_] = member
        except TypeError:
            pass

    def __call__(cls, value, names=None, *, module=None, qualname=None, type=None, start=1):
        if names is not None:
            return cls._create_(value, names, module, type, start)
        return _find(cls, value)

    def _create_(cls, name, names, module, mixin, start):
        if isinstance(names, str):
            names = names.replace(",", " ").split()
        bases = (cls,) if mixin is None else (mixin, cls)
        namespace = EnumType.__prepare__(name, bases)
        namespace["__module__"] = _caller() if module is None else module
        pairs = names.items() if isinstance(names, dict) else names
        values = []
        for n, item in enumerate(pairs):
            if isinstance(item, str):
                item = item, cls._generate_next_value_(item, start, n, list(values))
            namespace[item[0]] = item[1]
            values.append(item[1])
        return EnumType(name, bases, namespace)

    def _convert_(cls, name, module, filter, source=None, *, boundary=None, as_global=False):
        """Makes an enumeration of the variables of a module that a function is for."""
        import sys

        variables = vars(sys.modules[module])
        found = vars(source) if source is not None else variables
        pairs = [(key, value) for key, value in dict(found).items() if filter(key)]
        try:
            pairs.sort(key=lambda pair: (pair[1], pair[0]))
        except TypeError:
            pairs.sort(key=lambda pair: pair[0])
        made = cls._create_(name, pairs, module, None, 1)
        made.__reduce_ex__ = lambda self, protocol: self._name_
        variables.update(made.__members__)
        variables[name] = made
        return made

    def __iter__(cls):
        return iter([cls._member_map_[name] for name in cls._member_names_])

    def __reversed__(cls):
        return iter([cls._member_map_[name] for name in reversed(cls._member_names_)])

    def __len__(cls):
        return len(cls._member_names_)

    def __bool__(cls):
        return True

    def __getitem__(cls, name):
        return cls._member_map_[name]

    def __contains__(cls, member):
        if not isinstance(member, Enum):
            raise TypeError(
                "unsupported operand type(s) for 'in': "
                f"'{type(member).__qualname__}' and '{cls.__class__.__qualname__}'"
            )
        return isinstance(member, cls) and member._name_ in cls._member_map_

    @property
    def __members__(cls):
        return _MappingProxyType(cls._member_map_)

    def __setattr__(cls, name, value):
        members = cls.__dict__.get("_member_map_", {})
        if name in members:
            raise AttributeError(f"cannot reassign member {name!r}")
        super().__setattr__(name, value)

    def __delattr__(cls, name):
        if name in cls.__dict__.get("_member_map_", {}):
            raise AttributeError(f"{cls.__name__!r} cannot delete member {name!r}.")
        super().__delattr__(name)

    def __dir__(cls):
        own = {*_OF_ENUMERATIONS, *cls._member_names_}
        kind = cls._data_type_()
        return sorted(own if kind is object else own | set(dir(kind)))

    def __repr__(cls):
        if issubclass(cls, Flag):
            return f"<flag '{cls.__name__}'>"
        return f"<enum '{cls.__name__}'>"


EnumMeta = EnumType


def _caller():
    """The name of the module that has called the library."""
    import sys

    try:
        return sys._getframe(0).f_globals.get("__name__", "__main__")
    except (AttributeError, ValueError):
        return "__main__"


def _user_new(cls):
    for base in cls.__mro__:
        if base is Enum or base is object or base.__module__ == "builtins":
            return None
        if "__new__" in base.__dict__ and base.__module__ != "enum":
            return base.__new__
    return None


def _has_init(cls):
    for base in cls.__mro__:
        if base.__module__ == "enum" or base.__module__ == "builtins":
            return False
        if "__init__" in base.__dict__:
            return True
    return False


def _is_combined(cls, value):
    """Whether a member of flags is made of others, or of none: it is no member by itself."""
    return issubclass(cls, Flag) and isinstance(value, int) and (value & value - 1 or not value)


def _find(cls, value):
    if type(value) is cls:
        return value
    try:
        member = cls._value2member_map_.get(value)
    except TypeError:
        member = None
        for known in cls._member_map_.values():
            if known._value_ == value:
                return known
    if member is not None:
        return member
    result = cls._missing_(value)
    if isinstance(result, cls):
        return result
    if result is None:
        raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
    raise TypeError(
        f"error in {cls.__name__}._missing_: returned {result!r} instead of None "
        "or a valid member"
    )


class Enum(metaclass=EnumType):
    _member_names_ = []
    _member_map_ = {}
    _value2member_map_ = {}

    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start
        return max(last_values) + 1

    @classmethod
    def _missing_(cls, value):
        return None

    @property
    def name(self):
        return self._name_

    @property
    def value(self):
        return self._value_

    def __repr__(self):
        return f"<{self.__class__.__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return f"{self.__class__.__name__}.{self._name_}"

    def __format__(self, spec):
        return str(self).__format__(spec)

    def __hash__(self):
        return hash(self._name_)

    def __eq__(self, other):
        return self is other

    def __reduce_ex__(self, protocol):
        return self.__class__, (self._value_,)

    def __dir__(self):
        own = [name for name in vars(self.__class__) if not name.startswith("_")]
        own = [name for name in own if name not in self.__class__._member_map_]
        return ["__class__", "__doc__", "__eq__", "__hash__", "__module__", "name", "value", *own]

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self


class ReprEnum(Enum):
    pass


class IntEnum(int, ReprEnum):
    def __repr__(self):
        return f"<{self.__class__.__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return int.__repr__(self)

    def __format__(self, spec):
        return int.__format__(self, spec)

    __eq__ = int.__eq__
    __hash__ = int.__hash__


class StrEnum(str, ReprEnum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return name.lower()

    def __repr__(self):
        return f"<{self.__class__.__name__}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        return str.__str__(self)

    def __format__(self, spec):
        return str.__format__(self, spec)

    __eq__ = str.__eq__
    __hash__ = str.__hash__


def _bits_of(value):
    bit = 1
    while bit <= value:
        if value & bit:
            yield bit
        bit <<= 1


class Flag(Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        if not last_values:
            return start if start is not None else 1
        return 1 << max(last_values).bit_length()

    @classmethod
    def _all_bits_(cls):
        bits = 0
        for member in cls._member_map_.values():
            bits |= member._value_
        return bits

    @classmethod
    def _missing_(cls, value):
        if not isinstance(value, int):
            raise ValueError(f"{value!r} is not a valid {cls.__qualname__}")
        known = cls._all_bits_()
        if value < 0:
            value = known & value
            found = cls._value2member_map_.get(value)
            if found is not None:
                return found
        if value & ~known:
            if issubclass(cls, int):
                pass
            else:
                width = max(value.bit_length(), known.bit_length())
                raise ValueError(
                    f"{cls!r} invalid value {value!r}\n"
                    f"    given 0b0 {value:0{width}b}\n"
                    f"  allowed 0b0 {known:0{width}b}"
                )
        if issubclass(cls, int):
            member = int.__new__(cls, value)
        else:
            member = object.__new__(cls)
        member._value_ = value
        names = [part._name_ for part in cls if part._value_ & value]
        unknown = value & ~known
        if unknown and names:
            names.append(str(unknown))
        member._name_ = "|".join(names) if names else None
        cls._value2member_map_[value] = member
        return member

    def _single_(self):
        return len(list(_bits_of(self._value_))) <= 1

    def __contains__(self, other):
        if not isinstance(other, self.__class__):
            raise TypeError(
                "unsupported operand type(s) for 'in': "
                f"'{type(other).__qualname__}' and '{self.__class__.__qualname__}'"
            )
        return other._value_ & self._value_ == other._value_

    def __iter__(self):
        for member in self.__class__:
            if member._value_ & self._value_:
                yield member

    def __len__(self):
        return len(list(_bits_of(self._value_)))

    def __bool__(self):
        return bool(self._value_)

    def _other_(self, other):
        if isinstance(other, self.__class__):
            return other._value_
        if isinstance(self, int) and isinstance(other, int):
            return int(other)
        return None

    def __or__(self, other):
        bits = self._other_(other)
        return NotImplemented if bits is None else self.__class__(self._value_ | bits)

    def __and__(self, other):
        bits = self._other_(other)
        return NotImplemented if bits is None else self.__class__(self._value_ & bits)

    def __xor__(self, other):
        bits = self._other_(other)
        return NotImplemented if bits is None else self.__class__(self._value_ ^ bits)

    __ror__ = __or__
    __rand__ = __and__
    __rxor__ = __xor__

    def __invert__(self):
        cls = self.__class__
        return cls(cls._all_bits_() & ~self._value_)

    def __repr__(self):
        cls = self.__class__.__name__
        if self._name_ is None:
            return f"<{cls}: {self._value_!r}>"
        return f"<{cls}.{self._name_}: {self._value_!r}>"

    def __str__(self):
        cls = self.__class__.__name__
        if self._name_ is None:
            return f"{cls}({self._value_!r})"
        return f"{cls}.{self._name_}"


class IntFlag(int, ReprEnum, Flag):
    def __str__(self):
        return int.__repr__(self)

    def __format__(self, spec):
        return int.__format__(self, spec)

    __eq__ = int.__eq__
    __hash__ = int.__hash__
    __repr__ = Flag.__repr__
    __or__ = __ror__ = Flag.__or__
    __and__ = __rand__ = Flag.__and__
    __xor__ = __rxor__ = Flag.__xor__
    __invert__ = Flag.__invert__
    __bool__ = Flag.__bool__


class EnumCheck:
    """What is asked of an enumeration."""

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return f"<EnumCheck.{self._name}>"


CONTINUOUS, NAMED_FLAGS, UNIQUE = map(EnumCheck, ("CONTINUOUS", "NAMED_FLAGS", "UNIQUE"))


class verify:
    """Looks whether an enumeration is as it should be."""

    def __init__(self, *checks):
        self.checks = checks

    def __call__(self, enumeration):
        values = sorted(member._value_ for member in enumeration._member_map_.values())
        for check in self.checks:
            if check is UNIQUE:
                unique(enumeration)
            elif check is CONTINUOUS and not issubclass(enumeration, Flag):
                missing = [n for n in range(values[0], values[-1]) if n not in values]
                if missing:
                    shown = ", ".join(map(str, missing))
                    name = enumeration.__name__
                    raise ValueError(f"invalid enum {name!r}: missing values {shown}")
        return enumeration


def global_enum(cls, update_str=False):
    """Puts the members into the module of the enumeration, too."""
    import sys

    vars(sys.modules[cls.__module__]).update(cls.__members__)
    return cls


def show_flag_values(value):
    return list(_bits_of(int(value)))


def _simple_enum(etype=Enum, *, boundary=None, use_args=None):
    """Makes an enumeration of a class that is written as one."""

    def convert(cls):
        namespace = EnumType.__prepare__(cls.__name__, (etype,))
        for key, value in cls.__dict__.items():
            if key not in ("__dict__", "__weakref__"):
                namespace[key] = value
        return EnumType(cls.__name__, (etype,), namespace, boundary=boundary)

    return convert


def unique(enumeration):
    duplicates = [
        f"{name} -> {member.name}"
        for name, member in enumeration.__members__.items()
        if name != member.name
    ]
    if duplicates:
        raise ValueError(f"duplicate values found in {enumeration!r}: {', '.join(duplicates)}")
    return enumeration
