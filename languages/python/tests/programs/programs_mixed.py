# Small programs that use many things together.
import math
import sys
from math import sqrt, pi as PI


def sieve(n):
    flags = [True] * (n + 1)
    flags[0] = flags[1] = False
    for i in range(2, int(sqrt(n)) + 1):
        if flags[i]:
            for j in range(i * i, n + 1, i):
                flags[j] = False
    return [i for i, f in enumerate(flags) if f]


print(sieve(100))


def quicksort(xs):
    if len(xs) <= 1:
        return xs
    pivot, *rest = xs
    return quicksort([x for x in rest if x < pivot]) + [pivot] + quicksort([x for x in rest if x >= pivot])


print(quicksort([3, 6, 1, 8, 2, 9, 2]))


def hanoi(n, a='A', b='B', c='C'):
    return 0 if n == 0 else hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)


print(hanoi(8), math.floor(2.7), math.ceil(2.1), math.gcd(12, 18), math.factorial(20), math.isqrt(99), f'{PI:.4f}')
print(math.sin(0.5), math.log(10), math.log2(8), math.exp(1), math.hypot(3, 4), math.inf, math.comb(10, 3), math.fsum([0.1] * 10))


def collatz(limit):
    best = (0, 0)
    for n in range(1, limit):
        steps, m = 0, n
        while m != 1:
            m = m // 2 if m % 2 == 0 else 3 * m + 1
            steps += 1
        if steps > best[1]:
            best = (n, steps)
    return best


print(collatz(100))


class Stack:
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)

    def pop(self):
        return self.items.pop()


def rpn(text):
    stack = Stack()
    ops = {'+': lambda a, b: a + b, '-': lambda a, b: a - b, '*': lambda a, b: a * b, '/': lambda a, b: a / b}
    for token in text.split():
        if token in ops:
            b, a = stack.pop(), stack.pop()
            stack.push(ops[token](a, b))
        else:
            stack.push(float(token))
    return stack.pop()


print(rpn('3 4 + 2 * 7 /'))


def word_count(text):
    counts = {}
    for word in text.lower().split():
        word = word.strip('.,!')
        counts[word] = counts.get(word, 0) + 1
    return sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))


print(word_count('The cat. The dog! A cat, the bird.'))


def mandelbrot(w, h):
    rows = []
    for y in range(h):
        row = ''
        for x in range(w):
            cr, ci = 3.0 * x / w - 2, 2.0 * y / h - 1
            zr = zi = 0.0
            n = 0
            while zr * zr + zi * zi < 4 and n < 30:
                zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
                n += 1
            row += '#' if n == 30 else '.' if n > 5 else ' '
        rows.append(row)
    return rows


print('\n'.join(mandelbrot(30, 10)))
memo = {}


def fibm(n):
    if n in memo:
        return memo[n]
    memo[n] = n if n < 2 else fibm(n - 1) + fibm(n - 2)
    return memo[n]


print(fibm(90))


def matmul(a, b):
    n = len(a)
    return [[sum(a[i][k] * b[k][j] for k in range(n)) for j in range(n)] for i in range(n)]


m = [[i + j for j in range(4)] for i in range(4)]
print(matmul(m, m))


def roman(n):
    out = ''
    for value, sign in ((1000, 'M'), (900, 'CM'), (500, 'D'), (400, 'CD'), (100, 'C'), (90, 'XC'), (50, 'L'), (40, 'XL'), (10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')):
        while n >= value:
            out += sign
            n -= value
    return out


print([roman(n) for n in (4, 9, 14, 1994, 2024)])
print(sys.maxsize, len(sys.argv) > 0, sys.version_info[0])
import helper
print(helper.VALUE, helper.double(21), helper.__name__)
from helper import double as twice
print(twice(4))
try:
    import no_such_module
except ImportError as e:
    print(type(e).__name__, e)
try:
    from helper import nope
except ImportError as e:
    print('cannot import' in str(e))
