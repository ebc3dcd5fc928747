# Annotations that are evaluated.
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Dict, List, Literal, Optional, Tuple, Union

x: int = 3
names: list[str]
print(__annotations__, list[int], dict[str, int], tuple[int, ...], set[str], type[int], list[list[int]])
print(int | str, int | None, list[int] | None, isinstance(3, int | str), isinstance("a", int | None), isinstance(None, int | None))
print(Optional[int], Union[int, str], List[int], Dict[str, Any], Tuple[int, ...], Literal["a", 1], ClassVar[int])
print(list[int]([1, 2]), list[int] == list[int], list[int].__origin__, dict[str, int].__args__)


def f(a: int, b: list[int] = [], *, c: dict[str, int] | None = None) -> Callable[[int], str]:
    pass


print(f.__annotations__["a"], f.__annotations__["b"], f.__annotations__["c"])


class C:
    a: int = 1
    b: "C"

    def method(self, other: "C") -> list["C"]:
        d: Undefined = 5
        return [self]


print(C.__annotations__, C.method.__annotations__)
print(isinstance([], Sequence), isinstance({}, Mapping), isinstance("a", Iterable), isinstance(3, Iterable), isinstance(len, Callable))
print(isinstance((x for x in ()), Iterable), isinstance({}, Iterable), issubclass(list, Sequence), isinstance(C(), Callable))
