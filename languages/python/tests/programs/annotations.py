# Annotations, and the types that are written in them.
from __future__ import annotations

from typing import Any, Callable, Generic, List, NamedTuple, Optional, TypeVar, Union

count: int = 5
later: UndefinedName
table: dict[str, list[int]] = {}


def f(a: int, b: "str" = "x", *args: Undefined, key: list[int] | None = None) -> dict[str, Missing]:
    c: AlsoMissing = 1
    return {"c": c}


print(count, table, f(1), sorted(f.__annotations__), f.__annotations__["key"], __annotations__["table"])


class C:
    x: int
    y: list[str] = []
    z = 3


print(C.__annotations__, C.y)
T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, item: T) -> None:
        self.item = item

    def get(self) -> Optional[T]:
        return self.item


print(Box[int](5).get(), Box("x").item)


class Employee(NamedTuple):
    name: str
    id: int = 3

    def label(self):
        return f"{self.name}#{self.id}"


e = Employee("Guido")
print(e, e.name, e.id, e.label(), e == ("Guido", 3), Employee("a", 1)._replace(id=9), Employee._fields)
