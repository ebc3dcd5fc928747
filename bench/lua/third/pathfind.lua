-- Path finding on a weighted grid: Dijkstra with a binary heap for distance maps and
-- A* assembled from closures (neighbours, cost, heuristic are passed in as functions).
-- args: 16
-- quick: 1

local function newHeap(less)
  local items, size = {}, 0
  local heap = {}
  function heap.push(v)
    size = size + 1
    local i = size
    items[i] = v
    while i > 1 do
      local p = math.floor(i / 2)
      if not less(items[i], items[p]) then break end
      items[i], items[p] = items[p], items[i]
      i = p
    end
  end
  function heap.pop()
    if size == 0 then return nil end
    local top = items[1]
    items[1], items[size] = items[size], nil
    size = size - 1
    local i = 1
    while true do
      local l, r, m = i * 2, i * 2 + 1, i
      if l <= size and less(items[l], items[m]) then m = l end
      if r <= size and less(items[r], items[m]) then m = r end
      if m == i then break end
      items[i], items[m] = items[m], items[i]
      i = m
    end
    return top
  end
  function heap.empty() return size == 0 end
  return heap
end

local function random(seed)
  return function(lo, hi)
    seed = (seed * 16807) % 2147483647
    return lo + seed % (hi - lo + 1)
  end
end

local function makeGrid(w, h, rnd)
  local cost = {}
  for i = 1, w * h do cost[i] = rnd(1, 100) <= 22 and 0 or rnd(1, 9) end -- 0 is a wall
  cost[1], cost[w * h] = 1, 1
  local grid = { w = w, h = h, cost = cost }
  function grid.neighbours(node)
    local x = (node - 1) % w
    local out = {}
    if x > 0 and cost[node - 1] > 0 then out[#out + 1] = node - 1 end
    if x < w - 1 and cost[node + 1] > 0 then out[#out + 1] = node + 1 end
    if node > w and cost[node - w] > 0 then out[#out + 1] = node - w end
    if node <= w * (h - 1) and cost[node + w] > 0 then out[#out + 1] = node + w end
    return out
  end
  return grid
end

local function dijkstra(grid, start)
  local dist, done = { [start] = 0 }, {}
  local heap = newHeap(function(a, b) return a.d < b.d or (a.d == b.d and a.node < b.node) end)
  heap.push({ node = start, d = 0 })
  local settled = 0
  while not heap.empty() do
    local cur = heap.pop()
    local node = cur.node
    if not done[node] then
      done[node] = true
      settled = settled + 1
      for _, nb in ipairs(grid.neighbours(node)) do
        local nd = cur.d + grid.cost[nb]
        if not dist[nb] or nd < dist[nb] then
          dist[nb] = nd
          heap.push({ node = nb, d = nd })
        end
      end
    end
  end
  return dist, settled
end

local function astar(opts)
  local neighbours, stepCost, estimate = opts.neighbours, opts.cost, opts.heuristic
  local g, from, closed = { [opts.start] = 0 }, {}, {}
  local open = newHeap(function(a, b) return a[1] < b[1] or (a[1] == b[1] and a[2] > b[2]) end)
  open.push({ estimate(opts.start), opts.start })
  local expanded = 0
  while not open.empty() do
    local node = open.pop()[2]
    if opts.isGoal(node) then
      local path = { node }
      while from[node] do
        node = from[node]
        table.insert(path, 1, node)
      end
      return path, g[path[#path]], expanded
    end
    if not closed[node] then
      closed[node] = true
      expanded = expanded + 1
      for _, nb in ipairs(neighbours(node)) do
        local ng = g[node] + stepCost(node, nb)
        if g[nb] == nil or ng < g[nb] then
          g[nb], from[nb] = ng, node
          open.push({ ng + estimate(nb), nb })
        end
      end
    end
  end
  return nil, -1, expanded
end

local function manhattanTo(grid, goal)
  local function split(node) return (node - 1) % grid.w, math.floor((node - 1) / grid.w) end
  local gx, gy = split(goal)
  return function(node)
    local x, y = split(node)
    return math.abs(x - gx) + math.abs(y - gy)
  end
end

return function(n)
  local rnd = random(777)
  local sum = 0
  for round = 1, n do
    local grid = makeGrid(60, 40, rnd)
    local goal = 60 * 40
    local dist, settled = dijkstra(grid, 1)
    for _ = 1, 3 do
      local target = rnd(1, goal)
      if grid.cost[target] == 0 then target = goal end
      local path, len, expanded = astar {
        start = 1,
        neighbours = grid.neighbours,
        cost = function(_, to) return grid.cost[to] end,
        heuristic = manhattanTo(grid, target),
        isGoal = function(node) return node == target end,
      }
      if len ~= (dist[target] or -1) then error("paths disagree") end
      sum = (sum * 7 + len * 3 + (path and #path or 0) + expanded) % 1000000007
    end
    sum = (sum * 13 + settled + round) % 1000000007
  end
  return sum
end
