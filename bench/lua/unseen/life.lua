-- Conway's life twice: on a wrapping board of rows of booleans, and on an endless plane where living cells are keys of a table.
-- Written with global functions and variables, as a first script would be.
-- args: 110
-- quick: 2
WIDTH = 48
HEIGHT = 32
board = {}
generation = 0

function clear_board()
  board = {}
  for y = 1, HEIGHT do
    board[y] = {}
    for x = 1, WIDTH do
      board[y][x] = false
    end
  end
  generation = 0
end

function put_pattern(px, py, rows)
  for dy, row in ipairs(rows) do
    for dx = 1, string.len(row) do
      if string.sub(row, dx, dx) == "#" then
        board[(py + dy - 2) % HEIGHT + 1][(px + dx - 2) % WIDTH + 1] = true
      end
    end
  end
end

function alive(x, y)
  if x < 1 then x = WIDTH end
  if x > WIDTH then x = 1 end
  if y < 1 then y = HEIGHT end
  if y > HEIGHT then y = 1 end
  return board[y][x]
end

function neighbours(x, y)
  count = 0
  for dy = -1, 1 do
    for dx = -1, 1 do
      if not (dx == 0 and dy == 0) and alive(x + dx, y + dy) then
        count = count + 1
      end
    end
  end
  return count
end

function step()
  local new = {}
  for y = 1, HEIGHT do
    new[y] = {}
    for x = 1, WIDTH do
      local k = neighbours(x, y)
      new[y][x] = k == 3 or (k == 2 and board[y][x])
    end
  end
  board = new
  generation = generation + 1
end

function show()
  local lines = {}
  for y = 1, HEIGHT do
    local line = ""
    for x = 1, WIDTH do
      if board[y][x] then line = line .. "#" else line = line .. "." end
    end
    table.insert(lines, line)
  end
  return table.concat(lines, "\n")
end

-- The endless plane. A cell's key is one number, from x and y.
SPAN = 100000
OFFSET = 50000

function key(x, y)
  return (x + OFFSET) * SPAN + y + OFFSET
end

function sparse_step(cells)
  local counts = {}
  for k in pairs(cells) do
    counts[k] = counts[k] or 0
    for _, d in ipairs(AROUND) do
      counts[k + d] = (counts[k + d] or 0) + 1
    end
  end
  local new, size = {}, 0
  for k, c in pairs(counts) do
    if c == 3 or (c == 2 and cells[k]) then
      new[k] = true
      size = size + 1
    end
  end
  return new, size
end

AROUND = { 1, -1, SPAN, -SPAN, SPAN + 1, SPAN - 1, 1 - SPAN, -1 - SPAN }
glider = { ".#.", "..#", "###" }
acorn = { ".#.....", "...#...", "##..###" }
ship = { "#..#.", "....#", "#...#", ".####" }

return function(n)
  clear_board()
  put_pattern(3, 3, glider)
  put_pattern(20, 14, acorn)
  put_pattern(WIDTH - 2, HEIGHT - 2, ship)
  put_pattern(30, 4, { "###" })
  for _ = 1, math.floor(n / 2) do step() end
  local picture = show()
  local sum = 0
  for i = 1, #picture do
    if picture:byte(i) == 35 then sum = (sum * 2 + i) % 65521 end
  end

  local cells = {}
  for dy, row in ipairs(acorn) do
    for dx = 1, #row do
      if row:sub(dx, dx) == "#" then cells[key(dx, dy)] = true end
    end
  end
  local size, peak, history = 0, 0, {}
  for g = 1, n * 3 do
    cells, size = sparse_step(cells)
    if size > peak then peak = size end
    if g % n == 0 then history[#history + 1] = size end
  end
  local total = 0
  for k in pairs(cells) do total = (total + k % 9973) % 1000003 end
  return "gen " .. generation .. " sum " .. sum .. " sizes " .. table.concat(history, ",") .. " peak " .. peak .. " total " .. total
end
