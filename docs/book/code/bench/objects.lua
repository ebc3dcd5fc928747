local function class()
  local c = {}
  c.__index = c
  return c
end
local Point = class()
function Point.new(x, y)
  return setmetatable({ x = x, y = y }, Point)
end
function Point:plus(other)
  return Point.new(self.x + other.x, self.y + other.y)
end
local Wide = class()
function Wide.new(x, y)
  return setmetatable({ y = y, x = x }, Wide)
end
function Wide:plus(other)
  return Wide.new(self.x + other.x + 1, self.y + other.y)
end
local function run(sum, step, n)
  local i = 0
  while i < n do
    sum = sum:plus(step)
    i = i + 1
  end
  return sum
end
local a = run(Point.new(0, 0), Point.new(1, 2), 50000000)
local b = run(Wide.new(0, 0), Point.new(1, 2), 50000000)
print(string.format("%.0f", a.x + b.x))
print(string.format("%.0f", a.y + b.y))
