-- Objects of many classes that call each other through queues: an operating system of tasks with priorities, mailboxes, timers and devices. Messages
-- go from readers over filters to a writer, each task does little in a turn, and which method a call reaches changes all the time.
-- args: 6000
-- quick: 50
local READY, WAITING, STOPPED = 1, 2, 3

-- A queue of packets, linked by `next`.
local Queue = {}
Queue.__index = Queue
local function new_queue() return setmetatable({ first = false, last = false, length = 0 }, Queue) end

function Queue:put(packet)
  packet.next = false
  if self.last then self.last.next = packet else self.first = packet end
  self.last = packet
  self.length = self.length + 1
end

function Queue:take()
  local packet = self.first
  if packet then
    self.first = packet.next
    if not self.first then self.last = false end
    self.length = self.length - 1
  end
  return packet
end

-- What every task has: a number, a priority, a mailbox.
local Task = {}
Task.__index = Task

local function class()
  local c = setmetatable({}, { __index = Task })
  c.__index = c
  return c
end

local function start(class, kernel, priority, fields)
  local task = setmetatable(fields, class)
  task.number = #kernel.tasks + 1
  task.priority = priority
  task.state = READY
  task.box = new_queue()
  task.turns = 0
  kernel.tasks[task.number] = task
  return task
end

function Task:receive(packet)
  self.box:put(packet)
  if self.state == WAITING then self.state = READY end
end

function Task:runnable() return self.state == READY end

function Task:wait_for_mail()
  local packet = self.box:take()
  if not packet then self.state = WAITING end
  return packet
end

-- Makes packets as long as there are free ones, and asks a device for what is in them.
local Reader = class()
function Reader:step(kernel)
  local packet = kernel.free:take()
  if not packet or self.left == 0 then
    if packet then kernel.free:put(packet) end
    self.state = self.left == 0 and STOPPED or WAITING
    return
  end
  self.left = self.left - 1
  packet.kind = self.left % 3
  packet.from = self.number
  packet.hops = 0
  self.device:receive(packet)
end

-- Needs some ticks of the clock for each packet, and fills it.
local Device = class()
function Device:step(kernel)
  if not self.busy then
    self.busy = self:wait_for_mail()
    self.ticks = self.latency
    return
  end
  self.state = WAITING
  self.ticks = self.ticks - 1
  if self.ticks <= 0 then
    local packet, data = self.busy, self.busy.data
    for i = 1, #data do
      self.seed = (self.seed * 3877 + 29573) % 139968
      data[i] = self.seed % 26
    end
    self.busy = false
    kernel:send(packet, 1 + packet.kind % 3)
  end
end

-- Changes each packet in its own way, and passes it on.
local Filter = class()
function Filter:step(kernel)
  local packet = self:wait_for_mail()
  if packet then
    self:change(packet.data)
    packet.hops = packet.hops + 1
    if packet.hops < 2 then kernel:send(packet, 1 + (packet.kind + packet.hops) % 3) else kernel:send(packet, 4) end
  end
end

local Shifter = class()
Shifter.step = Filter.step
function Shifter:change(data)
  for i = 1, #data do data[i] = (data[i] + self.shift) % 26 end
end

local Reverser = class()
Reverser.step = Filter.step
function Reverser:change(data)
  local low, high = 1, #data
  while low < high do
    data[low], data[high] = data[high], data[low]
    low, high = low + 1, high - 1
  end
end

local Counter = class()
Counter.step = Filter.step
function Counter:change(data)
  local sum = self.seen
  for i = 1, #data do sum = sum + data[i] end
  self.seen = sum % 65521
end

-- Adds up what arrives, gives the packet back, and wakes who waits for a free one.
local Writer = class()
function Writer:step(kernel)
  local packet = self:wait_for_mail()
  if not packet then return end
  local checksum = self.checksum
  for i = 1, #packet.data do checksum = (checksum * 31 + packet.data[i]) % 65521 end
  self.checksum = checksum
  self.written = self.written + 1
  kernel.free:put(packet)
  local reader = kernel.tasks[packet.from]
  if reader.state == WAITING then reader.state = READY end
end

-- Does nothing but count, at the lowest priority.
local Idle = class()
function Idle:step(kernel)
  self.bits = (self.bits * 5 + 3) % 4096
  if kernel.tasks[self.watched].state == STOPPED then self.stopped = self.stopped + 1 end
end

local Kernel = {}
Kernel.__index = Kernel

function Kernel:send(packet, to) self.routes[to]:receive(packet) end

-- The next task that can run: the highest priority, and among equals the one that had fewest turns.
function Kernel:choose()
  local best = self.idle
  for i = 1, #self.tasks do
    local task = self.tasks[i]
    if task:runnable() then
      if task.priority > best.priority or (task.priority == best.priority and task.turns < best.turns) then best = task end
    end
  end
  return best
end

-- The clock wakes the devices.
function Kernel:tick()
  for i = 1, #self.devices do self.devices[i].state = READY end
end

function Kernel:run(wanted)
  local steps = 0
  while self.writer.written < wanted do
    local task = self:choose()
    task.turns = task.turns + 1
    task:step(self)
    steps = steps + 1
    if steps % 9 == 0 then self:tick() end
  end
  return steps
end

return function(n)
  local kernel = setmetatable({ tasks = {}, free = new_queue() }, Kernel)
  for _ = 1, 6 do kernel.free:put({ next = false, kind = 0, from = 0, hops = 0, data = { 0, 0, 0, 0 } }) end
  local disk = start(Device, kernel, 5, { latency = 3, seed = 42, busy = false, ticks = 0 })
  local net = start(Device, kernel, 5, { latency = 2, seed = 7, busy = false, ticks = 0 })
  kernel.devices = { disk, net }
  local first = start(Reader, kernel, 2, { left = math.floor(n / 2), device = disk })
  start(Reader, kernel, 2, { left = n - math.floor(n / 2), device = net })
  local shifter = start(Shifter, kernel, 3, { shift = 3 })
  local reverser = start(Reverser, kernel, 3, {})
  local counter = start(Counter, kernel, 4, { seen = 0 })
  kernel.writer = start(Writer, kernel, 4, { written = 0, checksum = 0 })
  kernel.idle = start(Idle, kernel, 0, { bits = 1, stopped = 0, watched = first.number })
  kernel.routes = { shifter, reverser, counter, kernel.writer }
  local steps = kernel:run(n)
  return string.format("%d %d %d %d", steps, kernel.writer.checksum, counter.seen, kernel.idle.turns)
end
