-- Generates island terrain from layered gradient noise, floods the sea from the
-- map border, and measures the lakes and islands that remain.
-- args: 240
-- quick: 12

-- (plain procedural style, most things are globals)

function terrain_seed(s)
  SEED = s
end

function terrain_random(limit)
  SEED = (SEED * 48271) % 2147483647
  return SEED % limit
end

function build_permutation()
  PERM = {}
  for i = 0, 255 do PERM[i] = i end
  for i = 255, 1, -1 do
    local j = terrain_random(i + 1)
    PERM[i], PERM[j] = PERM[j], PERM[i]
  end
  for i = 0, 255 do PERM[i + 256] = PERM[i] end
  GRAD = {}
  for i = 0, 15 do
    local a = i / 16 * 2 * math.pi
    GRAD[i] = { x = math.cos(a), y = math.sin(a) }
  end
end

local function smooth(t) return t * t * t * (t * (t * 6 - 15) + 10) end
local function mix(a, b, t) return a + (b - a) * t end

local function corner(ix, iy, dx, dy)
  local g = GRAD[PERM[PERM[ix % 256] + iy % 256] % 16]
  return g.x * dx + g.y * dy
end

function gradient_noise(x, y)
  local ix, iy = math.floor(x), math.floor(y)
  local fx, fy = x - ix, y - iy
  local u, v = smooth(fx), smooth(fy)
  local top = mix(corner(ix, iy, fx, fy), corner(ix + 1, iy, fx - 1, fy), u)
  local bottom = mix(corner(ix, iy + 1, fx, fy - 1), corner(ix + 1, iy + 1, fx - 1, fy - 1), u)
  return mix(top, bottom, v)
end

function fractal_height(x, y)
  local sum, amp, freq = 0, 1, 1 / 24
  for octave = 1, 4 do
    sum = sum + amp * gradient_noise(x * freq + octave * 17, y * freq)
    amp = amp * 0.5
    freq = freq * 2
  end
  return sum
end

function make_map(size)
  local map = { size = size }
  local half = size / 2
  for y = 1, size do
    local row = {}
    for x = 1, size do
      local dx, dy = (x - half) / half, (y - half) / half
      local falloff = 0.35 - (dx * dx + dy * dy) * 0.5
      local h = fractal_height(x, y) + falloff
      row[x] = { height = h, land = h > 0, region = 0 }
    end
    map[y] = row
  end
  return map
end

-- fills one connected region with an explicit stack; returns its area
function flood(map, sx, sy, id)
  local kind = map[sy][sx].land
  local stack_x, stack_y, top = { sx }, { sy }, 1
  map[sy][sx].region = id
  local area, volume = 0, 0
  while top > 0 do
    local x, y = stack_x[top], stack_y[top]
    top = top - 1
    area = area + 1
    volume = volume + map[y][x].height
    for dir = 1, 4 do
      local nx, ny = x, y
      if dir == 1 then nx = x + 1
      elseif dir == 2 then nx = x - 1
      elseif dir == 3 then ny = y + 1
      else ny = y - 1 end
      local row = map[ny]
      local cell = row and row[nx]
      if cell and cell.region == 0 and cell.land == kind then
        cell.region = id
        top = top + 1
        stack_x[top], stack_y[top] = nx, ny
      end
    end
  end
  return area, volume
end

function survey(map)
  local regions, next_id = {}, 1
  for y = 1, map.size do
    for x = 1, map.size do
      local cell = map[y][x]
      if cell.region == 0 then
        local area, volume = flood(map, x, y, next_id)
        regions[next_id] = { id = next_id, area = area, volume = volume, land = cell.land }
        next_id = next_id + 1
      end
    end
  end
  table.sort(regions, function(a, b)
    if a.area ~= b.area then return a.area > b.area end
    return a.id < b.id
  end)
  return regions
end

function coast_length(map)
  local edges = 0
  for y = 1, map.size - 1 do
    for x = 1, map.size - 1 do
      if map[y][x].land ~= map[y][x + 1].land then edges = edges + 1 end
      if map[y][x].land ~= map[y + 1][x].land then edges = edges + 1 end
    end
  end
  return edges
end

return function(n)
  terrain_seed(20231)
  build_permutation()
  local map = make_map(n)
  local regions = survey(map)
  local islands, lakes, volume = 0, 0, 0
  for rank, r in ipairs(regions) do
    if r.land then islands = islands + 1; volume = volume + r.volume / rank
    else lakes = lakes + 1; volume = volume - r.volume / rank end
  end
  return string.format("%d/%d/%d/%.6f", islands, lakes, coast_length(map), volume)
end
