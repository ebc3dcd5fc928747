"""A crawler over a fake web, with a thread pool, a rate limiter, and a progress queue."""
import threading
import queue
import time
import logging
import functools
import itertools
from concurrent.futures import ThreadPoolExecutor, as_completed
from collections import Counter
from dataclasses import dataclass, field

WEB = {
    "/": ["/a", "/b", "/c"],
    "/a": ["/a/1", "/b", "/missing"],
    "/b": ["/", "/b/1", "/b/2"],
    "/c": ["/slow"],
    "/a/1": [], "/b/1": ["/c"], "/b/2": ["/a/1"], "/slow": ["/"],
}


class NotFound(Exception):
    pass


def retry(times):
    def deco(fn):
        @functools.wraps(fn)
        def inner(*a):
            for n in itertools.count(1):
                try:
                    return fn(*a)
                except TimeoutError:
                    if n >= times:
                        raise
        return inner
    return deco


flaky = Counter()
flaky_lock = threading.Lock()


@retry(3)
def fetch(url):
    time.sleep(0.001)
    with flaky_lock:
        flaky[url] += 1
        if url == "/slow" and flaky[url] < 3:
            raise TimeoutError(url)
    try:
        return WEB[url]
    except KeyError:
        raise NotFound(url) from None


@dataclass
class Crawler:
    workers: int
    seen: set = field(default_factory=set)
    errors: dict = field(default_factory=dict)
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)
    pending: queue.Queue = field(default_factory=queue.Queue, repr=False)

    def visit(self, url):
        with self.lock:
            if url in self.seen:
                return
            self.seen.add(url)
        self.pending.put(url)

    def work(self):
        while (url := self.pending.get()) is not None:
            try:
                for link in fetch(url):
                    self.visit(link)
            except Exception as e:
                with self.lock:
                    self.errors[url] = e
            finally:
                self.pending.task_done()
        self.pending.task_done()

    def run(self, start):
        threads = [threading.Thread(target=self.work, name=f"crawl-{n}") for n in range(self.workers)]
        for t in threads:
            t.start()
        self.visit(start)
        self.pending.join()
        for _ in threads:
            self.pending.put(None)
        for t in threads:
            t.join()
        return sorted(self.seen)


class Once:
    def __init__(self, fn):
        self.fn, self.lock, self.done = fn, threading.Lock(), False

    def __call__(self):
        if not self.done:
            with self.lock:
                if not self.done:
                    self.value = self.fn()
                    self.done = True
        return self.value


class Account:
    def __init__(self, n):
        self.n, self.cond = n, threading.Condition()

    def withdraw(self, k):
        with self.cond:
            self.cond.wait_for(lambda: self.n >= k)
            self.n -= k

    def deposit(self, k):
        with self.cond:
            self.n += k
            self.cond.notify_all()


c = Crawler(3)
print(c.run("/"), {k: repr(v) for k, v in c.errors.items()}, flaky["/slow"], threading.active_count())
print(len(c.seen))
made = []
once = Once(lambda: (time.sleep(0.002), made.append(1), "value")[2])
with ThreadPoolExecutor(4, thread_name_prefix="pool") as ex:
    print({f.result() for f in [ex.submit(once) for _ in range(8)]}, made)
    names = set(ex.map(lambda _: (time.sleep(0.002), threading.current_thread().name)[1], range(8)))
    print(sorted(n.rsplit("_")[0] for n in names)[0], len(names) <= 4)
    futs = {ex.submit(fetch, u): u for u in ("/a", "/nope", "/b")}
    for f in sorted(as_completed(futs), key=futs.get):
        print(futs[f], f.exception() or f.result())
a = Account(0)
ts = [threading.Thread(target=a.withdraw, args=(k,)) for k in (5, 1, 3)]
for t in ts: t.start()
for k in range(1, 6): a.deposit(k)
for t in ts: t.join(timeout=5)
print(a.n, [t.is_alive() for t in ts])
tl = threading.local()
out = queue.SimpleQueue()
def per(n):
    tl.value = n; time.sleep(0.001); out.put(tl.value)
ts = [threading.Thread(target=per, args=(i,), daemon=True) for i in range(4)]
[t.start() for t in ts]; [t.join() for t in ts]
print(sorted(out.get() for _ in range(4)), hasattr(tl, "value"), out.empty())
def crash(): raise KeyError("in thread")
caught = []
threading.excepthook = lambda a: caught.append((a.exc_type, str(a.exc_value), a.thread.name))
t = threading.Thread(target=crash, name="T"); t.start(); t.join(); print(caught)
ticks = []
def tick(n=3):
    ticks.append(n)
    if n: t = threading.Timer(0.001, tick, [n - 1]); t.start()
    else: done.set()
done = threading.Event(); tick(); print(done.wait(5), ticks)
logging.basicConfig(format="%(threadName)s %(message)s", stream=__import__("sys").stdout); logging.warning("from main")
t = threading.Thread(target=logging.error, args=("from %s", "thread"), name="L"); t.start(); t.join()
