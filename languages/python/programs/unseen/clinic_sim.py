# Discrete event simulation of a walk-in clinic with triage, doctors and lab, driven by a heapq agenda. args: patients.
# args: 16000
# quick: 40
import sys
import heapq
import random
from collections import deque, namedtuple
from itertools import count

Record = namedtuple("Record", "pid severity arrived seen left")


class Simulator(object):
    def __init__(self):
        self.now = 0.0
        self.agenda = []
        self.ticket = count()
        self.fired = 0

    def at(self, delay, action, *args):
        heapq.heappush(self.agenda, (self.now + delay, next(self.ticket), action, args))

    def run(self):
        while self.agenda:
            self.now, _, action, args = heapq.heappop(self.agenda)
            self.fired += 1
            action(*args)


class Station:
    """Some identical servers with one queue; service may be by priority."""

    def __init__(self, sim, name, servers, by_priority=False):
        self.sim = sim
        self.name = name
        self.free = servers
        self.by_priority = by_priority
        self.waiting = [] if by_priority else deque()
        self.busy_time = 0.0
        self.longest = 0
        self.serial = count()

    def request(self, patient, duration, done):
        if self.free > 0:
            self.free -= 1
            self._start(patient, duration, done)
            return
        item = (patient["severity"], next(self.serial), patient, duration, done)
        if self.by_priority:
            heapq.heappush(self.waiting, item)
        else:
            self.waiting.append(item)
        if len(self.waiting) > self.longest:
            self.longest = len(self.waiting)

    def _start(self, patient, duration, done):
        patient.setdefault("first_" + self.name, self.sim.now)
        self.busy_time += duration
        self.sim.at(duration, self._finish, patient, done)

    def _finish(self, patient, done):
        if self.waiting:
            if self.by_priority:
                item = heapq.heappop(self.waiting)
            else:
                item = self.waiting.popleft()
            self._start(*item[2:])
        else:
            self.free += 1
        done(patient)


class Clinic:
    def __init__(self, n, seed):
        self.rng = random.Random(seed)
        self.sim = Simulator()
        self.triage = Station(self.sim, "triage", 1)
        self.doctor = Station(self.sim, "doctor", 3, by_priority=True)
        self.lab = Station(self.sim, "lab", 1)
        self.remaining = n
        self.next_id = 0
        self.records = []

    def arrival(self):
        r = self.rng
        patient = {"id": self.next_id, "arrived": self.sim.now,
                   "severity": r.choice((1, 2, 2, 3, 3, 3)), "visits": 0}
        self.next_id += 1
        self.remaining -= 1
        self.triage.request(patient, 1.0 + 2.0 * r.random(), self.after_triage)
        if self.remaining > 0:
            self.sim.at(r.expovariate(0.28), self.arrival)

    def after_triage(self, patient):
        self.doctor.request(patient, self.rng.uniform(3, 11), self.after_doctor)

    def after_doctor(self, patient):
        patient["visits"] += 1
        if patient["visits"] < 3 and self.rng.random() < 0.3:
            self.lab.request(patient, self.rng.uniform(2, 8), self.after_triage)
        else:
            self.records.append(Record(patient["id"], patient["severity"], patient["arrived"],
                                       patient["first_doctor"], self.sim.now))


def percentile(values, p):
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(p * len(ranked)))]


def main(n):
    clinic = Clinic(n, 2024)
    clinic.sim.at(0.0, clinic.arrival)
    clinic.sim.run()
    recs = clinic.records
    print("patients %d events %d closing time %.3f" % (len(recs), clinic.sim.fired, clinic.sim.now))
    for severity in 1, 2, 3:
        waits = [r.seen - r.arrived for r in recs if r.severity == severity]
        if not waits:
            print("severity", severity, "nobody")
            continue
        print("severity %d: %d patients, mean wait %.4f, p90 %.4f"
              % (severity, len(waits), sum(waits) / len(waits), percentile(waits, 0.9)))
    stay = [r.left - r.arrived for r in recs]
    print("longest stay %.4f by patient %d" % (max(stay), recs[stay.index(max(stay))].pid))
    for st in (clinic.triage, clinic.doctor, clinic.lab):
        print("%-7s busy %10.3f longest queue %3d" % (st.name, st.busy_time, st.longest))


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40)
