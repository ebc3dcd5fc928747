# Spheres over a chequered floor, with shadows and mirrors: classes with operators, floats. args:
# width.
# args: 60
# quick: 8
import sys
from math import sqrt


class Vector:
    def __init__(self, x, y, z):
        self.x = x
        self.y = y
        self.z = z

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y, self.z + other.z)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y, self.z - other.z)

    def __mul__(self, factor):
        return Vector(self.x * factor, self.y * factor, self.z * factor)

    def dot(self, other):
        return self.x * other.x + self.y * other.y + self.z * other.z

    def unit(self):
        return self * (1.0 / sqrt(self.dot(self)))

    def mirrored(self, normal):
        return self - normal * (2 * self.dot(normal))


class Ray:
    def __init__(self, start, direction):
        self.start = start
        self.direction = direction.unit()

    def at(self, distance):
        return self.start + self.direction * distance


class Sphere:
    def __init__(self, centre, radius, colour, mirror):
        self.centre = centre
        self.radius = radius
        self.colour = colour
        self.mirror = mirror

    def distance(self, ray):
        away = ray.start - self.centre
        b = away.dot(ray.direction)
        c = away.dot(away) - self.radius * self.radius
        inside = b * b - c
        if inside < 0:
            return None
        root = sqrt(inside)
        for distance in (-b - root, -b + root):
            if distance > 1e-6:
                return distance
        return None

    def normal(self, point):
        return (point - self.centre).unit()

    def colour_at(self, point):
        return self.colour


class Floor:
    mirror = 0.1

    def __init__(self, height):
        self.height = height

    def distance(self, ray):
        if abs(ray.direction.y) < 1e-9:
            return None
        distance = (self.height - ray.start.y) / ray.direction.y
        return distance if distance > 1e-6 else None

    def normal(self, point):
        return Vector(0.0, 1.0, 0.0)

    def colour_at(self, point):
        light = (int(point.x // 1) + int(point.z // 1)) % 2 == 0
        return Vector(0.9, 0.9, 0.8) if light else Vector(0.2, 0.3, 0.2)


class Scene:
    def __init__(self, things, lights):
        self.things = things
        self.lights = lights

    def nearest(self, ray):
        found = None
        for thing in self.things:
            distance = thing.distance(ray)
            if distance is not None and (found is None or distance < found[0]):
                found = distance, thing
        return found

    def is_lit(self, point, light):
        towards = light - point
        far = sqrt(towards.dot(towards))
        ray = Ray(point, towards)
        for thing in self.things:
            distance = thing.distance(ray)
            if distance is not None and distance < far:
                return False
        return True

    def colour(self, ray, depth):
        found = self.nearest(ray)
        if found is None:
            return Vector(0.3, 0.5, 0.8 * max(ray.direction.y, 0.0))
        distance, thing = found
        point = ray.at(distance)
        normal = thing.normal(point)
        bright = 0.15
        for light in self.lights:
            if self.is_lit(point, light):
                bright += 0.6 * max((light - point).unit().dot(normal), 0.0)
        colour = thing.colour_at(point) * bright
        if depth > 0 and thing.mirror:
            onward = Ray(point, ray.direction.mirrored(normal))
            colour = colour * (1 - thing.mirror) + self.colour(onward, depth - 1) * thing.mirror
        return colour


def main(n):
    things = [
        Sphere(Vector(-1.2, 0.8, 5.0), 1.0, Vector(0.9, 0.2, 0.1), 0.3),
        Sphere(Vector(1.1, 0.4, 4.0), 0.6, Vector(0.2, 0.8, 0.3), 0.0),
        Sphere(Vector(0.3, 1.7, 6.5), 1.3, Vector(0.3, 0.3, 0.9), 0.5),
        Floor(-0.5),
    ]
    scene = Scene(things, [Vector(5.0, 8.0, -2.0), Vector(-6.0, 5.0, 1.0)])
    height = n * 3 // 4
    sums = [0.0, 0.0, 0.0]
    eye = Vector(0.0, 1.0, -3.0)
    for row in range(height):
        for column in range(n):
            x = (column - n / 2) / n
            y = (height / 2 - row) / n
            colour = scene.colour(Ray(eye, Vector(x, y, 1.0)), 3)
            sums[0] += colour.x
            sums[1] += colour.y
            sums[2] += colour.z
    print(' '.join(['%.5f' % part for part in sums]))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 6)
