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

/// The modules that stay where there is a folder of CPython's: what is written in C there, or knows
/// how this machine is made, and what others of them count on.
const STAYS: [&str; 27] = [
    "array",
    "asyncio",
    "atexit",
    "binascii",
    "cmath",
    "codecs",
    "concurrent",
    "contextvars",
    "csv",
    "errno",
    "gc",
    "genericpath",
    "hashlib",
    "importlib",
    "io",
    "itertools",
    "operator",
    "os",
    "posix",
    "posixpath",
    "queue",
    "random",
    "re",
    "struct",
    "tempfile",
    "threading",
    "types",
];

/// Whether a module is this one even if there is a folder of CPython's.
pub fn stays(name: &str) -> bool {
    let top = name.split('.').next().unwrap_or(name);
    name.starts_with('_') || name == "collections.abc" || STAYS.contains(&top)
}

/// The modules with their texts.
const MODULES: &[(&str, &str)] = &[
    ("_consume", include_str!("../library/_consume.py")),
    ("_awaiting", include_str!("../library/_awaiting.py")),
    (
        "_decimal_context",
        include_str!("../library/_decimal_context.py"),
    ),
    (
        "_decimal_format",
        include_str!("../library/_decimal_format.py"),
    ),
    ("_abc", include_str!("../library/_abc.py")),
    ("_ast", include_str!("../library/_ast.py")),
    ("_bisect", include_str!("../library/bisect.py")),
    ("_builtins", include_str!("../library/_builtins.py")),
    ("_collections", include_str!("../library/collections.py")),
    (
        "_collections_abc",
        include_str!("../library/_collections_abc.py"),
    ),
    ("_dialogue", include_str!("../library/_dialogue.py")),
    ("_evaluate", include_str!("../library/_evaluate.py")),
    ("_finalize", include_str!("../library/_finalize.py")),
    ("_functools", include_str!("../library/functools.py")),
    ("_groups", include_str!("../library/_groups.py")),
    ("_heapq", include_str!("../library/heapq.py")),
    ("_math", include_str!("../library/_math.py")),
    ("_operator", include_str!("../library/operator.py")),
    ("_ranges", include_str!("../library/_ranges.py")),
    ("_proxy", include_str!("../library/_proxy.py")),
    ("_reduce", include_str!("../library/_reduce.py")),
    ("_signal", include_str!("../library/_signal.py")),
    ("_string", include_str!("../library/_string.py")),
    ("_struct", include_str!("../library/struct.py")),
    ("_sys", include_str!("../library/_sys.py")),
    ("_thread", include_str!("../library/_thread.py")),
    ("_time", include_str!("../library/_time.py")),
    ("_weakref", include_str!("../library/_weakref.py")),
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
        "asyncio.threads",
        include_str!("../library/asyncio/threads.py"),
    ),
    (
        "asyncio.timeouts",
        include_str!("../library/asyncio/timeouts.py"),
    ),
    ("atexit", include_str!("../library/atexit.py")),
    ("binascii", include_str!("../library/binascii.py")),
    ("bisect", include_str!("../library/bisect.py")),
    ("cmath", include_str!("../library/cmath.py")),
    ("codecs", include_str!("../library/codecs.py")),
    ("collections", include_str!("../library/collections.py")),
    (
        "collections.abc",
        include_str!("../library/collections_abc.py"),
    ),
    (
        "concurrent",
        include_str!("../library/concurrent/__init__.py"),
    ),
    (
        "concurrent.futures",
        include_str!("../library/concurrent/futures.py"),
    ),
    ("contextlib", include_str!("../library/contextlib.py")),
    ("contextvars", include_str!("../library/contextvars.py")),
    ("copy", include_str!("../library/copy.py")),
    ("csv", include_str!("../library/csv.py")),
    ("copyreg", include_str!("../library/copyreg.py")),
    ("dataclasses", include_str!("../library/dataclasses.py")),
    ("decimal", include_str!("../library/decimal.py")),
    ("enum", include_str!("../library/enum.py")),
    ("fnmatch", include_str!("../library/fnmatch.py")),
    ("fractions", include_str!("../library/fractions.py")),
    ("errno", include_str!("../library/errno.py")),
    ("functools", include_str!("../library/functools.py")),
    ("gc", include_str!("../library/gc.py")),
    ("genericpath", include_str!("../library/genericpath.py")),
    ("hashlib", include_str!("../library/hashlib.py")),
    ("glob", include_str!("../library/glob.py")),
    ("heapq", include_str!("../library/heapq.py")),
    ("importlib", include_str!("../library/importlib.py")),
    (
        "importlib.machinery",
        include_str!("../library/importlib_machinery.py"),
    ),
    (
        "importlib.util",
        include_str!("../library/importlib_util.py"),
    ),
    ("io", include_str!("../library/io.py")),
    ("itertools", include_str!("../library/itertools.py")),
    ("json", include_str!("../library/json.py")),
    ("keyword", include_str!("../library/keyword.py")),
    ("operator", include_str!("../library/operator.py")),
    ("os", include_str!("../library/os.py")),
    ("posix", include_str!("../library/posix.py")),
    ("posixpath", include_str!("../library/posixpath.py")),
    ("queue", include_str!("../library/queue.py")),
    ("random", include_str!("../library/random.py")),
    ("re", include_str!("../library/re.py")),
    ("shlex", include_str!("../library/shlex.py")),
    ("statistics", include_str!("../library/statistics.py")),
    ("string", include_str!("../library/string.py")),
    ("struct", include_str!("../library/struct.py")),
    ("tempfile", include_str!("../library/tempfile.py")),
    ("textwrap", include_str!("../library/textwrap.py")),
    ("threading", include_str!("../library/threading.py")),
    ("traceback", include_str!("../library/traceback.py")),
    ("types", include_str!("../library/types.py")),
    ("typing", include_str!("../library/typing.py")),
    ("warnings", include_str!("../library/warnings.py")),
    ("weakref", include_str!("../library/weakref.py")),
];
