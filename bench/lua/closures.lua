-- Functions as values: counters with variables of their own, composition, map and fold over arrays, a pipeline of iterators.
-- args: 200000
-- quick: 500
local function counter(step)
  local value = 0
  return function()
    value = value + step
    return value
  end
end

local function compose(f, g)
  return function(x) return f(g(x)) end
end

local function adder(n)
  return function(x) return x + n end
end

local function map(list, f)
  local out = {}
  for i = 1, #list do out[i] = f(list[i]) end
  return out
end

local function fold(list, start, f)
  local value = start
  for i = 1, #list do value = f(value, list[i]) end
  return value
end

local function range(n)
  local i = 0
  return function()
    if i < n then
      i = i + 1
      return i
    end
  end
end

local function where(source, wanted)
  return function()
    local x = source()
    while x and not wanted(x) do x = source() end
    return x
  end
end

return function(n)
  local total = 0
  local one, three = counter(1), counter(3)
  for _ = 1, n do total = total + three() - one() end
  local f = compose(adder(3), compose(function(x) return 2 * x end, adder(-1)))
  for i = 1, n do total = (total + f(i)) % 1000003 end
  local list = {}
  for i = 1, 100 do list[i] = i end
  for k = 1, n / 200 do
    local scaled = map(list, function(x) return x * k end)
    total = (total + fold(scaled, 0, function(a, b) return a + b % 7 end)) % 1000003
  end
  for x in where(range(n), function(x) return x % 3 == 1 end) do total = total + x % 5 end
  -- A new closure in each turn, called once.
  for i = 1, n do total = (total + (function() return i % 11 + total % 2 end)()) % 1000003 end
  return total
end
