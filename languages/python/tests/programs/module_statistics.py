# The module statistics.
import random
import statistics
from statistics import (
    correlation, covariance, fmean, geometric_mean, harmonic_mean, linear_regression, mean, median, median_grouped,
    median_high, median_low, mode, multimode, pstdev, pvariance, quantiles, stdev, variance,
)

random.seed(11)
DATA = [
    [1, 2, 3], [1, 2], [1.5, 2.5, 4], [5], [0.1] * 7, [1, 2, 2, 3, 3, 4], [1e100, 1, -1e100], [2.75, 1.75, 1.25, 0.25, 0.5, 1.25, 3.5],
    [random.uniform(-10, 10) for _ in range(25)], [random.randint(1, 20) for _ in range(30)], [10, 20, 30, 40.5], [7, 7, 7, 7],
]
FUNCTIONS = (mean, fmean, geometric_mean, harmonic_mean, median, median_low, median_high, median_grouped, mode, multimode, pvariance, variance, pstdev, stdev, quantiles)
for data in DATA + [[]]:
    for function in FUNCTIONS:
        try:
            print(function.__name__, function(data))
        except statistics.StatisticsError as error:
            print(function.__name__, 'error:', error)
print(quantiles(range(1, 20), n=10), quantiles([1, 2.5, 7, 8], n=3, method='inclusive'), fmean([1, 2, 3], [3, 2, 1]), harmonic_mean([40, 60], weights=[5, 30]))
x, y = [1, 2, 3, 4, 5.5], [2, 4.1, 5.9, 8.2, 10]
print(covariance(x, y), correlation(x, y), linear_regression(x, y), linear_regression(x, y, proportional=True).slope)
print(variance([1, 2, 4], 2.5), pvariance([1, 2, 4], 2), mode('aabbb'), multimode('aabbc'), median(['a', 'c', 'b']) if True else 0, mean([True, False]))
for wrong in (lambda: mean(['a']), lambda: correlation([1], [2]), lambda: correlation([1, 1], [2, 3]), lambda: covariance([1], [1, 2]), lambda: quantiles([1, 2], n=0), lambda: quantiles([1, 2], method='x'), lambda: fmean([1], [0])):
    try:
        print(wrong())
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)
print(mean([float('inf'), 1]), mean([float('nan'), 1]), mean(iter([1, 2])))
