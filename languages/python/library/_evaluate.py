"""What `globals` and `compile` return."""

from _collections_abc import MutableMapping as _MutableMapping
from _verdigris import module_get as _module_get, module_names as _module_names


class Globals(_MutableMapping):
    """The globals of a module: a mapping that is no dict, since they are variables of their own."""

    __slots__ = ("_module",)

    def __init__(self, module):
        self._module = module

    def __getitem__(self, name):
        return _module_get(self._module, name)

    def __setitem__(self, name, value):
        setattr(self._module, name, value)

    def __delitem__(self, name):
        _module_get(self._module, name)
        delattr(self._module, name)

    def __iter__(self):
        return iter(_module_names(self._module))

    def __len__(self):
        return len(_module_names(self._module))

    def copy(self):
        return dict(self)

    def __or__(self, other):
        return {**self, **other}

    def __ror__(self, other):
        return {**other, **self}

    def __repr__(self):
        return repr(dict(self))


_known = {}


def globals_of(module):
    made = _known.get(module)
    if made is None:
        made = _known[module] = Globals(module)
    return made


class code:
    co_name = co_qualname = "<module>"
    co_firstlineno = 1

    def __init__(self, source, filename, is_expression, is_single):
        self._source = source
        self.co_filename = filename
        self._is_expression = is_expression
        self._is_single = is_single

    def __repr__(self):
        at = f"{id(self):#x}"
        return f'<code object <module> at {at}, file "{self.co_filename}", line 1>'
