-- Determinants, inverses and solutions of linear systems with exact fractions: a fraction class with all the operators, and matrices that use them.
-- args: 260
-- quick: 1
local Fraction = {}
Fraction.__index = Fraction

local function gcd(a, b)
  while b ~= 0 do a, b = b, a % b end
  return a
end

local function frac(n, d)
  d = d or 1
  if d == 0 then error("division by zero", 0) end
  if d < 0 then n, d = -n, -d end
  local g = gcd(n < 0 and -n or n, d)
  if g > 1 then n, d = n / g, d / g end
  return setmetatable({ n = n, d = d }, Fraction)
end

local function lift(v)
  if type(v) == "number" then return frac(v) end
  return v
end

function Fraction.__add(a, b)
  a, b = lift(a), lift(b)
  return frac(a.n * b.d + b.n * a.d, a.d * b.d)
end
function Fraction.__sub(a, b)
  a, b = lift(a), lift(b)
  return frac(a.n * b.d - b.n * a.d, a.d * b.d)
end
function Fraction.__mul(a, b)
  a, b = lift(a), lift(b)
  return frac(a.n * b.n, a.d * b.d)
end
function Fraction.__div(a, b)
  a, b = lift(a), lift(b)
  return frac(a.n * b.d, a.d * b.n)
end
function Fraction.__pow(a, k)
  local r = frac(1)
  for _ = 1, math.abs(k) do r = r * a end
  return k < 0 and 1 / r or r
end
function Fraction.__unm(a) return frac(-a.n, a.d) end
function Fraction.__eq(a, b) return a.n == b.n and a.d == b.d end
function Fraction.__lt(a, b) a, b = lift(a), lift(b); return a.n * b.d < b.n * a.d end
function Fraction.__le(a, b) a, b = lift(a), lift(b); return a.n * b.d <= b.n * a.d end
function Fraction.__tostring(a)
  if a.d == 1 then return string.format("%d", a.n) end
  return string.format("%d/%d", a.n, a.d)
end
function Fraction.__concat(a, b) return tostring(a) .. tostring(b) end
function Fraction:abs() return self.n < 0 and -self or self end

local ZERO, ONE = frac(0), frac(1)

local Matrix = {}
Matrix.__index = Matrix

function Matrix.make(rows, cols, fn)
  local m = { rows = rows, cols = cols }
  for i = 1, rows do
    m[i] = {}
    for j = 1, cols do m[i][j] = lift(fn(i, j)) end
  end
  return setmetatable(m, Matrix)
end
function Matrix.identity(n)
  return Matrix.make(n, n, function(i, j) return i == j and ONE or ZERO end)
end
function Matrix:copy()
  return Matrix.make(self.rows, self.cols, function(i, j) return self[i][j] end)
end
function Matrix.__mul(a, b)
  if type(a) == "number" or getmetatable(a) == Fraction then
    return Matrix.make(b.rows, b.cols, function(i, j) return a * b[i][j] end)
  end
  return Matrix.make(a.rows, b.cols, function(i, j)
    local sum = ZERO
    for k = 1, a.cols do sum = sum + a[i][k] * b[k][j] end
    return sum
  end)
end
function Matrix.__add(a, b)
  return Matrix.make(a.rows, a.cols, function(i, j) return a[i][j] + b[i][j] end)
end
function Matrix.__eq(a, b)
  for i = 1, a.rows do
    for j = 1, a.cols do
      if a[i][j] ~= b[i][j] then return false end
    end
  end
  return true
end
function Matrix:__tostring()
  local lines = {}
  for i = 1, self.rows do
    local cells = {}
    for j = 1, self.cols do cells[j] = tostring(self[i][j]) end
    lines[i] = table.concat(cells, " ")
  end
  return table.concat(lines, "; ")
end

local function pivot(m, k, other)
  local best = k
  for i = k + 1, m.rows do
    if m[i][k]:abs() > m[best][k]:abs() then best = i end
  end
  if best ~= k then
    m[k], m[best] = m[best], m[k]
    if other then other[k], other[best] = other[best], other[k] end
    return -1
  end
  return 1
end

function Matrix:determinant()
  local m, det = self:copy(), ONE
  for k = 1, m.rows do
    det = det * pivot(m, k)
    local p = m[k][k]
    if p == ZERO then return ZERO end
    det = det * p
    for i = k + 1, m.rows do
      local f = m[i][k] / p
      if f ~= ZERO then
        for j = k, m.cols do m[i][j] = m[i][j] - f * m[k][j] end
      end
    end
  end
  return det
end

-- by the first row, over and over
function Matrix:cofactors()
  local function minor(rows, cols)
    if #rows == 1 then return self[rows[1]][cols[1]] end
    local rest, sum = {}, ZERO
    for i = 2, #rows do rest[i - 1] = rows[i] end
    for j, c in ipairs(cols) do
      local others = {}
      for k, o in ipairs(cols) do if k ~= j then others[#others + 1] = o end end
      local part = self[rows[1]][c] * minor(rest, others)
      sum = j % 2 == 1 and sum + part or sum - part
    end
    return sum
  end
  local all = {}
  for i = 1, self.rows do all[i] = i end
  return minor(all, all)
end

function Matrix:inverse()
  local m, inv = self:copy(), Matrix.identity(self.rows)
  for k = 1, m.rows do
    pivot(m, k, inv)
    local p = m[k][k]
    for j = 1, m.cols do
      m[k][j] = m[k][j] / p
      inv[k][j] = inv[k][j] / p
    end
    for i = 1, m.rows do
      local f = m[i][k]
      if i ~= k and f ~= ZERO then
        for j = 1, m.cols do
          m[i][j] = m[i][j] - f * m[k][j]
          inv[i][j] = inv[i][j] - f * inv[k][j]
        end
      end
    end
  end
  return inv
end

return function(n)
  local sum, good, singular = ZERO, 0, 0
  local text, seed = "", 5
  for round = 1, n do
    local m = Matrix.make(4, 4, function(i, j)
      seed = (seed * 137 + 29) % 10007
      return frac(seed % 7 - 3, (i + j + round) % 3 + 1)
    end)
    local det = m:determinant()
    if det == m:cofactors() then good = good + 1 end
    local ok = pcall(function()
      local inv = m:inverse()
      if m * inv == Matrix.identity(4) and inv:determinant() * det == ONE then good = good + 1 end
      text = tostring(inv)
    end)
    if not ok then singular = singular + 1 end
    sum = frac((sum + det).n % 10007)
    if (2 * m + m):determinant() == frac(3) ^ 4 * det and det ^ 2 >= ZERO then good = good + 1 end
  end
  local hilbert = Matrix.make(5, 5, function(i, j) return frac(1, i + j - 1) end)
  return "sum " .. sum .. " good " .. good .. " singular " .. singular .. " det " .. hilbert:determinant() .. " " .. text
end
