-- An incremental solver of one-way constraints with strengths (in the manner of the blue planners): variables, stays, edits, equalities and scales.
-- Classes come from a small library: class(name, super), and a class is called to make an object.
-- args: 390
-- quick: 2
local function class(name, super)
  local c = { name = name, super = super }
  c.__index = c
  if super then
    for k, v in pairs(super) do            -- the methods are taken over once; later ones are found by the metatable
      if type(v) == "function" and c[k] == nil then c[k] = v end
    end
  end
  return setmetatable(c, {
    __index = super,
    __call = function(cls, ...)
      local object = setmetatable({}, cls)
      object:initialize(...)
      return object
    end,
    __tostring = function(cls) return "class " .. cls.name end,
  })
end

local REQUIRED, STRONG, NORMAL, WEAK, WEAKEST = 0, 1, 3, 5, 6
local planner

local Variable = class("Variable")
function Variable:initialize(name, value)
  self.label, self.value = name, value
  self.constraints = {}
  self.determined_by = nil
  self.mark = 0
  self.strength = WEAKEST
  self.stay = true
end
function Variable:add(c) self.constraints[#self.constraints + 1] = c end
function Variable:remove(c)
  for i = #self.constraints, 1, -1 do
    if self.constraints[i] == c then table.remove(self.constraints, i) end
  end
  if self.determined_by == c then self.determined_by = nil end
end

local Constraint = class("Constraint")
function Constraint:initialize(strength) self.strength = strength end
function Constraint:is_input() return false end
function Constraint:install()
  self:attach()
  planner:incremental_add(self)
end
function Constraint:destroy()
  if self:satisfied() then planner:incremental_remove(self) else self:detach() end
end
function Constraint:satisfy(mark)
  self:choose(mark)
  if not self:satisfied() then
    if self.strength == REQUIRED then error("a required constraint could not be satisfied") end
    return nil
  end
  self:mark_inputs(mark)
  local out = self:output()
  local overridden = out.determined_by
  if overridden then overridden:unsatisfy() end
  out.determined_by = self
  if not planner:propagate(self, mark) then error("a cycle") end
  out.mark = mark
  return overridden
end

local Unary = class("Unary", Constraint)
function Unary:initialize(v, strength)
  Constraint.initialize(self, strength)
  self.out, self.on = v, false
  self:install()
end
function Unary:attach() self.out:add(self); self.on = false end
function Unary:detach() self.out:remove(self); self.on = false end
function Unary:choose(mark) self.on = self.out.mark ~= mark and self.strength < self.out.strength end
function Unary:satisfied() return self.on end
function Unary:unsatisfy() self.on = false end
function Unary:output() return self.out end
function Unary:mark_inputs() end
function Unary:inputs_known() return true end
function Unary:recalculate()
  self.out.strength = self.strength
  self.out.stay = not self:is_input()
  if self.out.stay then self:execute() end
end
function Unary:execute() end

local Stay = class("Stay", Unary)
local Edit = class("Edit", Unary)
function Edit:is_input() return true end

local Binary = class("Binary", Constraint)
function Binary:initialize(a, b, strength)
  self.super_initialized = true
  Constraint.initialize(self, strength)
  self.a, self.b, self.direction = a, b, 0
  self:install()
end
function Binary:attach() self.a:add(self); self.b:add(self); self.direction = 0 end
function Binary:detach() self.a:remove(self); self.b:remove(self); self.direction = 0 end
function Binary:satisfied() return self.direction ~= 0 end
function Binary:unsatisfy() self.direction = 0 end
function Binary:input() return self.direction > 0 and self.a or self.b end
function Binary:output() return self.direction > 0 and self.b or self.a end
function Binary:choose(mark)
  local a, b, s = self.a, self.b, self.strength
  local forward, backward = s < b.strength and b.mark ~= mark, s < a.strength and a.mark ~= mark
  if a.mark == mark then self.direction = forward and 1 or 0
  elseif b.mark == mark then self.direction = backward and -1 or 0
  elseif a.strength > b.strength then self.direction = backward and -1 or 0
  else self.direction = forward and 1 or backward and -1 or 0 end
end
function Binary:mark_inputs(mark) self:input().mark = mark end
function Binary:inputs_known(mark)
  local i = self:input()
  return i.mark == mark or i.stay or i.determined_by == nil
end
function Binary:recalculate()
  local i, o = self:input(), self:output()
  o.strength = math.max(self.strength, i.strength)
  o.stay = i.stay
  if o.stay then self:execute() end
end

local Equal = class("Equal", Binary)
function Equal:execute() self:output().value = self:input().value end

local Scale = class("Scale", Binary)
function Scale:initialize(a, factor, offset, b, strength)
  self.factor, self.offset = factor, offset
  Scale.super.initialize(self, a, b, strength)
end
function Scale:execute()
  if self.direction > 0 then self.b.value = self.a.value * self.factor + self.offset
  else self.a.value = (self.b.value - self.offset) / self.factor end
end

local Planner = class("Planner")
function Planner:initialize() self.current = 0 end
function Planner:new_mark() self.current = self.current + 1; return self.current end
function Planner:incremental_add(c)
  local mark = self:new_mark()
  local overridden = c:satisfy(mark)
  while overridden do overridden = overridden:satisfy(mark) end
end
function Planner:incremental_remove(c)
  local out = c:output()
  c:unsatisfy()
  c:detach()
  local lost = {}
  out.determined_by, out.strength, out.stay = nil, WEAKEST, true
  local todo = { out }
  while #todo > 0 do
    local v = table.remove(todo)
    for _, d in ipairs(v.constraints) do
      if not d:satisfied() then lost[#lost + 1] = d end
      if d ~= v.determined_by and d:satisfied() then
        d:recalculate()
        todo[#todo + 1] = d:output()
      end
    end
  end
  for strength = REQUIRED, WEAKEST do
    for _, d in ipairs(lost) do
      if d.strength == strength and not d:satisfied() then self:incremental_add(d) end
    end
  end
end
function Planner:propagate(c, mark)
  local todo = { c }
  while #todo > 0 do
    local d = table.remove(todo)
    if d:output().mark == mark then
      self:incremental_remove(c)
      return false
    end
    d:recalculate()
    self:consumers(d:output(), todo)
  end
  return true
end
function Planner:consumers(v, list)
  for _, d in ipairs(v.constraints) do
    if d ~= v.determined_by and d:satisfied() then list[#list + 1] = d end
  end
end
function Planner:plan(sources)
  local mark, todo, plan = self:new_mark(), {}, {}
  for i, s in ipairs(sources) do todo[i] = s end
  while #todo > 0 do
    local c = table.remove(todo)
    if c:output().mark ~= mark and c:inputs_known(mark) then
      plan[#plan + 1] = c
      c:output().mark = mark
      self:consumers(c:output(), todo)
    end
  end
  return plan
end

local function change(v, value)
  local edit = Edit(v, STRONG)
  local plan = planner:plan({ edit })
  for i = 1, 6 do
    v.value = value + i
    for _, c in ipairs(plan) do c:execute() end
  end
  edit:destroy()
end

return function(n)
  planner = Planner()
  local sum = 0
  -- a long chain
  local chain = {}
  for i = 0, n * 4 do
    local v = Variable("v" .. i, 0)
    if i > 0 then Equal(chain[i], v, REQUIRED) end
    chain[i + 1] = v
  end
  Stay(chain[#chain], NORMAL)
  for round = 1, 4 do
    change(chain[1], round * 10)
    sum = (sum * 17 + chain[#chain].value) % 1000003
  end
  -- pairs by a scale, changed from both sides
  local scale, offset = Variable("scale", 10), Variable("offset", 1000)
  local left, right = {}, {}
  for i = 1, n * 4 do
    left[i], right[i] = Variable("l" .. i, i), Variable("r" .. i, i)
    Stay(left[i], i % 3 == 0 and WEAK or NORMAL)
    Scale(left[i], scale.value, offset.value, right[i], REQUIRED)
  end
  for i = 1, #left do
    change(i % 2 == 0 and left[i] or right[i], i % 2 == 0 and i or i * 10 + 994)
    sum = (sum + left[i].value * 3 + right[i].value) % 1000003
  end
  return string.format("%d %d %d %s", sum, chain[n].value, planner.current, tostring(Scale))
end
