-- A workshop simulated by events: jobs with priorities go through machines that break down; queues are pairing heaps and
-- leftist heaps behind one interface.
-- args: 970
-- quick: 1
local Queue = {}
Queue.__index = Queue

function Queue:new(o)
  o = o or {}
  setmetatable(o, self)
  self.__index = self
  o.count = 0
  return o
end
function Queue:add(item)
  self.count = self.count + 1
  self.root = self:merge(self.root, self:node(item))
end
function Queue:first() return self.root and self.root.item end
function Queue:take()
  local root = self.root
  if not root then return nil end
  self.count = self.count - 1
  self.root = self:without(root)
  return root.item
end

local Pairing = Queue:new()
function Pairing:node(item) return { item = item } end
function Pairing:merge(a, b)
  if not a then return b end
  if not b then return a end
  if self.less(b.item, a.item) then a, b = b, a end
  b.sibling = a.child
  a.child = b
  return a
end
function Pairing:without(root)
  local node, pairs_ = root.child, {}
  while node do
    local a = node
    local b = a.sibling
    node = b and b.sibling
    a.sibling = nil
    if b then b.sibling = nil end
    pairs_[#pairs_ + 1] = self:merge(a, b)
  end
  local result
  for i = #pairs_, 1, -1 do result = self:merge(result, pairs_[i]) end
  return result
end

local Leftist = Queue:new()
local function rank(n) return n and n.rank or 0 end
function Leftist:node(item) return { item = item, rank = 1 } end
function Leftist:merge(a, b)
  if a == nil then return b elseif b == nil then return a end
  if self.less(b.item, a.item) then a, b = b, a end
  a.right = self:merge(a.right, b)
  if rank(a.left) < rank(a.right) then a.left, a.right = a.right, a.left end
  a.rank = rank(a.right) + 1
  return a
end
function Leftist:without(root) return self:merge(root.left, root.right) end

-- the simulation
local Simulation = { time = 0, handled = 0 }        -- the class holds the defaults
Simulation.__index = Simulation

function Simulation.create(seed)
  local sim = setmetatable({ seed = seed }, Simulation)
  sim.events = Pairing:new { less = function(a, b)
    return a.time < b.time or a.time == b.time and a.number < b.number
  end }
  sim.numbers = 0
  sim.stats = { done = 0, waited = 0, longest = 0, broken = 0, byKind = {} }
  return sim
end

function Simulation:random(low, high)
  self.seed = self.seed * 16807 % 2147483647
  return low + self.seed % (high - low + 1)
end

function Simulation:schedule(delay, what, ...)
  self.numbers = self.numbers + 1
  self.events:add { time = self.time + delay, number = self.numbers, what = what, args = { ... } }
end

function Simulation:run()
  local unpack = table.unpack or unpack
  while self.events:first() do
    local e = self.events:take()
    self.time = e.time
    self.handled = self.handled + 1
    self[e.what](self, unpack(e.args))
  end
end

function Simulation:machines(names)
  self.shop = {}
  for i, name in ipairs(names) do
    self.shop[i] = {
      name = name, state = "idle", worked = 0,
      queue = Leftist:new { less = function(a, b)
        if a.priority ~= b.priority then return a.priority > b.priority end
        return a.number < b.number
      end },
    }
  end
end

function Simulation:arrive(left)
  local kinds = { "bolt", "gear", "axle" }
  self.jobs = (self.jobs or 0) + 1
  local job = { number = self.jobs, priority = self:random(1, 4), kind = kinds[self:random(1, 3)], step = 0, born = self.time, route = {} }
  for k = 1, self:random(1, #self.shop) do job.route[k] = (job.number * k + k) % #self.shop + 1 end
  self:advance(job)
  if left > 1 then self:schedule(self:random(1, 12), "arrive", left - 1) end
end

function Simulation:advance(job)
  job.step = job.step + 1
  local at = job.route[job.step]
  if at then
    local m = self.shop[at]
    job.since = self.time
    m.queue:add(job)
    self:try(m)
  else
    local s = self.stats
    local age = self.time - job.born
    s.done = s.done + 1
    s.byKind[job.kind] = (s.byKind[job.kind] or 0) + age
    if age > s.longest then s.longest = age end
  end
end

function Simulation:try(m)
  if m.state ~= "idle" then return end
  local job = m.queue:take()
  if not job then return end
  self.stats.waited = self.stats.waited + self.time - job.since
  local length = self:random(2, 9)
  m.state = "busy"
  m.worked = m.worked + length
  self:schedule(length, "finish", m, job)
end

function Simulation:finish(m, job)
  if self:random(1, 25) == 1 then
    m.state = "broken"
    self.stats.broken = self.stats.broken + 1
    self:schedule(self:random(10, 40), "repair", m)
  else
    m.state = "idle"
  end
  self:advance(job)
  self:try(m)
end

function Simulation:repair(m)
  m.state = "idle"
  self:try(m)
end

return function(n)
  local sim = Simulation.create(31 + n)
  sim:machines { "saw", "drill", "lathe", "press" }
  sim:schedule(0, "arrive", n * 10)
  sim:run()
  local s = sim.stats
  local worked, left = {}, 0
  for i, m in ipairs(sim.shop) do
    worked[i] = string.format("%s=%d", m.name, m.worked)
    left = left + m.queue.count
  end
  return string.format("t=%d events=%d done=%d waited=%d longest=%d broken=%d left=%d bolt=%d gear=%d axle=%d %s", sim.time, sim.handled, s.done,
    s.waited, s.longest, s.broken, left, s.byKind.bolt or 0, s.byKind.gear or 0, s.byKind.axle or 0, table.concat(worked, ","))
end
