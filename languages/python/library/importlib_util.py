"""Names of modules."""

import sys
from importlib.machinery import ModuleSpec


def resolve_name(name, package):
    """The whole name of a module: dots in front stand for the package and those around it."""
    if not name.startswith("."):
        return name
    if not package:
        raise ImportError(
            f"no package specified for {name!r} (required for relative module names)"
        )
    rest = name.lstrip(".")
    parts = package.rsplit(".", len(name) - len(rest) - 1)
    if len(parts) < len(name) - len(rest):
        raise ImportError("attempted relative import beyond top-level package")
    return f"{parts[0]}.{rest}" if rest else parts[0]


def find_spec(name, package=None):
    """A specification, if a module can be imported: it is imported for that."""
    whole = resolve_name(name, package)
    if whole not in sys.modules:
        try:
            __import__(whole)
        except ModuleNotFoundError:
            return None
    module = sys.modules[whole]
    made = ModuleSpec(whole, None, origin=getattr(module, "__file__", None))
    made.submodule_search_locations = getattr(module, "__path__", None)
    return made


def module_from_spec(spec):
    raise NotImplementedError("'importlib.util.module_from_spec()' is not supported yet")


def spec_from_file_location(name, location=None, **keywords):
    raise NotImplementedError("'importlib.util.spec_from_file_location()' is not supported yet")
