"""Bytes as text: hexadecimal digits and base 64."""

_LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {letter: value for value, letter in enumerate(_LETTERS)}


class Error(ValueError):
    pass


class Incomplete(Exception):
    pass


def _bytes(data):
    if isinstance(data, str):
        try:
            return data.encode("ascii")
        except UnicodeEncodeError:
            raise ValueError("string argument should contain only ASCII characters") from None
    return bytes(data)


def hexlify(data, *separated):
    return bytes(data).hex(*separated).encode()


b2a_hex = hexlify


def unhexlify(hexstr):
    text = _bytes(hexstr)
    if len(text) % 2:
        raise Error("Odd-length string")
    if any(letter not in b"0123456789abcdefABCDEF" for letter in text):
        raise Error("Non-hexadecimal digit found")
    return bytes.fromhex(text.decode())


a2b_hex = unhexlify


def b2a_base64(data, *, newline=True):
    data = bytes(data)
    made = bytearray()
    for at in range(0, len(data), 3):
        part = data[at : at + 3]
        number = int.from_bytes(part + bytes(3 - len(part)), "big")
        for place in range(4):
            if place <= len(part):
                made.append(_LETTERS[number >> 18 - 6 * place & 63])
            else:
                made.append(61)
    if newline:
        made.append(10)
    return bytes(made)


def a2b_base64(text, /, *, strict_mode=False):
    text = _bytes(text)
    made = bytearray()
    bits = count = pads = 0
    for at, letter in enumerate(text):
        value = _VALUES.get(letter)
        if value is None:
            if letter == 61:
                pads += 1
                if count >= 2 and count + pads >= 4:
                    if strict_mode and at + 1 < len(text):
                        raise Error("Excess data after padding")
                    return bytes(made)
            elif strict_mode:
                raise Error("Only base64 data is allowed")
            continue
        pads = 0
        bits = (bits << 6 | value) & 0xFFFFFF
        count += 1
        if count > 1:
            made.append(bits >> (2 * (4 - count)) & 255)
        if count == 4:
            count = bits = 0
    if count == 1:
        number = len(made) // 3 * 4 + 1
        raise Error(
            f"Invalid base64-encoded string: number of data characters ({number}) cannot be 1 "
            "more than a multiple of 4"
        )
    if count:
        raise Error("Incorrect padding")
    return bytes(made)


def _table():
    made = []
    for number in range(256):
        for _ in range(8):
            number = number >> 1 ^ (0xEDB88320 if number & 1 else 0)
        made.append(number)
    return made


_CRC = _table()


def crc32(data, value=0, /):
    value ^= 0xFFFFFFFF
    for byte in bytes(data):
        value = _CRC[(value ^ byte) & 255] ^ value >> 8
    return value ^ 0xFFFFFFFF


def crc_hqx(data, value, /):
    for byte in bytes(data):
        value ^= byte << 8
        for _ in range(8):
            value = (value << 1 ^ 0x1021) & 0xFFFF if value & 0x8000 else value << 1 & 0xFFFF
    return value
