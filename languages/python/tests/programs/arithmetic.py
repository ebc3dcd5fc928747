# Integers of all sizes, floats, and what they do together.
print(1 + 2, 7 - 10, 6 * 7, 7 / 2, 7 // 2, -7 // 2, 7 % 3, -7 % 3, 7 % -3, 2 ** 10)
print(7.5 // 2, -7.5 // 2, 7.5 % 2, -7.5 % 2, 1e308 * 10, -1e308 * 10)
print(9223372036854775807 + 1, -9223372036854775808 - 1, 3037000500 * 3037000500)
print(2 ** 100, 2 ** 100 // 3 ** 20, 2 ** 100 % 97, -(2 ** 100) // 7, -(2 ** 100) % 7)
print(2 ** 64 - 2 ** 64, (2 ** 64) // (2 ** 60), type(2 ** 64 - 2 ** 64 + 5).__name__)
print(10 ** 18 * 10 ** 18, 10 ** 40 / 10 ** 20, 1 / 3, 10 ** 30 / 3)
print(5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 70, (1 << 70) >> 68, -1 >> 3, -8 >> 1, 2 ** 70 & 2 ** 70 + 1)
print(True + True, True * 3, False - 1, -True, ~True, True & False, True | False, True ^ True)
print(0.1 + 0.2, 1e16, 1e15, 123456789.123, 1e-5, 0.0001, 5e-324, 1.7976931348623157e308)
print(2 ** -1, 2 ** 0.5, (-8) ** 3, 0.0 ** 0, 10 ** -3)
print(abs(-5), abs(-5.5), abs(-2 ** 70), divmod(17, 5), divmod(-17, 5), divmod(17.5, 5))
print(round(2.5), round(3.5), round(-2.5), round(2.675, 2), round(1234.5678, -2), round(12345, -2), round(15, -1))
print(int(3.99), int(-3.99), int('42'), int('-0x1f', 16), int('0b101', 0), int('  12  '), int(1e20))
print(float('1.5'), float('inf'), float('-inf'), float('1e3'), float(2 ** 60))
print(1 == 1.0, 2 ** 53 == float(2 ** 53), 2 ** 53 + 1 == float(2 ** 53 + 1), 1 < 1.5 < 2, 3 > 2 > 1)
print(2 ** 70 > 1e20, 2 ** 70 < float('inf'), 2 ** 70 == 2.0 ** 70, -2 ** 70 < -1.5)
print(min(3, 1, 2), max(3, 1, 2), min(2.5, 1), max([4, 9, 2]), sum([1, 2, 3.5]), sum([[1], [2]], []))
print(pow(2, 10), pow(3, 200, 1000007), pow(3, -1, 7), hex(255), oct(8), bin(-5))
print((5).bit_length(), (2 ** 100).bit_length(), (255).bit_count(), (2.0).is_integer())
print(-0.0, 0.0 == -0.0, 1e22, 1e21, 123456789012345678)
x = 10
x += 5; x -= 3; x *= 2; x //= 5; x **= 3; x %= 50; x <<= 3; x >>= 1; x |= 1; x &= 0xff; x ^= 2
print(x)
y = 7
y /= 2
print(y)
for a, b in [(1, 0), (1.0, 0), (1, 0.0)]:
    for op in ['/', '//', '%']:
        try:
            if op == '/':
                print(a / b)
            elif op == '//':
                print(a // b)
            else:
                print(a % b)
        except ZeroDivisionError as e:
            print(op, a, b, e)


def overflow(n):
    total = 1
    for i in range(1, n):
        total = total * i + i
    return total


print(overflow(30))
total = 0
for i in range(100):
    total += i * 0.5
    total -= i // 3
print(total)
n = 27
steps = 0
while n != 1:
    n = n // 2 if n % 2 == 0 else 3 * n + 1
    steps += 1
print(steps)
big = 9223372036854775800
for i in range(20):
    big += 1
print(big)
print(hash(1) == hash(1.0), hash(2 ** 61 - 1), hash(-1), hash(1.5), hash((1, 2, 3)))
print(1_000_000, 0xff, 0o17, 0b11, 1_0.0_1)
