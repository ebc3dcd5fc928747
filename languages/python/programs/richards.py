# A simulation of an operating system's scheduler, after the benchmark of that name: classes,
# methods, lists of packets. args: rounds.
# args: 8
# quick: 1
import sys

IDLE, WORKER, HANDLER_A, HANDLER_B, DEVICE_A, DEVICE_B = range(6)
DEVICE, WORK = 0, 1


class Packet:
    def __init__(self, link, ident, kind):
        self.link = link
        self.ident = ident
        self.kind = kind
        self.datum = 0
        self.data = [0] * 4

    def append_to(self, queue):
        self.link = None
        if queue is None:
            return self
        last = queue
        while last.link is not None:
            last = last.link
        last.link = self
        return queue


class Task:
    def __init__(self, scheduler, ident, priority, queue):
        self.scheduler = scheduler
        self.ident = ident
        self.priority = priority
        self.queue = queue
        self.pending = queue is not None
        self.waiting = queue is None
        self.held = False
        scheduler.add(self)

    def add_packet(self, packet, old):
        if self.queue is None:
            self.queue = packet
            self.pending = True
            if self.priority > old.priority:
                return self
        else:
            packet.append_to(self.queue)
        return old

    def is_stopped(self):
        return self.held or (not self.pending and self.waiting)

    def run_task(self):
        packet = None
        if self.waiting and self.pending:
            packet = self.queue
            self.queue = packet.link
            self.waiting = False
            self.pending = self.queue is not None
        return self.step(packet)

    def wait(self):
        self.waiting = True
        return self

    def hold(self):
        self.scheduler.hold_count += 1
        self.held = True
        return self.scheduler.next_of(self)

    def release(self, ident):
        task = self.scheduler.find(ident)
        task.held = False
        return task if task.priority > self.priority else self

    def send(self, packet):
        task = self.scheduler.find(packet.ident)
        self.scheduler.packets += 1
        packet.link = None
        packet.ident = self.ident
        return task.add_packet(packet, self)


class Idle(Task):
    def __init__(self, scheduler, count):
        super().__init__(scheduler, IDLE, 0, None)
        self.waiting = False
        self.control = 1
        self.count = count

    def step(self, packet):
        self.count -= 1
        if self.count == 0:
            return self.hold()
        if self.control & 1 == 0:
            self.control //= 2
            return self.release(DEVICE_A)
        self.control = self.control // 2 ^ 0xD008
        return self.release(DEVICE_B)


class Worker(Task):
    def __init__(self, scheduler, queue):
        super().__init__(scheduler, WORKER, 1000, queue)
        self.destination = HANDLER_A
        self.letter = 0

    def step(self, packet):
        if packet is None:
            return self.wait()
        self.destination = HANDLER_B if self.destination == HANDLER_A else HANDLER_A
        packet.ident = self.destination
        packet.datum = 0
        for i in range(4):
            self.letter = self.letter % 26 + 1
            packet.data[i] = 64 + self.letter
        return self.send(packet)


class Handler(Task):
    def __init__(self, scheduler, ident, priority, queue):
        super().__init__(scheduler, ident, priority, queue)
        self.work = None
        self.devices = None

    def step(self, packet):
        if packet is not None:
            if packet.kind == WORK:
                self.work = packet.append_to(self.work)
            else:
                self.devices = packet.append_to(self.devices)
        if self.work is not None:
            work = self.work
            count = work.datum
            if count >= 4:
                self.work = work.link
                return self.send(work)
            if self.devices is not None:
                device = self.devices
                self.devices = device.link
                device.datum = work.data[count]
                work.datum = count + 1
                return self.send(device)
        return self.wait()


class Device(Task):
    def __init__(self, scheduler, ident, priority):
        super().__init__(scheduler, ident, priority, None)
        self.packet = None

    def step(self, packet):
        if packet is None:
            if self.packet is None:
                return self.wait()
            packet, self.packet = self.packet, None
            return self.send(packet)
        self.packet = packet
        return self.hold()


class Scheduler:
    def __init__(self):
        self.tasks = {}
        self.order = []
        self.hold_count = 0
        self.packets = 0

    def add(self, task):
        self.tasks[task.ident] = task
        self.order.append(task)
        self.order.sort(key=lambda t: -t.priority)

    def find(self, ident):
        return self.tasks[ident]

    def next_of(self, task):
        order = self.order
        at = order.index(task)
        return order[at + 1] if at + 1 < len(order) else None

    def run(self):
        task = self.order[0]
        while task is not None:
            if task.is_stopped():
                task = self.next_of(task)
            else:
                task = task.run_task()


def simulate(count):
    scheduler = Scheduler()
    Idle(scheduler, count)
    queue = Packet(None, WORKER, WORK)
    queue = Packet(queue, WORKER, WORK)
    Worker(scheduler, queue)
    for handler, device, priority in ((HANDLER_A, DEVICE_A, 2000), (HANDLER_B, DEVICE_B, 3000)):
        queue = Packet(None, device, DEVICE)
        queue = Packet(queue, device, DEVICE)
        queue = Packet(queue, device, DEVICE)
        Handler(scheduler, handler, priority, queue)
    Device(scheduler, DEVICE_A, 4000)
    Device(scheduler, DEVICE_B, 5000)
    scheduler.run()
    return scheduler.packets, scheduler.hold_count


def main(rounds):
    result = None
    for i in range(rounds):
        result = simulate(1000)
    print(result)


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
