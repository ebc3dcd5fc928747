-- Shortest routes on a map of roads, with a heap that is made of closures over its arrays and takes a comparison, and records for towns and roads.
-- args: 24
-- quick: 1

-- A priority queue; `before` says which of two comes first.
local function new_heap(before)
  local items, size = {}, 0

  local function push(item)
    size = size + 1
    local hole = size
    while hole > 1 do
      local parent = (hole - hole % 2) / 2
      if not before(item, items[parent]) then break end
      items[hole] = items[parent]
      hole = parent
    end
    items[hole] = item
  end

  local function pop()
    local top = items[1]
    local last = items[size]
    items[size] = nil
    size = size - 1
    if size > 0 then
      local hole = 1
      while true do
        local child = hole * 2
        if child > size then break end
        if child < size and before(items[child + 1], items[child]) then child = child + 1 end
        if not before(items[child], last) then break end
        items[hole] = items[child]
        hole = child
      end
      items[hole] = last
    end
    return top
  end

  return { push = push, pop = pop, empty = function() return size == 0 end }
end

local function random_numbers(seed)
  return function(limit)
    seed = (seed * 16807) % 2147483647
    return seed % limit
  end
end

local function make_map(width, height, random)
  local towns = {}
  for y = 1, height do
    for x = 1, width do
      towns[#towns + 1] = { id = #towns + 1, x = x, y = y, roads = {} }
    end
  end
  local function join(a, b, length)
    table.insert(a.roads, { to = b, length = length })
    table.insert(b.roads, { to = a, length = length })
  end
  for i, town in ipairs(towns) do
    if town.x < width then join(town, towns[i + 1], 1 + random(20)) end
    if town.y < height then join(town, towns[i + width], 1 + random(20)) end
    if random(10) == 0 then
      local other = towns[1 + random(#towns)]
      join(town, other, 10 + random(30) + math.abs(town.x - other.x) + math.abs(town.y - other.y))
    end
  end
  return towns
end

-- Dijkstra, or A* with an estimate; answers the length, and how many towns were looked at.
local function route(towns, start, goal, estimate)
  local best, done, looked = {}, {}, 0
  local open = new_heap(function(a, b)
    if a.cost ~= b.cost then return a.cost < b.cost end
    return a.town.id < b.town.id
  end)
  best[start.id] = 0
  open.push({ town = start, cost = estimate(start, goal), came = nil })
  while not open.empty() do
    local entry = open.pop()
    local town = entry.town
    if town == goal then
      local steps = 0
      local at = entry
      while at do steps = steps + 1; at = at.came end
      return best[goal.id], looked, steps
    end
    if not done[town.id] then
      done[town.id] = true
      looked = looked + 1
      local so_far = best[town.id]
      for _, road in ipairs(town.roads) do
        local next, length = road.to, so_far + road.length
        local known = best[next.id]
        if not known or length < known then
          best[next.id] = length
          open.push({ town = next, cost = length + estimate(next, goal), came = entry })
        end
      end
    end
  end
end

local function nothing() return 0 end
local function streets(a, b) return (math.abs(a.x - b.x) + math.abs(a.y - b.y)) / 2 end

return function(n)
  local random = random_numbers(4711)
  local towns = make_map(40, 30, random)
  local total, all, steps = 0, 0, 0
  for _ = 1, n do
    local start, goal = towns[1 + random(#towns)], towns[1 + random(#towns)]
    local a, looked, hops = route(towns, start, goal, nothing)
    local b, fewer = route(towns, start, goal, streets)
    total = total + a + (b - a) * 1000
    all = all + looked - fewer
    steps = steps + hops
  end
  return string.format("%.0f %d %d", total, all, steps)
end
