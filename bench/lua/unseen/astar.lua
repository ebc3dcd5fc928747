-- Ways through a maze with heavy ground by A* over a binary heap; the heap and the map are closures over their state, with no metatables at all.
-- args: 16
-- quick: 1
local function Heap(before)
  local items, size = {}, 0
  local self = {}

  function self.push(item)
    size = size + 1
    local i = size
    while i > 1 do
      local up = (i - i % 2) / 2
      if not before(item, items[up]) then break end
      items[i] = items[up]
      i = up
    end
    items[i] = item
  end

  function self.pop()
    if size == 0 then return nil end
    local top, last = items[1], items[size]
    items[size] = nil
    size = size - 1
    if size > 0 then
      local i = 1
      while true do
        local child = i * 2
        if child > size then break end
        if child < size and before(items[child + 1], items[child]) then child = child + 1 end
        if not before(items[child], last) then break end
        items[i] = items[child]
        i = child
      end
      items[i] = last
    end
    return top
  end

  function self.empty() return size == 0 end
  function self.size() return size end
  return self
end

local function Map(width, height, seed)
  local cost = {}
  local function random(k)
    seed = (seed * 16807) % 2147483647
    return seed % k
  end
  for y = 0, height - 1 do
    for x = 0, width - 1 do
      local r = random(100)
      -- 0 is a wall
      cost[y * width + x] = r < 24 and 0 or r < 70 and 1 or r < 90 and 2 or 5
    end
  end
  local map = { width = width, height = height }
  function map.open(x, y)
    return x >= 0 and y >= 0 and x < width and y < height and cost[y * width + x] > 0
  end
  function map.cost(x, y) return cost[y * width + x] end
  function map.clear(x, y) cost[y * width + x] = 1 end
  function map.key(x, y) return y * width + x end
  function map.split(k)
    local x = k % width
    return x, (k - x) / width
  end
  function map.neighbours(x, y)
    local i = 0
    return function()
      while i < 8 do
        i = i + 1
        local dx, dy
        if i == 1 then dx, dy = 1, 0
        elseif i == 2 then dx, dy = 0, 1
        elseif i == 3 then dx, dy = -1, 0
        elseif i == 4 then dx, dy = 0, -1
        elseif i == 5 then dx, dy = 1, 1
        elseif i == 6 then dx, dy = -1, 1
        elseif i == 7 then dx, dy = -1, -1
        else dx, dy = 1, -1 end
        if map.open(x + dx, y + dy) and (i <= 4 or map.open(x + dx, y) and map.open(x, y + dy)) then
          return x + dx, y + dy, i > 4 and 1.5 or 1
        end
      end
    end
  end
  return map
end

local function search(map, sx, sy, tx, ty, guess)
  local start, goal = map.key(sx, sy), map.key(tx, ty)
  local best, from, closed, expanded = { [start] = 0 }, {}, {}, 0
  local open = Heap(function(a, b)
    if a.f == b.f then return a.key < b.key end
    return a.f < b.f
  end)
  open.push({ key = start, f = guess(sx, sy, tx, ty) })
  while not open.empty() do
    local node = open.pop()
    local k = node.key
    if k == goal then
      local path = {}
      while k do
        path[#path + 1] = k
        k = from[k]
      end
      return best[goal], path, expanded
    end
    if not closed[k] then
      closed[k] = true
      expanded = expanded + 1
      local x, y = map.split(k)
      for nx, ny, length in map.neighbours(x, y) do
        local nk = map.key(nx, ny)
        local g = best[k] + length * map.cost(nx, ny)
        if not best[nk] or g < best[nk] then
          best[nk] = g
          from[nk] = k
          open.push({ key = nk, f = g + guess(nx, ny, tx, ty) })
        end
      end
    end
  end
  return nil, {}, expanded
end

local guesses = {
  octile = function(x, y, tx, ty)
    local dx, dy = math.abs(x - tx), math.abs(y - ty)
    return math.max(dx, dy) + 0.5 * math.min(dx, dy)
  end,
  none = function() return 0 end,
}

return function(n)
  local out, check = {}, 0
  for round = 1, n do
    local w, h = 44, 30
    local map = Map(w, h, 100 + round)
    map.clear(0, 0)
    map.clear(w - 1, h - 1)
    local cost, path, seen = search(map, 0, 0, w - 1, h - 1, guesses.octile)
    local cost2, _, seen2 = search(map, 0, 0, w - 1, h - 1, guesses.none)
    if cost ~= cost2 then error("not the best way") end
    if cost then
      for i = #path, 1, -1 do check = (check * 3 + path[i]) % 1000003 end
    end
    if round % 8 == 1 then out[#out + 1] = string.format("%.1f/%d/%d/%d", cost or -1, #path, seen, seen2) end
    check = (check + seen * 5 + seen2) % 1000003
  end
  return string.format("%d %s", check, table.concat(out, " "))
end
