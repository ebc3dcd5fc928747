# Threads that call deeply, raise, yield, and handle exceptions while others do so.
import sys
import threading
import time


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


def forever(n):
    return forever(n + 1)


seen = {}


def deep(name):
    seen[name] = depth(300)
    try:
        forever(0)
    except RecursionError as error:
        seen[name, "error"] = str(error)[:32]


threads = [threading.Thread(target=deep, args=(n,)) for n in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(seen)


def handle(n, log):
    try:
        raise ValueError(n)
    except ValueError as error:
        log.append((n, "before", sys.exc_info()[1] is error))
        time.sleep(0.002 * (4 - n))
        log.append((n, "after", sys.exc_info()[1] is error, str(sys.exc_info()[1])))
    log.append((n, "none", sys.exc_info()[0]))


log = []
threads = [threading.Thread(target=handle, args=(n, log)) for n in range(4)]
try:
    raise KeyError("main")
except KeyError:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(sys.exc_info()[0])
for line in sorted(log, key=lambda line: line[0]):
    print(line)


# A context that another thread has handled is not that of this one.
def reraise():
    try:
        raise TypeError("in the thread")
    except TypeError as error:
        time.sleep(0.002)
        caught.append(error.__context__)


caught = []
try:
    raise LookupError
except LookupError:
    thread = threading.Thread(target=reraise)
    thread.start()
    thread.join()
print(caught)


# Generators go from thread to thread, and each goes on where it was.
def numbers():
    for n in range(6):
        yield n, threading.current_thread().name


shared = numbers()
lock = threading.Lock()


def take(count):
    for _ in range(count):
        with lock:
            print(*next(shared))
        time.sleep(0.001)


first = threading.Thread(target=take, args=(3,), name="first")
first.start()
first.join()
second = threading.Thread(target=take, args=(2,), name="second")
second.start()
second.join()
print(next(shared), next(shared, "ended"))


# Hot loops in several threads, which take turns in the middle of them.
def count(name, turns):
    total = 0
    for n in range(turns):
        total += n * n % 7
        if n % 500 == 0:
            time.sleep(0)
    totals[name] = total


totals = {}
threads = [threading.Thread(target=count, args=(n, 1500 + 100 * n)) for n in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(sorted(totals.items()))


class Account:
    def __init__(self):
        self.balance = 100
        self.lock = threading.RLock()

    def move(self, other, amount):
        with self.lock, other.lock:
            if self.balance < amount:
                raise RuntimeError("too little")
            self.balance -= amount
            time.sleep(0)
            other.balance += amount


a, b = Account(), Account()
errors = []


def teller():
    for n in range(20):
        try:
            a.move(b, n)
        except RuntimeError as error:
            errors.append(str(error))


threads = [threading.Thread(target=teller) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(a.balance + b.balance, a.balance >= 0, len(errors) > 0)

# The stacks of threads that are under way, as each sees its own.
def outer():
    return inner()


def inner():
    time.sleep(0.001)
    frame, names = sys._getframe(), []
    while frame is not None:
        names.append(frame.f_code.co_name)
        frame = frame.f_back
    stacks.append([name for name in names if name in ("inner", "outer", "<module>")])


stacks = []
threads = [threading.Thread(target=outer) for _ in range(2)]
for thread in threads:
    thread.start()
inner()
for thread in threads:
    thread.join()
print(sorted(stacks))
