# Texts as programs, and the variables where they are called.
import math


def show(function):
    try:
        print(repr(function()))
    except Exception as error:
        print(type(error).__name__, error, sep=': ')


x = 10
print(eval('x + 1'), eval('[n * x for n in range(3)]'), eval(' (1, 2)'), eval(b'3 * 4'), eval('lambda a: a + x')(5), eval('x', {'x': 'own'}), eval('x + y', {'x': 1}, {'y': 2}))
exec('y = x * 2\ndef double(n):\n    return n * 2\nclass Made:\n    value = x')
print(y, double(y), Made.value, Made.__module__, double.__module__, double.__qualname__)
exec('x += 1; global_too = x')
print(x, global_too)
space = {}
exec('a = 1\nb = a + 1\ndef f():\n    return a + b', space)
print(space['a'], space['b'], space['f'](), sorted(key for key in space if key != '__builtins__'))
space = {'n': 5}
exec('n += 1; m = n', space)
print(space['n'], space['m'])
exec('del n', space)
print('n' in space)
names, own = {'g': 1}, {'l': 2}
exec('l = l + g; new = l; del own', names, {**own, 'own': 1})
exec('l = l + g; new = l', names, own)
print(own, names['g'], 'l' in names, eval('l + g', names, own))


def function(a, b=2, *args, key=None, **others):
    c = a + b
    hidden = [n for n in range(2)]

    def inner():
        return a, sorted(locals())

    print(sorted(locals().items(), key=lambda item: item[0])[:4], inner(), sorted(vars()) == sorted(locals()), dir())
    print(eval('a + b + c'), eval('x + c'), sorted(eval('locals()')) == sorted(locals()))
    exec('c = 100; print(c, a)')
    if c > 1000:
        late = 1
    return c, 'late' in locals()


print(function(1), function(1, 5, 6, key=7, z=8))


def count(n):
    total = 0
    for i in range(n):
        total += locals()['i'] + eval('total') * 0
    return total


print(count(30))


class Body:
    one = 1
    print('one' in locals(), 'Body' in locals(), eval('one + x'), 'one' in dir())
    exec('two = one + 1')
    three = eval('two') + 1


print(Body.two, Body.three)
print('x' in globals(), globals()['x'], 'none' in globals(), globals() is globals(), globals().get('none', 3), len(globals()) > 10, 'x' in dir(), locals() is globals())
globals()['made'] = 5
print(made, sorted(name for name in globals() if name in ('made', 'x', 'y')))
globals()['made'] += 1
print(made, {**globals()}['made'], vars()['made'])
del globals()['made']
show(lambda: made)
show(lambda: globals()['made'])
globals().update(first=1, second=2)
print(first, second, math.__dict__['pi'], vars(math)['e'], 'sin' in math.__dict__)
for text in ('undefined', '1 +', 'x = 1', '', '1 / 0'):
    try:
        eval(text)
    except Exception as error:
        print(type(error).__name__, end=' ')
try:
    exec('if True:\nx = 1')
except SyntaxError as error:
    print(type(error).__name__)
show(lambda: eval(1))
show(lambda: exec(1))
show(lambda: eval('1', 1))
show(lambda: exec('1', 1))
show(lambda: eval('1', {}, 1))
show(lambda: exec('1', {}, 1))
show(lambda: compile('1', 'f', 'x'))
show(lambda: compile(1, 'f', 'eval'))
code = compile('x * 3', 'name', 'eval')
print(eval(code), eval(code, {'x': 'ab'}), code.co_filename, code.co_name, type(code).__name__)
code = compile('total = sum(range(n))', '<made>', 'exec')
for n in range(3):
    exec(code)
    print(total, end=' ')
space = {'n': 10}
exec(code, space)
print(space['total'], exec(code), eval(compile('y', '', 'exec')))


class Plain:
    attribute = 1

    def __init__(self):
        self.own = 2

    def method(self):
        pass


class Slots:
    __slots__ = ('one',)


class Listed:
    def __dir__(self):
        return ['b', 'a']


print(dir(Plain()) == sorted(set(dir(Plain)) | {'own'}), [name for name in dir(Plain()) if not name.startswith('_')], len(dir(Plain)))
print(dir(Slots()), dir(Listed()), '__weakref__' in dir(Plain), '__init__' in dir(Plain()))


class Derived(Plain):
    other = 3


print([name for name in dir(Derived) if not name.startswith('__')], 'pi' in dir(math))
exec('''
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
for i in range(12):
    value = fib(i)
''')
print(value)
exec('def failing():\n    raise ValueError("inside")')
try:
    failing()
except ValueError as error:
    error.add_note('a note')
    error.add_note('another\nof two lines')
    print(error.__notes__, error)
    try:
        error.add_note(1)
    except TypeError as wrong:
        print(wrong)
# A statement as the dialogue compiles it: values of expressions are shown.
for text in ["1 + 2", "None", "x = 3", "x", "for n in range(2): n", "'a'; 'b'", "def f(): 5", "f()"]:
    exec(compile(text + "\n", "<typed>", "single"))
print(_)
exec('e = KeyError("end"); e.add_note("noted"); raise e')
