# The module `typing` of CPython's folder.
# needs: re contextlib
import typing
from typing import *

print(
    List[int],
    Dict[str, int],
    Optional[int],
    Union[int, str],
    Callable[[int], str],
    Tuple[int, ...],
    Any,
    ClassVar[int],
    Literal["a", 1],
    Type[int],
)
T = TypeVar("T")
K = TypeVar("K", bound=int)


class Box(Generic[T]):
    def __init__(self, x: T):
        self.x = x

    def get(self) -> T:
        return self.x


print(Box[int], Box[int](3).get(), Box.__parameters__, Box[T][str], T, K.__bound__)


class NT(NamedTuple):
    a: int
    b: str = "x"

    def m(self):
        return self.a


print(NT(1), NT(1).m(), NT._fields, NT.__annotations__)


class TD(TypedDict, total=False):
    a: int


print(TD(a=1), TD.__annotations__, TD.__total__)


def f(x: "int", y: Optional["str"] = None) -> List["int"]: ...


print(get_type_hints(f), get_origin(List[int]), get_args(Dict[str, int]), cast(int, "x"))


class Proto(Protocol):
    def meth(self) -> int: ...
@runtime_checkable
class HasLen(Protocol):
    def __len__(self) -> int: ...


print(isinstance([], HasLen), isinstance(5, HasLen))
UserId = NewType("UserId", int)
print(UserId(5), UserId.__name__)
print(
    Annotated[int, "meta"].__metadata__,
    Final[int],
    Iterable[int],
    Union[int, None],
    Optional[Union[int, str]] == Union[int, str, None],
)


@overload
def g(x: int) -> int: ...
@overload
def g(x: str) -> str: ...
def g(x):
    return x


print(g(1), len(get_overloads(g)), TYPE_CHECKING, no_type_check(g) is g)


@final
class Fin:
    pass


print(Fin.__final__, ParamSpec("P"), Self, Never, reveal_type(5) if False else "")
