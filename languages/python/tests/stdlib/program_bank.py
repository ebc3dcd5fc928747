# Discrete event simulation of a bank, with heapq, random and classes with operators
import heapq
import random
import logging
import sys
from collections import defaultdict, deque, ChainMap
from itertools import count

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)-7s %(name)s: %(message)s")
log = logging.getLogger("bank")
debug = log.getChild("debug")
debug.setLevel(logging.WARNING)


class Event:
    __slots__ = ("time", "order", "fn", "args", "cancelled")
    _ids = count()

    def __init__(self, time, fn, *args):
        self.time, self.fn, self.args = time, fn, args
        self.order = next(self._ids)
        self.cancelled = False

    def __lt__(self, other):
        return (self.time, self.order) < (other.time, other.order)


class Simulation:
    def __init__(self, seed):
        self.now = 0.0
        self.rng = random.Random(seed)
        self._queue = []

    def at(self, delay, fn, *args):
        e = Event(self.now + delay, fn, *args)
        heapq.heappush(self._queue, e)
        return e

    def run(self, until=float("inf")):
        while self._queue and self._queue[0].time <= until:
            e = heapq.heappop(self._queue)
            if e.cancelled:
                continue
            self.now = e.time
            e.fn(*e.args)


class Stats:
    def __init__(self):
        self.n = 0
        self.mean = self._m2 = 0.0
        self.hist = defaultdict(int)

    def __iadd__(self, x):
        self.n += 1
        d = x - self.mean
        self.mean += d / self.n
        self._m2 += d * (x - self.mean)
        self.hist[int(x)] += 1
        return self

    @property
    def sd(self):
        return (self._m2 / (self.n - 1)) ** 0.5 if self.n > 1 else 0.0

    def __format__(self, spec):
        return f"{self.mean:{spec or '.2f'}}±{self.sd:{spec or '.2f'}} (n={self.n})"


class Customer:
    ids = count(1)

    def __init__(self, sim, patience):
        self.id = next(self.ids)
        self.arrived = sim.now
        self.giveup = None
        self.patience = patience

    def __repr__(self):
        return f"<C{self.id}>"


class Bank:
    def __init__(self, sim, tellers, config):
        self.sim, self.idle = sim, tellers
        self.line = deque()
        self.wait, self.left = Stats(), []
        self.config = ChainMap(config, {"rate": 1.0, "service": 2.2, "patience": 4})

    def open(self):
        self.arrive()

    def arrive(self):
        c = Customer(self.sim, self.config["patience"] * self.sim.rng.uniform(0.5, 1.5))
        debug.info("never shown %s", c)
        if self.idle:
            self.idle -= 1
            self.serve(c)
        else:
            self.line.append(c)
            c.giveup = self.sim.at(c.patience, self.leave, c)
        self.sim.at(self.sim.rng.expovariate(self.config["rate"]), self.arrive)

    def serve(self, c):
        if c.giveup:
            c.giveup.cancelled = True
        self.wait += self.sim.now - c.arrived
        self.sim.at(self.sim.rng.expovariate(1 / self.config["service"]), self.done, c)

    def done(self, c):
        if self.line:
            self.serve(self.line.popleft())
        else:
            self.idle += 1

    def leave(self, c):
        self.line.remove(c)
        self.left.append(c)
        if len(self.left) % 10 == 1:
            log.warning("%r gave up at %.3f, %d waiting", c, self.sim.now, len(self.line))


for tellers in (1, 2, 3):
    sim = Simulation(seed=tellers)
    bank = Bank(sim, tellers, {"patience": 5} if tellers == 2 else {})
    bank.open()
    sim.run(until=150)
    log.info("tellers=%d wait=%s left=%d", tellers, format(bank.wait), len(bank.left))
    print(f"{bank.wait:.3f}", dict(sorted(bank.wait.hist.items())), bank.left[:3])
try:
    {}["x"]
except KeyError:
    logging.getLogger("err").error("failed: %s", "why", exc_info=False)
log.log(logging.CRITICAL, {"a": 1})
log.debug("hidden")
class Handler(logging.Handler):
    def emit(self, record):
        print("custom", record.levelname, record.getMessage(), record.funcName, record.name)
h = Handler(level=logging.ERROR); log.addHandler(h); log.propagate = False
def f(): log.error("%s-%s", 1, 2); log.info("no")
f()
