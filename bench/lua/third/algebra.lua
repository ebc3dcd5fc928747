-- Polynomials over a prime field and square matrices as classes with metatables:
-- products, powers, evaluation, characteristic polynomials and equality checks.
-- args: 48
-- quick: 4

local P, unpack = 10007, table.unpack or unpack

local function power(x, e)
  local r = 1
  while e > 0 do
    if e % 2 == 1 then r = r * x % P end
    x = x * x % P
    e = (e - e % 2) / 2
  end
  return r
end

local Poly = {}

-- missing coefficients read as zero, names are looked up among the methods
Poly.__index = function(_, k) return type(k) == "number" and 0 or Poly[k] end

function Poly.new(coefs)
  local p = setmetatable({ degree = -1 }, Poly)
  for i, c in ipairs(coefs) do p:set(i - 1, c) end
  return p
end

function Poly:set(i, c)
  c = c % P
  rawset(self, i, c ~= 0 and c or nil)
  if c ~= 0 then self.degree = math.max(self.degree, i) end
  while self.degree >= 0 and self[self.degree] == 0 do self.degree = self.degree - 1 end
end

local function topoly(x) return type(x) == "number" and Poly.new({ x }) or x end

function Poly.__add(a, b)
  a, b = topoly(a), topoly(b)
  local r = Poly.new({})
  for i = 0, math.max(a.degree, b.degree) do r:set(i, a[i] + b[i]) end
  return r
end

function Poly.__sub(a, b) return topoly(a) + topoly(b) * -1 end

function Poly.__mul(a, b)
  a, b = topoly(a), topoly(b)
  local r = Poly.new({})
  for i = 0, a.degree do
    for j = 0, b.degree do r:set(i + j, r[i + j] + a[i] * b[j]) end
  end
  return r
end

function Poly.__eq(a, b)
  if a.degree ~= b.degree then return false end
  for i = 0, a.degree do
    if a[i] ~= b[i] then return false end
  end
  return true
end

function Poly.__call(p, x)
  local v = 0
  for i = p.degree, 0, -1 do v = (v * x + p[i]) % P end
  return v
end

function Poly.__tostring(p)
  local terms = {}
  for i = p.degree, 0, -1 do terms[#terms + 1] = string.format("%dx^%d", p[i], i) end
  return #terms > 0 and table.concat(terms, " + ") or "0"
end

local Matrix = {}
Matrix.__index = Matrix
function Matrix.build(n, fn)
  local m = setmetatable({ n = n }, Matrix)
  for i = 1, n do
    m[i] = {}
    for j = 1, n do m[i][j] = fn(i, j) % P end
  end
  return m
end

function Matrix.identity(n)
  return Matrix.build(n, function(i, j) return i == j and 1 or 0 end)
end

function Matrix.__add(a, b)
  return Matrix.build(a.n, function(i, j) return a[i][j] + b[i][j] end)
end

function Matrix.__mul(a, b)
  if type(a) == "number" then return Matrix.build(b.n, function(i, j) return a * b[i][j] end) end
  return Matrix.build(a.n, function(i, j)
    local s, row = 0, a[i]
    for k = 1, a.n do s = s + row[k] * b[k][j] end
    return s
  end)
end

function Matrix.__eq(a, b) return tostring(a) == tostring(b) end
function Matrix.__tostring(m)
  local rows = {}
  for i = 1, m.n do
    rows[i] = string.format(string.rep("%d ", m.n), unpack(m[i]))
  end
  return table.concat(rows, "; ")
end

function Matrix:trace()
  local t = 0
  for i = 1, self.n do t = t + self[i][i] end
  return t % P
end

-- characteristic polynomial by the traces of successive products (Faddeev-LeVerrier)
function Matrix:charpoly()
  local n, one = self.n, Matrix.identity(self.n)
  local x, p = Poly.new({ 0, 1 }), Poly.new({ 1 })
  local m = one
  for k = 1, n do
    local am = self * m
    local c = -am:trace() * power(k, P - 2) % P
    p = p * x + c
    m = am + c * one
  end
  return p
end

return function(n)
  local seed = 3
  local function rnd() seed = (seed * 69069 + 5) % 4294967296 return math.floor(seed / 4096) % P end
  local half = math.floor(n / 2)
  local a, b = Matrix.build(n, rnd), Matrix.build(half, rnd)
  local pa, pb = a:charpoly(), b:charpoly()
  local transposed = Matrix.build(half, function(i, j) return b[j][i] end)
  assert(pb == transposed:charpoly() and b ~= transposed)
  local product = pa * pb - 1
  local values, list = Poly.new({ 1 }), {}
  for x = 1, n do
    assert(product(x) == (pa(x) * pb(x) - 1) % P)
    values = values * Poly.new({ -x, 1 }) + product(x)
    list[x] = values == product and "equal" or tostring(values)
  end
  local text, sum = table.concat(list) .. tostring(pa) .. tostring(b * b + 2 * b), 0
  for i = 1, #text do sum = (sum * 29 + text:byte(i)) % 1000003 end
  return string.format("%d %d", #text, sum)
end
