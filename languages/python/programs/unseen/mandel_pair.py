# Mandelbrot set drawn with pairs of floats and again with complex numbers, plus a Julia set. args: picture columns.
# args: 265
# quick: 16
import sys
import math

SHADES = " .:-=+*%#@"


def escape_float(cr, ci, limit):
    zr = zi = 0.0
    for k in range(limit):
        rr, ii = zr * zr, zi * zi
        if rr + ii > 4.0:
            return k
        zi = 2.0 * zr * zi + ci
        zr = rr - ii + cr
    return limit


def escape_complex(c, limit, z=0j):
    k = 0
    while abs(z) <= 2 and k < limit:
        z = z * z + c
        k += 1
    return k


def smooth(c, limit):
    z = 0
    for k in range(limit):
        z = z ** 2 + c
        if abs(z) > 8:
            return k + 1 - math.log(math.log(abs(z)), 2)
    return float(limit)


def picture(columns, rows, func):
    for j in range(rows):
        y = 1.2 - 2.4 * j / (rows - 1)
        yield [func(-2.1 + 3.0 * i / (columns - 1), y) for i in range(columns)]


def shade(row, limit):
    return "".join(SHADES[min(k * len(SHADES) // limit, 9)] if k < limit else "@" for k in row)


def main(n):
    columns, rows, limit = n, max(4, n * 2 // 5), 60
    floats = list(picture(columns, rows, lambda x, y: escape_float(x, y, limit)))
    cplx = list(picture(columns, rows, lambda x, y: escape_complex(complex(x, y), limit)))
    differ = sum(a != b for r, s in zip(floats, cplx) for a, b in zip(r, s))
    print("floats", sum(map(sum, floats)), "complex", sum(map(sum, cplx)), "nearly equal", differ * 100 <= columns * rows)
    inside = sum(row.count(limit) for row in floats)
    print("inside %d area about %.4f" % (inside, inside * 3.0 * 2.4 / (columns * rows)))
    for row in floats[rows // 4:rows // 2 + 1:max(1, rows // 8)]:
        print(shade(row, limit)[:64])
    julia = list(picture(columns // 2, rows // 2, lambda x, y: escape_complex(-0.8 + 0.156j, 40, complex(x, y))))
    print("julia", sum(map(sum, julia)), max(map(max, julia)))
    soft = [smooth(complex(-0.75 + t / 500, 0.11), 100) for t in range(n)]
    print("smooth %.6f" % sum(soft))
    z = complex(3, -4) / (1 + 1j) - 2j.conjugate()
    print(z, abs(3 - 4j), (z * z.conjugate()).real, -z == 0 - z, z.imag < 0)


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 16)
