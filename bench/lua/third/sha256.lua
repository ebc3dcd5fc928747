-- SHA-256 written with ordinary arithmetic: words are plain numbers below 2^32,
-- and the bit operations go through small nibble tables and the modulus.
-- args: 210
-- quick: 2

local floor = math.floor
local WORD = 4294967296

-- 16x16 tables for two-operand nibble operations
local function nibble_table(op)
  local t = {}
  for a = 0, 15 do
    for b = 0, 15 do
      local r, bit, x, y = 0, 1, a, b
      for _ = 1, 4 do
        local xb, yb = x % 2, y % 2
        if op(xb, yb) then r = r + bit end
        x, y, bit = (x - xb) / 2, (y - yb) / 2, bit * 2
      end
      t[a * 16 + b] = floor(r)
    end
  end
  return t
end

local XOR = nibble_table(function(p, q) return p ~= q end)
local AND = nibble_table(function(p, q) return p == 1 and q == 1 end)

local function combine(tab, a, b)
  local r, scale = 0, 1
  while a > 0 or b > 0 do
    local x, y = a % 16, b % 16
    r = r + tab[x * 16 + y] * scale
    a, b = (a - x) / 16, (b - y) / 16
    scale = scale * 16
  end
  return r
end

local function bxor(a, b) return combine(XOR, a, b) end
local function band(a, b) return combine(AND, a, b) end
local function bnot(a) return WORD - 1 - a end

local pow2 = {}
do
  local p = 1
  for i = 0, 32 do pow2[i] = p; p = p * 2 end
end

local function shr(a, n) return floor(a / pow2[n]) end
local function rotr(a, n)
  local low = a % pow2[n]
  return (a - low) / pow2[n] + low * pow2[32 - n]
end

local function frac_bits(x)
  return floor((x - floor(x)) * WORD)
end

-- the constants come from the roots of the first 64 primes
local K, H0 = {}, {}
do
  local candidate, found = 2, 0
  while found < 64 do
    local prime = true
    for d = 2, candidate - 1 do
      if d * d > candidate then break end
      if candidate % d == 0 then prime = false break end
    end
    if prime then
      found = found + 1
      K[found] = frac_bits(candidate ^ (1 / 3))
      if found <= 8 then H0[found] = frac_bits(candidate ^ 0.5) end
    end
    candidate = candidate + 1
  end
end

local function pad(msg)
  local bits = #msg * 8
  local zeros = (55 - #msg) % 64
  local tail = {}
  for i = 8, 1, -1 do
    tail[i] = string.char(bits % 256)
    bits = floor(bits / 256)
  end
  return msg .. "\128" .. string.rep("\0", zeros) .. table.concat(tail)
end

local function compress(state, block, at)
  local w = {}
  for i = 1, 16 do
    local b1, b2, b3, b4 = block:byte(at, at + 3)
    w[i] = ((b1 * 256 + b2) * 256 + b3) * 256 + b4
    at = at + 4
  end
  for i = 17, 64 do
    local p, q = w[i - 15], w[i - 2]
    local s0 = bxor(bxor(rotr(p, 7), rotr(p, 18)), shr(p, 3))
    local s1 = bxor(bxor(rotr(q, 17), rotr(q, 19)), shr(q, 10))
    w[i] = (w[i - 16] + s0 + w[i - 7] + s1) % WORD
  end
  local a, b, c, d, e, f, g, h = (table.unpack or unpack)(state)
  for i = 1, 64 do
    local big1 = bxor(bxor(rotr(e, 6), rotr(e, 11)), rotr(e, 25))
    local choose = bxor(band(e, f), band(bnot(e), g))
    local t1 = h + big1 + choose + K[i] + w[i]
    local big0 = bxor(bxor(rotr(a, 2), rotr(a, 13)), rotr(a, 22))
    local major = bxor(bxor(band(a, b), band(a, c)), band(b, c))
    h, g, f, e = g, f, e, (d + t1) % WORD
    d, c, b, a = c, b, a, (t1 + big0 + major) % WORD
  end
  local new = { a, b, c, d, e, f, g, h }
  for i = 1, 8 do state[i] = (state[i] + new[i]) % WORD end
end

local function sha256(msg)
  local state = {}
  for i = 1, 8 do state[i] = H0[i] end
  local data = pad(msg)
  for at = 1, #data, 64 do compress(state, data, at) end
  local hex = {}
  for i = 1, 8 do
    local hi = floor(state[i] / 65536)
    hex[i] = string.format("%04x%04x", hi, floor(state[i] % 65536))
  end
  return table.concat(hex)
end

return function(n)
  assert(sha256("abc"):sub(1, 16) == "ba7816bf8f01cfea")
  local digest = ""
  for i = 1, n do
    digest = sha256(digest .. ":" .. i .. string.rep("x", i % 70))
  end
  return digest
end
