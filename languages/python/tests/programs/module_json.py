# The module json.
import io
import json
from collections import OrderedDict


def show(function):
    try:
        print(repr(function()))
    except Exception as error:
        print(type(error).__name__, error, sep=": ")


for value in (
    None, True, False, 0, -5, 2**70, 1.5, 1e100, -0.0, 1e16, 'a', '', 'q"\\/\n\r\t\f\b\x00\x1f\x7f', 'é€😀', [], {}, (), [1], (1, 'a'),
    {'a': 1}, {'a': [1, {'b': None}], 'c': {}}, {1: 2, 1.5: 3, True: 4, None: 5}, [[]], [{}], [[], [[1]]], float('inf'), float('-inf'), float('nan'),
):
    print(json.dumps(value), json.dumps(value, ensure_ascii=False), json.dumps(value, separators=(',', ':')))
    print(json.dumps(value, indent=2))
    print(json.dumps(value, indent='\t'), json.dumps(value, indent=0))
print(json.dumps({'b': 1, 'a': {'d': 1, 'c': 2}}, sort_keys=True), json.dumps({'b': 1, 'a': 2}, indent=4, sort_keys=True, separators=(', ', ' = ')))
print(json.dumps({(1, 2): 3, 'a': 4}, skipkeys=True))
show(lambda: json.dumps({(1, 2): 3}))
show(lambda: json.dumps(object))
show(lambda: json.dumps({1, 2}))
show(lambda: json.dumps(b'a'))
show(lambda: json.dumps([1j]))
show(lambda: json.dumps({1, 2}, default=sorted))
show(lambda: json.dumps({'a': {3}}, default=list, indent=1))
show(lambda: json.dumps({1: 1, 'a': 2}, sort_keys=True))
circle = [1]
circle.append(circle)
show(lambda: json.dumps(circle))
circle = {}
circle['x'] = [circle]
show(lambda: json.dumps(circle))


class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, complex):
            return [o.real, o.imag]
        return super().default(o)


print(json.dumps([1j, 'x'], cls=Encoder), Encoder().encode({'z': 2j}), ''.join(json.JSONEncoder(indent=1).iterencode([1, {'a': 2}])))
show(lambda: json.dumps([object], cls=Encoder))
stream = io.StringIO()
json.dump({'a': [1, 2]}, stream, indent=1)
print(stream.getvalue(), json.load(io.StringIO('[1, 2]')))


class Number(int):
    def __repr__(self):
        return 'number'


class Word(str):
    pass


print(json.dumps([Number(5), Word('w'), {Word('k'): Number(1)}]))
for text in (
    'null', 'true', ' false ', '0', '-0', '12', '-3.5', '1e3', '1E-2', '1.5e+3', '""', '"a\\n\\"\\/\\u00e9\\ud83d\\ude00"', '[]', '[ ]', '[1,2 , 3]', '{}', '{ "a" : 1 , "b":[{}]}',
    'NaN', 'Infinity', '-Infinity', '12345678901234567890', '"é€"', '[[[]]]', '{"a":1,"a":2}', '\t\n\r [1]', '1.0', '"\\b\\f\\r\\t\\\\"',
):
    print(repr(json.loads(text)))
for text in (
    '', ' ', 'nul', '[', '[1', '[1,', '[1,]', '[1 2]', '{', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{a:1}', "{'a':1}", '"abc', '"a\nb"', '"\\x"', '"\\u12"', '"\\u12g4"', '01', '1.', '.5', '+1', '1 2',
    '[1]x', '{"a" 1}', '-', '\n\n  x', '"\\', '[1,\n2,\n,3]', 'tru', 'Nan', '\ufeff1', '[}', '{]', '1e', '"\\u123',
):
    show(lambda: json.loads(text))
print(json.loads('{"a": 1, "b": {"c": 2}}', object_hook=lambda d: sorted(d.items())), json.loads('{"a": 1, "b": 2}', object_pairs_hook=OrderedDict))
print(json.loads('[1.5, 2, NaN]', parse_float=lambda s: 'f' + s, parse_int=lambda s: 'i' + s, parse_constant=lambda s: 'c' + s))
print(json.loads(b'[1, "\xc3\xa9"]'), json.loads(bytearray(b'{}')), json.loads('"a\nb"', strict=False))
show(lambda: json.loads(1))
show(lambda: json.loads(None))
try:
    json.loads('{"a": 1,\n "b": x}')
except json.JSONDecodeError as error:
    print(error.msg, error.pos, error.lineno, error.colno, error.doc == '{"a": 1,\n "b": x}', isinstance(error, ValueError))
print(json.JSONDecoder().raw_decode('[1] rest'), json.JSONDecoder().decode(' [1] '))
data = {'list': [n * 1.5 for n in range(20)], 'text': 'x' * 30, 'nested': [{'n': n, 's': str(n)} for n in range(20)]}
for _ in range(5):
    data = json.loads(json.dumps(data))
print(json.dumps(data) == json.dumps(json.loads(json.dumps(data, indent=3))), len(json.dumps(data)))
