-- Big whole numbers as arrays of digits to the base ten thousand: operators, comparison, powers, factorials,
-- Fibonacci's numbers, square roots, digits of e.
-- args: 360
-- quick: 2
local BASE, WIDTH = 10000, 4
local floor = math.floor

local Big = {}
local meta = { __index = Big }

local function normal(t)
  local n = t.n
  while n > 1 and t[n] == 0 do
    t[n] = nil
    n = n - 1
  end
  t.n = n
  if n == 1 and t[1] == 0 then t.negative = false end
  return setmetatable(t, meta)
end

local function big(v)
  if type(v) == "table" then return v end
  local t = { n = 0, negative = false }
  if type(v) == "string" then
    local first = 1
    if v:sub(1, 1) == "-" then
      t.negative = true
      first = 2
    end
    for last = #v, first, -WIDTH do
      t.n = t.n + 1
      t[t.n] = tonumber(v:sub(math.max(first, last - WIDTH + 1), last))
    end
  else
    if v < 0 then
      t.negative = true
      v = -v
    end
    repeat
      t.n = t.n + 1
      t[t.n] = v % BASE
      v = floor(v / BASE)
    until v == 0
  end
  return normal(t)
end

local function compareSize(a, b)
  if a.n ~= b.n then return a.n < b.n and -1 or 1 end
  for i = a.n, 1, -1 do
    if a[i] ~= b[i] then return a[i] < b[i] and -1 or 1 end
  end
  return 0
end

local function addSize(a, b, negative)
  local r, carry, n = { negative = negative }, 0, math.max(a.n, b.n)
  for i = 1, n do
    local s = (a[i] or 0) + (b[i] or 0) + carry
    if s >= BASE then
      r[i], carry = s - BASE, 1
    else
      r[i], carry = s, 0
    end
  end
  if carry > 0 then
    n = n + 1
    r[n] = carry
  end
  r.n = n
  return normal(r)
end

local function subSize(a, b, negative)             -- a is at least as large
  local r, borrow = { n = a.n, negative = negative }, 0
  for i = 1, a.n do
    local s = a[i] - (b[i] or 0) - borrow
    if s < 0 then
      s = s + BASE
      borrow = 1
    else
      borrow = 0
    end
    r[i] = s
  end
  return normal(r)
end

function meta.__add(a, b)
  a, b = big(a), big(b)
  if a.negative == b.negative then return addSize(a, b, a.negative) end
  if compareSize(a, b) >= 0 then return subSize(a, b, a.negative) end
  return subSize(b, a, b.negative)
end

function meta.__unm(a)
  local r = { n = a.n, negative = not a.negative }
  for i = 1, a.n do r[i] = a[i] end
  return normal(r)
end

function meta.__sub(a, b) return a + -big(b) end

function meta.__mul(a, b)
  a, b = big(a), big(b)
  local r = { n = a.n + b.n, negative = a.negative ~= b.negative }
  for i = 1, r.n do r[i] = 0 end
  for i = 1, a.n do
    local carry, x = 0, a[i]
    if x ~= 0 then
      for j = 1, b.n do
        local p = r[i + j - 1] + x * b[j] + carry
        carry = floor(p / BASE)
        r[i + j - 1] = p - carry * BASE
      end
      r[i + b.n] = carry
    end
  end
  return normal(r)
end

function Big.small_div(a, k)                        -- by a number below the base
  local r, rest = { n = a.n, negative = a.negative }, 0
  for i = a.n, 1, -1 do
    local v = rest * BASE + a[i]
    r[i] = floor(v / k)
    rest = v - r[i] * k
  end
  return normal(r), rest
end

-- long division; each digit by halving
function Big.divmod(a, b)
  if b.n == 1 then
    local q, r = a:small_div(b[1])
    return q, big(r)
  end
  local q, r = { n = a.n, negative = false }, big(0)
  for i = a.n, 1, -1 do
    r = r * BASE + a[i]
    local lo, hi = 0, BASE - 1
    while lo < hi do
      local mid = floor((lo + hi + 1) / 2)
      if b * mid <= r then lo = mid else hi = mid - 1 end
    end
    q[i] = lo
    if lo > 0 then r = r - b * lo end
  end
  return normal(q), r
end
function meta.__div(a, b) return (Big.divmod(big(a), big(b))) end
function meta.__mod(a, b) return (select(2, Big.divmod(big(a), big(b)))) end

function meta.__pow(a, k)
  local r, base = big(1), a
  while k > 0 do
    if k % 2 == 1 then r = r * base end
    k = floor(k / 2)
    if k > 0 then base = base * base end
  end
  return r
end

function meta.__eq(a, b) return a.negative == b.negative and compareSize(a, b) == 0 end
function meta.__lt(a, b)
  a, b = big(a), big(b)
  if a.negative ~= b.negative then return a.negative end
  local c = compareSize(a, b)
  return a.negative and c > 0 or not a.negative and c < 0
end
function meta.__le(a, b) return not (b < a) end
function meta.__tostring(a)
  local parts = { a.negative and "-" or "", string.format("%d", a[a.n]) }
  for i = a.n - 1, 1, -1 do parts[#parts + 1] = string.format("%04d", a[i]) end
  return table.concat(parts)
end
function meta.__concat(a, b) return tostring(a) .. tostring(b) end

function Big.sqrt(a)
  local x = big(10) ^ floor(#tostring(a) / 2 + 1)
  while true do
    local y = (x + a / x):small_div(2)
    if y >= x then return x end
    x = y
  end
end

local function digit_sum(a)
  local s, sum = tostring(a), 0
  for i = 1, #s do sum = sum + (tonumber(s:sub(i, i)) or 0) end
  return sum
end

return function(n)
  local f = big(1)
  for i = 2, n do f = f * i end
  local a, b = big(0), big(1)
  for _ = 1, n * 4 do a, b = b, a + b end
  local g, h = f, big(1)
  while #tostring(g) > 10 do
    g, h = g:small_div(7)
  end
  local root = Big.sqrt(big(2) * big(10) ^ floor(n / 2))
  -- e, by adding up the parts of one over the factorials
  local one = big(10) ^ (n + 8)
  local zero = big(0)
  local e, part, k = zero, one, 0
  while part > zero do
    e = e + part
    k = k + 1
    part = part:small_div(k)
  end
  local negative = big("-123456789012345678901234567890") + f % big("1000000007")
  local same = big(tostring(f)) == f and (a - b) + b == a and (f * a) / a == f
  return table.concat({ digit_sum(f), digit_sum(a), tostring(root):sub(1, 12), tostring(e):sub(1, 15),
    tostring(g), tostring(h), negative .. "", tostring(same),
    tostring(a < b), tostring(-b < -a) }, " ")
end
