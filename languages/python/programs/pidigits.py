# Digits of pi from a stream of fractions: integers of hundreds of digits. args: digits.
# args: 1800
# quick: 20
import sys


def digits():
    """Gibbons' spigot: a transformation takes in terms until its next digit is sure."""
    q, r, t, k, n, l = 1, 0, 1, 1, 3, 3
    while True:
        if 4 * q + r - t < n * t:
            yield n
            q, r, n = 10 * q, 10 * (r - n * t), 10 * (3 * q + r) // t - 10 * n
        else:
            q, r, t, k, n, l = (
                q * k,
                (2 * q + r) * l,
                t * l,
                k + 1,
                (q * (7 * k + 2) + r * l) // (t * l),
                l + 2,
            )


def main(n):
    text = []
    for digit in digits():
        text.append(str(digit))
        if len(text) == n:
            break
    text = ''.join(text)
    print(text[:10], text[-10:], sum(map(int, text)))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
