# Bills for calls: decimal prices, taxes in cents, totals. args: calls.
# args: 20000
# quick: 50
import sys
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Decimal, getcontext

CENT = Decimal('0.01')
RATES = Decimal('0.0013'), Decimal('0.00894')
BASE_TAX = Decimal('0.0675')
DISTANCE_TAX = Decimal('0.0341')


def durations(n):
    """The seconds of calls, from a generator of numbers modulo a power of two."""
    state = 19540705
    for _ in range(n):
        state = (state * 1103515245 + 12345) & 0x7fffffff
        yield (state >> 8) % 8192


class Bill:
    """What one kind of calls has come to."""

    def __init__(self, rate, is_far):
        self.rate = rate
        self.is_far = is_far
        self.price = self.tax = self.total = Decimal(0)
        self.calls = 0

    def add(self, seconds):
        price = (seconds * self.rate).quantize(CENT, ROUND_HALF_EVEN)
        tax = (price * BASE_TAX).quantize(CENT, ROUND_DOWN)
        if self.is_far:
            tax += (price * DISTANCE_TAX).quantize(CENT, ROUND_DOWN)
        self.price += price
        self.tax += tax
        self.total += price + tax
        self.calls += 1


def main(n):
    getcontext().prec = 28
    near, far = Bill(RATES[0], False), Bill(RATES[1], True)
    largest = Decimal(0)
    for seconds in durations(n):
        bill = far if seconds & 1 else near
        before = bill.total
        bill.add(Decimal(seconds))
        if bill.total - before > largest:
            largest = bill.total - before
    for bill in (near, far):
        print(bill.calls, bill.price, bill.tax, bill.total, f'{bill.total / max(bill.calls, 1):.4f}')
    print(largest, near.total + far.total)


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
