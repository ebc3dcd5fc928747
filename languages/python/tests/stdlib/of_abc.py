# The module `abc` of CPython's folder.
import abc
from abc import ABC, ABCMeta, abstractmethod, abstractproperty, abstractclassmethod


class Base(ABC):
    @abstractmethod
    def f(self): ...
    @property
    @abstractmethod
    def p(self): ...
    @classmethod
    @abstractmethod
    def c(cls): ...
    @abstractproperty
    def q(self): ...
    @abstractclassmethod
    def k(cls): ...


print(sorted(Base.__abstractmethods__))
try:
    Base()
except TypeError as e:
    print(e)


class Half(Base):
    def f(self):
        return 1

    p = q = c = 5


try:
    Half()
except TypeError as e:
    print(e)


class Full(Half):
    @classmethod
    def k(cls):
        return cls.__name__


print(Full().f(), Full.k(), isinstance(Full(), Base))


class Reg(metaclass=ABCMeta):
    pass


Reg.register(tuple)
print(isinstance((), Reg), issubclass(list, Reg), issubclass(tuple, Reg))


@Reg.register
class Deco:
    pass


print(isinstance(Deco(), Reg), abc.get_cache_token() > 0)


class Hooked(ABC):
    @classmethod
    def __subclasshook__(cls, C):
        if cls is Hooked:
            return any("hook" in B.__dict__ for B in C.__mro__) or NotImplemented
        return NotImplemented


class Has:
    hook = 1


print(issubclass(Has, Hooked), issubclass(int, Hooked))


def patch(self):
    return 0


class Late(ABC):
    @abstractmethod
    def f(self):
        pass


Late.f = patch
abc.update_abstractmethods(Late)
print(Late().f())
import numbers

print(
    isinstance(5, numbers.Integral),
    isinstance(1.5, numbers.Real),
    isinstance(2j, numbers.Complex),
    issubclass(bool, numbers.Rational),
)
