"""Random numbers: the Mersenne Twister, with the same numbers as everywhere.

M. Matsumoto and T. Nishimura, "Mersenne Twister: A 623-Dimensionally Equidistributed Uniform
Pseudo-Random Number Generator" (1998). Normal variates: A. Kinderman and J. Monahan, "Computer
Generation of Random Variables Using the Ratio of Uniform Deviates" (1977)."""

from _verdigris import digest as _digest
from bisect import bisect as _bisect
from itertools import accumulate as _accumulate
from math import ceil as _ceil, cos as _cos, exp as _exp, floor as _floor, isfinite as _isfinite
from math import log as _log, pi as _pi, sin as _sin, sqrt as _sqrt
from time import time_ns as _time_ns

_SIZE = 624
_AHEAD = 397
_NORMAL = 4 * _exp(-0.5) / _sqrt(2.0)


class Random:
    def __init__(self, x=None):
        self._state = []
        self._at = _SIZE
        self.gauss_next = None
        self.seed(x)

    def seed(self, a=None, version=2):
        if a is None:
            a = _time_ns()
        elif isinstance(a, float):
            a = hash(a)
        elif isinstance(a, (str, bytes, bytearray)):
            data = a.encode() if isinstance(a, str) else bytes(a)
            a = int.from_bytes(data + _digest("sha512", data), "big")
        elif not isinstance(a, int):
            raise TypeError(
                "The only supported seed types are: None,\n"
                "int, float, str, bytes, and bytearray."
            )
        a = abs(a)
        words = []
        while a:
            words.append(a & 0xFFFFFFFF)
            a >>= 32
        self._begin(words or [0])
        self.gauss_next = None

    def _begin(self, words):
        state = [19650218]
        for n in range(1, _SIZE):
            before = state[n - 1]
            state.append((1812433253 * (before ^ (before >> 30)) + n) & 0xFFFFFFFF)
        n, word = 1, 0
        for _ in range(max(_SIZE, len(words))):
            before = state[n - 1]
            mixed = state[n] ^ ((before ^ (before >> 30)) * 1664525)
            state[n] = (mixed + words[word] + word) & 0xFFFFFFFF
            n += 1
            word += 1
            if n == _SIZE:
                state[0] = state[_SIZE - 1]
                n = 1
            if word == len(words):
                word = 0
        for _ in range(_SIZE - 1):
            before = state[n - 1]
            state[n] = ((state[n] ^ ((before ^ (before >> 30)) * 1566083941)) - n) & 0xFFFFFFFF
            n += 1
            if n == _SIZE:
                state[0] = state[_SIZE - 1]
                n = 1
        state[0] = 0x80000000
        self._state = state
        self._at = _SIZE

    def _refill(self):
        state = self._state
        for n in range(_SIZE):
            after = n + 1 if n + 1 < _SIZE else 0
            ahead = n + _AHEAD if n + _AHEAD < _SIZE else n + _AHEAD - _SIZE
            y = (state[n] & 0x80000000) | (state[after] & 0x7FFFFFFF)
            mixed = state[ahead] ^ (y >> 1)
            if y & 1:
                mixed ^= 0x9908B0DF
            state[n] = mixed
        self._at = 0

    def _word(self):
        if self._at == _SIZE:
            self._refill()
        y = self._state[self._at]
        self._at += 1
        y ^= y >> 11
        y ^= (y << 7) & 0x9D2C5680
        y ^= (y << 15) & 0xEFC60000
        return y ^ (y >> 18)

    def getstate(self):
        return 3, tuple(self._state) + (self._at,), self.gauss_next

    def setstate(self, state):
        version, words, self.gauss_next = state
        if version != 3:
            raise ValueError(f"state with version {version} passed to Random.setstate() of version 3")
        self._state = list(words[:-1])
        self._at = words[-1]

    def random(self):
        high = self._word() >> 5
        return (high * 67108864.0 + (self._word() >> 6)) * (1.0 / 9007199254740992.0)

    def getrandbits(self, k):
        if k < 0:
            raise ValueError("number of bits must be non-negative")
        if 0 < k <= 32:
            return self._word() >> (32 - k)
        result = shift = 0
        while k > 0:
            word = self._word()
            if k < 32:
                word >>= 32 - k
            result |= word << shift
            shift += 32
            k -= 32
        return result

    def _below(self, n):
        bits = n.bit_length()
        if bits <= 32:
            shift = 32 - bits
            result = self._word() >> shift
            while result >= n:
                result = self._word() >> shift
            return result
        result = self.getrandbits(bits)
        while result >= n:
            result = self.getrandbits(bits)
        return result

    def randrange(self, start, stop=None, step=1):
        if stop is None:
            start, stop = 0, start
            if start >= stop:
                raise ValueError("empty range for randrange()")
        width = stop - start
        if step == 1:
            if width <= 0:
                raise ValueError(f"empty range for randrange() ({start}, {stop}, {width})")
            return start + self._below(width)
        if step == 0:
            raise ValueError("zero step for randrange()")
        count = (width + step - (1 if step > 0 else -1)) // step
        if count <= 0:
            raise ValueError("empty range for randrange()")
        return start + step * self._below(count)

    def randint(self, a, b):
        return self.randrange(a, b + 1)

    def choice(self, seq):
        if not len(seq):
            raise IndexError("Cannot choose from an empty sequence")
        return seq[self._below(len(seq))]

    def shuffle(self, x):
        for n in range(len(x) - 1, 0, -1):
            other = self._below(n + 1)
            x[n], x[other] = x[other], x[n]

    def sample(self, population, k, *, counts=None):
        if isinstance(population, (set, frozenset, dict)):
            raise TypeError(
                "Population must be a sequence.  For dicts or sets, use sorted(d)."
            )
        if counts is not None:
            bounds = list(_accumulate(counts))
            if len(bounds) != len(population):
                raise ValueError("The number of counts does not match the population")
            total = bounds.pop()
            places = self.sample(range(total), k=k)
            return [population[_bisect(bounds, place)] for place in places]
        n = len(population)
        if not 0 <= k <= n:
            raise ValueError("Sample larger than population or is negative")
        size = 21
        if k > 5:
            size += 4 ** _ceil(_log(k * 3, 4))
        result = []
        if n <= size:
            # Those that are taken make room for those at the end.
            pool = list(population)
            for taken in range(k):
                place = self._below(n - taken)
                result.append(pool[place])
                pool[place] = pool[n - taken - 1]
            return result
        seen = set()
        for _ in range(k):
            place = self._below(n)
            while place in seen:
                place = self._below(n)
            seen.add(place)
            result.append(population[place])
        return result

    def choices(self, population, weights=None, *, cum_weights=None, k=1):
        n = len(population)
        if cum_weights is None:
            if weights is None:
                return [population[_floor(self.random() * (n + 0.0))] for _ in range(k)]
            cum_weights = list(_accumulate(weights))
        elif weights is not None:
            raise TypeError("Cannot specify both weights and cumulative weights")
        if len(cum_weights) != n:
            raise ValueError("The number of weights does not match the population")
        total = cum_weights[-1] + 0.0
        if total <= 0.0:
            raise ValueError("Total of weights must be greater than zero")
        if not _isfinite(total):
            raise ValueError("Total of weights must be finite")
        places = [_bisect(cum_weights, self.random() * total, 0, n - 1) for _ in range(k)]
        return [population[place] for place in places]

    def uniform(self, a, b):
        return a + (b - a) * self.random()

    def triangular(self, low=0.0, high=1.0, mode=None):
        u = self.random()
        if high == low:
            return low
        c = 0.5 if mode is None else (mode - low) / (high - low)
        if u > c:
            u = 1.0 - u
            c = 1.0 - c
            low, high = high, low
        return low + (high - low) * _sqrt(u * c)

    def normalvariate(self, mu=0.0, sigma=1.0):
        while True:
            u = self.random()
            v = 1.0 - self.random()
            z = _NORMAL * (u - 0.5) / v
            if z * z / 4.0 <= -_log(v):
                return mu + z * sigma

    def gauss(self, mu=0.0, sigma=1.0):
        z = self.gauss_next
        self.gauss_next = None
        if z is None:
            angle = self.random() * (2.0 * _pi)
            radius = _sqrt(-2.0 * _log(1.0 - self.random()))
            z = _cos(angle) * radius
            self.gauss_next = _sin(angle) * radius
        return mu + z * sigma

    def lognormvariate(self, mu, sigma):
        return _exp(self.normalvariate(mu, sigma))

    def expovariate(self, lambd):
        return -_log(1.0 - self.random()) / lambd

    def paretovariate(self, alpha):
        return (1.0 - self.random()) ** (-1.0 / alpha)

    def weibullvariate(self, alpha, beta):
        return alpha * (-_log(1.0 - self.random())) ** (1.0 / beta)


_one = Random()
seed = _one.seed
random = _one.random
uniform = _one.uniform
triangular = _one.triangular
randint = _one.randint
choice = _one.choice
randrange = _one.randrange
sample = _one.sample
shuffle = _one.shuffle
choices = _one.choices
normalvariate = _one.normalvariate
lognormvariate = _one.lognormvariate
expovariate = _one.expovariate
gauss = _one.gauss
paretovariate = _one.paretovariate
weibullvariate = _one.weibullvariate
getstate = _one.getstate
setstate = _one.setstate
getrandbits = _one.getrandbits
