# Packs bytes with LZ77, LZW and run lengths, wraps them in base64 and guards them with CRC-32, Adler, FNV and a mixer hash. args: bytes.
# args: 42000
# quick: 300
import sys
import string

ALPHABET = (string.ascii_uppercase + string.ascii_lowercase + string.digits + "+/").encode("ascii")
REVERSE = {c: i for i, c in enumerate(ALPHABET)}
MASK32 = 0xFFFFFFFF
MASK64 = (1 << 64) - 1


def make_crc_table():
    table = []
    for byte in range(256):
        c = byte
        for _ in range(8):
            c = (c >> 1) ^ 0xEDB88320 if c & 1 else c >> 1
        table.append(c)
    return tuple(table)


CRC_TABLE = make_crc_table()


def crc32(data, crc=0):
    crc ^= MASK32
    for b in data:
        crc = CRC_TABLE[(crc ^ b) & 0xFF] ^ (crc >> 8)
    return crc ^ MASK32


def adler32(data):
    lo, hi = 1, 0
    for b in data:
        lo = (lo + b) % 65521
        hi = (hi + lo) % 65521
    return (hi << 16) | lo


def fnv1a(data):
    h = 0xCBF29CE484222325
    for b in data:
        h = ((h ^ b) * 0x100000001B3) & MASK64
    return h


def rotl(x, r):
    return ((x << r) | (x >> (32 - r))) & MASK32


def mix_hash(data, seed=0):
    h = seed
    whole = len(data) & ~3
    for i in range(0, whole, 4):
        k = int.from_bytes(data[i:i + 4], "little")
        k = rotl(k * 0xCC9E2D51 & MASK32, 15) * 0x1B873593 & MASK32
        h = (rotl(h ^ k, 13) * 5 + 0xE6546B64) & MASK32
    for i, b in enumerate(data[whole:]):
        h ^= b << (8 * i)
    h ^= len(data)
    h = (h ^ h >> 16) * 0x85EBCA6B & MASK32
    h = (h ^ h >> 13) * 0xC2B2AE35 & MASK32
    return h ^ h >> 16


def b64encode(data):
    out = bytearray()
    for i in range(0, len(data), 3):
        group = data[i:i + 3]
        v = int.from_bytes(group, "big") << 8 * (3 - len(group))
        quad = [ALPHABET[v >> s & 63] for s in (18, 12, 6, 0)]
        for k in range(len(group) + 1, 4):
            quad[k] = 61
        out.extend(quad)
    return bytes(out)


def b64decode(text):
    out = bytearray()
    bits = acc = 0
    for c in text.rstrip(b"="):
        acc = acc << 6 | REVERSE[c]
        bits += 6
        if bits >= 8:
            bits -= 8
            out.append(acc >> bits & 0xFF)
            acc &= (1 << bits) - 1
    return bytes(out)


def lz77_pack(data, window=1023, longest=34):
    """Literals: 0 n bytes. Matches: two bytes with the top bit set."""
    out, literals = bytearray(), bytearray()
    recent = {}

    def flush():
        while literals:
            part = literals[:127]
            out.append(len(part))
            out.extend(part)
            del literals[:127]

    i = 0
    while i < len(data):
        key = bytes(data[i:i + 3])
        size = back = 0
        for j in reversed(recent.get(key, ())):
            if i - j > window:
                break
            k = 3
            while k < longest and i + k < len(data) and data[j + k] == data[i + k]:
                k += 1
            if k > size:
                size, back = k, i - j
        if size >= 3 and len(key) == 3:
            flush()
            out += bytes(((0x80 | (size - 3) << 2 | back >> 8), back & 0xFF))
            step = size
        else:
            literals.append(data[i])
            step = 1
        for p in range(i, min(i + step, len(data) - 2)):
            chain = recent.setdefault(bytes(data[p:p + 3]), [])
            chain.append(p)
            if len(chain) > 16:
                del chain[0]
        i += step
    flush()
    return bytes(out)


def lz77_unpack(packed):
    out = bytearray()
    i = 0
    while i < len(packed):
        tag = packed[i]
        if tag & 0x80:
            size = (tag >> 2 & 31) + 3
            back = (tag & 3) << 8 | packed[i + 1]
            for _ in range(size):
                out.append(out[-back])
            i += 2
        else:
            out += packed[i + 1:i + 1 + tag]
            i += 1 + tag
    return bytes(out)


def lzw_pack(data):
    codes = {bytes([b]): b for b in range(256)}
    current = b""
    result = []
    for b in data:
        longer = current + bytes((b,))
        if longer in codes:
            current = longer
        else:
            result.append(codes[current])
            if len(codes) < 4096:
                codes[longer] = len(codes)
            current = bytes((b,))
    if current:
        result.append(codes[current])
    return result


def lzw_unpack(codes):
    words = [bytes([b]) for b in range(256)]
    pieces = []
    last = b""
    for c in codes:
        word = words[c] if c < len(words) else last + last[:1]
        if last and len(words) < 4096:
            words.append(last + word[:1])
        pieces.append(word)
        last = word
    return b"".join(pieces)


def rle_pack(data):
    out = bytearray()
    i = 0
    while i < len(data):
        j = i
        while j < len(data) and data[j] == data[i] and j - i < 255:
            j += 1
        out += bytes([j - i, data[i]])
        i = j
    return bytes(out)


def rle_unpack(packed):
    return b"".join(packed[i + 1:i + 2] * packed[i] for i in range(0, len(packed), 2))


def sample(n):
    state = 0x9E3779B9
    words = [b"the ", b"quick ", b"packet ", b"was ", b"lost ", b"again\n", b"--------", b"\x00\xff\x80"]
    out = bytearray()
    while len(out) < n:
        state ^= state << 13 & MASK32
        state ^= state >> 17
        state ^= state << 5 & MASK32
        out += words[state >> 8 & 7] if state & 7 else bytes([state >> 24])
    return bytes(out[:n])


def main(n):
    print("%08x %08x %016x" % (crc32(b"123456789"), adler32(b"Wikipedia"), fnv1a(b"foobar")),
          b64encode(b"Man"), b64encode(b"Ma").decode(), b64decode(b"TQ=="))
    data = sample(n)
    print("raw", len(data), "crc %08x adler %08x fnv %016x mix %08x"
          % (crc32(data), adler32(data), fnv1a(data), mix_hash(data, 42)), data[:18])
    packed = lz77_pack(data)
    codes = lzw_pack(data)
    runs = rle_pack(data)
    print("lz77", len(packed), "lzw", len(codes) * 12 // 8, max(codes), "rle", len(runs))
    print("restored", lz77_unpack(packed) == data, lzw_unpack(codes) == data, rle_unpack(runs) == data)
    armour = b64encode(packed)
    print("armour", len(armour), armour[:32].decode("ascii"), b64decode(armour) == packed, "%08x" % crc32(armour))
    half = n // 2
    print("split crc", crc32(data[half:], crc32(data[:half])) == crc32(data), packed.hex()[:32],
          "%x" % mix_hash(memoryview(data)[1:n - 1].tobytes()), max(data), data.count(b"the"), data.find(b"\xff"))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
