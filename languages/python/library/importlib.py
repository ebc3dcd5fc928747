"""Imports by name."""

import sys
from _verdigris import import_by_name as _import_by_name

__path__ = []
__import__ = __import__


def import_module(name, package=None):
    if name.startswith("."):
        if not package:
            raise TypeError(
                f"the 'package' argument is required to perform a relative import for {name!r}"
            )
        from importlib.util import resolve_name

        name = resolve_name(name, package)
    _import_by_name(name, False)
    return sys.modules[name]


def invalidate_caches():
    """Folders are looked at each time."""


def reload(module):
    raise NotImplementedError("'importlib.reload()' is not supported yet")
