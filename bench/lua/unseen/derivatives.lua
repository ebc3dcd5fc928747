-- Regular expressions matched by Brzozowski derivatives with memory (shared nodes, lazily built states) and by plain backtracking with continuations.
-- args: 3200
-- quick: 1
local nodes = {}          -- every node once, by its description
local serial = 0

local function intern(kind, a, b)
  local key = kind .. "(" .. (type(a) == "table" and a.id or a or "") .. "," .. (type(b) == "table" and b.id or b or "") .. ")"
  local node = nodes[key]
  if not node then
    serial = serial + 1
    node = { kind = kind, a = a, b = b, id = serial, memo = {} }
    nodes[key] = node
  end
  return node
end

local Never, Empty, Any
local function reset()
  nodes, serial = {}, 0
  Never, Empty, Any = intern("never"), intern("empty"), intern("any")
end

local function char(c) return intern("char", c) end
local function range(lo, hi) return intern("range", lo, hi) end
local function seq(a, b)
  if a == Never or b == Never then return Never end
  if a == Empty then return b end
  if b == Empty then return a end
  return intern("seq", a, b)
end
local function alt(a, b)
  if a == b or b == Never then return a end
  if a == Never then return b end
  if a.id > b.id then a, b = b, a end
  return intern("alt", a, b)
end
local function star(a)
  if a == Never or a == Empty then return Empty end
  if a.kind == "star" then return a end
  return intern("star", a)
end

local function nullable(r)
  local v = r.null
  if v == nil then
    local k = r.kind
    if k == "empty" or k == "star" then v = true
    elseif k == "seq" then v = nullable(r.a) and nullable(r.b)
    elseif k == "alt" then v = nullable(r.a) or nullable(r.b)
    else v = false end
    r.null = v
  end
  return v
end

local derive
local rules = {
  never = function() return Never end,
  empty = function() return Never end,
  any = function() return Empty end,
  char = function(r, c) return r.a == c and Empty or Never end,
  range = function(r, c) return c >= r.a and c <= r.b and Empty or Never end,
  alt = function(r, c) return alt(derive(r.a, c), derive(r.b, c)) end,
  star = function(r, c) return seq(derive(r.a, c), r) end,
  seq = function(r, c)
    local first = seq(derive(r.a, c), r.b)
    if nullable(r.a) then return alt(first, derive(r.b, c)) end
    return first
  end,
}
function derive(r, c)
  local d = r.memo[c]
  if not d then
    d = rules[r.kind](r, c)
    r.memo[c] = d
  end
  return d
end

local function matches(r, text)
  for i = 1, #text do
    r = derive(r, text:byte(i))
    if r == Never then return false end
  end
  return nullable(r)
end

-- Reader:  alternatives | , postfix * + ?, groups (), classes [a-z], the dot.
local function parse(source)
  local at = 1
  local function look() return source:sub(at, at) end
  local alternatives
  local function atom()
    local c = look()
    at = at + 1
    if c == "(" then
      local r = alternatives()
      at = at + 1
      return r
    elseif c == "." then return Any
    elseif c == "[" then
      local r = Never
      while look() ~= "]" do
        local lo = source:byte(at)
        if source:sub(at + 1, at + 1) == "-" then
          r = alt(r, range(lo, source:byte(at + 2)))
          at = at + 3
        else
          r = alt(r, char(lo))
          at = at + 1
        end
      end
      at = at + 1
      return r
    end
    return char(c:byte())
  end
  local function repeated()
    local r = atom()
    while true do
      local c = look()
      if c == "*" then r = star(r)
      elseif c == "+" then r = seq(r, star(r))
      elseif c == "?" then r = alt(r, Empty)
      else return r end
      at = at + 1
    end
  end
  local function sequence()
    local c = look()
    if c == "" or c == "|" or c == ")" then return Empty end
    local r = repeated()
    return seq(r, sequence())
  end
  function alternatives()
    local r = sequence()
    while look() == "|" do
      at = at + 1
      r = alt(r, sequence())
    end
    return r
  end
  return alternatives()
end

-- Backtracking: k is what is to match from the place reached.
local steps
local function back(r, text, i, k)
  steps = steps + 1
  local kind = r.kind
  if kind == "empty" then return k(i)
  elseif kind == "never" then return false
  elseif kind == "seq" then
    return back(r.a, text, i, function(j) return back(r.b, text, j, k) end)
  elseif kind == "alt" then
    return back(r.a, text, i, k) or back(r.b, text, i, k)
  elseif kind == "star" then
    return back(r.a, text, i, function(j) return j > i and back(r, text, j, k) end) or k(i)
  end
  local c = text:byte(i)
  if not c then return false end
  if kind == "any" or kind == "char" and c == r.a or kind == "range" and c >= r.a and c <= r.b then return k(i + 1) end
  return false
end

local patterns = { "(a|b)*abb", "[a-c]+(x[0-9]+)?", "(ab?)*(c|ba)+", ".*b.b.*", "((a|ab)(c|bcd))*", "x?y?(a*b)*c*" }
local alphabet = { "a", "b", "c", "ab", "abb", "x7", "bcd", "ba" }

return function(n)
  reset()
  local seed, counts, yes, wrong = 77, {}, 0, 0
  steps = 0
  local compiled = {}
  for i, p in ipairs(patterns) do compiled[i] = parse(p) end
  for round = 1, n do
    local text = ""
    for _ = 1, 2 + round % 7 do
      seed = (seed * 1229 + 351) % 16381
      text = text .. alphabet[seed % #alphabet + 1]
    end
    for i, r in ipairs(compiled) do
      local m = matches(r, text)
      local length = #text
      local b = back(r, text, 1, function(j) return j == length + 1 end)
      if m ~= b then wrong = wrong + 1 end
      if m then
        counts[i] = (counts[i] or 0) + 1
        yes = (yes * 7 + round + i) % 1000003
      end
    end
  end
  local out = {}
  for i = 1, #patterns do out[i] = patterns[i] .. ":" .. (counts[i] or 0) end
  return table.concat(out, " ") .. string.format(" yes %d wrong %d nodes %d steps %d", yes, wrong, serial, steps)
end
