# Bytes that can be changed.

def show(function):
    try:
        print(repr(function()))
    except Exception as error:
        print(type(error).__name__, error, sep=": ")


show(lambda: bytearray(b'a')['a'])
show(lambda: bytearray(b'a')[3])
show(lambda: bytearray(b'a')+'b')
show(lambda: bytearray(-1))
show(lambda: bytearray([256]))
show(lambda: bytearray(['a']))
show(lambda: bytearray('a'))
show(lambda: bytearray(1.5))
show(lambda: bytearray(object()))
show(lambda: bytearray(b'a','utf-8'))
show(lambda: bytearray(b'abc').index(b'z'))
show(lambda: bytearray(b'abc').startswith(1))
show(lambda: (b','.join([b'a', bytearray(b'b')])))
show(lambda: bytearray(b'abc').partition(b'b'))
show(lambda: bytearray(b'abc').partition(b'z'))
show(lambda: b'abc'.center(10,bytearray(b'-')))
show(lambda: bytearray.fromhex('6162'))
show(lambda: str(bytearray(b'a'),'ascii'))
show(lambda: b'%b' % bytearray(b'a'))
show(lambda: bytearray(b'%d') % 3)
show(lambda: bytearray(b'a').append(256))
show(lambda: bytearray(b'a').append('a'))
show(lambda: bytearray(b'a').extend('a'))
show(lambda: bytearray(b'a').extend([300]))
show(lambda: bytearray(b'a').extend(['a']))
show(lambda: bytearray(b'a').extend(1))
show(lambda: bytearray(b'a').insert(0,300))
show(lambda: bytearray(b'a').pop(3))
show(lambda: bytearray().pop())
show(lambda: bytearray(b'a').remove(98))
show(lambda: bytearray(b'a').remove(300))
show(lambda: bytearray(b'a').remove('a'))
show(lambda: bytearray(b'a').__setitem__(0,300))
show(lambda: bytearray(b'a').__setitem__(0,'a'))
show(lambda: bytearray(b'a').__setitem__(5,1))
show(lambda: bytearray(b'a').__setitem__('a',1))
show(lambda: bytearray(b'a').__setitem__(slice(0,1),'a'))
show(lambda: bytearray(b'a').__setitem__(slice(0,1),5))
show(lambda: bytearray(b'a').__setitem__(slice(0,1),[300]))
show(lambda: bytearray(b'abcd').__setitem__(slice(0,4,2),b'a'))
show(lambda: bytearray(b'a').__delitem__(5))
show(lambda: bytearray(b'a').__delitem__('a'))
show(lambda: hash(bytearray()))
show(lambda: b'a' == bytearray(b'a'))
show(lambda: bytearray(b'a') < b'b')
show(lambda: int(bytearray(b'12')))
show(lambda: ord(bytearray(b'a')))
show(lambda: bytearray(b"a'"))
show(lambda: (bytes(3), bytes(bytearray(b'x')), bytes(range(3)), bytes()))
show(lambda: (bytearray(b'abc').copy(), bytearray(b'ab').hex()))
show(lambda: (iter(b'a').__class__, iter(bytearray()).__class__, reversed(b'ab').__class__, list(reversed(b'ab'))))
show(lambda: (b''.join([]), bytearray(b',').join([b'a',b'b'])))
show(lambda: (b'abc'[::2], b'abc'[1:], bytearray(b'abc')[::-1]))
show(lambda: (b'a'.__class__, type(bytearray())))
show(lambda: (bytearray(5), bytearray(b'ab')*2, 2*b'ab'))


data = bytearray(b'hello')
other = data
data += b' world'
data[0] = 72
data[-1:] = b'D!'
data[1:1] = [1, 2]
del data[1:3], data[4]
print(data, other is data, data == other, len(data))
data *= 2
print(data, data.count(b'o'), data.find(b'wor'), bytes(data[2:5]), data[::3])
data[::2] = bytes(len(data[::2]))
print(data)
data.clear()
for n in range(300):
    data.append(n % 256)
print(len(data), data[:10], sum(data), max(data))
data.reverse()
data.insert(0, 7)
data.insert(-1, 8)
data.insert(1000, 9)
print(data[:3], data[-3:], data.pop(), data.pop(0), data.index(8))
data.remove(8)
data.extend(b'xyz')
data.extend(range(3))
data.extend(x for x in (65, 66))
print(data[-9:], data.copy() == data, data.copy() is data)
copy = bytearray(data)
copy[0] = 0
print(copy != data, copy < data, bytearray() == b'', not bytearray())


def sieve(count):
    flags = bytearray([1]) * (count + 1)
    flags[0] = flags[1] = 0
    for n in range(2, int(count**0.5) + 1):
        if flags[n]:
            flags[n * n :: n] = bytes(len(range(n * n, count + 1, n)))
    return sum(flags)


print(sieve(1000))


def swap(data):
    low, high = 0, len(data) - 1
    while low < high:
        data[low], data[high] = data[high], data[low]
        low += 1
        high -= 1
    return data


print(swap(bytearray(range(97, 123))))


class Buffer(bytearray):
    def __init__(self, *parts):
        super().__init__()
        for part in parts:
            self.extend(part)

    def first(self):
        return self[0]


buffer = Buffer(b'ab', [99])
buffer.append(100)
buffer += b'e'
print(buffer, type(buffer), buffer.first(), buffer == b'abcde', len(buffer), list(buffer), buffer.upper())
iterator = iter(bytearray(b'ab'))
print(next(iterator), list(iterator), next(iterator, 'end'))
for byte in data:
    if byte == 5:
        data.clear()
print(data)
show(lambda: {bytearray(): 1})
