# Makes a text log of sales, parses it by slicing, then counts words, groups, sorts and prints tables with f-strings. args: log lines.
# args: 11000
# quick: 30
import sys
import string
from bisect import bisect_right
from collections import Counter, defaultdict, OrderedDict
from itertools import groupby, accumulate, chain, islice
from operator import itemgetter, attrgetter
from random import Random

CITIES = ["Lisbon", "Oslo", "Graz", "Turin", "Ghent"]
GOODS = {"tea": 3.2, "rope": 7.75, "lamp": 24.0, "clock": 61.5, "ink": 1.1}
REMARKS = ("Paid in cash; came back for the same thing.", "Wanted it wrapped, wrapped twice!",
           "Came with the dog. The dog wanted tea.", "Nothing to report", "Sent by post (the slow post)")
LIMITS = [5, 20, 60, 200]
GRADES = "ABCDE"


class Sale:
    def __init__(self, day, city, item, amount, price, remark):
        self.day, self.city, self.item = day, city, item
        self.amount, self.price, self.remark = amount, price, remark

    @property
    def total(self):
        return self.amount * self.price

    @property
    def grade(self):
        return GRADES[bisect_right(LIMITS, self.total)]


def make_log(n):
    rnd = Random(1234)
    items = list(GOODS)
    lines = []
    for i in range(n):
        item = items[rnd.randrange(len(items))]
        price = GOODS[item] * (1 + rnd.randint(-5, 5) / 100)
        lines.append(f"{1 + i * 28 // n:02d} {rnd.choice(CITIES):<8s}{item:>6} x{rnd.randint(1, 12):<3d}"
                     f"@{price:8.2f} | {rnd.choice(REMARKS)}")
    return "\n".join(lines)


def parse_line(line):
    head, _, remark = line.partition(" | ")
    return Sale(int(head[:2]), head[3:11].rstrip(), head[11:17].strip(),
                int(head[19:22]), float(head[-8:]), remark)


def words(text):
    table = str.maketrans({c: " " for c in string.punctuation})
    return text.translate(table).lower().split()


def table(header, rows):
    widths = [max(len(str(r[i])) for r in chain([header], rows)) for i in range(len(header))]
    yield " ".join(f"{h:^{w}}" for h, w in zip(header, widths))
    yield "-" * (sum(widths) + len(widths) - 1)
    for row in rows:
        yield " ".join(f"{c:>{w}}" if i else f"{c:<{w}}" for i, (c, w) in enumerate(zip(row, widths)))


def wrap(tokens, width):
    out, line = [], ""
    for t in tokens:
        if line and len(line) + 1 + len(t) > width:
            out.append(line)
            line = t
        else:
            line = f"{line} {t}" if line else t
    if line:
        out.append(line)
    return out


def main(n):
    log = make_log(n)
    sales = [parse_line(line) for line in log.splitlines()]
    print(f"{len(log)=} {len(sales)=} {sum(s.total for s in sales):,.2f}")

    by_city = sorted(sales, key=attrgetter("city", "item"))
    rows = []
    for city, group in groupby(by_city, key=attrgetter("city")):
        group = list(group)
        favourite, times = max(((item, sum(1 for _ in g)) for item, g in groupby(group, key=lambda s: s.item)),
                               key=lambda p: (p[1], p[0]))
        rows.append((city, len(group), f"{sum(s.total for s in group):.2f}", f"{favourite}*{times}"))
    rows.sort(key=itemgetter(1, 0), reverse=True)
    for line in table(("city", "sales", "money", "best"), rows):
        print(line)

    counts = Counter()
    for s in sales:
        counts.update(words(s.remark))
    top = sorted(counts.items(), key=lambda kv: (-kv[1], kv[0]))
    print(", ".join(f"{w!r}:{c}" for w, c in islice(top, 8)), f"of {sum(counts.values())}")

    grades = defaultdict(list)
    for s in sales:
        grades[s.grade].append(s.total)
    for g, values in OrderedDict(sorted(grades.items())).items():
        print(f"{g}: {len(values):5d} {len(values) / n:7.2%} max {max(values):<10.4g}|{'#' * (40 * len(values) // n)}")

    daily = [sum(s.amount for s in grp) for _, grp in groupby(sales, key=attrgetter("day"))]
    print("running", list(accumulate(daily))[-3:], "record", list(accumulate(daily, max))[-1])
    paragraph = wrap([w.capitalize() if i % 5 == 0 else w for i, (w, _) in enumerate(top)], 44)
    for line in paragraph[:3]:
        print(f"[{line:*^46}]")
    initials = "".join(w[0] for w, _ in top)
    print(initials[::-1], initials[1::2].upper(), initials.count("w"), log.rfind("dog") - log.find("tea"),
          sorted(log[:50].split(), key=len)[-1], log.title()[:20].swapcase().center(26, "~"))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 30)
