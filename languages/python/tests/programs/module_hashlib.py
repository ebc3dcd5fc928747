# The module `hashlib`, and seeds of `random` that are made of digests.
import hashlib
import random

for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512"):
    made = getattr(hashlib, name)(b"abc")
    print(name, made.hexdigest(), made.digest_size, made.block_size, made.name)
    other = hashlib.new(name)
    for n in range(200):
        other.update(b"x" * n)
    print(other.digest() == hashlib.new(name, b"x" * 19900).digest(), other.hexdigest()[:12])
    copy = other.copy()
    copy.update(bytearray(b"more"))
    print(copy.hexdigest() != other.hexdigest(), copy.digest()[:4])
print(hashlib.sha256().hexdigest())
for f in (lambda: hashlib.new("nothing"), lambda: hashlib.md5("text")):
    try:
        f()
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)

for seed in ("shop", "", b"bytes", bytearray(b"bytes"), "größe"):
    made = random.Random(seed)
    print(made.random(), made.randrange(1000), made.getrandbits(40))
