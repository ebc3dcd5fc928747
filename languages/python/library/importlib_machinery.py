"""What files of modules are called."""

SOURCE_SUFFIXES = [".py"]
BYTECODE_SUFFIXES = [".pyc"]
DEBUG_BYTECODE_SUFFIXES = OPTIMIZED_BYTECODE_SUFFIXES = BYTECODE_SUFFIXES
EXTENSION_SUFFIXES = []


def all_suffixes():
    return SOURCE_SUFFIXES + BYTECODE_SUFFIXES + EXTENSION_SUFFIXES


class ModuleSpec:
    def __init__(self, name, loader, *, origin=None, loader_state=None, is_package=None):
        self.name = name
        self.loader = loader
        self.origin = origin
        self.loader_state = loader_state
        self.submodule_search_locations = [] if is_package else None
        self.cached = None
        self.has_location = False

    @property
    def parent(self):
        if self.submodule_search_locations is None:
            return self.name.rpartition(".")[0]
        return self.name

    def __repr__(self):
        return f"ModuleSpec(name={self.name!r}, loader={self.loader!r})"


class _Loader:
    """What CPython loads modules with. Here they have none, so nothing is an instance of it."""


class BuiltinImporter(_Loader):
    pass


class FrozenImporter(_Loader):
    pass


class SourceFileLoader(_Loader):
    pass


class SourcelessFileLoader(_Loader):
    pass


class ExtensionFileLoader(_Loader):
    pass


class NamespaceLoader(_Loader):
    pass


class FileFinder(_Loader):
    pass


class PathFinder(_Loader):
    pass
