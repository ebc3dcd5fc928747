"""Variables of a context, of which a program of one thread has one at a time."""

_missing = object()


class Token:
    MISSING = _missing

    def __init__(self, var, old):
        self.var = var
        self.old_value = old
        self._context = _current[0]


class ContextVar:
    def __init__(self, name, *, default=_missing):
        self.name = name
        self._default = default

    def get(self, default=_missing):
        value = _current[0]._values.get(self, _missing)
        for other in (default, self._default):
            if value is _missing:
                value = other
        if value is _missing:
            raise LookupError(self)
        return value

    def set(self, value):
        token = Token(self, _current[0]._values.get(self, _missing))
        _current[0]._values[self] = value
        return token

    def reset(self, token):
        if token.var is not self:
            raise ValueError(f"{token!r} was created by a different ContextVar")
        if token.old_value is _missing:
            _current[0]._values.pop(self, None)
        else:
            _current[0]._values[self] = token.old_value

    def __class_getitem__(cls, args):
        from types import GenericAlias

        return GenericAlias(cls, args)

    def __repr__(self):
        return f"<ContextVar name={self.name!r} at {id(self):#x}>"


class Context:
    def __init__(self):
        self._values = {}

    def run(self, function, *args, **keywords):
        before = _current[0]
        _current[0] = self
        try:
            return function(*args, **keywords)
        finally:
            _current[0] = before

    def copy(self):
        made = Context()
        made._values = dict(self._values)
        return made

    def __getitem__(self, var):
        return self._values[var]

    def __contains__(self, var):
        return var in self._values

    def __iter__(self):
        return iter(self._values)

    def __len__(self):
        return len(self._values)

    def get(self, var, default=None):
        return self._values.get(var, default)

    def items(self):
        return self._values.items()


_current = [Context()]


def copy_context():
    return _current[0].copy()
