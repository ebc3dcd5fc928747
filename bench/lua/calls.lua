-- Nothing but calls of small local functions, one of them with a branch.
-- args: 1500000
-- quick: 3000
local function add(a, b) return a + b end
local function half(a) if a > 1000000 then return a - 1000000 end return a end

return function(n)
  local s = 0
  for i = 1, n do s = half(add(s, i % 100)) end
  for i = 1, n do s = add(s, i % 10) end
  return s
end
