-- Game of life on an endless board: the living cells are the keys "x,y" of a table.
-- args: 300
-- quick: 4

patterns_life = {
  glider = { ".#.", "..#", "###" },
  rpent = { ".##", "##.", ".#." },
  acorn = { ".#.....", "...#...", "##..###" },
  ship = { ".####", "#...#", "....#", "#..#." },
  blinker = { "###" },
}

function key_of(x, y)
  return x .. "," .. y
end

function split_key(key)
  local x, y = key:match("^(%-?%d+),(%-?%d+)$")
  return tonumber(x), tonumber(y)
end

function put_pattern(board, name, x0, y0)
  for dy, row in ipairs(patterns_life[name]) do
    for dx = 1, #row do
      if row:sub(dx, dx) == "#" then
        board[key_of(x0 + dx, y0 + dy)] = true
      end
    end
  end
end

function count_neighbours(board)
  local counts = {}
  for key in pairs(board) do
    local x, y = split_key(key)
    for dx = -1, 1 do
      for dy = -1, 1 do
        if dx ~= 0 or dy ~= 0 then
          local k = key_of(x + dx, y + dy)
          counts[k] = (counts[k] or 0) + 1
        end
      end
    end
  end
  return counts
end

function generation(board)
  local fresh = {}
  for key, c in pairs(count_neighbours(board)) do
    if c == 3 or (c == 2 and board[key]) then
      fresh[key] = true
    end
  end
  return fresh
end

function population(board)
  local total = 0
  for _ in pairs(board) do total = total + 1 end
  return total
end

function bounds(board)
  local x1, y1, x2, y2
  for key in pairs(board) do
    local x, y = split_key(key)
    if not x1 then
      x1, y1, x2, y2 = x, y, x, y
    else
      x1, x2 = math.min(x1, x), math.max(x2, x)
      y1, y2 = math.min(y1, y), math.max(y2, y)
    end
  end
  return x1, y1, x2, y2
end

function picture(board)
  local x1, y1, x2, y2 = bounds(board)
  local lines = {}
  for y = y1, y2 do
    local line = {}
    for x = x1, x2 do
      line[#line + 1] = board[key_of(x, y)] and "#" or "."
    end
    lines[#lines + 1] = table.concat(line)
  end
  return table.concat(lines, "\n")
end

function text_sum(text, sum)
  for i = 1, #text do
    sum = (sum * 17 + text:byte(i)) % 1000000007
  end
  return sum
end

return function(n)
  local board = {}
  put_pattern(board, "glider", 0, 0)
  put_pattern(board, "glider", -20, 4)
  put_pattern(board, "rpent", 15, 10)
  put_pattern(board, "acorn", -15, 25)
  put_pattern(board, "ship", 30, -10)
  put_pattern(board, "blinker", 5, -8)
  local history = 0
  for step = 1, n do
    board = generation(board)
    history = (history + step * population(board)) % 1000000007
  end
  local x1, y1, x2, y2 = bounds(board)
  return string.format("%d alive, box %d %d %d %d, sum %d %d", population(board),
    x1, y1, x2, y2, history, text_sum(picture(board), 1))
end
