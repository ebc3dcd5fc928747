-- Life twice: on a torus of rows that are arrays, and without borders as a set of numbers for the cells that live, which are counted by their
-- neighbours. Then a rule of one dimension, in place.
-- args: 160
-- quick: 2
local function torus(width, height, seed)
  local rows = {}
  for y = 1, height do
    rows[y] = {}
    for x = 1, width do
      seed = (seed * 137 + 29) % 10007
      rows[y][x] = seed % 3 == 0 and 1 or 0
    end
  end
  return rows
end

local function step(rows, other)
  local height, width = #rows, #rows[1]
  local alive = 0
  for y = 1, height do
    local above, here, below = rows[y == 1 and height or y - 1], rows[y], rows[y == height and 1 or y + 1]
    local out = other[y]
    for x = 1, width do
      local left, right = x - 1, x + 1
      if left == 0 then left = width end
      if right > width then right = 1 end
      local count = above[left] + above[x] + above[right] + here[left] + here[right] + below[left] + below[x] + below[right]
      if count == 3 or count == 2 and here[x] == 1 then
        out[x] = 1
        alive = alive + 1
      else
        out[x] = 0
      end
    end
  end
  return alive
end

local SPAN = 4096
local around = { -SPAN - 1, -SPAN, -SPAN + 1, -1, 1, SPAN - 1, SPAN, SPAN + 1 }

local function set_of(lines, x, y)
  local cells = {}
  for dy, line in ipairs(lines) do
    for dx = 1, #line do
      if line:sub(dx, dx) == "#" then cells[(y + dy) * SPAN + x + dx] = true end
    end
  end
  return cells
end

local function next_set(cells)
  local counts, born, size = {}, {}, 0
  for cell in pairs(cells) do
    for _, offset in ipairs(around) do
      local neighbour = cell + offset
      counts[neighbour] = (counts[neighbour] or 0) + 1
    end
  end
  for cell, count in pairs(counts) do
    if count == 3 or count == 2 and cells[cell] then
      born[cell] = true
      size = size + 1
    end
  end
  return born, size
end

local function rule(line, n)
  local previous, first = line[n], line[1]
  for i = 1, n do
    local here = line[i]
    local after = i < n and line[i + 1] or first
    line[i] = (previous == 1 or here ~= after) and here + after ~= 2 and 1 or (here + previous + after) % 2
    previous = here
  end
end

return function(n)
  local rows = torus(64, 48, 11)
  local other = torus(64, 48, 12)
  local history = {}
  for _ = 1, n do
    history[#history + 1] = step(rows, other)
    rows, other = other, rows
  end
  local cells, size = set_of({ ".##", "##.", ".#." }, 2000, 2000), 0
  for _ = 1, n * 2 do cells, size = next_set(cells) end
  local place = 0
  for cell in pairs(cells) do place = (place + cell % 65521 * (cell % 31)) % 1000003 end
  local line, density = {}, 0
  for i = 1, 301 do line[i] = i % 7 == 0 and 1 or 0 end
  for _ = 1, n * 6 do
    rule(line, 301)
    for i = 1, 301, 10 do density = density + line[i] end
  end
  local sum = 0
  for i, alive in ipairs(history) do sum = (sum * 3 + alive * i) % 1000003 end
  return string.format("%d %d %d %d %d", history[#history], sum, size, place, density)
end
