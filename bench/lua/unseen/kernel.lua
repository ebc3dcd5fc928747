-- A toy operating system: tasks with a priority and a mailbox pass packets to one another under a round of scheduling, until the work has run dry.
-- Tasks are classes with one shared metatable per class and a small helper for inheritance.
-- args: 14
-- quick: 1
local KIND_DEVICE, KIND_WORK = 1, 2
local IDLE, WORKER, HANDLER_A, HANDLER_B, DEVICE_A, DEVICE_B = 1, 2, 3, 4, 5, 6
local PAYLOAD = 4

local function extend(base)
  local cls = {}
  cls.__index = cls
  cls.super = base
  return setmetatable(cls, { __index = base })
end

---------------------------------------------------------------- packets
local Packet = {}
Packet.__index = Packet

function Packet.new(link, owner, kind)
  local self = setmetatable({ link = link, owner = owner, kind = kind, datum = 0 }, Packet)
  self.data = {}
  for i = 1, PAYLOAD do self.data[i] = 0 end
  return self
end

function Packet:append_to(queue)
  self.link = nil
  if queue == nil then return self end
  local last = queue
  while last.link do last = last.link end
  last.link = self
  return queue
end

---------------------------------------------------------------- tasks
local Task = extend(nil)

function Task:init(os, id, priority, queue)
  self.os, self.id, self.priority, self.queue = os, id, priority, queue
  self.waiting = false
  self.held = false
  self.next = os.first
  os.first = self
  os.table[id] = self
  return self
end

function Task:blocked()
  return self.held or (self.waiting and self.queue == nil)
end

function Task:take_packet()
  local packet
  if self.waiting and self.queue then
    packet = self.queue
    self.queue = packet.link
    self.waiting = false
  end
  return packet
end

function Task:run_once()
  local packet = self:take_packet()
  return self:step(packet)
end

function Task:receive(packet, sender)
  local was_empty = self.queue == nil
  self.queue = packet:append_to(self.queue)
  if was_empty and self.priority > sender.priority then return self end
  return sender
end

---------------------------------------------------------------- the system
local System = {}
System.__index = System

function System.new()
  return setmetatable({ table = {}, first = nil, current = nil, sent = 0, holds = 0, trace = 0 }, System)
end

function System:send(packet)
  local target = self.table[packet.owner]
  if not target then return nil end
  self.sent = self.sent + 1
  packet.link = nil
  packet.owner = self.current.id
  return target:receive(packet, self.current)
end

function System:wait()
  self.current.waiting = true
  return self.current
end

function System:hold()
  self.holds = self.holds + 1
  self.current.held = true
  return self.current.next
end

function System:release(id)
  local task = self.table[id]
  task.held = false
  if task.priority > self.current.priority then return task end
  return self.current
end

function System:loop()
  local task = self.first
  while task do
    self.current = task
    if task:blocked() then
      task = task.next
    else
      self.trace = (self.trace * 31 + task.id) % 1000003
      task = task:run_once()
    end
  end
end

---------------------------------------------------------------- kinds of tasks
local IdleTask = extend(Task)
function IdleTask:init(os, id, priority, count)
  IdleTask.super.init(self, os, id, priority, nil)
  self.seed, self.count = 1, count
  return self
end
function IdleTask:step()
  self.count = self.count - 1
  if self.count == 0 then return self.os:hold() end
  local even = self.seed % 2 == 0
  self.seed = math.floor(self.seed / 2)
  if even then return self.os:release(DEVICE_A) end
  -- a flip of three bits of the seed, done by arithmetic
  self.seed = (self.seed + 53256) % 65536
  return self.os:release(DEVICE_B)
end

local WorkTask = extend(Task)
function WorkTask:init(os, id, priority, queue)
  Task.init(self, os, id, priority, queue)
  self.destination, self.letter = HANDLER_A, 0
  self.waiting = true
  return self
end
function WorkTask:step(packet)
  if not packet then return self.os:wait() end
  self.destination = self.destination == HANDLER_A and HANDLER_B or HANDLER_A
  packet.owner = self.destination
  packet.datum = 1
  for i = 1, PAYLOAD do
    self.letter = self.letter + 1
    if self.letter > 26 then self.letter = 1 end
    packet.data[i] = 64 + self.letter
  end
  return self.os:send(packet)
end

local HandlerTask = extend(Task)
function HandlerTask:init(os, id, priority, queue)
  Task.init(self, os, id, priority, queue)
  self.waiting = true
  self.work, self.devices = nil, nil
  return self
end
function HandlerTask:step(packet)
  if packet then
    if packet.kind == KIND_WORK then self.work = packet:append_to(self.work)
    else self.devices = packet:append_to(self.devices) end
  end
  local work = self.work
  if work then
    if work.datum > PAYLOAD then
      self.work = work.link
      return self.os:send_to(work, WORKER)
    end
    local device = self.devices
    if device then
      self.devices = device.link
      device.datum = work.data[work.datum]
      work.datum = work.datum + 1
      return self.os:send_to(device, self.id == HANDLER_A and DEVICE_A or DEVICE_B)
    end
  end
  return self.os:wait()
end
function System:send_to(packet, id)
  packet.owner = id
  return self:send(packet)
end

local DeviceTask = extend(Task)
function DeviceTask:init(os, id, priority)
  Task.init(self, os, id, priority, nil)
  self.waiting = true
  self.pending, self.sum = nil, 0
  return self
end
function DeviceTask:step(packet)
  if packet then
    self.pending = packet
    self.sum = (self.sum * 7 + packet.datum) % 99991
    return self.os:hold()
  end
  local pending = self.pending
  if not pending then return self.os:wait() end
  self.pending = nil
  return self.os:send(pending)
end

local function make(class, ...)
  return setmetatable({}, class):init(...)
end

return function(n)
  local sums = {}
  for round = 1, n do
    local os = System.new()
    make(IdleTask, os, IDLE, 0, 1500 + round)
    local q = Packet.new(Packet.new(nil, 0, KIND_WORK), 0, KIND_WORK)
    make(WorkTask, os, WORKER, 1000, q)
    for i = 0, 1 do
      local list
      for _ = 1, 3 do list = Packet.new(list, DEVICE_A + i, KIND_DEVICE) end
      make(HandlerTask, os, HANDLER_A + i, 2000 + 1000 * i, list)
    end
    make(DeviceTask, os, DEVICE_A, 4000)
    make(DeviceTask, os, DEVICE_B, 5000)
    os:loop()
    sums[1] = (sums[1] or 0) + os.sent
    sums[2] = (sums[2] or 0) + os.holds
    sums[3] = ((sums[3] or 0) * 3 + os.trace) % 1000003
    sums[4] = ((sums[4] or 0) + os.table[DEVICE_A].sum * os.table[DEVICE_B].sum) % 1000003
  end
  return table.concat(sums, " ")
end
