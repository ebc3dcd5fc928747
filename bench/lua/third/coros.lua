-- Cooperative priority scheduler on coroutines: round robin inside each priority,
-- sleeping tasks on a virtual clock, buffered channels, joins and generators.
-- args: 5000
-- quick: 30

local unpack = table.unpack or unpack

local Channel = {}
Channel.__index = Channel

local function newChannel(capacity)
  return setmetatable({ items = {}, head = 1, tail = 0, capacity = capacity, closed = false }, Channel)
end

function Channel:size() return self.tail - self.head + 1 end

function Channel:send(value)
  while self:size() >= self.capacity do coroutine.yield("wait", self) end
  self.tail = self.tail + 1
  self.items[self.tail] = value
end

function Channel:receive()
  while self:size() == 0 do
    if self.closed then return nil end
    coroutine.yield("wait", self)
  end
  local value = self.items[self.head]
  self.items[self.head] = nil
  self.head = self.head + 1
  return value
end

function Channel:close() self.closed = true end

local Scheduler = {}
Scheduler.__index = Scheduler

local function newScheduler()
  local queues = {}
  for p = 1, 3 do queues[p] = {} end
  return setmetatable({ queues = queues, sleeping = {}, clock = 0, switches = 0, nextId = 0, idle = 0 }, Scheduler)
end

function Scheduler:spawn(priority, fn, ...)
  self.nextId = self.nextId + 1
  local task = { id = self.nextId, priority = priority, co = coroutine.create(fn), args = { ... } }
  table.insert(self.queues[priority], task)
  return task
end

function Scheduler:wake()
  local list = self.sleeping
  while #list > 0 and list[#list].at <= self.clock do
    local task = table.remove(list)
    table.insert(self.queues[task.priority], task)
  end
end

function Scheduler:sleep(task, ticks)
  task.at = self.clock + ticks
  local list = self.sleeping
  local i = #list
  while i > 0 and (list[i].at < task.at or (list[i].at == task.at and list[i].id < task.id)) do i = i - 1 end
  table.insert(list, i + 1, task) -- latest first, so that the soonest is at the end
end

local replies = {}
function replies.pause(s, task) table.insert(s.queues[task.priority], task) end
function replies.sleep(s, task, ticks) s:sleep(task, ticks) end
function replies.wait(s, task) s:sleep(task, 2) end
function replies.join(s, task, other)
  if other.finished then table.insert(s.queues[task.priority], task)
  else other.waiters = other.waiters or {}; table.insert(other.waiters, task) end
end

function Scheduler:resume(task)
  self.switches = self.switches + 1
  local ok, request, value = coroutine.resume(task.co, unpack(task.args))
  if not ok then
    task.failed = true
  elseif coroutine.status(task.co) == "suspended" then
    return replies[request](self, task, value)
  end
  task.finished = true
  for _, w in ipairs(task.waiters or {}) do table.insert(self.queues[w.priority], w) end
end

function Scheduler:run()
  while true do
    self.clock = self.clock + 1
    self:wake()
    local ran = false
    for p = 3, 1, -1 do
      for _ = 1, math.min(p, #self.queues[p]) do -- higher priorities get more slots per tick
        self:resume(table.remove(self.queues[p], 1))
        ran = true
      end
    end
    if not ran then
      if #self.sleeping == 0 then return end
      self.idle = self.idle + 1
    end
  end
end

local function collatz(start)
  return coroutine.wrap(function()
    local v = start
    while v ~= 1 do
      coroutine.yield(v)
      v = v % 2 == 0 and v / 2 or 3 * v + 1
    end
  end)
end

return function(n)
  local s, raw, cooked, report = newScheduler(), newChannel(4), newChannel(8), { sum = 0, failures = 0 }
  local producers = {}
  for p = 1, 3 do
    producers[p] = s:spawn(p, function(base, step)
      for i = 1, n do
        raw:send(base + i * step)
        if i % 10 == 0 then coroutine.yield("sleep", p) end
      end
    end, p * 100, p + 1)
  end
  local worker = function(name)
    for item in function() return raw:receive() end do
      local length = 0
      for v in collatz(item) do length = length + v % 7 end
      if length % 97 == 0 then report.failures = report.failures + 1 end
      cooked:send({ by = name, length = length })
      coroutine.yield("pause")
    end
  end
  local workers = { s:spawn(3, worker, 1), s:spawn(2, worker, 2), s:spawn(2, worker, 3) }
  s:spawn(1, function()
    for _, p in ipairs(producers) do coroutine.yield("join", p) end
    raw:close()
    for _, w in ipairs(workers) do coroutine.yield("join", w) end
    cooked:close()
  end)
  s:spawn(2, function()
    for r in function() return cooked:receive() end do report.sum = (report.sum * 3 + r.length * r.by) % 1000000007 end
  end)
  local faulty = s:spawn(1, function() coroutine.yield("sleep", 5); error({ code = 1 }) end)
  s:run()
  return string.format("%d %d %d %d %s", report.sum, report.failures, s.switches, s.clock - s.idle, tostring(faulty.failed))
end
