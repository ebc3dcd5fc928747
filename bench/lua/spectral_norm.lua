-- A small function of integers in the inner loop, and arrays of floats: the largest singular value of an infinite matrix, by powers.
-- args: 220
-- quick: 10
local function item(i, j)
  local diagonal = i + j - 1
  return 1.0 / (diagonal * (diagonal - 1) / 2 + i)
end

local function times(x, y, n)
  for i = 1, n do
    local sum = 0.0
    for j = 1, n do sum = sum + x[j] * item(i, j) end
    y[i] = sum
  end
end

local function times_transposed(x, y, n)
  for i = 1, n do
    local sum = 0.0
    for j = 1, n do sum = sum + x[j] * item(j, i) end
    y[i] = sum
  end
end

return function(n)
  local u, v, t = {}, {}, {}
  for i = 1, n do u[i] = 1.0 end
  for _ = 1, 10 do
    times(u, t, n)
    times_transposed(t, v, n)
    times(v, t, n)
    times_transposed(t, u, n)
  end
  local uv, vv = 0.0, 0.0
  for i = 1, n do
    uv = uv + u[i] * v[i]
    vv = vv + v[i] * v[i]
  end
  return string.format("%.9f", math.sqrt(uv / vv))
end
