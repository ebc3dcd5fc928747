"""Heavily annotated code, with protocols and generics."""
from __future__ import annotations
import abc
import typing as t
from collections.abc import Callable, Iterable, Iterator, Mapping, Hashable
from typing import (Any, Generic, TypeVar, Protocol, runtime_checkable, NamedTuple, TypedDict, overload, Literal, Final,
                    Union, Optional, NewType, cast, get_type_hints, get_origin, get_args, TYPE_CHECKING, ParamSpec, Concatenate, Annotated)
if TYPE_CHECKING:
    from nowhere import Nothing

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
T_co = TypeVar("T_co", covariant=True)
P = ParamSpec("P")
UserId = NewType("UserId", int)
Json = Union[None, bool, int, float, str, "list[Json]", "dict[str, Json]"]
MAX: Final = 3


@runtime_checkable
class Closeable(Protocol):
    def close(self) -> None: ...


class Source(Protocol[T_co]):
    name: str
    def read(self) -> T_co: ...


class Point(NamedTuple):
    x: float
    y: float = 0.0
    label: str = "p"

    def norm(self) -> float:
        return (self.x ** 2 + self.y ** 2) ** 0.5


class Movie(TypedDict, total=False):
    title: str
    year: int


class Cache(Generic[K, V]):
    def __init__(self, size: int = 2) -> None:
        self.data: dict[K, V] = {}
        self.size = size

    def get(self, key: K, make: Callable[[K], V]) -> V:
        if key in self.data:
            self.data[key] = self.data.pop(key)
        else:
            if len(self.data) >= self.size:
                self.data.pop(next(iter(self.data)))
            self.data[key] = make(key)
        return self.data[key]

    def __class_getitem__(cls, item):
        r = super().__class_getitem__(item)
        return r


class IntCache(Cache[str, int]):
    pass


@overload
def twice(x: int) -> int: ...
@overload
def twice(x: str) -> str: ...
def twice(x):
    return x * 2


def logged(fn: Callable[P, V]) -> Callable[P, V]:
    def inner(*args: P.args, **kwargs: P.kwargs) -> V:
        print("call", fn.__name__, args, kwargs)
        return fn(*args, **kwargs)
    inner.__wrapped__ = fn
    return inner


@logged
def scale(p: Point, by: float = 2, *, mode: Literal["in", "out"] = "in") -> Optional[Point]:
    return p._replace(x=p.x * by) if mode == "in" else None


class File:
    def close(self) -> None:
        print("closed")


class Node(abc.ABC, Generic[V]):
    def __init__(self, value: V, *children: Node[V]):
        self.value, self.children = value, children

    def __iter__(self) -> Iterator[V]:
        yield self.value
        for c in self.children:
            yield from c

    @abc.abstractmethod
    def show(self) -> str: ...


class Leaf(Node[int]):
    def show(self) -> str:
        return f"Leaf({self.value})"


c: Cache[str, int] = Cache()
print(c.get("a", len), c.get("bb", len), c.get("ccc", len), c.data)
print(isinstance(File(), Closeable), isinstance(3, Closeable), IntCache.__orig_bases__, Cache[str, int])
print(get_origin(dict[str, int]), get_args(dict[str, int]), get_origin(Optional[int]), get_args(Optional[int]), get_args(Callable[[int], str]))
print(Point(3, 4).norm(), Point(1), Point._fields, Point.__annotations__, Point(1)._asdict(), Point._field_defaults)
print(scale(Point(1.5), by=4, mode="in"), scale.__wrapped__.__annotations__)
print(get_type_hints(scale.__wrapped__)["return"], get_type_hints(Movie), Movie(title="x"), Movie.__total__, sorted(Movie.__optional_keys__))
print(UserId(5), UserId.__name__, cast(str, 5), twice("ab"), twice(4), MAX)
print(Json, Union[int, str] == Union[str, int], Union[int, int], Optional[None], int | None, Annotated[int, "m"], Literal["a", 1])
print(list(Leaf(1, Leaf(2, Leaf(3)), Leaf(4))), Leaf(1).show())
try:
    Node(1)
except TypeError as e:
    print(e)
for f in (lambda: isinstance(1, t.List[int]), lambda: Generic[int], lambda: Union[()], lambda: t.List[int, str], lambda: Closeable(), lambda: get_type_hints(Source.read)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(t.Dict[str, t.List[int]], t.Tuple[int, ...], t.Callable[..., int], t.Type[int], t.Any, t.ClassVar[int], TypeVar("Q"), t.Iterable[K])
print(get_type_hints(Cache.get), Concatenate)
