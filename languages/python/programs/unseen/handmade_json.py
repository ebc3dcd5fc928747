# JSON encoder and recursive-descent decoder written by hand, round trips over a random document. args: records in the document.
# args: 800
# quick: 4
import sys
import math
import random


class DecodeError(ValueError):
    def __init__(self, msg, doc, pos):
        line = doc.count("\n", 0, pos) + 1
        column = pos - (doc.rfind("\n", 0, pos) + 1) + 1
        ValueError.__init__(self, "%s: line %d column %d" % (msg, line, column))


ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
UNESCAPES = {v[1]: k for k, v in ESCAPES.items()}
UNESCAPES["/"] = "/"


def quote(s):
    out = ['"']
    for ch in s:
        if ch in ESCAPES:
            out.append(ESCAPES[ch])
        elif ord(ch) < 32 or 127 <= ord(ch) < 0x10000:
            out.append("\\u%04x" % ord(ch))
        elif ord(ch) >= 0x10000:
            v = ord(ch) - 0x10000
            out.append("\\u%04x\\u%04x" % (0xd800 | v >> 10, 0xdc00 | v & 0x3ff))
        else:
            out.append(ch)
    out.append('"')
    return "".join(out)


def dumps(obj, indent=None, level=0):
    if obj is None:
        return "null"
    if obj is True:
        return "true"
    if obj is False:
        return "false"
    if isinstance(obj, str):
        return quote(obj)
    if isinstance(obj, int):
        return str(obj)
    if isinstance(obj, float):
        if math.isnan(obj) or math.isinf(obj):
            raise ValueError("not a JSON number: %r" % obj)
        return repr(obj)
    if indent is None:
        sep, start, end = ",", "", ""
    else:
        start = "\n" + " " * (indent * (level + 1))
        sep, end = "," + start, "\n" + " " * (indent * level)
    if isinstance(obj, (list, tuple)):
        if not obj:
            return "[]"
        return "[" + start + sep.join([dumps(x, indent, level + 1) for x in obj]) + end + "]"
    if isinstance(obj, dict):
        if not obj:
            return "{}"
        parts = []
        for k, v in obj.items():
            if not isinstance(k, str):
                raise TypeError("keys must be str, not " + type(k).__name__)
            parts.append(quote(k) + (": " if indent is not None else ":") + dumps(v, indent, level + 1))
        return "{" + start + sep.join(parts) + end + "}"
    raise TypeError(type(obj).__name__ + " is not serializable")


class Decoder:
    def __init__(self, text):
        self.s = text
        self.i = 0

    def fail(self, msg):
        raise DecodeError(msg, self.s, self.i)

    def ws(self):
        s, i, n = self.s, self.i, len(self.s)
        while i < n and s[i] in " \t\r\n":
            i += 1
        self.i = i
        return s[i] if i < n else ""

    def value(self):
        c = self.ws()
        if c == "{":
            return self.object()
        if c == "[":
            return self.array()
        if c == '"':
            return self.string()
        if c == "-" or c.isdigit():
            return self.number()
        for word, val in (("true", True), ("false", False), ("null", None)):
            if self.s.startswith(word, self.i):
                self.i += len(word)
                return val
        self.fail("expecting value")

    def object(self):
        result = {}
        self.i += 1
        if self.ws() == "}":
            self.i += 1
            return result
        while 1:
            if self.ws() != '"':
                self.fail("expecting property name")
            key = self.string()
            if self.ws() != ":":
                self.fail("expecting ':'")
            self.i += 1
            result[key] = self.value()
            c = self.ws()
            if c not in (",", "}"):
                self.fail("expecting ',' or '}'")
            self.i += 1
            if c == "}":
                return result

    def array(self):
        result = []
        self.i += 1
        if self.ws() == "]":
            self.i += 1
            return result
        while 1:
            result.append(self.value())
            c = self.ws()
            if c == "]":
                self.i += 1
                return result
            if c != ",":
                self.fail("expecting ',' or ']'")
            self.i += 1

    def string(self):
        s = self.s
        i = self.i + 1
        chunks = []
        begin = i
        try:
            while s[i] != '"':
                if s[i] == "\\":
                    chunks.append(s[begin:i])
                    esc = s[i + 1]
                    i += 2
                    if esc == "u":
                        code = int(s[i:i + 4], 16)
                        i += 4
                        if 0xd800 <= code < 0xdc00 and s[i:i + 2] == "\\u":
                            low = int(s[i + 2:i + 6], 16)
                            code = 0x10000 + ((code & 0x3ff) << 10 | low & 0x3ff)
                            i += 6
                        chunks.append(chr(code))
                    elif esc in UNESCAPES:
                        chunks.append(UNESCAPES[esc])
                    else:
                        self.i = i - 1
                        self.fail("bad escape")
                    begin = i
                else:
                    i += 1
        except IndexError:
            self.fail("unterminated string")
        chunks.append(s[begin:i])
        self.i = i + 1
        return "".join(chunks)

    def number(self):
        start = self.i
        s = self.s
        i = start + 1
        while i < len(s) and s[i] in "0123456789+-.eE":
            i += 1
        self.i = i
        lit = s[start:i]
        try:
            return int(lit)
        except ValueError:
            pass
        try:
            return float(lit)
        except ValueError:
            self.i = start
            self.fail("bad number " + lit)


def loads(text):
    d = Decoder(text)
    v = d.value()
    if d.ws():
        d.fail("extra data")
    return v


def record(rng, k):
    name = "".join(rng.choice("abc xyz\"\\\n\t\u00e9\u20ac\U0001f600") for _ in range(12))
    return {
        "id": k, "name": name, "score": rng.uniform(-50, 50), "big": rng.getrandbits(70),
        "tiny": rng.random() * 1e-9, "tags": ["t%d" % rng.randrange(9) for _ in range(rng.randrange(4))],
        "ok": rng.random() < .5, "none": None, "nested": {"pos": [rng.randint(-9, 9), [k, {}], []], "empty": ""},
    }


def checksum(text):
    a, b = 1, 0
    for ch in text:
        a = (a + ord(ch)) % 65521
        b = (b + a) % 65521
    return b << 16 | a


def main(n):
    rng = random.Random(88)
    doc = {"version": 1.5, "records": [record(rng, k) for k in range(n)]}
    compact = dumps(doc)
    pretty = dumps(doc, indent=2)
    print("compact", len(compact), checksum(compact))
    print("pretty", len(pretty), pretty.count("\n") + 1, "lines")
    again, other = loads(compact), loads(pretty)
    print("round trip", again == doc, other == doc, dumps(other) == compact)
    print("scores %.9f" % sum(r["score"] for r in other["records"]), sum(r["big"] for r in again["records"]))
    print(compact[:90])
    for bad in ('{"a": 1,\n "b" 2}', '[1, 2', '"abc', '[tru]', '{"k": "\\q"}', '1 2', '[-e]', ''):
        try:
            print(loads(bad))
        except DecodeError as e:
            print(repr(bad), "->", e)
    for odd in (float("inf"), {1: 2}, {"s": object}):
        try:
            dumps(odd)
        except (ValueError, TypeError) as e:
            print(type(e).__name__, e)


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4)
