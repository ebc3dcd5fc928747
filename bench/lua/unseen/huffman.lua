-- Huffman coding of a text: counts, a tree from a sorted list, canonical codes, coding to bytes and decoding by walking the tree.
-- Nodes are compared by metamethods (__lt) and joined by __add.
-- args: 140
-- quick: 1
local Node = {}
Node.__index = Node

setmetatable(Node, { __call = function(cls, weight, symbol, left, right)
  return setmetatable({ weight = weight, symbol = symbol, left = left, right = right, first = symbol or left.first }, cls)
end })

Node.__lt = function(a, b)
  if a.weight ~= b.weight then return a.weight < b.weight end
  return a.first < b.first
end
Node.__le = function(a, b) return not (b < a) end
Node.__add = function(a, b)
  local node = Node(a.weight + b.weight, nil, a, b)
  node.first = math.min(a.first, b.first)
  return node
end
function Node:isLeaf() return self.symbol ~= nil end
function Node:lengths(depth, into)
  if self:isLeaf() then
    into[self.symbol] = math.max(depth, 1)
  else
    self.left:lengths(depth + 1, into)
    self.right:lengths(depth + 1, into)
  end
  return into
end

local function frequencies(text)
  local counts = {}
  for i = 1, #text do
    local b = text:byte(i)
    counts[b] = (counts[b] or 0) + 1
  end
  return counts
end

local function insertSorted(list, node)
  local lo, hi = 1, #list + 1
  while lo < hi do
    local mid = math.floor((lo + hi) / 2)
    if list[mid] <= node then hi = mid else lo = mid + 1 end
  end
  table.insert(list, lo, node)
end

local function build(counts)
  local list = {}
  for symbol = 0, 255 do
    if counts[symbol] then list[#list + 1] = Node(counts[symbol], symbol) end
  end
  table.sort(list, function(a, b) return b < a end)       -- the lightest last
  while #list > 1 do
    local a = table.remove(list)
    local b = table.remove(list)
    insertSorted(list, a + b)
  end
  return list[1]
end

local function canonical(lengths)
  local order = {}
  for symbol, length in pairs(lengths) do order[#order + 1] = { symbol = symbol, length = length } end
  table.sort(order, function(a, b)
    return a.length < b.length or a.length == b.length and a.symbol < b.symbol
  end)
  local codes, code, last = {}, 0, order[1].length
  for _, o in ipairs(order) do
    while last < o.length do
      code = code * 2
      last = last + 1
    end
    local bits, c = {}, code
    for i = o.length, 1, -1 do
      bits[i] = c % 2 == 1 and "1" or "0"
      c = math.floor(c / 2)
    end
    codes[o.symbol] = table.concat(bits)
    code = code + 1
  end
  return codes
end

local function encode(text, codes)
  local buffer, value, filled = {}, 0, 0
  for i = 1, #text do
    local code = codes[text:byte(i)]
    for k = 1, #code do
      value = value * 2 + code:byte(k) - 48
      filled = filled + 1
      if filled == 8 then
        buffer[#buffer + 1] = string.char(value)
        value, filled = 0, 0
      end
    end
  end
  local padding = filled > 0 and 8 - filled or 0
  if filled > 0 then buffer[#buffer + 1] = string.char(value * 2 ^ padding) end
  return table.concat(buffer), padding
end

local function trie(codes)
  local root = {}
  for symbol, code in pairs(codes) do
    local at = root
    for k = 1, #code - 1 do
      local bit = code:sub(k, k)
      at[bit] = at[bit] or {}
      at = at[bit]
    end
    at[code:sub(-1)] = string.char(symbol)
  end
  return root
end

local function decode(bytes, padding, codes)
  local root = trie(codes)
  local out, at = {}, root
  for i = 1, #bytes do
    local b = bytes:byte(i)
    local mask = 128
    local stop = i == #bytes and 2 ^ padding or 1
    while mask >= stop do
      local bit
      if b >= mask then
        bit = "1"
        b = b - mask
      else
        bit = "0"
      end
      local next_ = at[bit]
      if type(next_) == "string" then
        out[#out + 1] = next_
        at = root
      else
        at = next_
      end
      mask = mask / 2
    end
  end
  return table.concat(out)
end

local syllables = { "ka", "lo", "mi", "ren", "tu", "sha", "e", "vor", "in", "ga", "ost", "pel" }
local function prose(n)
  local seed, parts = 4, {}
  for i = 1, n do
    local word = ""
    repeat
      seed = (seed * 7141 + 54773) % 259200
      word = word .. syllables[math.floor(seed / 100) % #syllables + 1]
    until seed % 3 == 0
    if seed % 11 == 0 then word = word:sub(1, 1):upper() .. word:sub(2) end
    if i % 13 == 0 then word = word .. ", " .. seed end
    parts[i] = word
  end
  return table.concat(parts, " ") .. "."
end

return function(n)
  local text = prose(n * 100)
  local root = build(frequencies(text))
  local codes = canonical(root:lengths(0, {}))
  local bytes, padding = encode(text, codes)
  local back = decode(bytes, padding, codes)
  local sum, shown = 0, {}
  for i = 1, #bytes do sum = (sum * 257 + bytes:byte(i)) % 1000003 end
  for _, c in ipairs({ "a", "e", "z", "7", " ", "." }) do shown[#shown + 1] = c .. "=" .. (codes[c:byte()] or "none") end
  return table.concat({ #text, #bytes, padding, sum, tostring(back == text), table.concat(shown, ",") }, " ")
end
