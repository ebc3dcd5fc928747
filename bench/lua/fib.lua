-- Recursion: Fibonacci's numbers, and the functions of Takeuchi and Ackermann.
-- args: 32
-- quick: 12
local function fib(n)
  if n < 2 then return n end
  return fib(n - 1) + fib(n - 2)
end

local function tak(x, y, z)
  if y >= x then return z end
  return tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y))
end

local function ackermann(m, n)
  if m == 0 then return n + 1 end
  if n == 0 then return ackermann(m - 1, 1) end
  return ackermann(m - 1, ackermann(m, n - 1))
end

return function(n)
  return string.format("%d %d %d", fib(n), tak(math.floor(n / 2), math.floor(n / 3), 4), ackermann(2, n * 4))
end
