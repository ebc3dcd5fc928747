# Complex numbers, and floats as fractions and in hexadecimal.

def show(function):
    try:
        print(repr(function()))
    except Exception as error:
        print(type(error).__name__, error, sep=": ")


show(lambda: (1j, -1j, 1+2j, -0j, 0j, complex(-0.0,1), complex(0,-0.0), 1e20j, 1.5e-7j+2, complex('nan'), complex('inf-infj'), complex(float('inf'),float('nan'))))
show(lambda: (complex(), complex(1), complex(1,2), complex(1j,2j), complex(1.5), complex(True), complex(2**70)))
show(lambda: (complex('1+2j'), complex(' 1 '), complex('(1+2j)'), complex('j'), complex('-j'), complex('1e3-2.5j'), complex('+1j'), complex('1_0j'), complex('3+j')))
show(lambda: complex('1 + 2j'))
show(lambda: complex(''))
show(lambda: complex('a'))
show(lambda: complex('1',2))
show(lambda: complex(1,'2'))
show(lambda: complex([]))
show(lambda: complex(1,[]))
show(lambda: complex(1,2,3))
show(lambda: complex(foo=1))
show(lambda: (complex(real=1, imag=2)))
show(lambda: complex(b'1'))
show(lambda: (1j*1j, 1j/2j, (1+2j)*(3-4j), (1+2j)/(3-4j), 1j+1, 1-1j, 2.5*1j, True+1j))
show(lambda: 1j/0)
show(lambda: 1j/0j)
show(lambda: 1/0j)
show(lambda: 1j//1)
show(lambda: 1j%1)
show(lambda: divmod(1j,1))
show(lambda: (1j**2, (1+2j)**3, (1+2j)**-2, (1+2j)**0.5, 2**1j, 1j**1j, 0j**0, 0j**2, (1+2j)**0, (1+1j)**100, (1+1j)**101))
show(lambda: 0j**-1)
show(lambda: 0j**1j)
show(lambda: (1e200+1j)**5)
show(lambda: (1e200j)**2)
show(lambda: ((-8)**0.5, (-8)**(1/3), (-8.0)**0.5, (-1)**0.5, pow(-8, 1/3)))
show(lambda: (-2)**-0.5)
show(lambda: pow(1j,2,3))
show(lambda: pow(1j,2))
show(lambda: 1j<2)
show(lambda: 1j<1j)
show(lambda: (1j==1j, 1+0j==1, 1==1+0j, 1.5==1.5+0j, 1j!=1, 1j==True, 1j=='a', complex('nan')==complex('nan'), 2**70==complex(2**70)))
show(lambda: (hash(1+0j)==hash(1), hash(1.5+0j)==hash(1.5), hash(1j), hash(1+2j), hash(-1j), hash(complex(0.5,-0.25)), hash(complex(-1,0)), hash(complex(float('inf'), 2))))
show(lambda: {1: 'a'}[1+0j])
show(lambda: ((1+2j).real, (1+2j).imag, (1+2j).conjugate(), abs(3+4j), abs(-3-4j), -(1+2j), +(1+2j), bool(0j), bool(1j)))
show(lambda: ~1j)
show(lambda: abs(complex(1e308,1e308)))
show(lambda: int(1j))
show(lambda: float(1j))
show(lambda: round(1j))
show(lambda: (str(1j), repr(1+2j), '%s' % 1j, f'{1j}', f'{1+2j:.2f}', f'{1+2j:10.1f}|', f'{1+2j:<12}|', f'{1j:e}', f'{1+2j:g}', f'{1+2j:+}', f'{1234567+2j:,}', f'{1+2j:.3}', f'{1j:.3}', f'{1.5+2j:#g}', f'{complex(1,-2):>20.3e}'))
show(lambda: f'{1j:05}')
show(lambda: f'{1j:=5}')
show(lambda: f'{1j:d}')
show(lambda: f'{1j:s}')
show(lambda: f'{1j:%}')
show(lambda: (f'{1+2j:^20}', f'{1+2j:n}'))
show(lambda: '%d' % 1j)
show(lambda: '%f' % 1j)
show(lambda: '%g' % 1j)
show(lambda: [1][1j])
show(lambda: [1]*1j)
show(lambda: sum([1j,2,3.5]))
show(lambda: 1j.foo)
show(lambda: (1j.__class__, type(1j), isinstance(1j, complex), complex.__name__))
show(lambda: (complex.__add__(1j, 2), (1j).__mul__('a'), (1j).__radd__(2), (1j).__eq__(1), (1j).__abs__()))
show(lambda: 1j+'a')
show(lambda: 1j+None)
show(lambda: 'a'+1j)
show(lambda: 1j & 1)
show(lambda: max(1j,2j))
show(lambda: (1j).__complex__())
show(lambda: (complex('infinity'), complex('-nanj'), complex('1e400')))
show(lambda: (complex(1e16, 1e15), complex(1e22,-1e-5), 123456789.123j))
show(lambda: (1j is None, 1j in [1j], [1j].index(1j), (1j,), {1j}))
show(lambda: (-1j.imag, (-1j).real, (1-0j), (-1-0j), -(1-0j)))
show(lambda: (1.0 .as_integer_ratio(), (0.5).as_integer_ratio(), (10).as_integer_ratio(), (1e300).as_integer_ratio(), (-0.1).as_integer_ratio()))
show(lambda: float('inf').as_integer_ratio())
show(lambda: float('nan').as_integer_ratio())
show(lambda: ((1.5).hex(), (0.1).hex(), (-0.0).hex(), float('inf').hex(), (5e-324).hex(), (1e-310).hex(), float('nan').hex(), (1e300).hex()))
show(lambda: (float.fromhex('0x1.8p0'), float.fromhex('1.8'), float.fromhex('-inf'), float.fromhex(' 0x.8p1 '), float.fromhex('0xap-3'), float.fromhex('nan'), float.fromhex('0x1p-1074'), float.fromhex('0x1.00000000000008p0'), float.fromhex('0x1.00000000000018p0'), float.fromhex('0x0p0'), float.fromhex('infinity'), float.fromhex('0x1P+3')))
show(lambda: float.fromhex('zz'))
show(lambda: float.fromhex('0x'))
show(lambda: float.fromhex('0x1p5000'))
show(lambda: float.fromhex(''))
show(lambda: float.fromhex(1))
show(lambda: (float.fromhex('0x1p-1075'), float.fromhex('0x1.8p-1075'), float.fromhex('0x1.fffffffffffff8p1023') if 0 else 0))
show(lambda: float.fromhex('0x1.fffffffffffff8p1023'))


def mandelbrot(size):
    rows = []
    for y in range(size):
        row = ''
        for x in range(size):
            z = c = complex(x * 3.0 / size - 2.0, y * 2.0 / size - 1.0)
            for n in range(30):
                if abs(z) > 2.0:
                    break
                z = z * z + c
            row += '*' if n == 29 else ' ' if n < 3 else '.'
        rows.append(row)
    return rows


for row in mandelbrot(24):
    print(row)


def power_sum(n):
    total = 0
    z = 1
    for _ in range(n):
        z *= 0.5 + 0.5j
        total += z
        total -= 1 - 0j
    return total


print(power_sum(50))


class Point(complex):
    def length(self):
        return abs(self)


point = Point(3, 4)
print(point, point.length(), point + 1, type(point + 1), point == 3 + 4j, point.real, hash(point) == hash(3 + 4j))
print(Point('1+2j'), complex(point), isinstance(point, complex), -point, {3 + 4j: 'x'}[point])


class Convertible:
    def __complex__(self):
        return 5 + 6j


class Half:
    def __float__(self):
        return 0.5


print(complex(Convertible()), complex(Half()), complex(1, Half()))


class Other:
    def __radd__(self, other):
        return ('radd', other)

    def __eq__(self, other):
        return True


print(1j + Other(), 1j == Other())
match 3 + 4j:
    case 1 + 2j:
        print('no')
    case 3 + 4j:
        print('yes')
z = 1j
z **= 3
z /= 2
print(z, z.__class__.__name__, complex.conjugate(z), z.conjugate().imag)
