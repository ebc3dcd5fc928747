#!/usr/bin/env python3
"""Summarise an access log: a script in the manner of a sysadmin."""
import argparse, collections, contextlib, datetime as dt, re, sys, textwrap
from string import Template

LOG = textwrap.dedent("""\
    10.0.0.1 - - [12/Mar/2024:10:15:32 +0000] "GET /index.html HTTP/1.1" 200 5120
    10.0.0.2 - bob [12/Mar/2024:10:15:40 +0000] "POST /login HTTP/1.1" 302 0
    10.0.0.1 - - [12/Mar/2024:10:16:01 +0000] "GET /logo.png HTTP/1.1" 404 312
    garbage line here
    10.0.0.3 - - [12/Mar/2024:11:00:00 +0000] "GET /index.html HTTP/1.1" 200 5120
    10.0.0.2 - bob [12/Mar/2024:11:20:13 +0000] "GET /report?id=7 HTTP/1.1" 500 88
    """)
PATTERN = re.compile(r'''
    (?P<host>\S+)\s-\s(?P<user>\S+)\s
    \[(?P<when>[^\]]+)\]\s
    "(?P<verb>[A-Z]+)\s(?P<path>[^\s"]+)\s(?P<proto>[^"]+)"\s
    (?P<status>\d{3})\s(?P<size>\d+)
''', re.VERBOSE)

Hit = collections.namedtuple('Hit', 'host user when verb path proto status size')


def parse(lines):
    for no, line in enumerate(lines, 1):
        m = PATTERN.match(line)
        if not m:
            print(f'skip line {no}: {line!r}')
            continue
        d = m.groupdict()
        d['when'] = dt.datetime.strptime(d['when'], '%d/%b/%Y:%H:%M:%S %z')
        d['status'] = int(d['status'])
        d['size'] = int(d['size'])
        yield Hit(**d)


def human(n):
    for unit in 'B', 'KiB', 'MiB':
        if n < 1024:
            return f'{n:.1f} {unit}' if unit != 'B' else f'{n} B'
        n /= 1024
    return f'{n:.1f} GiB'


def main(argv=None):
    ap = argparse.ArgumentParser(prog='logsum', description=__doc__)
    ap.add_argument('-t', '--top', type=int, default=2, metavar='N', help='show the N busiest (default: %(default)s)')
    ap.add_argument('--since', type=lambda s: dt.datetime.fromisoformat(s), help='only later hits')
    ap.add_argument('-v', '--verbose', action='count', default=0)
    ap.add_argument('--by', choices=['host', 'path', 'user'], default='host')
    args = ap.parse_args(argv)
    hits = list(parse(LOG.splitlines()))
    if args.since:
        hits = [h for h in hits if h.when >= args.since.replace(tzinfo=dt.timezone.utc)]
    counts = collections.Counter(getattr(h, args.by) for h in hits)
    sizes = collections.defaultdict(int)
    for h in hits:
        sizes[getattr(h, args.by)] += h.size
    row = Template('$name: $count hits, $size')
    for name, count in counts.most_common(args.top):
        print(row.substitute(name=name, count=count, size=human(sizes[name])))
    by_hour = collections.OrderedDict()
    for h in hits:
        by_hour.setdefault(h.when.strftime('%H:00'), []).append(h)
    for hour, group in by_hour.items():
        print(f'{hour:>6} {"#" * len(group):<5}|', ', '.join(sorted({h.path for h in group})))
    if args.verbose:
        worst = max(hits, key=lambda h: h.status)
        print(worst._replace(when=worst.when.isoformat()))
        span = hits[-1].when - hits[0].when
        print('span', span, span.total_seconds(), span // 2, divmod(span, dt.timedelta(minutes=7)))
    return 0 if all(h.status < 500 for h in hits) else 1


if __name__ == '__main__':
    print('rc', main([]))
    print('rc', main(['--by', 'path', '-vv', '--top', '1']))
    print('rc', main(['--since', '2024-03-12T11:00:00', '--by=user']))
    try:
        with contextlib.redirect_stderr(sys.stdout):
            main(['--by', 'nothing'])
    except SystemExit as e:
        print('exit', e.code)
    try:
        main(['-h'])
    except SystemExit as e:
        print('exit', e.code)
    sys.exit(main(['-t1']))
