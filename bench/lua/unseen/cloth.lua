-- A cloth of points and springs falls on a ball: float arithmetic over parallel arrays, one long function with many locals; then a summary by rows.
-- args: 260
-- quick: 1
local W, H = 14, 12

local function make()
  local px, py, pz, ox, oy, oz, fixed = {}, {}, {}, {}, {}, {}, {}
  local k = 0
  for j = 0, H - 1 do
    for i = 0, W - 1 do
      k = k + 1
      px[k], py[k], pz[k] = i * 0.1 - W * 0.05, 1.0, j * 0.1 - H * 0.05
      ox[k], oy[k], oz[k] = px[k], py[k], pz[k]
    end
  end
  fixed[1], fixed[W] = true, true
  local springs = {}
  local function spring(a, b, stiff)
    local dx, dy, dz = px[a] - px[b], py[a] - py[b], pz[a] - pz[b]
    springs[#springs + 1] = { a, b, math.sqrt(dx * dx + dy * dy + dz * dz), stiff or 1 }
  end
  for j = 0, H - 1 do
    for i = 1, W do
      local at = j * W + i
      if i < W then spring(at, at + 1) end
      if j < H - 1 then spring(at, at + W) end
      if i < W and j < H - 1 then
        spring(at, at + W + 1, 0.6)
        spring(at + 1, at + W, 0.6)
      end
      if i < W - 1 then spring(at, at + 2, 0.25) end
    end
  end
  return px, py, pz, ox, oy, oz, fixed, springs, k
end

return function(n)
  local px, py, pz, ox, oy, oz, fixed, springs, count = make()
  local bx, by, bz, radius = 0.05, 0.4, 0.1, 0.33
  local dt2, drag = 0.016 * 0.016, 0.985
  local touches, worst = 0, 0
  for step = 1, n do
    -- movement by the last two places
    local wind = math.sin(step * 0.21) * 1.5
    for k = 1, count do
      if not fixed[k] then
        local x, y, z = px[k], py[k], pz[k]
        px[k] = x + (x - ox[k]) * drag + wind * dt2
        py[k] = y + (y - oy[k]) * drag - 9.81 * dt2
        pz[k] = z + (z - oz[k]) * drag
        ox[k], oy[k], oz[k] = x, y, z
      end
    end
    -- springs pull their ends together, a few times
    for pass = 1, 3 do
      for s = 1, #springs do
        local spring = springs[s]
        local a, b = spring[1], spring[2]
        local dx, dy, dz = px[b] - px[a], py[b] - py[a], pz[b] - pz[a]
        local length = math.sqrt(dx * dx + dy * dy + dz * dz)
        local d = (length - spring[3]) / length * 0.5 * spring[4]
        if pass == 3 and math.abs(length - spring[3]) > worst then worst = math.abs(length - spring[3]) end
        dx, dy, dz = dx * d, dy * d, dz * d
        if not fixed[a] then px[a], py[a], pz[a] = px[a] + dx, py[a] + dy, pz[a] + dz end
        if not fixed[b] then px[b], py[b], pz[b] = px[b] - dx, py[b] - dy, pz[b] - dz end
      end
    end
    -- out of the ball, and not below the ground
    for k = 1, count do
      local dx, dy, dz = px[k] - bx, py[k] - by, pz[k] - bz
      local d2 = dx * dx + dy * dy + dz * dz
      if d2 < radius * radius then
        local f = radius / math.sqrt(d2)
        px[k], py[k], pz[k] = bx + dx * f, by + dy * f, bz + dz * f
        touches = touches + 1
      end
      if py[k] < 0 then py[k] = 0 end
    end
    if step == 30 then fixed[W] = nil end            -- one corner is let go
  end
  local rows = {}
  for j = 0, H - 1, 4 do
    local low, sum = math.huge, 0
    for i = 1, W do
      local y = py[j * W + i]
      low = math.min(low, y)
      sum = sum + y
    end
    rows[#rows + 1] = ("%.4f/%.4f"):format(low, sum / W)
  end
  local cx, cz = 0, 0
  for k = 1, count do
    cx = cx + px[k]
    cz = cz + pz[k]
  end
  return ("%d springs, %d touches, worst %.4f, middle %.5f %.5f, rows %s"):format(#springs, touches, worst,
    cx / count, cz / count, table.concat(rows, " "))
end
