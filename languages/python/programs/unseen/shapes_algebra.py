# Class hierarchy of shapes with properties, 2-d vectors and exact rationals with operator overloading. args: shapes.
# args: 7600
# quick: 10
import sys
import math
from functools import total_ordering


class Vec:
    __slots__ = ('x', 'y')

    def __init__(self, x=0.0, y=0.0):
        self.x = x
        self.y = y

    def __add__(self, o): return Vec(self.x + o.x, self.y + o.y)
    def __sub__(self, o): return Vec(self.x - o.x, self.y - o.y)
    def __neg__(self): return Vec(-self.x, -self.y)

    def __mul__(self, o):
        if isinstance(o, Vec):
            return self.x * o.x + self.y * o.y
        return Vec(self.x * o, self.y * o)

    __rmul__ = __mul__

    def __truediv__(self, k): return Vec(self.x / k, self.y / k)
    def __matmul__(self, o): return self.x * o.y - self.y * o.x
    def __abs__(self): return math.hypot(self.x, self.y)
    def __eq__(self, o): return isinstance(o, Vec) and self.x == o.x and self.y == o.y
    def __hash__(self): return hash((self.x, self.y))
    def __bool__(self): return bool(self.x or self.y)

    def __iter__(self):
        yield self.x
        yield self.y

    def __getitem__(self, i): return (self.x, self.y)[i]

    def __iadd__(self, o):
        self.x += o.x
        self.y += o.y
        return self

    def rotated(self, angle):
        c, s = math.cos(angle), math.sin(angle)
        return Vec(c * self.x - s * self.y, s * self.x + c * self.y)

    def __repr__(self): return 'Vec(%.4f, %.4f)' % tuple(self)


@total_ordering
class Rational:
    def __init__(self, num, den=1):
        if den == 0:
            raise ZeroDivisionError('Rational(%d, 0)' % num)
        if den < 0:
            num, den = -num, -den
        g = math.gcd(num, den)
        self._num, self._den = num // g, den // g

    numerator = property(lambda self: self._num)
    denominator = property(lambda self: self._den)

    @classmethod
    def coerce(cls, v):
        if isinstance(v, cls):
            return v
        if isinstance(v, int):
            return cls(v)
        return NotImplemented

    def _binary(fn):
        def forward(self, other):
            other = self.coerce(other)
            return other if other is NotImplemented else fn(self, other)

        def backward(self, other):
            other = self.coerce(other)
            return other if other is NotImplemented else fn(other, self)
        return forward, backward

    __add__, __radd__ = _binary(lambda a, b: Rational(a._num * b._den + b._num * a._den, a._den * b._den))
    __sub__, __rsub__ = _binary(lambda a, b: Rational(a._num * b._den - b._num * a._den, a._den * b._den))
    __mul__, __rmul__ = _binary(lambda a, b: Rational(a._num * b._num, a._den * b._den))
    __truediv__, __rtruediv__ = _binary(lambda a, b: Rational(a._num * b._den, a._den * b._num))
    del _binary

    def __pow__(self, k):
        return Rational(self._num ** k, self._den ** k) if k >= 0 else Rational(self._den ** -k, self._num ** -k)

    def __neg__(self): return Rational(-self._num, self._den)
    def __float__(self): return self._num / self._den
    def __floor__(self): return self._num // self._den
    def __hash__(self): return hash((self._num, self._den))

    def __eq__(self, other):
        other = self.coerce(other)
        return other is not NotImplemented and (self._num, self._den) == (other._num, other._den)

    def __lt__(self, other):
        other = self.coerce(other)
        return self._num * other._den < other._num * self._den

    def __str__(self): return str(self._num) if self._den == 1 else '%d/%d' % (self._num, self._den)


class Shape:
    created = 0
    kinds = {}

    def __init_subclass__(cls, **kw):
        super().__init_subclass__(**kw)
        Shape.kinds[cls.__name__] = cls

    def __init__(self, center):
        self.center = center

    @property
    def area(self):
        raise NotImplementedError(type(self).__name__)

    @property
    def perimeter(self):
        raise NotImplementedError

    @property
    def roundness(self):
        return 4 * math.pi * self.area / self.perimeter ** 2

    def describe(self):
        return '%s area=%.3f' % (type(self).__name__.lower(), self.area)


class Circle(Shape):
    def __init__(self, center, radius):
        super().__init__(center)
        self.radius = radius

    @property
    def radius(self): return self._radius

    @radius.setter
    def radius(self, r):
        if r < 0:
            raise ValueError('negative radius %g' % r)
        self._radius = r

    @property
    def area(self): return math.pi * self._radius ** 2

    @property
    def perimeter(self): return 2 * math.pi * self._radius

    @property
    def diameter(self): return 2 * self.radius

    @diameter.setter
    def diameter(self, d): self.radius = d / 2


class Polygon(Shape):
    def __init__(self, points):
        self.points = list(points)
        center = Vec()
        for p in self.points:
            center += p
        super().__init__(center / len(self.points))

    def edges(self):
        prev = self.points[-1]
        for p in self.points:
            yield prev, p
            prev = p

    @property
    def area(self): return abs(sum(a @ b for a, b in self.edges())) / 2

    @property
    def perimeter(self): return sum(abs(b - a) for a, b in self.edges())

    def rotate(self, angle):
        self.points = [self.center + (p - self.center).rotated(angle) for p in self.points]
        return self

    def __len__(self): return len(self.points)


class Rectangle(Polygon):
    def __init__(self, corner, width, height):
        self.width, self.height = width, height
        dx, dy = Vec(width, 0), Vec(0, height)
        super().__init__([corner, corner + dx, corner + dx + dy, corner + dy])

    @property
    def area(self): return self.width * self.height

    def describe(self): return super().describe() + ' %gx%g' % (self.width, self.height)


class Square(Rectangle):
    def __init__(self, corner, side): super().__init__(corner, side, side)


class Regular(Polygon):
    def __init__(self, sides, radius):
        spoke = Vec(radius, 0)
        super().__init__(spoke.rotated(2 * math.pi * k / sides) for k in range(sides))

    def describe(self): return '%d-gon, ' % len(self) + super().describe()


def build(k):
    at = Vec(k % 17, k % 5)
    which = k % 5
    if which == 0:
        return Circle(at, 1 + k % 7)
    if which == 1:
        return Rectangle(at, 1 + k % 4, 2 + k % 3)
    if which == 2:
        return Square(at, 1 + k % 6)
    if which == 3:
        return Regular(3 + k % 9, 2.0)
    return Polygon([at, at + Vec(3, k % 4), at + 2 * Vec(1, 3)])


def main(n):
    shapes = [build(k) for k in range(n)]
    for s in shapes[:5]:
        print(s.describe(), 'round %.4f' % s.roundness)
    print('kinds', sorted(Shape.kinds), [sum(isinstance(s, c) for s in shapes) for c in (Polygon, Rectangle, Circle)])
    area = sum(s.area for s in shapes)
    turned = sum(s.rotate(0.5).perimeter for s in shapes if isinstance(s, Polygon))
    middle = sum((s.center for s in shapes), Vec()) / n
    print('area %.5f perimeters %.5f' % (area, turned), middle, 'round', max(shapes, key=lambda s: s.roundness).describe())

    total, alternating = Rational(0), 1 - Rational(1)
    for k in range(1, min(n, 60)):
        total += Rational(1, k * (k + 1))
        alternating = alternating + Rational((-1) ** k, k) / 2
    for k in range(n):
        q = (3 - Rational(k, 7)) * Rational(2, k + 1) - 1
        alternating = max(alternating, q) if k % 2 else min(alternating, q + 1)
    print('rationals', total, alternating, float(total) < 1, total == Rational(59, 60), math.floor(Rational(-7, 2)))
    print(Rational(2, 3) ** -3, sorted([Rational(1, 2), 0 - Rational(1, 3), Rational(2, 5)])[0], len({Rational(1, 2), Rational(2, 4)}))

    c = Circle(Vec(), 2)
    c.diameter = 10
    print('radius', c.radius, bool(Vec()), Vec(1, 2) == Vec(1.0, 2.0), Vec(3, 4)[1], abs(Vec(3, 4)), 2 * Vec(1, 2) * Vec(3, 4))
    for attempt in (lambda: setattr(c, 'diameter', -1), lambda: Rational(1, 0), lambda: Shape(Vec()).area,
                    lambda: Rational(1) + 'x', lambda: setattr(Rational(1), 'numerator', 2), lambda: setattr(Vec(), 'z', 1)):
        try:
            attempt()
        except (ValueError, ArithmeticError, NotImplementedError, TypeError, AttributeError) as e:
            print(type(e).__name__, end=' ')
    print()


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
