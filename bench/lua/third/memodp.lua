-- Dynamic programming by memoized recursion, the tables keyed by strings such as "a:b":
-- knapsack, coin change, integer partitions, grid paths and matrix chain order.
-- args: 220
-- quick: 12

MOD = 1000000007
calls = 0

-- remembers the results of fn(self, ...) under the joined arguments
function memoize(fn)
  local cache = {}
  local function self(a, b)
    local key = a .. ":" .. b
    local known = cache[key]
    if known ~= nil then return known end
    calls = calls + 1
    local result = fn(self, a, b)
    cache[key] = result
    return result
  end
  return self
end

function make_items(count)
  local items, seed = {}, 11
  for i = 1, count do
    seed = (seed * 421 + 1663) % 7875
    items[i] = { weight = seed % 13 + 2, value = math.floor(seed / 13) % 40 + 1 }
  end
  return items
end

function knapsack(items, capacity)
  local best = memoize(function(best, i, room)
    if i == 0 then return 0 end
    local item = items[i]
    local without = best(i - 1, room)
    if item.weight > room then return without end
    return math.max(without, best(i - 1, room - item.weight) + item.value)
  end)
  local total = best(#items, capacity)
  -- trace back which items were taken
  local taken, room = {}, capacity
  for i = #items, 1, -1 do
    if best(i, room) ~= best(i - 1, room) then
      taken[#taken + 1] = i
      room = room - items[i].weight
    end
  end
  return total, table.concat(taken, "+")
end

function count_change(coins, amount)
  local ways = memoize(function(ways, kinds, left)
    if left == 0 then return 1 end
    if kinds == 0 then return 0 end
    local n = ways(kinds - 1, left)
    if left >= coins[kinds] then n = n + ways(kinds, left - coins[kinds]) end
    return n % MOD
  end)
  return ways(#coins, amount)
end

function fewest_coins(coins, amount)
  local few = memoize(function(few, left, _)
    if left == 0 then return 0 end
    local best = 1000000
    for _, c in ipairs(coins) do
      if c <= left then best = math.min(best, few(left - c, "few") + 1) end
    end
    return best
  end)
  return few(amount, "few")
end

function partitions(n)
  local count
  count = memoize(function(_, total, largest)
    if total == 0 then return 1 end
    local sum = 0
    for part = math.min(total, largest), 1, -1 do
      sum = sum + count(total - part, part)
    end
    return sum % MOD
  end)
  return count(n, n)
end

function grid_paths(size)
  local blocked = {}
  for i = 1, size do blocked[i .. ":" .. (i * i % size + 1)] = i % 3 == 0 end
  local paths = memoize(function(paths, x, y)
    if x < 1 or y < 1 or blocked[x .. ":" .. y] then return 0 end
    if x == 1 and y == 1 then return 1 end
    return (paths(x - 1, y) + paths(x, y - 1)) % MOD
  end)
  return paths(size, size)
end

function chain_order(dims)
  local cost = memoize(function(cost, i, j)
    if i == j then return 0 end
    local best
    for k = i, j - 1 do
      local c = cost(i, k) + cost(k + 1, j) + dims[i] * dims[k + 1] * dims[j + 1]
      if not best or c < best then best = c end
    end
    return best
  end)
  return cost(1, #dims - 1)
end

return function(n)
  calls = 0
  local items = make_items(math.floor(n / 2))
  local value, taken = knapsack(items, n * 2)
  local coins = { 1, 2, 5, 10, 20, 50 }
  local change = count_change(coins, n * 5)
  local few = fewest_coins({ 1, 7, 19, 23, 61 }, n * 4)
  local parts = partitions(n)
  local paths = grid_paths(n)
  local dims = {}
  for i = 1, math.floor(n / 3) do dims[i] = i * 37 % 41 + 5 end
  return string.format("%d [%s] %d %d %d %d %d calls=%d", value, taken, change, few,
    parts, paths, chain_order(dims), calls)
end
