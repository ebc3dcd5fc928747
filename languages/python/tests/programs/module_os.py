# The modules os and os.path.
import os
import os.path
import posixpath
import sys
from os.path import basename, join


def show(function):
    try:
        print(repr(function()))
    except Exception as error:
        print(type(error).__name__, error, sep=': ')


print(os.path is posixpath, os.sep, os.pathsep, os.name, os.linesep == '\n', os.curdir, os.pardir, os.extsep, os.devnull)
PATHS = ['', '/', '//', '///', 'a', '/a', 'a/', 'a/b', '/a/b/c', 'a//b', './a', '../a', 'a/../b', '/..', '/../a', 'a/./b/.', 'a.b', '.a', '..a', 'a.b.c', 'a/.b', 'a.b/c', '/a/b/', '//a', '///a', '...', 'a...b', '..', '.', '../..', 'a/../..', '~x', '$A/b']
for path in PATHS:
    print(repr(path), os.path.split(path), os.path.splitext(path), basename(path), os.path.dirname(path), os.path.normpath(path), os.path.isabs(path), os.path.splitdrive(path), os.path.normcase(path))
for parts in (('a', 'b'), ('a/', 'b'), ('a', '/b'), ('', 'a'), ('a', ''), ('a', '', 'b'), ('/', 'a'), ('a',), ('a', 'b', '/c', 'd')):
    print(join(*parts))
for a in ('a', '/a/b', '.', '/', 'a/../b'):
    for b in ('.', '/', 'a', '/a/c', 'b/c'):
        print(os.path.relpath(a, b) if a.startswith('/') == b.startswith('/') else '-', end=' ')
print(os.path.commonpath(['/a/b/c', '/a/b/d']), os.path.commonpath(['a/b', 'a/c/d']), os.path.commonprefix(['/usr/lib', '/usr/local']), repr(os.path.commonpath(['a', 'b'])), repr(os.path.commonprefix([])))
show(lambda: os.path.commonpath([]))
show(lambda: os.path.commonpath(['/a', 'a']))
show(lambda: os.path.relpath(''))
show(lambda: os.path.join('a', 1))
show(lambda: os.path.join(1, 'a'))
show(lambda: os.path.basename(1))
show(lambda: os.path.exists('a\0b'))
show(lambda: os.fspath(1))
show(lambda: os.fspath('a'))


class Path:
    def __fspath__(self):
        return 'some/path.txt'


print(os.fspath(Path()), basename(Path()), join('x', Path()), isinstance(Path(), os.PathLike), os.path.splitext(Path()))
os.environ['VERDIGRIS_TEST'] = 'value'
print(os.environ['VERDIGRIS_TEST'], os.getenv('VERDIGRIS_TEST'), os.getenv('VERDIGRIS_NONE'), os.getenv('VERDIGRIS_NONE', 'other'), 'VERDIGRIS_TEST' in os.environ, os.environ.get('VERDIGRIS_NONE', 5))
print(os.environ.pop('VERDIGRIS_TEST'), 'VERDIGRIS_TEST' in os.environ, type(os.environ.copy()))
show(lambda: os.environ['VERDIGRIS_NONE'])
show(lambda: os.environ.__setitem__('a', 1))
os.environ['HOME'] = '/home/me'
os.environ['A'] = 'value'

folder = sys.argv[1] if len(sys.argv) > 1 else '/tmp'
print(os.path.isdir(folder), os.path.isfile(folder), os.path.exists(folder), os.path.isabs(os.getcwd()), os.path.abspath('x') == join(os.getcwd(), 'x'))
base = join(folder, 'base')
os.mkdir(base)
os.makedirs(join(base, 'a', 'b'))
os.makedirs(join(base, 'a', 'b'), exist_ok=True)
for name in ('one.txt', 'two.py', 'a/three', 'a/b/four'):
    with open(join(base, name), 'w') as file:
        file.write(name)
print(sorted(os.listdir(base)), os.path.getsize(join(base, 'one.txt')), os.path.isfile(join(base, 'a/three')), os.path.isdir(join(base, 'a')))
for top, folders, files in os.walk(base):
    folders.sort()
    print(os.path.relpath(top, base), folders, sorted(files))
print([os.path.relpath(top, base) for top, _, _ in os.walk(base, topdown=False)])
with os.scandir(base) as entries:
    print(sorted((entry.name, entry.is_dir(), entry.is_file(), entry.path == join(base, entry.name)) for entry in entries))
os.rename(join(base, 'one.txt'), join(base, 'renamed'))
os.replace(join(base, 'two.py'), join(base, 'a', 'moved.py'))
os.symlink('renamed', join(base, 'link'))
print(os.readlink(join(base, 'link')), os.path.islink(join(base, 'link')), os.path.realpath(join(base, 'link')) == join(os.path.realpath(base), 'renamed'), os.path.samefile(join(base, 'link'), join(base, 'renamed')))
print(os.stat(join(base, 'link')).st_size, os.lstat(join(base, 'link')).st_size, os.stat(base).st_mode & 0o170000 == 0o040000, os.access(base, os.F_OK))


def said(function):
    try:
        function()
    except OSError as error:
        print(type(error).__name__, error.errno, error.strerror, str(error).replace(folder, 'F'), error.filename.replace(folder, 'F'))


said(lambda: os.mkdir(base))
said(lambda: os.rmdir(base))
said(lambda: os.remove(join(base, 'none')))
said(lambda: os.listdir(join(base, 'none')))
said(lambda: os.listdir(join(base, 'renamed')))
said(lambda: os.rename(join(base, 'none'), join(base, 'other')))
said(lambda: os.stat(join(base, 'none')))
said(lambda: os.makedirs(join(base, 'a', 'b')))
said(lambda: open(base))
said(lambda: os.path.getsize(join(base, 'none')))
os.remove(join(base, 'link'))
os.unlink(join(base, 'renamed'))
for top, folders, files in os.walk(base, topdown=False):
    for name in files:
        os.remove(join(top, name))
    os.rmdir(top)
print(os.path.exists(base), os.path.lexists(base), list(os.walk(base)))

path = join(folder, 'binary')
with open(path, 'wb') as file:
    print(file.write(b'\x00\xff\r\nline\n'), file.write(bytearray(b'end')), file.mode, file.writable())
with open(path, 'rb') as file:
    print(file.read(3), file.readline(), file.tell(), file.read(), file.read(), file.seek(1), file.read(1), list(open(path, 'rb')))
with open(path, 'r+b') as file:
    file.seek(2)
    file.write(b'XY')
    file.seek(0)
    print(file.read())
with open(path, 'ab') as file:
    file.write(b'!')
print(open(path, 'rb').read(), open(path, encoding='latin-1').read().encode('latin-1'), repr(open(path, encoding='latin-1', newline='').read()))
show(lambda: open(path).read())
show(lambda: open(path, 'rb', encoding='utf-8'))
show(lambda: open(path, 'rbt'))
show(lambda: open(path, 'wb').write('text'))
with open(path, 'w', encoding='utf-16' if False else 'latin-1', newline='\r\n') as file:
    file.write('ä\nb\n')
print(open(path, 'rb').read(), os.path.getsize(path), repr(open(path, encoding='latin-1').read()))
os.remove(path)
