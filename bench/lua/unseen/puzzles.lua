-- Backtracking three ways: sudoku with counted candidates, a knight's tour by the fewest ways out, and queens;
-- boards are flat arrays and arrays of rows.
-- args: 71
-- quick: 1
-- how many of the nine digits are set in a row
local function marked(list)
  local n = 0
  for d = 1, 9 do if list[d] then n = n + 1 end end
  return n
end

---- sudoku
local Sudoku = {}

function Sudoku:load(text)
  self.cells, self.rows, self.cols, self.boxes = {}, {}, {}, {}
  self.guesses = 0
  for i = 1, 9 do self.rows[i], self.cols[i], self.boxes[i] = {}, {}, {} end
  for i = 1, 81 do
    local d = text:byte(i) - 48
    self.cells[i] = 0
    if d >= 1 and d <= 9 then self:set(i, d) end
  end
  return self
end

function Sudoku.place(i)
  local r = math.floor((i - 1) / 9) + 1
  local c = (i - 1) % 9 + 1
  return r, c, math.floor((r - 1) / 3) * 3 + math.floor((c - 1) / 3) + 1
end

function Sudoku:set(i, d)
  local r, c, b = self.place(i)
  self.cells[i] = d
  self.rows[r][d], self.cols[c][d], self.boxes[b][d] = true, true, true
end

function Sudoku:unset(i)
  local r, c, b = self.place(i)
  local d = self.cells[i]
  self.cells[i] = 0
  self.rows[r][d], self.cols[c][d], self.boxes[b][d] = nil, nil, nil
end

function Sudoku:candidates(i)
  local r, c, b = self.place(i)
  local row, col, box = self.rows[r], self.cols[c], self.boxes[b]
  local list, n = {}, 0
  for d = 1, 9 do
    if not (row[d] or col[d] or box[d]) then
      n = n + 1
      list[n] = d
    end
  end
  return list, n
end

function Sudoku:solve()
  local best, at, least = nil, nil, 10
  for i = 1, 81 do
    if self.cells[i] == 0 then
      local list, n = self:candidates(i)
      if n == 0 then return false end
      if n < least then best, at, least = list, i, n end
      if n == 1 then break end
    end
  end
  if not at then return true end
  for _, d in ipairs(best) do
    self.guesses = self.guesses + 1
    self:set(at, d)
    if self:solve() then return true end
    self:unset(at)
  end
  return false
end

-- a puzzle from a known full board by shifting, renaming and digging holes
local function dig(seed)
  local t = {}
  for r = 0, 8 do
    for c = 0, 8 do
      local d = (r * 3 + math.floor(r / 3) + c + seed) % 9 + 1
      t[r * 9 + c + 1] = d
    end
  end
  local s = seed * 31 + 7
  for _ = 1, 80 do
    s = (s * 211 + 1663) % 7873
    t[s % 81 + 1] = 0
  end
  return table.concat(t)
end

---- the knight
local moves = { { 1, 2 }, { 2, 1 }, { 2, -1 }, { 1, -2 }, { -1, -2 }, { -2, -1 }, { -2, 1 }, { -1, 2 } }

local function tour(size, sx, sy)
  local board, tries = {}, 0
  for x = 1, size do board[x] = {} end
  local function free(x, y)
    local row = board[x]
    return row and y >= 1 and y <= size and not row[y]
  end
  local function ways(x, y)
    local n = 0
    for i = 1, #moves do if free(x + moves[i][1], y + moves[i][2]) then n = n + 1 end end
    return n
  end
  local function go(x, y, step)
    tries = tries + 1
    if tries > 3000 then return nil end
    board[x][y] = step
    if step == size * size then return true end
    local options = {}
    for order, m in ipairs(moves) do
      local nx, ny = x + m[1], y + m[2]
      if free(nx, ny) then options[#options + 1] = { x = nx, y = ny, rank = ways(nx, ny) * 10 + order } end
    end
    table.sort(options, function(a, b) return a.rank < b.rank end)
    for _, o in ipairs(options) do
      local done = go(o.x, o.y, step + 1)
      if done or done == nil then return done end
    end
    board[x][y] = nil
    return false
  end
  local done = go(sx, sy, 1)
  local sum = 0
  if done then
    for x = 1, size do for y = 1, size do sum = (sum * 5 + board[x][y]) % 1000003 end end
  end
  return done, tries, sum
end

---- queens, with a place for every column and both slants
local function queens(n, row, cols, up, down)
  if row > n then return 1 end
  local count = 0
  for c = 1, n do
    local u, d = row + c, row - c
    if not cols[c] and not up[u] and not down[d] then
      cols[c], up[u], down[d] = true, true, true
      count = count + queens(n, row + 1, cols, up, down)
      cols[c], up[u], down[d] = false, false, false
    end
  end
  return count
end

return function(n)
  local guesses, check, open, tours = 0, 0, 0, 0
  for k = 1, n do
    local text = dig(k)
    for i = 1, 81 do if text:sub(i, i) == "0" then open = open + 1 end end
    local s = setmetatable({}, { __index = Sudoku }):load(text)
    if s:solve() then
      for i = 1, 81 do check = (check * 11 + s.cells[i]) % 1000003 end
      for r = 1, 9 do if marked(s.rows[r]) ~= 9 then error("a bad row") end end
    end
    guesses = guesses + s.guesses
    local done, tries, sum = tour(5 + k % 4, 1 + k % 2, 1)
    if done then tours = tours + 1 end
    check = (check * 3 + tries + sum) % 1000003
  end
  local q = {}
  for size = 4, 6 + (n > 1 and 1 or 0) do q[#q + 1] = queens(size, 1, {}, {}, {}) end
  return string.format("%d %d %d %d queens %s", guesses, open, check, tours, table.concat(q, " "))
end
