# The three benchmarks of the 2009 paper, and two programs of TLA, in Python for PyPy. In: a benchmark's name and n. Out: seconds of processor time
# and result. Integers wrap, by PyPy's own operations on machine words.
import sys
import time
from __pypy__.intop import int_add, int_mul


def factorial(n):
    acc = 1
    while n > 1:
        acc = int_mul(acc, n)
        n -= 1
    return acc


def fibonacci(n):
    a, b = 0, 1
    while n > 0:
        a, b = b, int_add(a, b)
        n -= 1
    return b


class Count(object):
    def __init__(self):
        self.value = 0

    def accumulate(self, x):
        self.value = int_add(self.value, 1)


class Add(object):
    def __init__(self):
        self.value = 0

    def accumulate(self, x):
        self.value = int_add(self.value, x)


def accumulator(n):
    if n < 0:
        n = -n
        obj = Count()
    else:
        obj = Add()
    while n > 0:
        n -= 1
        obj.accumulate(n)
    return obj.value


def fib(n):
    if n < 2:
        return n
    return int_add(fib(n - 1), fib(n - 2))


def sub_loop(m):
    while True:
        m -= 1
        if m < 1:
            return m


def callabit(n):
    while True:
        sub_loop(n)
        n -= 1
        if n < 1:
            return n


run = {
    "factorial": factorial,
    "fibonacci": fibonacci,
    "accumulator": accumulator,
    "fib": fib,
    "callabit": callabit,
}[sys.argv[1]]
n = int(sys.argv[2])
run(min(n, 100000))
begin = time.process_time()
result = run(n)
print("%.9f %d" % (time.process_time() - begin, result))
