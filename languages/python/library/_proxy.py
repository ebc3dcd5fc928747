"""What `__dict__` of a class returns."""


class mappingproxy:
    """A mapping that cannot be changed through it: what `__dict__` of a class is."""

    __module__ = "builtins"

    def __init__(self, mapping):
        self._mapping = mapping

    def __getitem__(self, key):
        return self._mapping[key]

    def __contains__(self, key):
        return key in self._mapping

    def __iter__(self):
        return iter(self._mapping)

    def __len__(self):
        return len(self._mapping)

    def get(self, key, default=None):
        return self._mapping.get(key, default)

    def keys(self):
        return self._mapping.keys()

    def values(self):
        return self._mapping.values()

    def items(self):
        return self._mapping.items()

    def copy(self):
        return self._mapping.copy()

    def __eq__(self, other):
        return self._mapping == other

    __hash__ = None

    def __repr__(self):
        return f"mappingproxy({self._mapping!r})"

    def __or__(self, other):
        return dict(self._mapping) | dict(other)

    def __ror__(self, other):
        return dict(other) | dict(self._mapping)

    def __reversed__(self):
        return reversed(self._mapping)

    def __hash__(self):
        return hash(self._mapping)
