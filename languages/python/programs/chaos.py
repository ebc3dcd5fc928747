# A chaos game whose maps are bent by a spline: small classes, floats, lists of lists. args: points.
# args: 20000
# quick: 300
import sys


class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor)

    def towards(self, other, part):
        return self + (other - self) * part


class Curve:
    """A curve through control points, by repeated interpolation between neighbours."""

    def __init__(self, points):
        self.points = points

    def at(self, t):
        level = self.points
        while len(level) > 1:
            level = [a.towards(b, t) for a, b in zip(level, level[1:])]
        return level[0]


class Random:
    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 1103515245 + 12345) & 0x7fffffff
        return (self.state >> 8) % n


class Game:
    def __init__(self, curves, size):
        self.curves = curves
        self.size = size
        self.image = [[0] * size for _ in range(size)]

    def step(self, point, random):
        curve = self.curves[random.below(len(self.curves))]
        bent = curve.at((point.x + point.y) / 2)
        return point.towards(bent, 0.55)

    def mark(self, point):
        column = min(max(int(point.x * self.size), 0), self.size - 1)
        row = min(max(int(point.y * self.size), 0), self.size - 1)
        self.image[row][column] += 1

    def play(self, turns):
        random = Random(4)
        point = Vector(0.5, 0.5)
        for _ in range(turns):
            point = self.step(point, random)
            self.mark(point)


def main(n):
    curves = [
        Curve([Vector(0.0, 0.0), Vector(0.3, 0.9), Vector(1.0, 0.2)]),
        Curve([Vector(1.0, 1.0), Vector(0.1, 0.7), Vector(0.4, 0.0), Vector(0.9, 0.5)]),
        Curve([Vector(0.2, 1.0), Vector(0.8, 0.6)]),
    ]
    game = Game(curves, 64)
    game.play(n)
    filled = sum(1 for row in game.image for count in row if count)
    highest = max(max(row) for row in game.image)
    print(filled, highest, sum(r * sum(row) for r, row in enumerate(game.image)))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
