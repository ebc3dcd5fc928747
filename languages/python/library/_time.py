"""What of `time` is written in Python: dates. It is looked for here when a program asks for it."""

from time import time as _now, time_ns as _now_ns, process_time as _process_time
from time import monotonic as _monotonic

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August")
_MONTHS += ("September", "October", "November", "December")
_BEFORE = (0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334)

CLOCK_REALTIME = 0
CLOCK_MONOTONIC = 1
CLOCK_PROCESS_CPUTIME_ID = 2


class struct_time(tuple):
    """A date and a time of the day."""

    n_fields = 11
    n_sequence_fields = 9
    n_unnamed_fields = 0

    def __new__(cls, values, more=None):
        values = tuple(values)
        if len(values) < 9:
            raise TypeError(
                f"time.struct_time() takes an at least 9-sequence ({len(values)}-sequence given)"
            )
        if len(values) > 11:
            raise TypeError(
                f"time.struct_time() takes an at most 11-sequence ({len(values)}-sequence given)"
            )
        self = super().__new__(cls, values[:9])
        self.tm_zone, self.tm_gmtoff = (values[9:] + (None, None))[:2]
        return self

    def __repr__(self):
        parts = [f"{name}={value!r}" for name, value in zip(_FIELDS, self)]
        return f"time.struct_time({', '.join(parts)})"


struct_time.__module__ = "time"
_FIELDS = ("tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday")
_FIELDS += ("tm_isdst",)
for _place, _name in enumerate(_FIELDS):
    setattr(struct_time, _name, property(lambda self, place=_place: self[place]))


def _is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def _days_before(year):
    """The days from the first of January 1970 to that of a year."""
    last = year - 1
    return last * 365 + last // 4 - last // 100 + last // 400 - 719162


def _date(seconds, offset, zone, is_dst):
    """The date of a number of seconds, in a zone so many seconds east."""
    days, rest = divmod(int(seconds // 1) + offset, 86400)
    year = 1970 + days // 366
    while _days_before(year + 1) <= days:
        year += 1
    while _days_before(year) > days:
        year -= 1
    day = days - _days_before(year)
    month = 1
    while month < 12 and day >= _day_of_year(year, month + 1):
        month += 1
    hour, rest = divmod(rest, 3600)
    values = (year, month, day - _day_of_year(year, month) + 1, hour, rest // 60, rest % 60)
    return struct_time(values + ((days + 3) % 7, day + 1, is_dst, zone, offset))


def _day_of_year(year, month):
    return _BEFORE[month - 1] + (month > 2 and _is_leap(year))


def gmtime(seconds=None):
    return _date(_now() if seconds is None else seconds, 0, "UTC", 0)


def _read_zone():
    """The changes of the clock in this place, from the system's file: times and what holds then."""
    import os

    name = os.environ.get("TZ")
    if name in ("", "UTC", "UTC0", "GMT"):
        return [], [(0, 0, "UTC")]
    path = "/etc/localtime"
    if name:
        path = os.path.join("/usr/share/zoneinfo", name.lstrip(":"))
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return [], [(0, 0, "UTC")]
    return _zone_of(data)


def _zone_of(data):
    """The format is that of RFC 8536; its second part has times of 64 bits."""
    if data[:4] != b"TZif":
        return [], [(0, 0, "UTC")]

    def number(at, size):
        return int.from_bytes(data[at : at + size], "big", signed=True)

    def counts(at):
        return [number(at + 20 + 4 * n, 4) for n in range(6)]

    start, size = 0, 4
    if data[4:5] >= b"2":
        utc, std, leap, times, types, letters = counts(0)
        start = 44 + times * 5 + types * 6 + letters + leap * 8 + std + utc
        size = 8
    utc, std, leap, times, types, letters = counts(start)
    at = start + 44
    changes = [number(at + size * n, size) for n in range(times)]
    at += size * times
    which = data[at : at + times]
    at += times
    names = data[at + 6 * types : at + 6 * types + letters]
    kinds = []
    for n in range(types):
        row = at + 6 * n
        first = data[row + 5]
        name = names[first : names.index(b"\0", first)].decode()
        kinds.append((number(row, 4), data[row + 4], name))
    return list(zip(changes, which)), kinds


_zone = []


def _known_zone():
    if not _zone:
        _zone.append(_read_zone())
    return _zone[0]


def tzset():
    _zone.clear()


def _at(seconds):
    """What holds at a time: seconds east, whether it is summer, the name."""
    changes, kinds = _known_zone()
    found = 0
    for start, kind in changes:
        if start > seconds:
            break
        found = kind
    return kinds[found]


def localtime(seconds=None):
    seconds = _now() if seconds is None else seconds
    offset, is_dst, zone = _at(seconds)
    return _date(seconds, offset, zone, is_dst)


def _usual(is_dst):
    for offset, summer, name in reversed(_known_zone()[1]):
        if bool(summer) == is_dst:
            return offset, name
    return _known_zone()[1][-1][::2]


# A class may have these as attributes, which are no methods of it.
gmtime = staticmethod(gmtime)
localtime = staticmethod(localtime)

timezone = -_usual(False)[0]
altzone = -_usual(True)[0]
daylight = int(any(summer for _, summer, _ in _known_zone()[1]))
tzname = (_usual(False)[1], _usual(True)[1])


def mktime(date):
    """The seconds of a local date, whose parts may be beyond their bounds."""
    year, month, day, hour, minute, second = tuple(date)[:6]
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    days = _days_before(year) + _day_of_year(year, month) + day - 1
    seconds = days * 86400 + hour * 3600 + minute * 60 + second
    # The offset is that of the result: one guess is right unless the clock changes in between.
    for offset in (_at(seconds)[0], _at(seconds - _at(seconds)[0])[0]):
        if _at(seconds - offset)[0] == offset:
            return float(seconds - offset)
    return float(seconds - _at(seconds)[0])


def asctime(date=None):
    date = localtime() if date is None else date
    year, month, day, hour, minute, second, weekday = tuple(date)[:7]
    clock = f"{hour:02}:{minute:02}:{second:02}"
    return f"{_DAYS[weekday][:3]} {_MONTHS[month - 1][:3]} {day:2} {clock} {year}"


def ctime(seconds=None):
    return asctime(localtime(seconds))


def _iso(date):
    """The year and week of a date by ISO 8601."""
    year, week = date[0], (date[7] - 1 - date[6] + 10) // 7
    if week < 1:
        year -= 1
        last = struct_time((year, 12, 31, 0, 0, 0, (date[6] - date[7]) % 7, 0, 0))
        day = 366 if _is_leap(year) else 365
        week = (day - 1 - last[6] + 10) // 7
    elif week == 53:
        days = 366 if _is_leap(year) else 365
        if days - date[7] < 3 - date[6]:
            year, week = year + 1, 1
    return year, week


def strftime(format, date=None):
    date = localtime() if date is None else struct_time(tuple(date) + (0,) * (9 - len(date)))
    year, month, day, hour, minute, second, weekday, yearday, _ = date
    short = hour % 12 or 12
    offset = getattr(date, "tm_gmtoff", None) or 0
    sign = "-" if offset < 0 else "+"
    parts = {
        "a": lambda: _DAYS[weekday][:3],
        "A": lambda: _DAYS[weekday],
        "b": lambda: _MONTHS[month - 1][:3],
        "B": lambda: _MONTHS[month - 1],
        "c": lambda: asctime(date),
        "C": lambda: f"{year // 100:02}",
        "d": lambda: f"{day:02}",
        "D": lambda: f"{month:02}/{day:02}/{year % 100:02}",
        "e": lambda: f"{day:2}",
        "F": lambda: f"{year}-{month:02}-{day:02}",
        "g": lambda: f"{_iso(date)[0] % 100:02}",
        "G": lambda: str(_iso(date)[0]),
        "h": lambda: _MONTHS[month - 1][:3],
        "H": lambda: f"{hour:02}",
        "I": lambda: f"{short:02}",
        "j": lambda: f"{yearday:03}",
        "k": lambda: f"{hour:2}",
        "l": lambda: f"{short:2}",
        "m": lambda: f"{month:02}",
        "M": lambda: f"{minute:02}",
        "n": lambda: "\n",
        "p": lambda: "AM" if hour < 12 else "PM",
        "P": lambda: "am" if hour < 12 else "pm",
        "r": lambda: f"{short:02}:{minute:02}:{second:02} {'AM' if hour < 12 else 'PM'}",
        "R": lambda: f"{hour:02}:{minute:02}",
        "s": lambda: str(int(mktime(date))),
        "S": lambda: f"{second:02}",
        "t": lambda: "\t",
        "T": lambda: f"{hour:02}:{minute:02}:{second:02}",
        "u": lambda: str(weekday + 1),
        "U": lambda: f"{(yearday + 6 - (weekday + 1) % 7) // 7:02}",
        "V": lambda: f"{_iso(date)[1]:02}",
        "w": lambda: str((weekday + 1) % 7),
        "W": lambda: f"{(yearday + 6 - weekday) // 7:02}",
        "x": lambda: f"{month:02}/{day:02}/{year % 100:02}",
        "X": lambda: f"{hour:02}:{minute:02}:{second:02}",
        "y": lambda: f"{year % 100:02}",
        "Y": lambda: str(year),
        "z": lambda: f"{sign}{abs(offset) // 3600:02}{abs(offset) % 3600 // 60:02}",
        "Z": lambda: getattr(date, "tm_zone", None) or "",
        "%": lambda: "%",
    }
    made, at = [], 0
    while at < len(format):
        letter = format[at]
        at += 1
        if letter != "%" or at == len(format):
            made.append(letter)
            continue
        known = parts.get(format[at])
        made.append("%" + format[at] if known is None else known())
        at += 1
    return "".join(made)


def strptime(text, format="%a %b %d %H:%M:%S %Y"):
    import _strptime

    return _strptime._strptime_time(text, format)


def clock_gettime(clock):
    return {CLOCK_REALTIME: _now, CLOCK_MONOTONIC: _monotonic}.get(clock, _process_time)()


def clock_gettime_ns(clock):
    return _now_ns() if clock == CLOCK_REALTIME else int(clock_gettime(clock) * 1e9)


def monotonic_ns():
    return int(_monotonic() * 1e9)


def process_time_ns():
    return int(_process_time() * 1e9)


thread_time = _process_time
thread_time_ns = process_time_ns


def get_clock_info(name):
    from types import SimpleNamespace

    return SimpleNamespace(
        implementation=name, monotonic=name != "time", adjustable=name == "time", resolution=1e-09
    )
