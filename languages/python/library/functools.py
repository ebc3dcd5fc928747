"""Functions out of functions."""

WRAPPER_ASSIGNMENTS = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")
WRAPPER_UPDATES = ("__dict__",)

_missing = object()


def update_wrapper(wrapper, wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    for name in assigned:
        value = getattr(wrapped, name, _missing)
        if value is not _missing:
            setattr(wrapper, name, value)
    for name in updated:
        getattr(wrapper, name).update(getattr(wrapped, name, {}))
    wrapper.__wrapped__ = wrapped
    return wrapper


def wraps(wrapped, assigned=WRAPPER_ASSIGNMENTS, updated=WRAPPER_UPDATES):
    def decorator(wrapper):
        return update_wrapper(wrapper, wrapped, assigned, updated)

    return decorator


def reduce(function, iterable, initial=_missing):
    iterator = iter(iterable)
    if initial is _missing:
        for initial in iterator:
            break
        else:
            raise TypeError("reduce() of empty iterable with no initial value")
    result = initial
    for item in iterator:
        result = function(result, item)
    return result


class partial:
    def __new__(cls, func, /, *args, **keywords):
        if not callable(func):
            raise TypeError("the first argument must be callable")
        self = super().__new__(cls)
        if isinstance(func, partial):
            args = func.args + args
            keywords = {**func.keywords, **keywords}
            func = func.func
        self.func = func
        self.args = args
        self.keywords = keywords
        return self

    def __call__(self, /, *args, **keywords):
        if self.keywords or keywords:
            return self.func(*self.args, *args, **{**self.keywords, **keywords})
        return self.func(*self.args, *args)

    def __repr__(self):
        parts = [repr(self.func)]
        parts += [repr(value) for value in self.args]
        parts += [f"{name}={value!r}" for name, value in self.keywords.items()]
        return f"functools.partial({', '.join(parts)})"


class partialmethod:
    def __init__(self, func, /, *args, **keywords):
        self.func = func
        self.args = args
        self.keywords = keywords

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return partial(self.func, instance, *self.args, **self.keywords)


class _CacheInfo:
    def __init__(self, hits, misses, maxsize, currsize):
        self.hits = hits
        self.misses = misses
        self.maxsize = maxsize
        self.currsize = currsize

    def _values(self):
        return self.hits, self.misses, self.maxsize, self.currsize

    def __iter__(self):
        return iter(self._values())

    def __getitem__(self, n):
        return self._values()[n]

    def __eq__(self, other):
        return self._values() == tuple(other)

    def __repr__(self):
        return (
            f"CacheInfo(hits={self.hits}, misses={self.misses}, "
            f"maxsize={self.maxsize}, currsize={self.currsize})"
        )


def _key_of(args, keywords, typed):
    if keywords:
        args = (args, tuple(keywords.items()), "keywords")
    if typed:
        args = (args, tuple([type(value) for value in args]), "types")
    return args


def cache(user_function, /):
    return lru_cache(maxsize=None)(user_function)


def lru_cache(maxsize=128, typed=False):
    if callable(maxsize) and isinstance(typed, bool):
        return _bounded(maxsize, 128, typed, maxsize)
    if maxsize is not None and not isinstance(maxsize, int):
        raise TypeError("Expected first argument to be an integer, a callable, or None")
    if maxsize is not None and maxsize < 0:
        maxsize = 0

    def decorator(function):
        if maxsize is None:
            return _unbounded(function, typed)
        return _bounded(function, maxsize, typed, function)

    return decorator


def _unbounded(function, typed):
    known = {}
    hits = misses = 0

    def wrapper(*args, **keywords):
        nonlocal hits, misses
        key = args
        if keywords or typed:
            key = _key_of(args, keywords, typed)
        result = known.get(key, _missing)
        if result is not _missing:
            hits += 1
            return result
        misses += 1
        result = function(*args, **keywords)
        known[key] = result
        return result

    def cache_info():
        return _CacheInfo(hits, misses, None, len(known))

    def cache_clear():
        nonlocal hits, misses
        known.clear()
        hits = misses = 0

    return _with_cache(wrapper, function, cache_info, cache_clear, None, typed)


def _bounded(function, maxsize, typed, wrapped):
    # From keys to links [before, behind, key, result] of a ring in the order in which they were
    # used last; `root` is between the last and the first.
    known = {}
    root = [None, None, None, None]
    root[0] = root[1] = root
    hits = misses = 0

    def wrapper(*args, **keywords):
        nonlocal hits, misses
        key = args
        if keywords or typed:
            key = _key_of(args, keywords, typed)
        link = known.get(key)
        if link is not None:
            before, behind = link[0], link[1]
            before[1] = behind
            behind[0] = before
            _append(root, link)
            hits += 1
            return link[3]
        misses += 1
        result = function(*args, **keywords)
        if maxsize == 0 or key in known:
            return result
        if len(known) >= maxsize:
            oldest = root[1]
            root[1] = oldest[1]
            oldest[1][0] = root
            del known[oldest[2]]
        link = [None, None, key, result]
        _append(root, link)
        known[key] = link
        return result

    def cache_info():
        return _CacheInfo(hits, misses, maxsize, len(known))

    def cache_clear():
        nonlocal hits, misses
        known.clear()
        root[0] = root[1] = root
        hits = misses = 0

    return _with_cache(wrapper, wrapped, cache_info, cache_clear, maxsize, typed)


def _append(root, link):
    last = root[0]
    last[1] = root[0] = link
    link[0] = last
    link[1] = root


def _with_cache(wrapper, function, cache_info, cache_clear, maxsize, typed):
    wrapper.cache_info = cache_info
    wrapper.cache_clear = cache_clear
    wrapper.cache_parameters = lambda: {"maxsize": maxsize, "typed": typed}
    return update_wrapper(wrapper, function)


class cached_property:
    def __init__(self, func):
        self.func = func
        self.attrname = None
        self.__doc__ = func.__doc__

    def __set_name__(self, owner, name):
        if self.attrname is None:
            self.attrname = name
        elif name != self.attrname:
            raise TypeError(
                "Cannot assign the same cached_property to two different names "
                f"({self.attrname!r} and {name!r})."
            )

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = self.func(instance)
        setattr(instance, self.attrname, value)
        return value


def cmp_to_key(mycmp):
    class K:
        __slots__ = ("obj",)
        __hash__ = None

        def __init__(self, obj):
            self.obj = obj

        def __lt__(self, other):
            return mycmp(self.obj, other.obj) < 0

        def __le__(self, other):
            return mycmp(self.obj, other.obj) <= 0

        def __eq__(self, other):
            return mycmp(self.obj, other.obj) == 0

        def __gt__(self, other):
            return mycmp(self.obj, other.obj) > 0

        def __ge__(self, other):
            return mycmp(self.obj, other.obj) >= 0

    return K


def _derived(base, negated, with_equal):
    # A comparison by another one: `not base`, `base or ==`, or `not base and !=`.
    def method(self, other):
        result = getattr(type(self), base)(self, other)
        if result is NotImplemented:
            return result
        if with_equal == "or":
            return result or self == other
        if with_equal == "and":
            return not result and self != other
        if with_equal == "both":
            return result and self != other
        if with_equal == "either":
            return not result or self == other
        return not result

    method.__name__ = negated
    return method


_ORDERS = {
    "__lt__": [("__gt__", "and"), ("__le__", "or"), ("__ge__", "not")],
    "__le__": [("__ge__", "either"), ("__lt__", "both"), ("__gt__", "not")],
    "__gt__": [("__lt__", "and"), ("__ge__", "or"), ("__le__", "not")],
    "__ge__": [("__le__", "either"), ("__gt__", "both"), ("__lt__", "not")],
}


def total_ordering(cls):
    roots = [
        name
        for name in _ORDERS
        if getattr(cls, name, None) is not getattr(object, name, None)
    ]
    if not roots:
        raise ValueError("must define at least one ordering operation: < > <= >=")
    # The first of those that there are, in this order.
    for root in ("__lt__", "__le__", "__gt__", "__ge__"):
        if root in roots:
            break
    for name, how in _ORDERS[root]:
        if name not in roots:
            setattr(cls, name, _derived(root, name, how))
    return cls


def singledispatch(func):
    registry = {object: func}
    known = {}
    name = getattr(func, "__name__", "singledispatch function")

    def dispatch(cls):
        if cls not in known:
            known[cls] = look_for(cls)
        return known[cls]

    def look_for(cls):
        for base in cls.__mro__:
            if base in registry and base is not object:
                return registry[base]
            # An abstract class that is registered for this one comes before `object`.
        fitting = [base for base in registry if base is not object and issubclass(cls, base)]
        for base in fitting:
            if all(other is base or issubclass(base, other) for other in fitting):
                return registry[base]
        if fitting:
            raise RuntimeError(f"Ambiguous dispatch: {fitting[0]} or {fitting[1]}")
        return registry[object]

    def register(cls, func=None):
        if func is None:
            if isinstance(cls, type) or hasattr(cls, "__args__"):
                return lambda function: register(cls, function)
            func = cls
            if not getattr(func, "__annotations__", None):
                raise TypeError(
                    f"Invalid first argument to `register()`: {cls!r}. Use either "
                    "`@register(some_class)` or plain `@register` on an annotated function."
                )
            from typing import get_type_hints

            hinted, cls = next(iter(get_type_hints(func).items()))
            if not isinstance(cls, type) and not hasattr(cls, "__args__"):
                raise TypeError(
                    f"Invalid annotation for {hinted!r}. {cls!r} is not a class."
                )
        for one in cls.__args__ if hasattr(cls, "__args__") else (cls,):
            registry[one] = func
        known.clear()
        return func

    def wrapper(*args, **keywords):
        if not args:
            raise TypeError(f"{name} requires at least 1 positional argument")
        return dispatch(args[0].__class__)(*args, **keywords)

    wrapper.register = register
    wrapper.dispatch = dispatch
    from types import MappingProxyType

    wrapper.registry = MappingProxyType(registry)
    wrapper._clear_cache = known.clear
    return update_wrapper(wrapper, func)


class singledispatchmethod:
    """The same of a method: which one is called, the first argument behind the object says."""

    def __init__(self, func):
        if not callable(func) and not hasattr(func, "__get__"):
            raise TypeError(f"{func!r} is not callable or a descriptor")
        self.dispatcher = singledispatch(func)
        self.func = func

    def register(self, cls, method=None):
        return self.dispatcher.register(cls, func=method)

    def __get__(self, obj, cls=None):
        def method(*args, **keywords):
            function = self.dispatcher.dispatch(args[0].__class__)
            return function.__get__(obj, cls)(*args, **keywords)

        method.register = self.register
        return update_wrapper(method, self.func)

    @property
    def __isabstractmethod__(self):
        return getattr(self.func, "__isabstractmethod__", False)
