# Raising, catching, cleaning up.
def attempt(f):
    try:
        return f()
    except ZeroDivisionError:
        return 'zero'
    except (KeyError, IndexError) as e:
        return 'lookup ' + type(e).__name__
    except Exception as e:
        return f'{type(e).__name__}: {e}'
    else:
        return 'never'
    finally:
        print('finally', end=' ')


print(attempt(lambda: 1 / 0), attempt(lambda: {}['k']), attempt(lambda: [][0]), attempt(lambda: int('z')), attempt(lambda: 5))


class MyError(Exception):
    pass


class Coded(MyError):
    def __init__(self, code, message='coded'):
        super().__init__(message)
        self.code = code


try:
    raise Coded(42)
except MyError as e:
    print(e, e.code, e.args, repr(e), isinstance(e, Exception))
try:
    raise MyError
except MyError as e:
    print(repr(e), str(e) == '', e.args)
try:
    raise MyError('a', 1)
except MyError as e:
    print(e, e.args)


def order():
    log = []
    try:
        log.append('try')
        try:
            raise ValueError('inner')
        finally:
            log.append('inner finally')
    except ValueError as e:
        log.append('caught ' + str(e))
    else:
        log.append('else')
    finally:
        log.append('finally')
    return log


print(order())


def returns():
    try:
        return 'try'
    finally:
        print('cleanup', end=' ')


def overrides():
    try:
        return 'try'
    finally:
        return 'finally'


def loop():
    out = []
    for i in range(5):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            out.append(i)
        finally:
            out.append('f%d' % i)
    return out


print(returns(), overrides(), loop())


def nested():
    try:
        try:
            {}['a']
        except KeyError as e:
            raise ValueError('second') from e
    except ValueError as e:
        return type(e.__cause__).__name__, type(e.__context__).__name__, e.__suppress_context__


print(nested())


def implicit():
    try:
        try:
            1 / 0
        except ZeroDivisionError:
            undefined
    except NameError as e:
        return type(e.__context__).__name__, e.__cause__


print(implicit())


def reraise():
    try:
        try:
            raise KeyError('k')
        except KeyError:
            raise
    except KeyError as e:
        return 'again ' + str(e)


print(reraise())
try:
    raise ValueError('x') from None
except ValueError as e:
    print(e.__cause__, e.__suppress_context__)
try:
    e
except NameError as err:
    print(err)


class Manager:
    def __init__(self, name, swallow=False):
        self.name, self.swallow = name, swallow

    def __enter__(self):
        print('enter', self.name, end=' ')
        return self

    def __exit__(self, kind, value, tb):
        print('exit', self.name, kind.__name__ if kind else None, end=' ')
        return self.swallow


with Manager('a') as a, Manager('b'):
    print('body', a.name, end=' ')
print()
with Manager('s', True):
    raise ValueError('swallowed')
print()
try:
    with Manager('n'):
        raise ValueError('kept')
except ValueError as e:
    print('caught', e)


def with_return():
    for i in range(3):
        with Manager(i):
            if i == 1:
                return i


print(with_return())
for bad in (lambda: 1 + 'a', lambda: None.x, lambda: len(5), lambda: [] < 1, lambda: 5(), lambda: {}.foo, lambda: 'a'.join([1]), lambda: next(iter([])), lambda: abs('a'), lambda: -'a', lambda: sum(['a']), lambda: range(1, 2, 0), lambda: chr(-1), lambda: float('x'), lambda: [1, 2].index(5), lambda: iter(5), lambda: 3 in 5, lambda: {}[[]]):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
try:
    assert 1 == 2, 'message'
except AssertionError as e:
    print('assert', e)
try:
    assert False
except AssertionError as e:
    print('assert', repr(e))
try:
    raise 5
except TypeError as e:
    print(e)
try:
    raise
except RuntimeError as e:
    print(e)


def count_errors(n):
    caught = 0
    for i in range(n):
        try:
            if i % 3 == 0:
                raise ValueError(i)
            if i % 3 == 1:
                [][i]
        except ValueError as e:
            caught += e.args[0]
        except IndexError:
            caught += 1
    return caught


print(count_errors(90))


def deep(n):
    if n == 0:
        raise MyError('bottom')
    try:
        deep(n - 1)
    finally:
        unwound.append(n)


unwound = []
try:
    deep(30)
except MyError as e:
    print(e, len(unwound), unwound[:3])
print(issubclass(KeyError, LookupError), issubclass(RecursionError, RuntimeError), KeyError.__mro__[1].__name__)
try:
    try:
        raise ValueError('a')
    finally:
        raise KeyError('b')
except KeyError as e:
    print(e, repr(e.__context__))
