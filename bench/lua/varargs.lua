-- Functions of any number of arguments: counted, chosen, passed on, packed and unpacked.
-- args: 80000
-- quick: 300
local select, unpack = select, table.unpack or unpack

local function sum(...)
  local total = 0
  for i = 1, select("#", ...) do total = total + (select(i, ...)) end
  return total
end

local function first_and_count(...)
  local first = ...
  return first + select("#", ...)
end

local function pack(...)
  return { n = select("#", ...), ... }
end

local function pass(f, ...)
  return f(...)
end

local function biggest(first, ...)
  if select("#", ...) == 0 then return first end
  local rest = biggest(...)
  if first > rest then return first end
  return rest
end

return function(n)
  local total = 0
  for i = 1, n do
    total = total + sum(i, 2, 3) + first_and_count(i, i, i, i)
    total = total + pass(sum, 1, i) + pass(first_and_count, i)
  end
  for i = 1, n do
    local packed = pack(i, nil, i + 1, 4)
    total = (total + packed.n + packed[3] + sum(unpack({ i, 2, 3, 4, 5 }))) % 1000003
  end
  for i = 1, n / 4 do
    total = (total + biggest(i % 5, i % 7, i % 3, i % 11)) % 1000003
  end
  return total
end
