//! The part of the standard library that is written in Python. In: names of modules. Out: their
//! texts. Invariant: they are compiled as any other module when a program imports them; tracebacks
//! do not show what is in them, as CPython does not show what it has in C.

/// What the names of the files of these modules begin with.
pub const PREFIX: &str = "<library/";

/// The text of a module.
pub fn text_of(name: &str) -> Option<&'static str> {
    MODULES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|&(_, text)| text)
}

/// The modules with their texts.
const MODULES: &[(&str, &str)] = &[
    ("_awaiting", include_str!("../library/_awaiting.py")),
    (
        "_decimal_context",
        include_str!("../library/_decimal_context.py"),
    ),
    (
        "_decimal_format",
        include_str!("../library/_decimal_format.py"),
    ),
    ("_dialogue", include_str!("../library/_dialogue.py")),
    ("_evaluate", include_str!("../library/_evaluate.py")),
    ("abc", include_str!("../library/abc.py")),
    ("array", include_str!("../library/array.py")),
    ("asyncio", include_str!("../library/asyncio/__init__.py")),
    (
        "asyncio.coroutines",
        include_str!("../library/asyncio/coroutines.py"),
    ),
    (
        "asyncio.events",
        include_str!("../library/asyncio/events.py"),
    ),
    (
        "asyncio.exceptions",
        include_str!("../library/asyncio/exceptions.py"),
    ),
    (
        "asyncio.futures",
        include_str!("../library/asyncio/futures.py"),
    ),
    ("asyncio.locks", include_str!("../library/asyncio/locks.py")),
    (
        "asyncio.queues",
        include_str!("../library/asyncio/queues.py"),
    ),
    (
        "asyncio.runners",
        include_str!("../library/asyncio/runners.py"),
    ),
    (
        "asyncio.taskgroups",
        include_str!("../library/asyncio/taskgroups.py"),
    ),
    ("asyncio.tasks", include_str!("../library/asyncio/tasks.py")),
    (
        "asyncio.timeouts",
        include_str!("../library/asyncio/timeouts.py"),
    ),
    ("bisect", include_str!("../library/bisect.py")),
    ("cmath", include_str!("../library/cmath.py")),
    ("collections", include_str!("../library/collections.py")),
    (
        "collections.abc",
        include_str!("../library/collections_abc.py"),
    ),
    ("contextlib", include_str!("../library/contextlib.py")),
    ("copy", include_str!("../library/copy.py")),
    ("dataclasses", include_str!("../library/dataclasses.py")),
    ("decimal", include_str!("../library/decimal.py")),
    ("enum", include_str!("../library/enum.py")),
    ("fractions", include_str!("../library/fractions.py")),
    ("functools", include_str!("../library/functools.py")),
    ("genericpath", include_str!("../library/genericpath.py")),
    ("heapq", include_str!("../library/heapq.py")),
    ("io", include_str!("../library/io.py")),
    ("itertools", include_str!("../library/itertools.py")),
    ("json", include_str!("../library/json.py")),
    ("keyword", include_str!("../library/keyword.py")),
    ("operator", include_str!("../library/operator.py")),
    ("os", include_str!("../library/os.py")),
    ("posixpath", include_str!("../library/posixpath.py")),
    ("random", include_str!("../library/random.py")),
    ("statistics", include_str!("../library/statistics.py")),
    ("string", include_str!("../library/string.py")),
    ("struct", include_str!("../library/struct.py")),
    ("textwrap", include_str!("../library/textwrap.py")),
    ("types", include_str!("../library/types.py")),
    ("typing", include_str!("../library/typing.py")),
];
