-- args: 60
-- stress: 1
-- Metatables of one table, of several, of many kinds; taken away, exchanged, of themselves.
local n = tonumber((...))
local suffix = {__index = function(_, k) return k .. '!' end}
local a, b = setmetatable({}, suffix), {}
print(a.x, getmetatable(a) == suffix)
setmetatable(b, suffix) print(a.x, b.x, getmetatable(a) == getmetatable(b))
setmetatable(a, nil) print(a.x, b.x, getmetatable(a), setmetatable({}, suffix).y)
-- A metatable of itself, and one that has a metatable.
local own = {hi = 1} own.__index = own
setmetatable(own, own) print(rawget(own, 'hi'), getmetatable(own) == own)
setmetatable(own, nil)
local d = setmetatable({}, own) print(d.hi)
setmetatable(own, {__index = {deep = 7}}) print(d.deep, own.deep)
local e = setmetatable({}, own) print(d.deep, e.deep, d.hi, e.hi)
setmetatable(own, nil) print(d.deep, e.deep, d.hi, e.hi)
own.more = 5 print(d.more, e.more)
-- The first table of a metatable gets another one before the second comes.
for _ = 1, 3 do
  local kind = {__index = {v = 1}}
  local f1 = setmetatable({}, kind)
  setmetatable(f1, {__index = {v = 2}})
  local f2, f3 = setmetatable({}, kind), setmetatable({}, kind)
  print(f1.v, f2.v, f3.v)
  -- And the metatable gets one itself.
  local once = {__index = {q = 4}}
  local h1 = setmetatable({}, once)
  setmetatable(once, {})
  print(h1.q, getmetatable(h1) == once, getmetatable(once) == nil)
  local h2, h3 = setmetatable({}, once), setmetatable({}, once)
  print(h1.q, h2.q, h3.q, getmetatable(h1) == getmetatable(h3))
  setmetatable(once, nil) print(getmetatable(once), h1.q, h2.q, getmetatable(h2) == once)
end
-- The globals, with a metatable and as one.
setmetatable(_G, {__index = function(_, k) return 'g' .. k end, __newindex = function(t, k, v) rawset(t, k, v .. '!') end})
print(undefined_thing) new_global = 'x' print(new_global) new_global = 'y' print(new_global)
local through = setmetatable({}, {__index = _G}) print(through.new_global, through.other)
local plain1, plain2 = setmetatable({}, _G), setmetatable({}, _G) print(plain1.a, plain2.b)
setmetatable(_G, nil) print(undefined_thing, new_global)
local locked = setmetatable({}, {__metatable = 'no'})
print(getmetatable(locked), pcall(setmetatable, locked, {}))
-- A metatable for each object: methods, operators, fields that come later, handlers.
local Point = {}
function Point.move(self, by) self.x = self.x + by return self.x end
local function point(x)
  return setmetatable({x = x}, {__index = Point, __add = function(p, q) return p.x + q.x end})
end
local points, sum = {}, 0
for i = 1, 10 do points[i] = point(i) end
for _ = 1, n do
  for i = 1, #points do
    sum = sum + points[i]:move(1) + (points[i] + points[#points])
    points[i].seen = (points[i].seen or 0) + 1
  end
  sum = sum + point(sum % 7):move(2)
end
print(sum, points[3].seen)
-- Many classes of one kind, with several tables each.
local list = {}
for i = 1, n < 30 and n or 30 do
  local class = {__add = function(p, q) return p.id * 100 + q.id end}
  if i % 2 == 0 then class.__index = class class.id = i else class.__index = {id = i} end
  for j = 1, 3 do list[#list + 1] = setmetatable({n = j}, class) end
end
sum = 0
for _ = 1, n // 3 do
  for i = 1, #list - 1 do sum = sum + list[i].id + list[i].n + (list[i] + list[i + 1]) end
end
print(sum)
-- Methods two levels up; tables that are called; assignments that go elsewhere.
local function class(base)
  local c = {} c.__index = c
  return setmetatable(c, {__index = base, __call = function(k, ...) local o = setmetatable({}, k) o:init(...) return o end})
end
local Shape = class() function Shape:init(name) self.name = name end function Shape:double() return self:area() * 2 end
local Box = class(Shape) function Box:init(w, h) Shape.init(self, 'box') self.w, self.h = w, h end function Box:area() return self.w * self.h end
local Cube = class(Box) function Cube:init(w) Box.init(self, w, w) self.d = w end function Cube:area() return Box.area(self) * 6 end
local log, s = {}, 0
local logged = function() return setmetatable({}, {__newindex = log, __len = function() return 3 end}) end
for i = 1, n do
  local o = i % 4 == 0 and Cube(i % 9) or Box(i % 5, 3)
  local l = logged() l.last = i l[i] = o:double() s = s + o:double() + #l + (rawget(l, i) or 1)
end
print(s, log.last, #log)
