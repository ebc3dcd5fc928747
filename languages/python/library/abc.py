"""Abstract classes: those with methods that a class that derives from them has to define."""


def abstractmethod(funcobj):
    funcobj.__isabstractmethod__ = True
    return funcobj


def _is_abstract(value):
    if isinstance(value, property):
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


class ABC(metaclass=ABCMeta):
    __slots__ = ()

    @classmethod
    def __subclasshook__(cls, subclass):
        return NotImplemented
