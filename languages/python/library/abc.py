"""Abstract classes: those with methods that a class that derives from them has to define."""


def abstractmethod(funcobj):
    funcobj.__isabstractmethod__ = True
    return funcobj


class abstractproperty(property):
    __isabstractmethod__ = True


class abstractclassmethod(classmethod):
    __isabstractmethod__ = True

    def __init__(self, callable):
        callable.__isabstractmethod__ = True
        super().__init__(callable)


class abstractstaticmethod(staticmethod):
    __isabstractmethod__ = True

    def __init__(self, callable):
        callable.__isabstractmethod__ = True
        super().__init__(callable)


def _is_abstract(value):
    if isinstance(value, property):
        if isinstance(value, abstractproperty):
            return True
        return any(_is_abstract(part) for part in (value.fget, value.fset, value.fdel))
    if isinstance(value, (staticmethod, classmethod)):
        value = value.__func__
    return getattr(value, "__isabstractmethod__", False)


class ABCMeta(type):
    def __new__(mcls, name, bases, namespace, /, **keywords):
        cls = super().__new__(mcls, name, bases, namespace, **keywords)
        abstract = {key for key, value in namespace.items() if _is_abstract(value)}
        for base in bases:
            for key in getattr(base, "__abstractmethods__", ()):
                if _is_abstract(getattr(cls, key, None)):
                    abstract.add(key)
        cls.__abstractmethods__ = frozenset(abstract)
        cls._abc_registered = []
        return cls

    def register(cls, subclass):
        global _registrations
        _registrations += 1
        cls._abc_registered.append(subclass)
        return subclass

    def __instancecheck__(cls, instance):
        return cls.__subclasscheck__(instance.__class__)

    def __subclasscheck__(cls, subclass):
        if cls in subclass.__mro__:
            return True
        ask = getattr(cls, "__subclasshook__", None)
        hook = NotImplemented if ask is None else ask(subclass)
        if hook is not NotImplemented:
            return hook
        for known in cls._abc_registered:
            if issubclass(subclass, known):
                return True
        return any(issubclass(subclass, derived) for derived in cls.__subclasses__())


_registrations = 1


def get_cache_token():
    """A number that changes where classes are registered."""
    return _registrations


def update_abstractmethods(cls):
    """Looks again which methods are missing, when some have been added."""
    if not hasattr(cls, "__abstractmethods__"):
        return cls
    names = {key for key, value in cls.__dict__.items() if _is_abstract(value)}
    for base in cls.__bases__:
        names.update(getattr(base, "__abstractmethods__", ()))
    cls.__abstractmethods__ = frozenset(
        name for name in names if _is_abstract(getattr(cls, name, None))
    )
    return cls


class ABC(metaclass=ABCMeta):
    __slots__ = ()

    @classmethod
    def __subclasshook__(cls, subclass):
        return NotImplemented
