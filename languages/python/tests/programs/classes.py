# Classes: attributes, methods, inheritance, operators, descriptors.
class Point:
    """A point."""
    count = 0

    def __init__(self, x, y=0):
        self.x = x
        self.y = y
        Point.count += 1

    def __repr__(self):
        return f'Point({self.x}, {self.y})'

    def __add__(self, other):
        if isinstance(other, Point):
            return Point(self.x + other.x, self.y + other.y)
        return NotImplemented

    def __radd__(self, other):
        return self if other == 0 else NotImplemented

    def __mul__(self, k):
        return Point(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __eq__(self, other):
        return isinstance(other, Point) and (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __neg__(self):
        return Point(-self.x, -self.y)

    def __bool__(self):
        return bool(self.x or self.y)

    def __getitem__(self, i):
        return (self.x, self.y)[i]

    def __len__(self):
        return 2

    def __iter__(self):
        yield self.x
        yield self.y

    def __contains__(self, v):
        return v in (self.x, self.y)

    def __call__(self, f):
        return Point(f(self.x), f(self.y))

    def norm(self):
        return (self.x ** 2 + self.y ** 2) ** 0.5

    @property
    def sum(self):
        return self.x + self.y

    @sum.setter
    def sum(self, value):
        self.x = value - self.y

    @staticmethod
    def origin():
        return Point(0)

    @classmethod
    def of(cls, pair):
        return cls(*pair)

    def __lt__(self, other):
        return self.norm() < other.norm()


p, q = Point(3, 4), Point(1)
print(p, q, p + q, p * 2, 2 * p, -p, p == Point(3, 4), p != q, p.norm(), p.sum, bool(Point(0)), len(p), list(p), 3 in p, p[1])
p.sum = 10
print(p, Point.origin(), Point.of([5, 6]), p(lambda v: v + 1), sum([p, q]), Point.count, p.count, {p: 1}[Point(6, 4)])
print(sorted([Point(5), Point(1), Point(3)]), max(Point(1), Point(2)), Point.__name__, Point.__doc__, type(p) is Point)
x, y = p
print(x, y, p.__dict__, hasattr(p, 'x'), hasattr(p, 'z'), getattr(p, 'z', 'none'))
p.z = 5
setattr(p, 'w', 6)
print(p.z, p.w, p.__dict__)
del p.z
try:
    p.z
except AttributeError as e:
    print(e)
for bad in (lambda: p + 'a', lambda: 'a' + p, lambda: p - q, lambda: p > 1 if False else p < 'a', lambda: Point(), lambda: p.nothing(), lambda: Point.nope):
    try:
        print(bad())
    except (TypeError, AttributeError) as e:
        print(type(e).__name__, e)


class Animal:
    sound = '...'

    def __init__(self, name):
        self.name = name

    def speak(self):
        return f'{self.name} says {self.sound}'

    def __str__(self):
        return 'animal ' + self.name


class Dog(Animal):
    sound = 'woof'

    def __init__(self, name, breed='mutt'):
        super().__init__(name)
        self.breed = breed

    def speak(self):
        return super().speak() + '!'


class Puppy(Dog):
    def speak(self):
        return 'tiny ' + super().speak()


d = Puppy('rex')
print(d.speak(), d, d.breed, isinstance(d, Animal), issubclass(Puppy, Dog), issubclass(Dog, Puppy), [c.__name__ for c in Puppy.__mro__])


class A:
    def who(self):
        return 'A'


class B(A):
    def who(self):
        return 'B' + super().who()


class C(A):
    def who(self):
        return 'C' + super().who()


class D(B, C):
    def who(self):
        return 'D' + super().who()


print(D().who(), [c.__name__ for c in D.__mro__])
try:
    class Bad(A, B):
        pass
except TypeError as e:
    print(e)


class Lazy:
    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        if name.startswith('get_'):
            self.calls.append(name)
            return lambda: name[4:]
        raise AttributeError(f'no {name}')


lazy = Lazy()
print(lazy.get_x(), lazy.get_y(), lazy.calls)
try:
    lazy.other
except AttributeError as e:
    print(e)


class Descriptor:
    def __set_name__(self, owner, name):
        self.name = '_' + name

    def __get__(self, obj, owner):
        if obj is None:
            return self
        return getattr(obj, self.name, 0)

    def __set__(self, obj, value):
        if value < 0:
            raise ValueError('negative')
        setattr(obj, self.name, value)


class Account:
    balance = Descriptor()
    __secret = 5

    def __init__(self, b):
        self.balance = b
        self.__hidden = b * 2

    def reveal(self):
        return self.__hidden + self.__secret


acc = Account(10)
acc.balance += 5
print(acc.balance, acc.reveal(), acc._Account__hidden, type(Account.balance).__name__)
try:
    acc.balance = -1
except ValueError as e:
    print(e)


class Matrix:
    def __init__(self, rows):
        self.rows = rows

    def __matmul__(self, other):
        return Matrix([[sum(a * b for a, b in zip(r, c)) for c in zip(*other.rows)] for r in self.rows])

    def __setitem__(self, key, value):
        i, j = key
        self.rows[i][j] = value

    def __getitem__(self, key):
        i, j = key
        return self.rows[i][j]

    def __delitem__(self, i):
        del self.rows[i]

    def __iadd__(self, k):
        self.rows = [[v + k for v in r] for r in self.rows]
        return self


m = Matrix([[1, 2], [3, 4]])
m[0, 0] = 10
m += 1
n = m @ m
print(m.rows, m[1, 1], n.rows)
del m[0]
print(m.rows)


class Counter:
    total = 0

    def bump(self):
        Counter.total += 1
        return self


c = Counter()
for i in range(50):
    c.bump()
print(Counter.total, c.total)
Counter.bump = lambda self: 'patched'
print(c.bump())


class WithClassVars:
    items = [i * 2 for i in range(3)]
    n = len(items)

    class Inner:
        def hi(self):
            return 'inner'


print(WithClassVars.items, WithClassVars.n, WithClassVars.Inner().hi(), WithClassVars.Inner.__qualname__)


class Base:
    subs = []

    def __init_subclass__(cls, **kw):
        super().__init_subclass__()
        Base.subs.append((cls.__name__, kw))


class Sub1(Base):
    pass


class Sub2(Base, tag=3):
    pass


print(Base.subs)


class Node:
    def __init__(self, value, next=None):
        self.value, self.next = value, next


head = None
for i in range(60):
    head = Node(i, head)
total = 0
node = head
while node is not None:
    total += node.value
    node = node.next
print(total)


class Single:
    instance = None

    def __new__(cls, *args):
        if cls.instance is None:
            cls.instance = super().__new__(cls)
        return cls.instance


print(Single() is Single(), Single(1) is Single(2))


class Seq:
    def __getitem__(self, i):
        if i >= 3:
            raise IndexError
        return i * 10


print(list(Seq()), 20 in Seq())


class Eq:
    def __init__(self, v):
        self.v = v

    def __eq__(self, other):
        return self.v == other.v

    def __hash__(self):
        return 1


print(len({Eq(1), Eq(2), Eq(1)}), Eq(1) in [Eq(2), Eq(1)], {Eq(1): 'a'}[Eq(1)])
