# Points on a curve, moved to a common length and compared: instances with slots, floats. args:
# points.
# args: 120000
# quick: 300
import sys
from math import cos, sin, sqrt


class Point:
    __slots__ = ('x', 'y', 'z')

    def __init__(self, angle):
        self.x = sin(angle)
        self.y = cos(angle) * 3
        self.z = self.x * self.x / 2

    def scale(self):
        length = sqrt(self.x * self.x + self.y * self.y + self.z * self.z)
        self.x /= length
        self.y /= length
        self.z /= length

    def larger(self, other):
        if other.x > self.x:
            self.x = other.x
        if other.y > self.y:
            self.y = other.y
        if other.z > self.z:
            self.z = other.z
        return self


def main(n):
    points = [Point(i * 0.01) for i in range(n)]
    for point in points:
        point.scale()
    largest = points[0]
    for point in points[1:]:
        largest = largest.larger(point)
    print('%.6f %.6f %.6f' % (largest.x, largest.y, largest.z))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
