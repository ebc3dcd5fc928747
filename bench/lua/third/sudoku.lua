-- Sudoku solver with a set of candidates for each cell: naked and hidden singles
-- are propagated, then the cell with the fewest candidates is guessed.
-- args: 42
-- quick: 1

local Set = {}
Set.__index = Set

function Set.of(...)
  local s = setmetatable({ items = {}, size = 0 }, Set)
  for _, v in ipairs({ ... }) do s:add(v) end
  return s
end

function Set:add(v)
  if not self.items[v] then
    self.items[v] = true
    self.size = self.size + 1
  end
end

function Set:has(v) return self.items[v] == true end

function Set:remove(v)
  if not self:has(v) then return false end
  self.items[v] = nil
  self.size = self.size - 1
  return true
end

function Set:copy()
  local s = setmetatable({ items = {}, size = self.size }, Set)
  for v in pairs(self.items) do s.items[v] = true end
  return s
end

function Set:smallest()
  for v = 1, 9 do if self.items[v] then return v end end
end

-- the 27 units and, for every cell, its 20 peers
local units, peers = {}, {}
do
  local function cell(r, c) return (r - 1) * 9 + c end
  for i = 1, 9 do
    local row, col, box = {}, {}, {}
    local top, left = math.floor((i - 1) / 3) * 3, (i - 1) % 3 * 3
    for k = 1, 9 do
      row[k], col[k] = cell(i, k), cell(k, i)
      box[k] = cell(top + math.floor((k - 1) / 3) + 1, left + (k - 1) % 3 + 1)
    end
    for _, u in ipairs({ row, col, box }) do units[#units + 1] = u end
  end
  for c = 1, 81 do
    local seen, list = { [c] = true }, {}
    for _, u in ipairs(units) do
      local inside = false
      for _, x in ipairs(u) do inside = inside or x == c end
      for _, x in ipairs(u) do
        if inside and not seen[x] then
          seen[x] = true
          list[#list + 1] = x
        end
      end
    end
    peers[c] = list
  end
end

local steps
local function assign(grid, c, v)
  if not grid[c]:has(v) then return false end
  steps = steps + 1
  grid[c] = Set.of(v)
  for _, p in ipairs(peers[c]) do
    if grid[p]:remove(v) then
      if grid[p].size == 0 then return false end
      if grid[p].size == 1 and not assign(grid, p, grid[p]:smallest()) then return false end
    end
  end
  return true
end

local function hidden_singles(grid)
  local progress = false
  for _, unit in ipairs(units) do
    for v = 1, 9 do
      local place, many = nil, false
      for _, c in ipairs(unit) do
        if grid[c]:has(v) then
          if place then many = true break end
          place = c
        end
      end
      if not place then return nil end
      if not many and grid[place].size > 1 then
        if not assign(grid, place, v) then return nil end
        progress = true
      end
    end
  end
  return progress
end

local function solve(grid)
  local progress = true
  while progress do progress = hidden_singles(grid) end
  if progress == nil then return nil end
  local best
  for c = 1, 81 do
    local size = grid[c].size
    if size > 1 and (not best or size < grid[best].size) then best = c end
  end
  if not best then return grid end
  for v = 1, 9 do
    if grid[best]:has(v) then
      local trial = {}
      for c = 1, 81 do trial[c] = grid[c]:copy() end
      local done = assign(trial, best, v) and solve(trial)
      if done then return done end
    end
  end
end

return function(n)
  local state = 271
  local function rnd(limit)
    state = (state * 16807) % 2147483647
    return state % limit + 1
  end
  steps = 0
  local sum = 0
  for _ = 1, n do
    -- a solved pattern with renamed digits, of which only some cells are shown
    local names = { 1, 2, 3, 4, 5, 6, 7, 8, 9 }
    for i = 9, 2, -1 do
      local j = rnd(i)
      names[i], names[j] = names[j], names[i]
    end
    local grid, ok = {}, true
    for c = 1, 81 do grid[c] = Set.of(1, 2, 3, 4, 5, 6, 7, 8, 9) end
    for c = 1, 81 do
      local r, k = math.floor((c - 1) / 9), (c - 1) % 9
      local digit = names[(r % 3 * 3 + math.floor(r / 3) + k) % 9 + 1]
      if rnd(100) <= 27 then ok = ok and assign(grid, c, digit) end
    end
    local answer = assert(ok and solve(grid), "no solution")
    for c = 1, 81 do sum = (sum * 11 + answer[c]:smallest()) % 1000000007 end
  end
  return string.format("%d in %d steps", sum, steps)
end
