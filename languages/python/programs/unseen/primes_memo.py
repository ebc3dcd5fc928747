# Prime sieves (bytearray, list, wheel, incremental generator) and memoised recursions checked against them. args: sieve limit.
# args: 160000
# quick: 500
import sys
from functools import lru_cache, reduce
from itertools import count, takewhile, islice, compress
from math import isqrt, gcd
from bisect import bisect_left, bisect_right


def sieve_bytes(limit):
    flags = bytearray([1]) * (limit + 1)
    flags[0:2] = b"\0\0"
    for p in range(2, isqrt(limit) + 1):
        if flags[p]:
            flags[p * p::p] = bytes(len(range(p * p, limit + 1, p)))
    return list(compress(range(limit + 1), flags))


def sieve_list(limit):
    is_prime = [True] * (limit + 1)
    is_prime[0] = is_prime[1] = False
    i = 2
    while i * i <= limit:
        if is_prime[i]:
            j = i * i
            while j <= limit:
                is_prime[j] = False
                j += i
        i += 1
    return [i for i, flag in enumerate(is_prime) if flag]


def sieve_incremental():
    """Endless primes; each composite remembers the primes that hit it."""
    pending = {}
    for q in count(2):
        steps = pending.pop(q, None)
        if steps is None:
            yield q
            pending[q * q] = [q]
        else:
            for p in steps:
                pending.setdefault(p + q, []).append(p)


def sieve_linear(limit):
    least = [0] * (limit + 1)
    primes = []
    for i in range(2, limit + 1):
        if least[i] == 0:
            least[i] = i
            primes.append(i)
        for p in primes:
            if p > least[i] or i * p > limit:
                break
            least[i * p] = p
    return primes, least


def factor(k, least):
    out = {}
    while k > 1:
        p = least[k]
        out[p] = out.get(p, 0) + 1
        k //= p
    return out


def miller_rabin(n):
    if n < 2:
        return False
    for p in (2, 3, 5, 7, 11, 13):
        if n % p == 0:
            return n == p
    d, s = n - 1, 0
    while not d & 1:
        d >>= 1
        s += 1
    for a in (2, 3, 5, 7, 11, 13):
        x = pow(a, d, n)
        if x in (1, n - 1):
            continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def main(n):
    a, b = sieve_bytes(n), sieve_list(n)
    c = list(takewhile(lambda p: p <= n, sieve_incremental()))
    d, least = sieve_linear(n)
    print("primes", len(a), "last", a[-1], "all equal", a == b == c == d)
    print("sum", sum(a), "twins", sum(1 for p, q in zip(a, islice(a, 1, None)) if q - p == 2))

    totals = 0
    for k in range(2, n, 3):
        f = factor(k, least)
        totals += reduce(lambda acc, e: acc * (e + 1), f.values(), 1)
    print("divisor total", totals, "factors of", n, factor(n, least))

    @lru_cache(maxsize=None)
    def legendre(x, a_index):
        # numbers up to x not divisible by the first a_index primes
        if a_index == 0:
            return x
        p = a[a_index - 1]
        if p >= x:
            return 1 if x > 0 else 0
        return legendre(x, a_index - 1) - legendre(x // p, a_index - 1)

    root = bisect_right(a, isqrt(n))
    print("pi by recursion", legendre(n, root) + root - 1, "calls", legendre.cache_info().misses)

    @lru_cache(maxsize=None)
    def partitions(total, largest):
        if total == 0:
            return 1
        if total < 0 or largest == 0:
            return 0
        return partitions(total, largest - 1) + partitions(total - largest, largest)

    @lru_cache(maxsize=128)
    def collatz(k):
        return 0 if k == 1 else 1 + collatz(k // 2 if k % 2 == 0 else 3 * k + 1)

    print("partitions", partitions(40, 40), "hits", partitions.cache_info().hits)
    longest = max(range(1, 120), key=collatz)
    print("collatz", longest, collatz(longest), collatz.cache_info().currsize)
    goldbach = []
    for even in range(n // 2 * 2 - 20, n // 2 * 2, 2):
        goldbach.append(sum(1 for p in a[:bisect_left(a, even // 2 + 1)] if least[even - p] == even - p))
    print("goldbach", goldbach)
    big = [10 ** 9 + k for k in range(60) if miller_rabin(10 ** 9 + k)]
    print("big", big, "coprime", sum(gcd(k, 30) == 1 for k in range(300)), pow(3, -1, 1009))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
