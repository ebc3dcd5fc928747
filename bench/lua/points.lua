-- Small tables that do not live long: vectors of two items with an operator by metatable, arrays of two, and tables that are returned.
-- args: 200000
-- quick: 1000
local Vector = {}
Vector.__index = Vector
local function vector(x, y) return setmetatable({ x = x, y = y }, Vector) end
Vector.__add = function(a, b) return vector(a.x + b.x, a.y + b.y) end
Vector.__mul = function(a, k) return vector(a.x * k, a.y * k) end
Vector.__eq = function(a, b) return a.x == b.x and a.y == b.y end
function Vector:turned() return vector(-self.y, self.x) end

local function pair(a, b) return { a, b } end

return function(n)
  local total = 0
  for i = 1, n do
    local p = { i, i + 1 }
    local q = pair(p[2], p[1])
    total = (total + p[1] * 2 + q[1]) % 1000003
  end
  local at, step = vector(0, 0), vector(1, 2)
  local origin = vector(0, 0)
  for i = 1, n / 2 do
    at = at + step * (i % 3)
    if i % 4 == 0 then step = step:turned() end
    if at == origin then total = total + 1 end
  end
  return string.format("%d %d %d", total, at.x, at.y)
end
