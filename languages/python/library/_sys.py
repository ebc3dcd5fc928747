"""What of `sys` is written in Python: it is looked for here when a program asks for it."""

import sys as _sys
from types import SimpleNamespace as _SimpleNamespace


class _Fields(tuple):
    """A tuple whose items have names."""

    __slots__ = ()
    _names = ()

    def __new__(cls, values):
        return super().__new__(cls, values)

    def __getattr__(self, name):
        if name in self._names:
            return self[self._names.index(name)]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self):
        parts = [f"{name}={value!r}" for name, value in zip(self._names, self)]
        return f"{type(self).__module__}.{type(self).__name__}({', '.join(parts)})"

    def __reduce__(self):
        return type(self), (tuple(self),)


def _fields(name, values):
    body = {"__slots__": (), "_names": tuple(values), "__module__": "sys"}
    for place, field in enumerate(values):
        body[field] = property(lambda self, place=place: self[place])
    kind = type(name, (_Fields,), body)
    return kind(tuple(values.values()))


version_info = _fields(
    "version_info", {"major": 3, "minor": 11, "micro": 0, "releaselevel": "final", "serial": 0}
)
hexversion = 0x030B00F0
api_version = 1013
copyright = ""
implementation = _SimpleNamespace(
    name="verdigris", cache_tag=None, version=version_info, hexversion=hexversion
)
flags = _fields(
    "flags",
    {
        "debug": 0,
        "inspect": 0,
        "interactive": 0,
        "optimize": 0,
        "dont_write_bytecode": 1,
        "no_user_site": 0,
        "no_site": 0,
        "ignore_environment": 0,
        "verbose": 0,
        "bytes_warning": 0,
        "quiet": 0,
        "hash_randomization": 0,
        "isolated": 0,
        "dev_mode": False,
        "utf8_mode": 1,
        "warn_default_encoding": 0,
        "safe_path": False,
        "int_max_str_digits": 4300,
    },
)
float_info = _fields(
    "float_info",
    {
        "max": 1.7976931348623157e308,
        "max_exp": 1024,
        "max_10_exp": 308,
        "min": 2.2250738585072014e-308,
        "min_exp": -1021,
        "min_10_exp": -307,
        "dig": 15,
        "mant_dig": 53,
        "epsilon": 2.220446049250313e-16,
        "radix": 2,
        "rounds": 1,
    },
)
hash_info = _fields(
    "hash_info",
    {
        "width": 64,
        "modulus": (1 << 61) - 1,
        "inf": 314159,
        "nan": 0,
        "imag": 1000003,
        "algorithm": "siphash13",
        "hash_bits": 64,
        "seed_bits": 128,
        "cutoff": 0,
    },
)
int_info = _fields(
    "int_info",
    {
        "bits_per_digit": 30,
        "sizeof_digit": 4,
        "default_max_str_digits": 4300,
        "str_digits_check_threshold": 640,
    },
)
thread_info = _fields("thread_info", {"name": None, "lock": None, "version": None})

maxunicode = 0x10FFFF
executable = ""
prefix = base_prefix = exec_prefix = base_exec_prefix = ""
platlibdir = "lib"
abiflags = ""
dont_write_bytecode = True
pycache_prefix = None
warnoptions = []
_xoptions = {}
meta_path = []
path_hooks = []
path_importer_cache = {}
orig_argv = list(_sys.argv)
float_repr_style = "short"
builtin_module_names = ("_verdigris", "builtins", "math", "sys", "time")
stdlib_module_names = frozenset(builtin_module_names)
tracebacklimit = 1000
del tracebacklimit


def getdefaultencoding():
    return "utf-8"


getfilesystemencoding = getdefaultencoding


def getfilesystemencodeerrors():
    return "strict"


def exception():
    return _sys.exc_info()[1]


def displayhook(value):
    import builtins

    if value is not None:
        print(repr(value))
        builtins._ = value


def excepthook(kind, value, traceback):
    import traceback as shown

    shown.print_exception(kind, value, traceback)


__displayhook__ = displayhook
__excepthook__ = excepthook


def unraisablehook(unraisable):
    print(f"Exception ignored in: {unraisable.object!r}", file=_sys.stderr)


__unraisablehook__ = unraisablehook


def gettrace():
    return None


getprofile = gettrace


def settrace(function):
    if function is not None:
        raise NotImplementedError("'sys.settrace()' is not supported yet")


def setprofile(function):
    if function is not None:
        raise NotImplementedError("'sys.setprofile()' is not supported yet")


def getsizeof(value, *default):
    raise NotImplementedError("'sys.getsizeof()' is not supported yet")


def is_finalizing():
    return False


def audit(event, *args):
    """No program can ask to be told of events."""


def getswitchinterval():
    return 0.005


def setswitchinterval(seconds):
    """There is one thread."""


def get_int_max_str_digits():
    return 4300


def _clear_type_cache():
    """Nothing that is kept can be noticed."""
