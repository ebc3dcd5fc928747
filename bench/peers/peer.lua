-- The three benchmarks of the 2009 paper, and two programs of TLA, in Lua. In: a benchmark's name and n. Out: seconds of processor time, and the
-- result if numbers (doubles, which do not wrap) can hold it, else "-".
local function factorial(n)
  local acc = 1
  while n > 1 do acc = acc * n; n = n - 1 end
  return acc
end

local function fibonacci(n)
  local a, b = 0, 1
  while n > 0 do a, b = b, a + b; n = n - 1 end
  return b
end

local Count = {}
Count.__index = Count
function Count:accumulate(x) self.value = self.value + 1 end

local Add = {}
Add.__index = Add
function Add:accumulate(x) self.value = self.value + x end

local function accumulator(n)
  local obj
  if n < 0 then n = -n; obj = setmetatable({ value = 0 }, Count)
  else obj = setmetatable({ value = 0 }, Add) end
  while n > 0 do n = n - 1; obj:accumulate(n) end
  return obj.value
end

local function fib(n)
  if n < 2 then return n end
  return fib(n - 1) + fib(n - 2)
end

local function sub_loop(m)
  repeat m = m - 1 until m < 1
  return m
end

local function callabit(n)
  repeat sub_loop(n); n = n - 1 until n < 1
  return n
end

local all = {
  factorial = factorial, fibonacci = fibonacci, accumulator = accumulator, fib = fib, callabit = callabit,
}
local run = all[arg[1]]
local n = tonumber(arg[2])
run(math.min(n, 100000))
local begin = os.clock()
local result = run(n)
local seconds = os.clock() - begin
local exact = result == result and math.abs(result) < 2 ^ 53
print(string.format("%.9f %s", seconds, exact and string.format("%.0f", result) or "-"))
