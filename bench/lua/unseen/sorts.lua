-- Nine ways to sort (insertion, selection, shell, heap, merge, quick, comb, radix, the library's), over numbers, strings and records,
-- by given comparisons.
-- args: 730
-- quick: 3
local sorts = {}

local function default(a, b) return a < b end

function sorts.insertion(t, lt)
  lt = lt or default
  for i = 2, #t do
    local v, j = t[i], i - 1
    while j > 0 and lt(v, t[j]) do
      t[j + 1] = t[j]
      j = j - 1
    end
    t[j + 1] = v
  end
  return t
end

function sorts.selection(t, lt)
  lt = lt or default
  local n = #t
  for i = 1, n - 1 do
    local m = i
    for j = i + 1, n do
      if lt(t[j], t[m]) then m = j end
    end
    t[i], t[m] = t[m], t[i]
  end
  return t
end

function sorts.shell(t, lt)
  lt = lt or default
  local gaps, g = {}, 1
  while g < #t do
    table.insert(gaps, 1, g)
    g = g * 3 + 1
  end
  for _, gap in ipairs(gaps) do
    for i = gap + 1, #t do
      local v = t[i]
      local j = i
      while j > gap and lt(v, t[j - gap]) do
        t[j] = t[j - gap]
        j = j - gap
      end
      t[j] = v
    end
  end
  return t
end

function sorts.heap(t, lt)
  lt = lt or default
  local function sink(i, n)
    local v = t[i]
    while i * 2 <= n do
      local c = i * 2
      if c < n and lt(t[c], t[c + 1]) then c = c + 1 end
      if not lt(v, t[c]) then break end
      t[i] = t[c]
      i = c
    end
    t[i] = v
  end
  local n = #t
  for i = math.floor(n / 2), 1, -1 do sink(i, n) end
  for last = n, 2, -1 do
    t[1], t[last] = t[last], t[1]
    sink(1, last - 1)
  end
  return t
end

function sorts.merge(t, lt)
  lt = lt or default
  local n = #t
  if n < 2 then return t end
  local half = math.floor(n / 2)
  local a, b = {}, {}
  for i = 1, n do
    if i <= half then a[i] = t[i] else b[i - half] = t[i] end
  end
  sorts.merge(a, lt)
  sorts.merge(b, lt)
  local i, j = 1, 1
  for k = 1, n do
    if b[j] == nil or (a[i] ~= nil and not lt(b[j], a[i])) then
      t[k] = a[i]
      i = i + 1
    else
      t[k] = b[j]
      j = j + 1
    end
  end
  return t
end

function sorts.quick(t, lt)
  lt = lt or default
  local function go(lo, hi)
    while lo < hi do
      local p = t[math.floor((lo + hi) / 2)]
      local i, j = lo, hi
      repeat
        while lt(t[i], p) do i = i + 1 end
        while lt(p, t[j]) do j = j - 1 end
        if i <= j then
          t[i], t[j] = t[j], t[i]
          i, j = i + 1, j - 1
        end
      until i > j
      if j - lo < hi - i then
        go(lo, j)
        lo = i
      else
        go(i, hi)
        hi = j
      end
    end
  end
  go(1, #t)
  return t
end

function sorts.comb(t, lt)
  lt = lt or default
  local gap, swapped = #t, true
  while gap > 1 or swapped do
    gap = math.max(1, math.floor(gap / 1.3))
    swapped = false
    for i = 1, #t - gap do
      if lt(t[i + gap], t[i]) then
        t[i], t[i + gap] = t[i + gap], t[i]
        swapped = true
      end
    end
  end
  return t
end

function sorts.library(t, lt)
  table.sort(t, lt)
  return t
end

-- whole numbers only, by digits to the base of 16
local function radix(t)
  local max = 0
  for _, v in ipairs(t) do max = math.max(max, v) end
  local unit = 1
  while unit <= max do
    local buckets = {}
    for d = 0, 15 do buckets[d] = {} end
    for _, v in ipairs(t) do
      local b = buckets[math.floor(v / unit) % 16]
      b[#b + 1] = v
    end
    local k = 0
    for d = 0, 15 do
      for _, v in ipairs(buckets[d]) do
        k = k + 1
        t[k] = v
      end
    end
    unit = unit * 16
  end
  return t
end

local names = { "insertion", "selection", "shell", "heap", "merge", "quick", "comb", "library" }
local comparisons = 0

local function counted(lt)
  return function(a, b)
    comparisons = comparisons + 1
    return lt(a, b)
  end
end

local function chain(...)
  local keys = { ... }
  return function(a, b)
    for i = 1, #keys do
      local x, y = a[keys[i]], b[keys[i]]
      if x ~= y then return x < y end
    end
    return false
  end
end

return function(n)
  local seed = 12
  local function random()
    seed = (seed * 16807) % 2147483647
    return seed % 100000
  end
  local numbers, strings, records = {}, {}, {}
  for i = 1, n do
    numbers[i] = random()
    strings[i] = string.char(97 + random() % 26, 97 + random() % 26) .. random() % 100
    records[i] = { year = 1990 + random() % 6, name = strings[random() % i + 1], id = i }
  end
  local function copy(t)
    local c = {}
    for i, v in ipairs(t) do c[i] = v end
    return c
  end
  local expected = radix(copy(numbers))
  local by_record = chain("year", "name", "id")
  local wrong, sum, out = 0, 0, {}
  for k, name in ipairs(names) do
    comparisons = 0
    local sort = sorts[name]
    local a = sort(copy(numbers))
    local down = sort(copy(numbers), function(x, y) return x > y end)
    for i = 1, n do
      if a[i] ~= expected[i] or down[n + 1 - i] ~= expected[i] then wrong = wrong + 1 end
    end
    local s = sort(copy(strings), k % 2 == 0 and counted(default) or nil)
    local r = sort(copy(records), counted(by_record))
    for i = 1, n do
      sum = (sum * 3 + s[i]:byte(1) * i + r[i].id) % 1000003
      if i > 1 and (s[i] < s[i - 1] or by_record(r[i], r[i - 1])) then wrong = wrong + 1 end
    end
    if name ~= "library" then out[#out + 1] = name .. ":" .. comparisons end     -- the library's count is its own matter
  end
  return string.format("wrong %d sum %d %s first %s last %s", wrong, sum, table.concat(out, " "), sorts.quick(copy(strings))[1], expected[n])
end
