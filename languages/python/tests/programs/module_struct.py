# The module struct.
import struct


def show(function):
    try:
        print(repr(function()))
    except Exception as error:
        print(type(error).__name__, error, sep=": ")


show(lambda: struct.pack('b',200))
show(lambda: struct.pack('B',-1))
show(lambda: struct.pack('B',256))
show(lambda: struct.pack('h',70000))
show(lambda: struct.pack('H',70000))
show(lambda: struct.pack('<h',70000))
show(lambda: struct.pack('<H',-1))
show(lambda: struct.pack('<i',2**31))
show(lambda: struct.pack('i',2**31))
show(lambda: struct.pack('I',-1))
show(lambda: struct.pack('I',2**32))
show(lambda: struct.pack('<I',2**32))
show(lambda: struct.pack('q',2**63))
show(lambda: struct.pack('Q',2**64))
show(lambda: struct.pack('Q',-1))
show(lambda: struct.pack('<q',2**63))
show(lambda: struct.pack('<Q',2**64))
show(lambda: struct.pack('<Q',-1))
show(lambda: struct.pack('n',2**63))
show(lambda: struct.pack('l',2**63))
show(lambda: struct.pack('L',2**64))
show(lambda: struct.pack('>l',2**31))
show(lambda: struct.pack('b',2**100))
show(lambda: struct.pack('<b',2**100))
show(lambda: struct.pack('<b',200))
show(lambda: struct.pack('<B',256))
show(lambda: struct.pack('i',1.5))
show(lambda: struct.pack('i','a'))
show(lambda: struct.pack('<i','a'))
show(lambda: struct.pack('b','a'))
show(lambda: struct.pack('d','a'))
show(lambda: struct.pack('f',1e39))
show(lambda: struct.pack('<f',1e39))
show(lambda: struct.pack('e',70000))
show(lambda: struct.pack('c',1))
show(lambda: struct.pack('c',b'ab'))
show(lambda: struct.pack('s',1))
show(lambda: struct.pack('s','a'))
show(lambda: struct.pack('p',1))
show(lambda: struct.pack('3s',b'abcd'))
show(lambda: struct.pack('5s',b'ab'))
show(lambda: struct.pack('5p',b'ab'))
show(lambda: struct.pack('2p',b'abcd'))
show(lambda: struct.pack('0s',b''))
show(lambda: struct.pack('?',[1]))
show(lambda: struct.pack('?',''))
show(lambda: struct.pack('ii',1))
show(lambda: struct.pack('i',1,2))
show(lambda: struct.pack('z',1))
show(lambda: struct.pack('3'))
show(lambda: struct.pack('i i',1,2))
show(lambda: struct.pack(' <i',1))
show(lambda: struct.pack('<n',1))
show(lambda: struct.pack(b'<i',1))
show(lambda: struct.pack(1,1))
show(lambda: struct.pack('bi',1,2))
show(lambda: struct.pack('=bi',1,2))
show(lambda: struct.pack('bq',1,2))
show(lambda: struct.pack('bhlb',1,2,3,4))
show(lambda: struct.pack('b0i',1))
show(lambda: struct.pack('3xb',1))
show(lambda: struct.pack('>hhl',1,2,3))
show(lambda: struct.pack('!d',1.5))
show(lambda: struct.pack('<efd',1.5,1.5,1.5))
show(lambda: (struct.pack('e',65504), struct.pack('e',5.96e-8), struct.pack('e',float('inf'))))
show(lambda: struct.pack('3h',1,2,3))
show(lambda: struct.pack('P',1))
show(lambda: struct.unpack('i',b'abc'))
show(lambda: struct.unpack('<3s2p?c',b'abc\x01dxz'))
show(lambda: struct.unpack('<3s2p?c',b'abc\x01d\x01z'))
show(lambda: (struct.unpack('<bBhHiIqQ', bytes(range(200,200+30)))))
show(lambda: (struct.unpack('>bBhHiIqQ', bytes(range(200,200+30)))))
show(lambda: (struct.unpack('<e',b'\x00\x3c'), struct.unpack('<f',b'\x00\x00\xc0\x3f')))
show(lambda: struct.unpack('i','abcd'))
show(lambda: struct.unpack_from('<h',b'abcdef',2))
show(lambda: struct.unpack_from('<h',b'abcdef',-2))
show(lambda: struct.unpack_from('<h',b'abcdef',5))
show(lambda: struct.unpack_from('<h',b'abcdef',-7))
show(lambda: struct.unpack_from('<h',b'abcdef',offset=-1))
show(lambda: struct.pack_into('<h',bytearray(4),3,1))
show(lambda: struct.pack_into('<h',bytearray(4),-5,1))
show(lambda: struct.pack_into('<h',bytearray(4),-1,1))
show(lambda: struct.pack_into('<h',b'aaaa',0,1))
show(lambda: (struct.calcsize('bhiq'), struct.calcsize('<bhiq'), struct.calcsize('10s'), struct.calcsize('3x'), struct.calcsize('')))
show(lambda: list(struct.iter_unpack('<h',b'abcdef')))
show(lambda: list(struct.iter_unpack('<h',b'abcde')))
show(lambda: list(struct.iter_unpack('',b'abcde')))
show(lambda: (struct.Struct('<hh').size, struct.Struct('<hh').format, struct.Struct('<hh').pack(1,2), struct.Struct('<hh').unpack(b'abcd')))
show(lambda: struct.pack('i',True))
show(lambda: (struct.pack('N', -1)))
show(lambda: (struct.pack('<f', float('nan')), struct.pack('<d', -0.0), struct.unpack('>d', struct.pack('>d', 1e-310))))
show(lambda: (struct.pack('f', 'a')))
show(lambda: (struct.pack('f', 2**2000)))
show(lambda: (struct.pack('4s', bytearray(b'ab'))))
show(lambda: (struct.pack('c', bytearray(b'a'))))
show(lambda: struct.pack('99999999999999999999i'))
show(lambda: struct.pack('<f',2**200))
show(lambda: (struct.pack('e', 70000.0)))
show(lambda: (struct.pack('<e', -1e300)))
show(lambda: struct.pack('<I',-1))



def checksum(count):
    total = 0
    data = bytearray()
    record = struct.Struct('<IhB')
    for n in range(count):
        data += record.pack(n * 1000, -n, n % 256)
    for a, b, c in record.iter_unpack(data):
        total += a + b * c
    return total, len(data)


print(checksum(60))
buffer = bytearray(8)
struct.pack_into('>HI', buffer, 1, 258, 1)
struct.pack_into('b', buffer, -1, -1)
print(buffer, struct.unpack_from('>HI', buffer, 1))


class Index:
    def __index__(self):
        return 7


class Float:
    def __float__(self):
        return 2.5


print(struct.pack('<bd', Index(), Float()), isinstance(struct.error('x'), Exception))
