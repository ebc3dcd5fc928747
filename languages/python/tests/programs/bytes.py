# Strings of bytes.

def show(function):
    try:
        print(repr(function()))
    except Exception as error:
        print(type(error).__name__, error, sep=": ")


show(lambda: b'a'[3])
show(lambda: b'a'['a'])
show(lambda: b'a'[1.5])
show(lambda: b'a'+'b')
show(lambda: 'a'+b'b')
show(lambda: b'a'+1)
show(lambda: b'a'*'b')
show(lambda: b'a'*1.5)
show(lambda: 'a' in b'a')
show(lambda: 300 in b'a')
show(lambda: 1.5 in b'a')
show(lambda: [] in b'a')
show(lambda: bytes(-1))
show(lambda: bytes([256]))
show(lambda: bytes(['a']))
show(lambda: bytes([-1]))
show(lambda: bytes('a'))
show(lambda: bytes(1.5))
show(lambda: bytes(None))
show(lambda: bytes(1,2))
show(lambda: bytes('a',1))
show(lambda: bytes(b'a','utf-8'))
show(lambda: bytes(encoding='utf-8'))
show(lambda: bytes(errors='utf-8'))
show(lambda: bytes('a','utf-8','strict',1))
show(lambda: bytes(foo=1))
show(lambda: bytes(source=b'a'))
show(lambda: bytes(object()))
show(lambda: b'abc'.find('a'))
show(lambda: b'abc'.find(300))
show(lambda: b'abc'.find(97))
show(lambda: b'abc'.find(None))
show(lambda: b'abc'.index(b'z'))
show(lambda: b'abc'.rindex(b'z'))
show(lambda: b'abc'.count('a'))
show(lambda: b'abc'.count(97))
show(lambda: b'abc'.startswith('a'))
show(lambda: b'abc'.startswith(('a',)))
show(lambda: b'abc'.endswith(1))
show(lambda: b','.join(['a']))
show(lambda: b','.join(3))
show(lambda: b','.join([1]))
show(lambda: b'abc'.split('a'))
show(lambda: b'abc'.split(b''))
show(lambda: b'abc'.split(1))
show(lambda: b'abc'.partition(b''))
show(lambda: b'abc'.partition('a'))
show(lambda: b'abc'.strip('a'))
show(lambda: b'abc'.strip(1))
show(lambda: b'abc'.replace('a','b'))
show(lambda: b'abc'.replace(b'a',1))
show(lambda: b'abc'.center(10,'a'))
show(lambda: b'abc'.center(10,b'ab'))
show(lambda: b'abc'.hex(1))
show(lambda: b'abc'.hex('--'))
show(lambda: b'abc'.hex('-'))
show(lambda: b'abcde'.hex('-',2))
show(lambda: b'abcde'.hex('-',-2))
show(lambda: b'abc'.hex('é'))
show(lambda: b'abc'.hex(b':'))
show(lambda: bytes.fromhex('ab cd'))
show(lambda: bytes.fromhex('abc'))
show(lambda: bytes.fromhex('ag'))
show(lambda: bytes.fromhex(b'aa'))
show(lambda: bytes.fromhex('a b'))
show(lambda: b'abc'.translate(b'a'))
show(lambda: (b'abc'.translate(None, b'b')))
show(lambda: b'abc'.translate('a'))
show(lambda: bytes.maketrans(b'a',b'bc'))
show(lambda: bytes.maketrans(b'a','b'))
show(lambda: len(bytes.maketrans(b'ab',b'bc')))
show(lambda: b'abc'.decode('foo'))
show(lambda: b'\xff'.decode('utf-8','foo'))
show(lambda: b'\xff'.decode())
show(lambda: b'\xffa'.decode('ascii'))
show(lambda: b'ab\xe2\x82'.decode())
show(lambda: b'ab\xe2\x82x'.decode())
show(lambda: b'ab\xe2x'.decode())
show(lambda: b'ab\xed\xa0\x80'.decode())
show(lambda: b'ab\xf4\x90\x80\x80'.decode())
show(lambda: b'ab\xc0\x80'.decode())
show(lambda: b'ab\x80\x80'.decode('utf8','replace'))
show(lambda: b'ab\xe2\x82x'.decode('utf8','replace'))
show(lambda: b'ab\xe2\x82x'.decode('utf8','ignore'))
show(lambda: b'ab\xe2\x82x\xff'.decode('utf8','backslashreplace'))
show(lambda: b'ab\xf0\x9f\x98'.decode('utf8','replace'))
show(lambda: b'ab\xed\xa0\x80'.decode('utf8','replace'))
show(lambda: 'é'.encode('ascii'))
show(lambda: 'aéé'.encode('ascii'))
show(lambda: 'a€é'.encode('latin-1'))
show(lambda: 'a€é'.encode('latin-1','replace'))
show(lambda: 'a€é'.encode('ascii','ignore'))
show(lambda: 'a€é'.encode('ascii','xmlcharrefreplace'))
show(lambda: 'a€é😀'.encode('ascii','backslashreplace'))
show(lambda: 'a€é'.encode('ascii','foo'))
show(lambda: 'a'.encode('ascii','foo'))
show(lambda: 'a'.encode('foo'))
show(lambda: 'a'.encode(1))
show(lambda: b'a'.decode(1))
show(lambda: 'a'.encode('utf-8',1))
show(lambda: str(b'a'))
show(lambda: str(b'a','utf-8'))
show(lambda: str(b'a',errors='strict'))
show(lambda: str('a','utf-8'))
show(lambda: str(1,'utf-8'))
show(lambda: str(b'a','utf-8','strict',1))
show(lambda: b'%d' % 1)
show(lambda: b'%s' % 'a')
show(lambda: b'%s' % b'a')
show(lambda: b'%a' % 'é')
show(lambda: b'%r' % 'é')
show(lambda: b'%c' % 300)
show(lambda: b'%c' % 97)
show(lambda: b'%c' % b'z')
show(lambda: b'%c' % 'z')
show(lambda: b'%c' % b'zz')
show(lambda: b'%x %5.2f %(' % 1)
show(lambda: b'%(a)s' % {b'a': b'x'})
show(lambda: b'%(a)s' % {'a': b'x'})
show(lambda: b'%(a)s' % b'a')
show(lambda: b'%z' % 1)
show(lambda: b'%d' % 'a')
show(lambda: b'%d' % ())
show(lambda: b'a' % 1)
show(lambda: b'a' % {})
show(lambda: (b'%5s|%-5s|%.1s' % (b'ab', b'ab', b'ab')))
show(lambda: b'%s' % 1)
show(lambda: b'a'.__setitem__)
show(lambda: b'a' < 'a')
show(lambda: b'a' < 1)
show(lambda: b'a' == 'a')
show(lambda: int(b'12'))
show(lambda: int(b'zz'))
show(lambda: (int(b'12', 16)))
show(lambda: int(b'\xff'))
show(lambda: float(b'1.5'))
show(lambda: float(b'zz'))
show(lambda: ord(b'a'))
show(lambda: ord(b'ab'))
show(lambda: (5).to_bytes())
show(lambda: (5).to_bytes(2,'little'))
show(lambda: (-5).to_bytes(2,'little'))
show(lambda: (-5).to_bytes(2,'little',signed=True))
show(lambda: (500).to_bytes(1,'big'))
show(lambda: (5).to_bytes(-1,'big'))
show(lambda: (5).to_bytes(1,'foo'))
show(lambda: (200).to_bytes(1,'big',signed=True))
show(lambda: (5).to_bytes('a'))
show(lambda: ((5).to_bytes(1, 5)))
show(lambda: (0).to_bytes(0,'big'))
show(lambda: (1).to_bytes(0,'big'))
show(lambda: int.from_bytes(b'ab'))
show(lambda: int.from_bytes(b'\xff\xfe','little',signed=True))
show(lambda: int.from_bytes([1,2],'big'))
show(lambda: int.from_bytes('ab'))
show(lambda: int.from_bytes(5))
show(lambda: int.from_bytes(b'ab','foo'))
show(lambda: bool.from_bytes(b'a'))
show(lambda: b"it's")
show(lambda: b'"\'')
show(lambda: b'\t\n\r\\\x00\x7f\xff')
show(lambda: (b'abc'.isalnum(), b''.isalnum(), b'aB'.istitle(), b'Ab Cd'.istitle(), b'ABC'.isupper()))
show(lambda: (b'abc def'.title(), b'abc'.capitalize(), b'aBc'.swapcase()))
show(lambda: (b'a\tb'.expandtabs(4), b'12'.zfill(5), b'-12'.zfill(5)))
show(lambda: (b'a\nb\r\nc\x0bd'.splitlines(), b'a\nb'.splitlines(True)))
show(lambda: (b' a b  c '.split(), b' a b c '.rsplit(None,1), b'a,b,c'.split(b',',1), b'a,b,c'.rsplit(b',',1)))
show(lambda: (b'ab'.__mul__(2), b'ab'.__getitem__(0), b'ab'.__len__()))
show(lambda: b'a'.foo)
show(lambda: (UnicodeDecodeError('utf-8', b'abc', 0, 1, 'bad')))
show(lambda: (str(UnicodeDecodeError('utf-8', b'abc', 0, 1, 'bad'))))
show(lambda: (str(UnicodeDecodeError('utf-8', b'abc', 0, 2, 'bad'))))
show(lambda: (str(UnicodeEncodeError('utf-8', 'abc', 0, 1, 'bad'))))
show(lambda: (b'abc'.removeprefix(b'a'), b'abc'.removesuffix('c')))
show(lambda: b'a'.join(b'bc'))
show(lambda: (sum(b'abc'), max(b'abc'), sorted(b'cab'), list(b'abc'), 97 in b'abc', b'bc' in b'abc'))
show(lambda: (sum([b'a'], b'')))
show(lambda: ("%s" % b'a', f"{b'a'}", f"{b'a'!r:>6}"))
show(lambda: f"{b'a':>5}")
show(lambda: (format(b'a', '')))
show(lambda: (b'a'.isascii(), b'\xff'.isascii()))
show(lambda: 'a'.join([b'a']))
show(lambda: (b'abc'.count(b''), b'abc'.find(b'', 5), b'abc'.find(b'c', -1), b'abc'.rfind(b'', 0, 2)))


def checksum(data):
    a, b = 1, 0
    for byte in data:
        a = (a + byte) % 65521
        b = (b + a) % 65521
    return b << 16 | a


print(checksum(b'the quick brown fox' * 20))


def words(data):
    counts = {}
    for word in data.split():
        counts[word] = counts.get(word, 0) + 1
    return counts


print(words(b'a b a c b a ' * 5), {b'x': 1}[b'x'], b'x' in {b'x'}, 'x' in {b'x'})

found = 0
text = b'abracadabra'
for n in range(100):
    if text[n % len(text)] == 97 and text[n % 7 : n % 7 + 2] < b'br':
        found += 1
print(found)


class Tag(bytes):
    def __new__(cls, value):
        return super().__new__(cls, value + b'!')

    def double(self):
        return self + self


tag = Tag(b'ab')
print(tag, tag.double(), len(tag), tag[0], tag == b'ab!', hash(tag) == hash(b'ab!'), type(tag.upper()), isinstance(tag, bytes))
print(Tag.fromhex('6162'), tag.decode(), b'%s' % tag, bytes(tag), tag in [b'ab!'])


class Own:
    def __bytes__(self):
        return b'own'


print(bytes(Own()), b'<%b>' % Own())
match b'ab':
    case b'xy':
        print('no')
    case [_, _]:
        print('no sequence')
    case bytes(value):
        print(value)
first, *rest = b'abc'
print(first, rest, [*b'ab'], dict(zip(b'ab', 'xy')))
try:
    b'\xff\xfe'.decode()
except UnicodeDecodeError as error:
    print(error.encoding, error.object, error.start, error.end, error.reason, error.args, isinstance(error, ValueError))
try:
    'a\xe9'.encode('ascii')
except UnicodeError as error:
    print(error.encoding, error.object, error.start, error.end, error.reason)
print('äö€😀'.encode(), 'äö'.encode('latin-1'), 'äö€😀'.encode().decode(), 'x'.encode('us-ascii'), b'ab'.decode(errors='ignore', encoding='ASCII'))
print(str.maketrans('ab', 'xy', 'z'), 'abcz'.translate(str.maketrans('ab', 'xy', 'z')), 'abc'.translate({97: 'AA', 98: None}))
print(str.maketrans({'a': 1, 98: 'q'}), '{a} {b[0]}'.format_map({'a': 1, 'b': [2]}))
show(lambda: str.maketrans('a'))
show(lambda: str.maketrans('a', 'bc'))
show(lambda: str.maketrans({'ab': 1}))
show(lambda: str.maketrans(1, 'a'))
show(lambda: 'a'.translate({97: 1.5}))
show(lambda: '{}'.format_map({}))
show(lambda: '{x}'.format_map({}))
