# Files, paths, csv, json, ini, struct: a small "build tool"
import configparser, csv, hashlib, io, json, os, os.path as osp, shutil, struct, sys, tempfile, fnmatch, base64, time
from pathlib import Path, PurePosixPath

root = Path(tempfile.mkdtemp(prefix="build"))
(root / "src" / "pkg").mkdir(parents=True)
for name, text in {"a.txt": "alpha\nbeta\n", "pkg/b.txt": "gamma\r\ndelta", "pkg/c.dat": "1,2\n3,\"x,y\"\n", "d.ini": "[DEFAULT]\nlevel = 3\n[main]\nname = %(level)s-x\nflag = yes\nlist =\n  a\n  b\n[other]\nlevel: 9\n"}.items():
    (root / "src" / name).write_text(text, newline="") if sys.version_info >= (3, 10) else None
print(sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file()))
print(sorted(f for _, _, fs in os.walk(root) for f in fs if fnmatch.fnmatch(f, "[a-c].*")))


def digest(path, algo="sha1", size=4):
    h = hashlib.new(algo)
    with open(path, "rb") as f:
        while chunk := f.read(size):
            h.update(chunk)
    return h.hexdigest()[:10]


manifest = {p.name: {"size": p.stat().st_size, "sha1": digest(p)} for p in sorted((root / "src").glob("**/*.*"))}
text = json.dumps(manifest, indent=1, sort_keys=True)
print(text)
(root / "manifest.json").write_text(text)
assert json.loads((root / "manifest.json").read_text()) == manifest
cfg = configparser.ConfigParser()
cfg.read(root / "src" / "d.ini")
print(cfg.sections(), cfg["main"]["name"], cfg.getboolean("main", "flag"), cfg.getint("other", "level"), cfg.get("main", "none", fallback="fb"), cfg["main"]["list"].split(), dict(cfg["other"]))
cfg["new"] = {"k": "v"}
out = io.StringIO(); cfg.write(out); print(repr(out.getvalue()))
with open(root / "src/pkg/c.dat", newline="") as f:
    rows = list(csv.reader(f))
print(rows)
buf = io.StringIO()
w = csv.DictWriter(buf, ["id", "note"], extrasaction="ignore", quoting=csv.QUOTE_MINIMAL, lineterminator="\n")
w.writeheader(); w.writerows([{"id": 1, "note": 'say "hi"', "x": 0}, {"id": 2, "note": "a,b\nc"}])
print(buf.getvalue(), list(csv.DictReader(io.StringIO(buf.getvalue()))))
rec = struct.Struct("<4sHhIq?d")
data = b"".join(rec.pack(n.encode(), i, -i, 1 << 20, -1 << 40, i % 2, i / 3) for i, n in enumerate(["ab", "cdef", "x"]))
(root / "r.bin").write_bytes(data)
with open(root / "r.bin", "r+b") as f:
    f.seek(rec.size); f.write(b"CDEF"); f.seek(0, os.SEEK_END); end = f.tell()
with open(root / "r.bin", "rb") as f:
    view = memoryview(f.read())
print(end, rec.size, rec.format, [rec.unpack_from(view, i * rec.size)[:4] for i in range(3)], [r[0].rstrip(b"\0") for r in rec.iter_unpack(view)])
print(base64.b64encode(view[:6]), base64.urlsafe_b64decode("_-8="), base64.b32encode(b"hi"), base64.b16decode("4142"), base64.b85encode(b"abcd"))
for mode, act in (("x", lambda f: f.write("new")), ("x", None), ("a+", lambda f: (f.write("+"), f.seek(0), print(f.read()))), ("r", lambda f: f.write("x")), ("w", lambda f: print(f.write("über"), f.encoding, f.name == str(root / "t"), f.closed))):
    try:
        with open(root / "t", mode) as f: act(f)
    except (OSError, io.UnsupportedOperation) as e: print(mode, type(e).__name__, getattr(e, "errno", None), str(e).split(":")[0])
print((root / "t").read_bytes(), (root / "t").stat().st_size)
for p in ("/a/b/../c.tar.gz", "x/./y//z", ".hidden", "/"):
    q = PurePosixPath(p); print(q, q.name, q.stem, q.suffixes, q.parent, q.parts, q.is_absolute(), osp.normpath(p), osp.splitext(p), osp.split(p))
print(PurePosixPath("/a/b/c").relative_to("/a"), PurePosixPath("a").joinpath("b", "/c"), PurePosixPath("a/b.py").with_suffix(".txt"), PurePosixPath("a/b").match("*/b"), osp.commonprefix(["/abc", "/abd"]), osp.relpath("/a/b", "/a/c"), osp.join("a", "", "b", "/c", "d"))
shutil.copy(root / "t", root / "t2"); os.rename(root / "t2", root / "t3"); shutil.copytree(root / "src", root / "dst")
print(sorted(os.listdir(root)), (root / "t3").exists(), (root / "dst/pkg").is_dir(), osp.getsize(root / "t3"))
try: os.rmdir(root / "dst")
except OSError as e: print(type(e).__name__, e.strerror)
try: (root / "no" / "file").open()
except FileNotFoundError as e: print(e.errno, e.filename == str(root / "no/file"), e.strerror)
with tempfile.TemporaryDirectory() as d, tempfile.NamedTemporaryFile("w+", dir=d, suffix=".tmp", delete=False) as f:
    print("line 1\nline 2", file=f); f.flush(); f.seek(0); print([*enumerate(f, 1)], f.name.endswith(".tmp"))
print(osp.exists(d), os.environ.get("NOPE", "unset"), os.sep, os.linesep == "\n", os.getcwd() == str(Path.cwd()))
shutil.rmtree(root); print(root.exists())
s = io.BytesIO(b"abc\ndef"); print(s.readline(), s.read(1), s.tell(), s.seek(-1, 2), s.read(), s.getbuffer().nbytes); t = io.TextIOWrapper(io.BytesIO("é\r\nx".encode()), encoding="utf-8"); print(t.readlines())
