-- Arrays of arrays: products of matrices of floats, and of integers modulo a prime.
-- args: 120
-- quick: 10
local function make(n, f)
  local m = {}
  for i = 1, n do
    local row = {}
    for j = 1, n do row[j] = f(i, j) end
    m[i] = row
  end
  return m
end

local function transpose(m, n)
  return make(n, function(i, j) return m[j][i] end)
end

local function product(a, b, n)
  local columns = transpose(b, n)
  local c = {}
  for i = 1, n do
    local row, ai = {}, a[i]
    for j = 1, n do
      local sum, bj = 0, columns[j]
      for k = 1, n do sum = sum + ai[k] * bj[k] end
      row[j] = sum
    end
    c[i] = row
  end
  return c
end

local function product_modulo(a, b, n, p)
  local c = {}
  for i = 1, n do
    local row = {}
    for j = 1, n do
      local sum = 0
      for k = 1, n do sum = (sum + a[i][k] * b[k][j]) % p end
      row[j] = sum
    end
    c[i] = row
  end
  return c
end

local function trace(m, n)
  local sum = 0
  for i = 1, n do sum = sum + m[i][i] end
  return sum
end

return function(n)
  local a = make(n, function(i, j) return (i - j) * (i + j - 2.0) / n end)
  local floats = product(a, product(a, a, n), n)
  local b = make(n, function(i, j) return (i * 31 + j * 17) % 101 end)
  local integers = product_modulo(b, b, n, 10007)
  return string.format("%.9g %.9g %d", floats[n][1] / n, floats[2][n] / n, trace(integers, n))
end
