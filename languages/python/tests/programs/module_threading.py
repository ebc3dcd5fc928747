# Threads and what they wait for: locks, queues, events, barriers, pools.
import threading, queue, time, sys
begin = threading.Event()
def worker(n, out):
    out.append(("start", n)); begin.wait(); time.sleep(0.02 * (3 - n)); out.append(("end", n))
out = []
ts = [threading.Thread(target=worker, args=(n, out), name=f"w{n}") for n in range(3)]
print(ts[0], threading.current_thread().name, threading.main_thread() is threading.current_thread())
for t in ts: t.start()
print(threading.active_count(), [t.name for t in threading.enumerate()], ts[0].is_alive())
begin.set()
for t in ts: t.join()
print(out[:3], sorted(out[3:]), ts[0].is_alive(), threading.active_count())
# lock
counter = 0
lock = threading.Lock()
def inc():
    global counter
    for _ in range(100):
        with lock:
            counter += 1
ts = [threading.Thread(target=inc) for _ in range(4)]
[t.start() for t in ts]; [t.join() for t in ts]
print(counter, lock.locked())
for bad in (lambda: lock.release(), lambda: ts[0].start(), lambda: threading.Thread(target=inc).join(), lambda: threading.current_thread().join(), lambda: threading.Semaphore(-1), lambda: lock.acquire(False, 1)):
    try: print(bad())
    except Exception as e: print(type(e).__name__, e)
# queue
q = queue.Queue(2)
got = []
def consumer():
    while True:
        x = q.get()
        if x is None:
            q.task_done(); break
        got.append(x); q.task_done()
c = threading.Thread(target=consumer); c.start()
for x in range(10): q.put(x)
q.put(None); q.join(); c.join()
print(got, q.empty(), q.qsize())
try: q.get_nowait()
except queue.Empty as e: print("empty", repr(e))
try: q.get(timeout=0.01)
except queue.Empty: print("timeout")
q.put(1); q.put(2)
try: q.put(3, timeout=0.01)
except queue.Full: print("full", q.full())
p = queue.PriorityQueue()
for x in (3, 1, 2): p.put((x, str(x)))
print([p.get() for _ in range(3)])
l = queue.LifoQueue(); [l.put(x) for x in range(3)]; print([l.get() for _ in range(3)])
# event, condition
ev = threading.Event()
log = []
def waiter():
    log.append("waiting"); ev.wait(); log.append("go")
t = threading.Thread(target=waiter); t.start(); log.append("set"); ev.set(); t.join(); print(log, ev.is_set())
print(threading.Event().wait(0.01))
cond = threading.Condition()
items = []
def prod():
    for i in range(3):
        with cond:
            items.append(i); cond.notify()
        time.sleep(0.005)
def cons():
    for i in range(3):
        with cond:
            cond.wait_for(lambda: items)
            print("got", items.pop(0))
a = threading.Thread(target=cons); b = threading.Thread(target=prod); a.start(); b.start(); a.join(); b.join()
with cond: print(cond.wait(0.01))
try: cond.notify()
except RuntimeError as e: print(e)
# semaphore
sem = threading.BoundedSemaphore(2)
pair = threading.Barrier(2)
active = 0; peak = 0
def work():
    global active, peak
    with sem:
        active += 1; peak = max(peak, active); pair.wait(); active -= 1
ts = [threading.Thread(target=work) for _ in range(6)]
[t.start() for t in ts]; [t.join() for t in ts]; print(peak)
try: sem.release()
except ValueError as e: print(e)
# barrier
bar = threading.Barrier(3)
order = []
def meet(n):
    time.sleep(0.01 * n); bar.wait(); order.append(n)
ts = [threading.Thread(target=meet, args=(n,)) for n in range(3)]
[t.start() for t in ts]; [t.join() for t in ts]; print(sorted(order), bar.broken, bar.parties)
bar2 = threading.Barrier(2)
try: bar2.wait(0.01)
except threading.BrokenBarrierError: print("broken", bar2.broken)
# timer, local
hits = []
tm = threading.Timer(0.01, hits.append, [1]); tm.start(); tm.join(); print(hits)
tm = threading.Timer(5, hits.append, [2]); tm.start(); tm.cancel(); tm.join(); print(hits)
loc = threading.local(); loc.x = 1
def f():
    print(hasattr(loc, "x")); loc.x = 2; print(loc.x, loc.__dict__)
t = threading.Thread(target=f); t.start(); t.join(); print(loc.x)
try: loc.y
except AttributeError as e: print(e)
class L(threading.local):
    def __init__(self, n): self.n = n; self.l = []
ll = L(5); ll.l.append(1)
def g(): print(ll.n, ll.l)
t = threading.Thread(target=g); t.start(); t.join(); print(ll.l)
# subclass, daemon, exceptions
class W(threading.Thread):
    def __init__(self, n): super().__init__(daemon=True); self.n = n; self.result = None
    def run(self): self.result = self.n ** 2
w = W(7); print(w.daemon, w.name); w.start(); w.join(); print(w.result)
def boom(): raise ValueError("boom")
def hook(args): print("hook", args.exc_type.__name__, args.exc_value, args.thread.name)
threading.excepthook = hook
t = threading.Thread(target=boom, name="B"); t.start(); t.join()
def ex(): sys.exit(3)
t = threading.Thread(target=ex); t.start(); t.join(); print("after")
r = threading.RLock()
with r:
    with r: print("nested", r.acquire(), r.release())
def tryr(): print(r.acquire(blocking=False))
r.acquire(); t = threading.Thread(target=tryr); t.start(); t.join(); r.release()
# spin on flag with is_set
stop = threading.Event(); n = 0
def spin():
    global n
    while not stop.is_set(): n += 1
t = threading.Thread(target=spin); t.start(); time.sleep(0.02); stop.set(); t.join(); print(n > 0)
from concurrent.futures import ThreadPoolExecutor, as_completed, wait, FIRST_COMPLETED, Future, TimeoutError
def sq(x): time.sleep(0.002 * x); return x * x
with ThreadPoolExecutor(max_workers=3) as ex:
    fs = [ex.submit(sq, i) for i in range(5)]
    print([f.result() for f in fs], fs[0].done())
    print(list(ex.map(sq, [3, 2, 1])), list(ex.map(pow, [1, 2], [3, 4])))
    fs = {ex.submit(sq, i): i for i in (6, 1, 3)}
    print(sorted(fs[f] for f in as_completed(fs)))
    gate = threading.Event()
    d, nd = wait([ex.submit(sq, 1), ex.submit(gate.wait)], return_when=FIRST_COMPLETED)
    gate.set()
    print(len(d), len(nd))
    f = ex.submit(boom)
    print(type(f.exception()).__name__)
    try: f.result()
    except ValueError as e: print("result", e)
    gate = threading.Event()
    try: ex.submit(gate.wait).result(timeout=0.01)
    except TimeoutError as e: print("to", repr(e))
    gate.set()
    f = ex.submit(sq, 1); f.add_done_callback(lambda f: print("cb", f.result())); f.result()
try: ex.submit(sq, 1)
except RuntimeError as e: print(e)
f = Future(); print(f.cancel(), f.cancelled(), f.done())
def late(): time.sleep(0.02); print("late thread ends")
threading.Thread(target=late).start()
import atexit; atexit.register(lambda: print("atexit"))
print("main ends")
