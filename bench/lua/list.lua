-- Linked lists: Takeuchi's function on lists instead of numbers, and lists that are reversed, appended and searched.
-- args: 20
-- quick: 6
local function make(length)
  if length == 0 then return nil end
  return { value = length, rest = make(length - 1) }
end

local function shorter(x, y)
  while y do
    if not x then return true end
    x, y = x.rest, y.rest
  end
  return false
end

local function tail(x, y, z)
  if not shorter(y, x) then return z end
  return tail(tail(x.rest, y, z), tail(y.rest, z, x), tail(z.rest, x, y))
end

local function length(list)
  local n = 0
  while list do n, list = n + 1, list.rest end
  return n
end

local function reversed(list)
  local out
  while list do out, list = { value = list.value, rest = out }, list.rest end
  return out
end

local function appended(a, b)
  if not a then return b end
  return { value = a.value, rest = appended(a.rest, b) }
end

return function(n)
  local total = length(tail(make(n), make(math.floor(2 * n / 3)), make(math.floor(n / 3))))
  local list
  for i = 1, n * 20 do
    list = appended(reversed(list), { value = i })
    total = (total * 3 + list.value) % 1000003
  end
  return total * 1000 + length(list)
end
