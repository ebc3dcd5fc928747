-- Functional habits: curried and composed functions, lazy streams by closures, folds over varargs, memory of results,
-- and a query object that is chained.
-- args: 450
-- quick: 2
local unpack = table.unpack or unpack

local function compose(...)
  local fs, n = { ... }, select("#", ...)
  return function(...)
    local r = { fs[n](...) }
    for i = n - 1, 1, -1 do r = { fs[i](unpack(r)) } end
    return unpack(r)
  end
end

local function curry(f, arity, ...)
  local got, held = { ... }, select("#", ...)
  return function(...)
    local args = { unpack(got, 1, held) }
    local n = select("#", ...)
    for i = 1, n do args[held + i] = (select(i, ...)) end
    if held + n >= arity then return f(unpack(args, 1, held + n)) end
    return curry(f, arity, unpack(args, 1, held + n))
  end
end

local function memo(f)
  local cache, hits = {}, 0
  return function(x)
    local v = cache[x]
    if v == nil then
      v = f(x)
      cache[x] = v
    else
      hits = hits + 1
    end
    return v
  end, function() return hits end
end

local function sum(...)
  local s = 0
  for i = 1, select("#", ...) do s = s + (select(i, ...)) end
  return s
end

-- lazy streams: a head and a function that makes the tail once
local function stream(head, tail)
  local made
  return {
    head = head,
    tail = function()
      if tail then
        made = tail()
        tail = nil
      end
      return made
    end,
  }
end

local function from(k) return stream(k, function() return from(k + 1) end) end

local function sift(s, keep)
  while s and not keep(s.head) do s = s.tail() end
  return s and stream(s.head, function() return sift(s.tail(), keep) end)
end

local function map(s, f)
  return s and stream(f(s.head), function() return map(s.tail(), f) end)
end

local function zip(a, b, f)
  return a and b and stream(f(a.head, b.head), function() return zip(a.tail(), b.tail(), f) end)
end

local function take(s, n)
  local list = {}
  while s and #list < n do
    list[#list + 1] = s.head
    s = s.tail()
  end
  return list
end

local function sieve(s)
  local p = s.head
  return stream(p, function()
    return sieve(sift(s.tail(), function(x) return x % p ~= 0 end))
  end)
end

local function merge(a, b)
  if not a or not b then return a or b end
  if a.head < b.head then return stream(a.head, function() return merge(a.tail(), b) end) end
  if b.head < a.head then return stream(b.head, function() return merge(a, b.tail()) end) end
  return stream(a.head, function() return merge(a.tail(), b.tail()) end)
end

local function hamming()
  local h
  h = stream(1, function()
    local times = function(k) return map(h, function(x) return x * k end) end
    return merge(times(2), merge(times(3), times(5)))
  end)
  return h
end

-- the query: each step answers the object again; + joins two, an index takes one item, a call gives the first few
local Query = {}
Query.__index = function(q, key)
  local method = rawget(Query, key)
  if method then return method end
  return q.items[key]                          -- q[3] is the third
end
local function query(items) return setmetatable({ items = items }, Query) end
function Query:where(test)
  local out = {}
  for _, v in ipairs(self.items) do if test(v) then out[#out + 1] = v end end
  return query(out)
end
function Query:pick(...)
  local names, out = { ... }, {}
  for i, v in ipairs(self.items) do
    local row = {}
    for _, name in ipairs(names) do row[name] = v[name] end
    out[i] = row
  end
  return query(out)
end
function Query:order(key, down)
  local out = { unpack(self.items) }
  table.sort(out, function(a, b)
    if a[key] ~= b[key] then
      if down then return a[key] > b[key] end
      return a[key] < b[key]
    end
    return a.id < b.id
  end)
  return query(out)
end
function Query:group(key)
  local groups, order = {}, {}
  for _, v in ipairs(self.items) do
    local k = type(key) == "function" and key(v) or v[key]
    if not groups[k] then
      groups[k] = {}
      order[#order + 1] = k
    end
    table.insert(groups[k], v)
  end
  local i = 0
  return function()
    i = i + 1
    if order[i] then return order[i], query(groups[order[i]]) end
  end
end
function Query:fold(f, start)
  local acc = start
  for _, v in ipairs(self.items) do acc = f(acc, v) end
  return acc
end
Query.__add = function(a, b)
  local out = {}
  for _, q in ipairs({ a, b }) do
    for _, v in ipairs(q.items) do out[#out + 1] = v end
  end
  return query(out)
end
Query.__call = function(q, limit) return unpack(q.items, 1, math.min(limit, #q.items)) end

return function(n)
  local primes = take(sieve(from(2)), n)
  local ham = take(hamming(), n * 4)
  local fibs
  fibs = stream(0, function() return stream(1, function() return zip(fibs, fibs.tail(), function(a, b) return (a + b) % 1000003 end) end) end)
  local f = take(fibs, n * 5)

  local add3 = curry(function(a, b, c) return a + b * 10 + c * 100 end, 3)
  local total = 0
  local step = compose(function(a, b) return a - b end, function(a, b) return a * b, a + b end, function(x) return x + 1, x % 7 end)
  for i = 1, n * 10 do
    total = (total + add3(i)(2)(3) + add3(1, i)(4) + add3(5)(6, i) + step(i) + sum(i, 2, 3, nil or 0, i % 4)) % 1000003
  end

  local longest, best = 0, 0
  local collatz, hits
  collatz, hits = memo(function(x)
    if x == 1 then return 0 end
    return 1 + collatz(x % 2 == 0 and math.floor(x / 2) or 3 * x + 1)
  end)
  for i = 1, n * 10 do
    local c = collatz(i)
    if c > longest then longest, best = c, i end
  end

  local people, towns = {}, { "north", "east", "south" }
  for i = 1, n * 2 do people[i] = { id = i, age = i * 37 % 83, town = towns[i % 3 + 1], pay = i * 113 % 997, extra = {} } end
  local q = query(people):where(function(p) return p.age >= 18 end):pick("id", "age", "town", "pay"):order("pay", true)
  local report = {}
  for town, group in (q + query(people):where(function(p) return p.age < 5 end)):group("town") do
    local eldest = group:order("age", true)[1]
    report[#report + 1] = town .. ":" .. group:fold(function(a, p) return a + p.pay end, 0) .. ":" .. (eldest and eldest.age or 0)
  end
  table.sort(report)
  local a, b = q(2)
  return string.format("%d %d %d %d %d %d %d %s %d %s", primes[#primes], ham[#ham], f[#f], total, longest, best, hits(), table.concat(report, " "),
    a and a.id or 0, tostring(b and b.extra))
end
