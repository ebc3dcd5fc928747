# The module `statistics` of CPython's folder.
# needs: re
from statistics import *
from fractions import Fraction as F
from decimal import Decimal as D

print(
    mean([2, 5, 5, 8, 11]),
    mean([F(2, 9), F(1, 6), F(7, 4)]),
    mean([D("1.5"), D("2.75"), D("0.125")]),
    fmean([1.5, 2.25, 7.0]),
    fmean([1, 2], [3, 1]),
)
print(
    geometric_mean([12, 18, 81]),
    harmonic_mean([30, 90]),
    harmonic_mean([30, 90], weights=[4, 10]),
    median([1, 3, 5]),
    median([1, 3, 5, 7]),
    median_low([1, 3, 5, 7]),
    median_high([1, 3, 5, 7]),
    median_grouped([52, 52, 53, 54]),
)
print(
    mode([7, 7, 2, 7, 9]),
    mode(["oak", "elm", "oak"]),
    multimode("mississippi"),
    pstdev([0.5, 1.75, 2.0, 6.25]),
    pvariance([0.5, 0.5, 2.0, 4.75]),
)
print(
    stdev([0.5, 1.75, 2.0, 6.25]),
    variance([3.25, 0.75, 9.5]),
    variance([F(1, 4), F(2, 3), F(9, 2)]),
    variance([D("12.5"), D("13.25"), D("19.75")]),
)
print([round(q, 1) for q in quantiles([n * n % 37 for n in range(60)], n=10)])
x = [1, 2, 3, 4, 5, 6, 7, 8, 9]
y = [1, 2, 3, 1, 2, 3, 1, 2, 3]
print(
    covariance(x, y),
    correlation(x, x),
    correlation(x, y),
    linear_regression([2, 4, 7, 9], [1.5, 2.5, 6.0, 7.5]),
)
heights = NormalDist(170, 12)
print(
    round(heights.cdf(182.5) - heights.cdf(160.5), 3),
    list(map(round, heights.quantiles())),
    NormalDist.from_samples([1, 2, 3, 4]),
    heights + 5,
    heights * 2,
    NormalDist(1, 2) + NormalDist(3, 4),
    round(NormalDist().pdf(0.5), 6),
    round(NormalDist(1.5, 2.5).overlap(NormalDist(4.0, 1.0)), 6),
    heights.zscore(191),
)
try:
    mean([])
except StatisticsError as e:
    print(e)
