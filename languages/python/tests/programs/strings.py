# Strings and their methods.
s = 'Hello, World'
print(s, len(s), s[0], s[-1], s[1:4], s[::-1], s[::2], s[-5:], s[:-7])
print(s.upper(), s.lower(), s.swapcase(), s.title(), 'hello world'.capitalize())
print(s.find('o'), s.find('o', 5), s.rfind('o'), s.find('zz'), s.index('W'), s.count('l'))
print(s.startswith('Hell'), s.endswith('ld'), s.startswith(('x', 'H')), 'ell' in s, 'z' not in s)
print(s.replace('l', 'L'), s.replace('l', 'L', 1), s.split(', '), 'a b  c'.split(), 'a,b,,c'.split(','))
print('a b c d'.split(None, 2), 'a b c d'.rsplit(None, 2), 'a-b-c'.rsplit('-', 1), 'x\ny\r\nz'.splitlines())
print('-'.join(['a', 'b', 'c']), ''.join([]), ','.join('abc'))
print('  pad '.strip() + '|', '  pad '.lstrip() + '|', '  pad '.rstrip() + '|', 'xxhixx'.strip('x'))
print('abc'.center(9, '*'), 'abc'.ljust(6) + '|', 'abc'.rjust(6), '42'.zfill(5), '-42'.zfill(5))
print('a=b=c'.partition('='), 'a=b=c'.rpartition('='), 'abc'.partition('x'))
print('abc' < 'abd', 'abc' == 'abc', 'abc' != 'abd', 'Z' < 'a', 'abc' * 3, 3 * 'ab', 'ab' + 'cd')
print(repr('it\'s'), repr("say \"hi\""), repr('both \' and "'), repr('tab\tnl\n\\'), repr('\x00\x7f'))
print('äöü'.upper(), len('äöü€😀'), 'äöü€😀'[3], 'äöü€😀'[::-1], repr('äöü\u200b'), ascii('ä€😀'))
print('123'.isdigit(), 'abc'.isalpha(), 'ab1'.isalnum(), ' \t'.isspace(), 'Ab'.isupper(), 'ab'.islower(), ''.isdigit())
print('prefix_x'.removeprefix('prefix_'), 'x.py'.removesuffix('.py'), 'a\tb'.expandtabs(4))
print(ord('A'), chr(97), ord('€'), chr(8364), [ord(c) for c in 'abc'])
for c in 'xyz':
    print(c, end=' ')
print()
print(sorted('hello'), list('abc'), tuple('ab'), set('aaa'), ' '.join(reversed('abc')))
count = 0
text = ''
for i in range(50):
    text += chr(97 + i % 26)
    if text[i] in 'aeiou':
        count += 1
print(text, count)
print('%s is %d years and %.2f%% %r %x %5d|%-5d|%05d' % ('Bob', 42, 99.5, 'q', 255, 3, 4, 5))
print('%(a)s-%(b)03d' % {'a': 'x', 'b': 7}, '%s' % (1,), '%c%c' % ('a', 98), '%e' % 12345.678, '%g' % 1e10)
print('{} {} {}'.format(1, 'two', 3.0), '{1} {0}'.format('a', 'b'), '{x} {y!r}'.format(x=1, y='q'))
print('{:>8}|{:<8}|{:^8}|{:08.3f}|{:,}'.format('r', 'l', 'c', 3.14159, 1234567))
print('{0[1]} {1.real} {{}}'.format([1, 2], 5), '{:{}}'.format('w', 5) + '|')
name, value = 'pi', 3.14159
print(f'{name} = {value:.3f}', f'{name!r:>6}', f'{value:10.2f}|', f'{1 + 1}', f'{{{name}}}', f'{name=}', f'{value=:.1f}')
width = 12
print(f'{name:*^{width}}', f'{42:#x} {42:#b} {42:o} {-42:+d} {42: d}', f'{1e6:,.1f}', f'{0.25:.0%}')
print(f'{True} {None} {[1, "a"]} {True:d}', f'{"nested " + f"{value:.1f}"}')
print(str(5), str(5.0), str(None), str([1, 'a', 2.5]), str((1,)), str({}), str({'a': 1}))
print('multi'
      'part', """triple
quoted""", r'raw\n', 'a\
b')
print('abc' 'def' + 'g', 'x' in 'xyz', 'abcabc'.index('c', 3))
try:
    'abc'.index('z')
except ValueError as e:
    print(e)
try:
    'a' + 1
except TypeError as e:
    print(e)
try:
    'abc'[5]
except IndexError as e:
    print(e)
try:
    int('x1')
except ValueError as e:
    print(e)
