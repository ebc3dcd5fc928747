# The Mersenne Twister: the same numbers as CPython's.
import random
from random import Random

random.seed(42)
print(random.random(), random.random(), random.randint(1, 100), random.randrange(10), random.randrange(5, 50, 5))
print(random.choice("abcdef"), [random.getrandbits(k) for k in (1, 8, 31, 32, 33, 64, 100)])
items = list(range(20))
random.shuffle(items)
print(items, random.sample(range(100), 5), random.sample(items, 18), random.sample(range(10**6), 8))
print(random.uniform(-5, 5), random.triangular(0, 10, 3), random.gauss(0, 1), random.gauss(0, 1), random.gauss(10, 2))
print(random.normalvariate(5, 2), random.expovariate(0.5), random.lognormvariate(0, 1), random.paretovariate(3))
print(random.choices("abc", k=10), random.choices([1, 2, 3], weights=[10, 1, 1], k=12))
print(random.choices("xy", cum_weights=[1, 5], k=6), random.sample(["a", "b"], counts=[3, 2], k=4))
state = random.getstate()
a = [random.random() for _ in range(3)]
random.setstate(state)
print(a == [random.random() for _ in range(3)], len(state[1]))
for seed in (0, 1, -1, 2**40, 123456789012345678901234567890, True, 1.5):
    print(seed, Random(seed).random(), Random(seed).getrandbits(70))
own = Random(7)
other = Random(7)
print([own.randint(0, 9) for _ in range(20)] == [other.randint(0, 9) for _ in range(20)])
print(sum(own.random() for _ in range(3000)), sum(own.randrange(1000) for _ in range(3000)))
for broken in (
    lambda: random.randrange(0),
    lambda: random.randint(5, 4),
    lambda: random.choice([]),
    lambda: random.sample([1], 2),
    lambda: random.sample({1}, 1),
    lambda: random.choices([1], weights=[1, 2]),
):
    try:
        broken()
    except (ValueError, IndexError, TypeError) as error:
        print(type(error).__name__, error)
