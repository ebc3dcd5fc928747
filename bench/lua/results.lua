-- Functions of several results: assigned, passed on as arguments, cut to one, returned through tail calls; swaps.
-- args: 300000
-- quick: 1000
local floor = math.floor

local function divide(a, b)
  local q = floor(a / b)
  return q, a - q * b
end

local function swap(a, b) return b, a end

local function add(a, b) return a + b end

local function three(x) return x, x + 1, x + 2 end

local function twice(x)
  if x % 2 == 0 then return three(x) end
  return three(x + 1)
end

local function range(low, high, list)
  for i = 1, #list do
    local x = list[i]
    if x < low then low = x end
    if x > high then high = x end
  end
  return low, high, high - low
end

return function(n)
  local total = 0
  local a, b = 1, 2
  for i = 1, n do
    local q, r = divide(i * 37, 11)
    a, b = swap(a, b)
    total = (total + q + r * 3 + a - b + add(divide(i, 3))) % 1000003
    local x, y, z = twice(i)
    local only = (three(i))
    total = total + x + y - z + only % 2
  end
  local list = { 5, 3, 9, 1, 7 }
  for i = 1, n / 8 do
    list[1 + i % 5] = i % 50
    local low, high, width = range(1000, -1000, list)
    total = (total + low + high + width) % 1000003
  end
  return total
end
