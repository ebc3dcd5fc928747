"""Averages and what is like them. Sums are exact; only results are rounded."""

import math as _math
from bisect import bisect_left as _bisect_left, bisect_right as _bisect_right
from collections import Counter as _Counter, namedtuple as _namedtuple

LinearRegression = _namedtuple("LinearRegression", ("slope", "intercept"))


class StatisticsError(ValueError):
    pass


def _ratio(x):
    """A number as a numerator and a denominator; nothing as denominator if it is not finite."""
    if isinstance(x, (int, float)):
        if isinstance(x, float) and not _math.isfinite(x):
            return x, None
        return x.as_integer_ratio()
    if hasattr(x, "as_integer_ratio"):
        try:
            return x.as_integer_ratio()
        except (OverflowError, ValueError):
            return x, None
    raise TypeError(f"can't convert type '{type(x).__name__}' to numerator/denominator")


def _exact_sum(pairs):
    """The sum of fractions as one, or what is not finite."""
    parts, special = {}, None
    for n, d in pairs:
        if d is None:
            special = n if special is None else special + n
        else:
            parts[d] = parts.get(d, 0) + n
    if special is not None:
        return special, None
    n, d = 0, 1
    for den, num in parts.items():
        common = _math.lcm(d, den)
        n, d = n * (common // d) + num * (common // den), common
    return n, d


def _result(n, d, kind):
    """A fraction as a number of a kind."""
    if d is None:
        return n
    if kind is int and n % d == 0:
        return n // d
    if kind is int or kind is float:
        return n / d
    try:
        # Fractions take both parts, decimal numbers are divided.
        return kind(n, d)
    except TypeError:
        return kind(n) / kind(d)


def _kind_of(data):
    """What results are for these numbers: integers give way to all others, and all to floats."""
    kind = int
    for x in data:
        own = type(x)
        if own is kind or isinstance(x, int):
            continue
        if kind is int or issubclass(own, kind) or own is float and kind.__module__ == "fractions":
            kind = own
        elif not (kind is float and own.__module__ == "fractions" or issubclass(kind, own)):
            raise TypeError(f"don't know how to coerce {kind.__name__} and {own.__name__}")
    return kind


def mean(data):
    data = list(data)
    if not data:
        raise StatisticsError("mean requires at least one data point")
    n, d = _exact_sum(map(_ratio, data))
    return _result(n, None if d is None else d * len(data), _kind_of(data))


def fmean(data, weights=None):
    data = list(data)
    if weights is None:
        if not data:
            raise StatisticsError("fmean requires at least one data point")
        return _math.fsum(data) / len(data)
    weights = list(weights)
    if len(data) != len(weights):
        raise StatisticsError("data and weights must be the same length")
    total = _math.fsum(weights)
    if not total:
        raise StatisticsError("sum of weights must be non-zero")
    return _math.fsum(x * w for x, w in zip(data, weights)) / total


def geometric_mean(data):
    data = list(data)
    try:
        return _math.exp(fmean(map(_math.log, data)))
    except ValueError:
        message = "geometric mean requires a non-empty dataset containing positive numbers"
        raise StatisticsError(message) from None


def harmonic_mean(data, weights=None):
    data = list(data)
    if not data:
        raise StatisticsError("harmonic_mean requires at least one data point")
    if len(data) == 1 and weights is None:
        if data[0] < 0:
            raise StatisticsError("harmonic mean does not support negative values")
        return data[0]
    weights = [1] * len(data) if weights is None else list(weights)
    if len(weights) != len(data):
        raise StatisticsError("Number of weights does not match data size")
    if any(x < 0 for x in data):
        raise StatisticsError("harmonic mean does not support negative values")
    if any(x == 0 for x in data):
        return 0
    num, den = _exact_sum(_ratio(w / x if w else 0) for w, x in zip(weights, data))
    if den is None:
        return 0.0 / num
    wn, wd = _exact_sum(map(_ratio, weights))
    return wn * den / (wd * num)


def _sorted(data):
    data = sorted(data)
    if not data:
        raise StatisticsError("no median for empty data")
    return data


def median(data):
    data = _sorted(data)
    n = len(data)
    if n % 2:
        return data[n // 2]
    return (data[n // 2 - 1] + data[n // 2]) / 2


def median_low(data):
    data = _sorted(data)
    return data[(len(data) - 1) // 2]


def median_high(data):
    data = _sorted(data)
    return data[len(data) // 2]


def median_grouped(data, interval=1):
    data = _sorted(data)
    n = len(data)
    x = data[n // 2]
    first = _bisect_left(data, x)
    count = _bisect_right(data, x, lo=first) - first
    return float(x) - float(interval) / 2.0 + float(interval) * (n / 2 - first) / count


def mode(data):
    pairs = _Counter(iter(data)).most_common(1)
    if not pairs:
        raise StatisticsError("no mode for empty data")
    return pairs[0][0]


def multimode(data):
    counts = _Counter(iter(data))
    if not counts:
        return []
    most = max(counts.values())
    return [value for value, count in counts.items() if count == most]


def quantiles(data, *, n=4, method="exclusive"):
    if n < 1:
        raise StatisticsError("n must be at least 1")
    data = sorted(data)
    size = len(data)
    if size < 2:
        raise StatisticsError("must have at least two data points")
    if method not in ("inclusive", "exclusive"):
        raise ValueError(f"Unknown method: {method!r}")
    made = []
    for i in range(1, n):
        if method == "inclusive":
            at, rest = divmod(i * (size - 1), n)
            made.append((data[at] * (n - rest) + data[at + 1] * rest) / n)
        else:
            at = min(max(i * (size + 1) // n, 1), size - 1)
            rest = i * (size + 1) - at * n
            made.append((data[at - 1] * (n - rest) + data[at] * rest) / n)
    return made


def _squares(data, center):
    """The exact sum of the squares of the differences from the mean: numerator, denominator."""
    pairs = [_ratio(x) for x in data]
    if any(d is None for _, d in pairs):
        return float("nan"), None
    n, d = _exact_sum(pairs)
    if center is None:
        d *= len(data)
    else:
        n, d = _ratio(center)
    total, whole = 0, 1
    for xn, xd in pairs:
        diff, den = xn * d - n * xd, xd * d
        # With a common denominator, which a later one is a multiple of or divides.
        if whole % (den * den):
            gcd = _math.gcd(whole, den * den)
            total, whole = total * (den * den // gcd), whole * (den * den // gcd)
        total += diff * diff * (whole // (den * den))
    return total, whole


def _variance(data, center, less, name):
    data = list(data)
    if len(data) < 1 + less:
        count = "two data points" if less else "one data point"
        raise StatisticsError(f"{name} requires at least {count}")
    n, d = _squares(data, center)
    return n, None if d is None else d * (len(data) - less), _kind_of(data)


def variance(data, xbar=None):
    return _result(*_variance(data, xbar, 1, "variance"))


def pvariance(data, mu=None):
    return _result(*_variance(data, mu, 0, "pvariance"))


def _root(n, d, kind):
    """The square root of a fraction, rounded once."""
    if d is None:
        return float("nan")
    if hasattr(kind, "sqrt"):
        return (kind(n) / kind(d)).sqrt()
    if n == 0:
        return 0.0
    up = max(0, 130 - n.bit_length() + d.bit_length()) // 2 + 1
    whole, rest = divmod(n << 2 * up, d)
    root = _math.isqrt(whole)
    # What is left makes it lie between two floats.
    root = root << 1 | (rest != 0 or root * root != whole)
    return _math.ldexp(root, -up - 1)


def stdev(data, xbar=None):
    return _root(*_variance(data, xbar, 1, "stdev"))


def pstdev(data, mu=None):
    return _root(*_variance(data, mu, 0, "pstdev"))


def _centred(x, y, name):
    x, y = list(x), list(y)
    n = len(x)
    if len(y) != n:
        raise StatisticsError(f"{name} requires that both inputs have same number of data points")
    if n < 2:
        raise StatisticsError(f"{name} requires at least two data points")
    xbar, ybar = _math.fsum(x) / n, _math.fsum(y) / n
    xy = _math.fsum((a - xbar) * (b - ybar) for a, b in zip(x, y))
    xx = _math.fsum((a - xbar) ** 2.0 for a in x)
    yy = _math.fsum((b - ybar) ** 2.0 for b in y)
    return n, xbar, ybar, xy, xx, yy


def covariance(x, y, /):
    n, _, _, xy, _, _ = _centred(x, y, "covariance")
    return xy / (n - 1)


def correlation(x, y, /):
    _, _, _, xy, xx, yy = _centred(x, y, "correlation")
    try:
        return xy / _math.sqrt(xx * yy)
    except ZeroDivisionError:
        raise StatisticsError("at least one of the inputs is constant") from None


def linear_regression(x, y, /, *, proportional=False):
    if proportional:
        x, y = list(x), list(y)
        xx, xy = _math.fsum(a * a for a in x), _math.fsum(a * b for a, b in zip(x, y))
        xbar = ybar = 0.0
    else:
        _, xbar, ybar, xy, xx, _ = _centred(x, y, "linear regression")
    try:
        slope = xy / xx
    except ZeroDivisionError:
        raise StatisticsError("x is constant") from None
    return LinearRegression(slope, 0.0 if proportional else ybar - slope * xbar)
