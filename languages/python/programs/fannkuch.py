# Permutations and how often they have to be reversed: lists of integers, slices. args: length.
# args: 8
# quick: 5
import sys


def fannkuch(n):
    perm1 = list(range(n))
    count = [0] * n
    flips_max = checksum = 0
    r = n
    nperm = 0
    while True:
        while r != 1:
            count[r - 1] = r
            r -= 1
        perm = perm1[:]
        flips = 0
        k = perm[0]
        while k:
            i, j = 0, k
            while i < j:
                perm[i], perm[j] = perm[j], perm[i]
                i += 1
                j -= 1
            flips += 1
            k = perm[0]
        if flips > flips_max:
            flips_max = flips
        checksum += flips if nperm % 2 == 0 else -flips
        while True:
            if r == n:
                return checksum, flips_max
            first = perm1[0]
            for i in range(r):
                perm1[i] = perm1[i + 1]
            perm1[r] = first
            count[r] -= 1
            if count[r] > 0:
                break
            r += 1
        nperm += 1


def main(n):
    print(fannkuch(n))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
