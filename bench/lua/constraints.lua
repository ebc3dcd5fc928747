-- A solver of constraints over integers: variables with bounds, constraints of several classes that narrow them, a queue of those to look at again,
-- a trail for undoing, and search. Small methods on objects of many classes, as in a planner or a layout engine.
-- args: 30
-- quick: 1
local Variable = {}
Variable.__index = Variable

local Solver = {}
Solver.__index = Solver

local function new_solver()
  return setmetatable({ variables = {}, queue = {}, head = 1, trail = {}, length = 0, narrowed = 0, failed = false }, Solver)
end

function Solver:variable(low, high)
  local v = setmetatable({ low = low, high = high, watchers = {}, number = #self.variables + 1 }, Variable)
  self.variables[v.number] = v
  return v
end

function Solver:remember(v)
  local length = self.length
  self.trail[length + 1], self.trail[length + 2], self.trail[length + 3] = v, v.low, v.high
  self.length = length + 3
end

function Solver:undo_to(length)
  local trail = self.trail
  for at = self.length - 2, length + 1, -3 do
    local v = trail[at]
    v.low, v.high = trail[at + 1], trail[at + 2]
  end
  self.length = length
end

function Solver:wake(v)
  local watchers = v.watchers
  for i = 1, #watchers do
    local constraint = watchers[i]
    if not constraint.queued then
      constraint.queued = true
      self.queue[#self.queue + 1] = constraint
    end
  end
end

function Variable:is_known() return self.low == self.high end

function Variable:at_least(solver, bound)
  if bound > self.low then
    if bound > self.high then solver.failed = true; return end
    solver:remember(self)
    self.low = bound
    solver.narrowed = solver.narrowed + 1
    solver:wake(self)
  end
end

function Variable:at_most(solver, bound)
  if bound < self.high then
    if bound < self.low then solver.failed = true; return end
    solver:remember(self)
    self.high = bound
    solver.narrowed = solver.narrowed + 1
    solver:wake(self)
  end
end

function Variable:not_equal(solver, value)
  if value == self.low then self:at_least(solver, value + 1)
  elseif value == self.high then self:at_most(solver, value - 1) end
end

-- The constraints: each narrows its variables.
local Constraint = {}
Constraint.__index = Constraint
function Constraint:attach(solver)
  self.queued = true
  solver.queue[#solver.queue + 1] = self
  local variables = self.variables
  for i = 1, #variables do
    local watchers = variables[i].watchers
    watchers[#watchers + 1] = self
  end
  return self
end

local function class()
  local c = setmetatable({}, { __index = Constraint })
  c.__index = c
  return c
end

-- a + gap <= b
local Before = class()
function Before:narrow(solver)
  local a, b, gap = self.variables[1], self.variables[2], self.gap
  b:at_least(solver, a.low + gap)
  a:at_most(solver, b.high - gap)
end

-- a ~= b + offset
local Different = class()
function Different:narrow(solver)
  local a, b, offset = self.variables[1], self.variables[2], self.offset
  if b:is_known() then a:not_equal(solver, b.low + offset) end
  if not solver.failed and a:is_known() then b:not_equal(solver, a.low - offset) end
end

-- The sum of all is `total`.
local Sum = class()
function Sum:narrow(solver)
  local variables = self.variables
  local low, high = 0, 0
  for i = 1, #variables do
    low = low + variables[i].low
    high = high + variables[i].high
  end
  for i = 1, #variables do
    local v = variables[i]
    local v_low, v_high = v.low, v.high
    v:at_most(solver, self.total - (low - v_low))
    if solver.failed then return end
    v:at_least(solver, self.total - (high - v_high))
    if solver.failed then return end
  end
end

local function post(solver, class, fields) return setmetatable(fields, class):attach(solver) end

function Solver:propagate()
  local queue = self.queue
  while self.head <= #queue and not self.failed do
    local constraint = queue[self.head]
    self.head = self.head + 1
    constraint.queued = false
    constraint:narrow(self)
  end
  for i = self.head, #queue do queue[i].queued = false end
  for i = #queue, 1, -1 do queue[i] = nil end
  self.head = 1
  local good = not self.failed
  self.failed = false
  return good
end

-- The number of solutions, at most `wanted`; the variables of the first are kept.
function Solver:search(wanted)
  if not self:propagate() then return 0 end
  local chosen
  for i = 1, #self.variables do
    local v = self.variables[i]
    if not v:is_known() and (not chosen or v.high - v.low < chosen.high - chosen.low) then chosen = v end
  end
  if not chosen then
    if not self.first then
      self.first = {}
      for i = 1, #self.variables do self.first[i] = self.variables[i].low end
    end
    return 1
  end
  local found, value, mark = 0, chosen.low, self.length
  chosen:at_most(self, value)
  found = found + self:search(wanted)
  self:undo_to(mark)
  if found < wanted then
    chosen:at_least(self, value + 1)
    if self.failed then self.failed = false else found = found + self:search(wanted - found) end
    self:undo_to(mark)
  end
  return found
end

-- A magic square of nine numbers.
local function square(rounds)
  local solver = new_solver()
  local cells = {}
  for i = 1, 9 do cells[i] = solver:variable(1, 9) end
  for i = 1, 9 do
    for j = i + 1, 9 do post(solver, Different, { variables = { cells[i], cells[j] }, offset = 0 }) end
  end
  local lines = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 }, { 1, 4, 7 }, { 2, 5, 8 }, { 3, 6, 9 }, { 1, 5, 9 }, { 3, 5, 7 } }
  for i = 1, #lines do
    local line = lines[i]
    post(solver, Sum, { variables = { cells[line[1]], cells[line[2]], cells[line[3]] }, total = 15 })
  end
  return solver:search(rounds), solver
end

-- A plan: a chain of steps with gaps, cross-wise differences, and a bound on all.
local function plan(n)
  local solver = new_solver()
  local steps = {}
  for i = 1, n do steps[i] = solver:variable(0, 4 * n) end
  for i = 1, n - 1 do post(solver, Before, { variables = { steps[i], steps[i + 1] }, gap = 1 + i % 3 }) end
  for i = 1, n - 3 do post(solver, Different, { variables = { steps[i + 3], steps[i] }, offset = 6 }) end
  post(solver, Sum, { variables = { steps[1], steps[n] }, total = 3 * n })
  return solver:search(30), solver
end

return function(n)
  local solutions, narrowed, checksum = 0, 0, 0
  for round = 1, n do
    local found, solver = square(8)
    solutions, narrowed = solutions + found, narrowed + solver.narrowed
    for i = 1, 9 do checksum = (checksum * 7 + solver.first[i]) % 65521 end
    found, solver = plan(10 + round % 8)
    solutions, narrowed = solutions + found, narrowed + solver.narrowed
    for i = 1, #solver.first do checksum = (checksum * 7 + solver.first[i]) % 65521 end
  end
  return string.format("%d %d %d", solutions, narrowed, checksum)
end
