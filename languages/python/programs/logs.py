# A log of a server, read by regular expressions: lines taken apart, counted, made anonymous and
# summed up, and the entries of an application found by the tokens of their fields. args: lines.
# args: 6000
# quick: 60
import re
import sys

ACCESS = re.compile(
    r'(?P<host>\S+) \S+ (?P<user>\S+) \[(?P<day>\d+)/(?P<month>\w{3})/(?P<year>\d{4}):'
    r'(?P<hour>\d\d):(?P<minute>\d\d):\d\d [+-]\d{4}\] '
    r'"(?P<method>[A-Z]+) (?P<path>[^ ?"]*)(?:\?(?P<query>[^ "]*))? HTTP/[\d.]+" '
    r'(?P<status>\d{3}) (?P<size>\d+|-)'
)
FIELDS = re.compile(
    r'''(?P<name>[a-z_]+)=(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<number>-?\d+(?:\.\d+)?)(?!\S)|(?P<word>\S+))
    |(?P<level>\[(?:INFO|WARN|ERROR)\])|(?P<text>[^\s=]+)|\s+''',
    re.VERBOSE,
)
NUMBERS = re.compile(r'\d+')
ADDRESS = re.compile(r'\b(\d{1,3}\.\d{1,3})\.\d{1,3}\.\d{1,3}\b')
WRONG = re.compile(r'(?i)\b(?:time[- ]?out|refused|failed|denied)\b')

PATHS = ['/', '/index.html', '/shop/items/%d', '/shop/cart', '/static/site.css', '/img/%d.png']
METHODS = ['GET', 'GET', 'GET', 'POST', 'HEAD', 'PUT']
TEXTS = ['cache filled', 'connection refused by peer', 'Time-out of lock', 'user logged in', 'job failed']


class Numbers:
    """Numbers that look like random ones, and are the same each time."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 1103515245 + 12345) % 2147483648
        return (self.state >> 8) % limit


def access_line(numbers, n):
    path = PATHS[numbers.below(len(PATHS))]
    if '%d' in path:
        path = path % numbers.below(50)
    if numbers.below(4) == 0:
        path += '?page=%d&sort=%s' % (numbers.below(9), 'price' if numbers.below(2) else 'name')
    host = '10.%d.%d.%d' % (numbers.below(4), numbers.below(256), numbers.below(256))
    time = '%02d/Mar/2024:%02d:%02d:%02d +0100' % (1 + n // 500 % 28, n // 20 % 24, n % 60, n * 7 % 60)
    status = [200, 200, 200, 301, 404, 500][numbers.below(6)]
    size = '-' if status == 301 else str(numbers.below(60000))
    method = METHODS[numbers.below(len(METHODS))]
    return f'{host} - {"anna" if n % 7 == 0 else "-"} [{time}] "{method} {path} HTTP/1.1" {status} {size}'


def application_line(numbers, n):
    level = ['INFO', 'WARN', 'ERROR'][numbers.below(3)]
    text = TEXTS[numbers.below(len(TEXTS))]
    took = numbers.below(100000) / 1000
    return f'[{level}] {text} took={took} user="an \\"{n % 13}\\"" host=10.1.2.{n % 200} try={n % 5}'


def read_access(lines):
    by_status, by_hour, by_path, bytes_of, wrong = {}, {}, {}, {}, 0
    for line in lines:
        match = ACCESS.match(line)
        if match is None:
            wrong += 1
            continue
        status, path = match['status'], match['path']
        by_status[status] = by_status.get(status, 0) + 1
        hour = int(match['hour'])
        by_hour[hour] = by_hour.get(hour, 0) + 1
        path = NUMBERS.sub('N', path)
        by_path[path] = by_path.get(path, 0) + 1
        if match['size'] != '-':
            bytes_of[path] = bytes_of.get(path, 0) + int(match['size'])
        if match['query']:
            for key, value in re.findall(r'(\w+)=(\w+)', match['query']):
                key = f'{key}={value}'
                by_path[key] = by_path.get(key, 0) + 1
    return by_status, by_hour, by_path, bytes_of, wrong


def read_application(lines):
    levels, took, words, troubles = {}, 0.0, {}, 0
    for line in lines:
        for token in FIELDS.finditer(line):
            kind = token.lastgroup
            if kind == 'level':
                level = token.group()
                levels[level] = levels.get(level, 0) + 1
            elif kind == 'number':
                if token['name'] == 'took':
                    took += float(token['number'])
            elif kind == 'quoted' or kind == 'word':
                words[token['name']] = words.get(token['name'], 0) + len(token[kind])
        if WRONG.search(line):
            troubles += 1
    return levels, round(took, 3), words, troubles


def main(count):
    numbers = Numbers(count)
    access = [access_line(numbers, n) for n in range(count)]
    access[count // 2] = 'not a line of this log'
    application = [application_line(numbers, n) for n in range(count // 2)]
    by_status, by_hour, by_path, bytes_of, wrong = read_access(access)
    print(sorted(by_status.items()))
    print(max(by_hour.items(), key=lambda item: (item[1], item[0])), len(by_path), wrong)
    for path in sorted(bytes_of):
        print(path, by_path[path], bytes_of[path])
    print(*read_application(application))
    text = ADDRESS.sub(r'\1.x.x', '\n'.join(access))
    print(len(text), text.count('.x.x'), len(re.findall(r'(?m)^10\.1\..*" 5\d\d', text)))
    shouted = re.sub(r'\b[a-z]+(?=/)', lambda match: match[0].upper(), text[:5000])
    print(len(re.split(r'[\s"]+', shouted)), sum(map(ord, shouted)))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 60)
