"""What abstract classes keep: what was registered with them, and what they have answered."""

_changes = 0


class _Data:
    __slots__ = ("registered", "known", "refused", "version")

    def __init__(self):
        self.registered = []
        self.known = set()
        self.refused = set()
        self.version = _changes


def get_cache_token():
    """A number that changes with each registration."""
    return _changes


def _abc_init(cls):
    """Gives a new class its data, and says which methods are still to be defined."""
    abstract = set()
    for name, value in cls.__dict__.items():
        if getattr(value, "__isabstractmethod__", False):
            abstract.add(name)
    for base in cls.__bases__:
        for name in getattr(base, "__abstractmethods__", ()):
            if getattr(getattr(cls, name, None), "__isabstractmethod__", False):
                abstract.add(name)
    cls.__abstractmethods__ = frozenset(abstract)
    cls._abc_impl = _Data()


def _abc_register(cls, subclass):
    global _changes
    if not isinstance(subclass, type):
        raise TypeError("Can only register classes")
    if issubclass(subclass, cls):
        return subclass
    if issubclass(cls, subclass):
        raise RuntimeError("Refusing to create an inheritance cycle")
    cls.__dict__["_abc_impl"].registered.append(subclass)
    _changes += 1
    return subclass


def _abc_instancecheck(cls, instance):
    subclass = instance.__class__
    if subclass in cls.__dict__["_abc_impl"].known:
        return True
    kind = type(instance)
    if kind is subclass:
        return cls.__subclasscheck__(subclass)
    return any(cls.__subclasscheck__(known) for known in (subclass, kind))


def _abc_subclasscheck(cls, subclass):
    if not isinstance(subclass, type):
        raise TypeError("issubclass() arg 1 must be a class")
    data = cls.__dict__["_abc_impl"]
    if subclass in data.known:
        return True
    if data.version < _changes:
        data.refused = set()
        data.version = _changes
    elif subclass in data.refused:
        return False
    holds = _holds(cls, subclass, data)
    (data.known if holds else data.refused).add(subclass)
    return holds


def _holds(cls, subclass, data):
    said = cls.__subclasshook__(subclass)
    if said is not NotImplemented:
        return bool(said)
    if cls in subclass.__mro__:
        return True
    for known in data.registered:
        if issubclass(subclass, known):
            return True
    for derived in type.__subclasses__(cls):
        if issubclass(subclass, derived):
            return True
    return False


def _reset_registry(cls):
    cls.__dict__["_abc_impl"].registered.clear()


def _reset_caches(cls):
    data = cls.__dict__["_abc_impl"]
    data.known.clear()
    data.refused.clear()


def _get_dump(cls):
    data = cls.__dict__["_abc_impl"]
    return set(data.registered), data.known, data.refused, data.version
