# The three benchmarks of the 2009 paper in Python for PyPy. In: a benchmark's name and n. Out: seconds of processor time
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


run = {"factorial": factorial, "fibonacci": fibonacci, "accumulator": accumulator}[sys.argv[1]]
n = int(sys.argv[2])
run(min(n, 100000))
begin = time.process_time()
result = run(n)
print("%.9f %d" % (time.process_time() - begin, result))
