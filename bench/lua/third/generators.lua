-- Coroutines as generators: permutations, in-order walks of two trees
-- (merged and compared), a sieve of filters and a producer/filter/consumer pipeline.
-- args: 90
-- quick: 5

local yield, wrap = coroutine.yield, coroutine.wrap

local function permutations(list)
  local function permute(k)
    if k <= 1 then return yield(list) end
    for i = 1, k do
      list[i], list[k] = list[k], list[i]
      permute(k - 1)
      list[i], list[k] = list[k], list[i]
    end
  end
  return wrap(function() permute(#list) end)
end

local function grow(tree, key)
  if not tree then return { key = key } end
  if key < tree.key then
    tree.left = grow(tree.left, key)
  elseif key > tree.key then
    tree.right = grow(tree.right, key)
  end
  return tree
end

local function walk(tree)
  if tree then
    walk(tree.left)
    yield(tree.key)
    walk(tree.right)
  end
end

local function inorder(tree)
  return wrap(function() walk(tree) end)
end

local function merge(a, b)
  return wrap(function()
    local x, y = a(), b()
    while x or y do
      if not y or (x and x < y) then
        yield(x, "left")
        x = a()
      elseif not x or y < x then
        yield(y, "right")
        y = b()
      else
        yield(x, "both")
        x, y = a(), b()
      end
    end
  end)
end

-- pipeline pieces: every stage pulls from the one before with resume
local function receive(producer)
  local ok, value = coroutine.resume(producer)
  if not ok then error(value) end
  return value
end

local function producer(n)
  return coroutine.create(function()
    for i = 1, n do yield("item " .. i) end
  end)
end

local function filter(source, keep, change)
  return coroutine.create(function()
    local value = receive(source)
    while value do
      if keep(value) then yield(change(value)) end
      value = receive(source)
    end
  end)
end

local function consume(source)
  local count, length = 0, 0
  while true do
    local value = receive(source)
    if not value then break end
    count = count + 1
    length = length + #value
  end
  return count, length
end

local function counter(from)
  return wrap(function()
    for i = from, math.huge do yield(i) end
  end)
end

local function without_multiples(source, p)
  return wrap(function()
    while true do
      local v = source()
      if v % p ~= 0 then yield(v) end
    end
  end)
end

return function(n)
  local sum = 0
  local list = {}
  for i = 1, 8 do list[i] = i end
  for p in permutations(list) do
    sum = (sum * 3 + p[1] * p[#p] + p[2]) % 1000000007
  end
  local seed, left, right = 77, nil, nil
  for _ = 1, n * 200 do
    seed = seed * 16807 % 2147483647
    left = grow(left, seed % 5000)
    seed = seed * 16807 % 2147483647
    right = grow(right, seed % 5000)
  end
  local both = 0
  for key, where in merge(inorder(left), inorder(right)) do
    if where == "both" then both = both + 1 end
    sum = (sum * 2 + key + #where) % 1000000007
  end
  local evens = filter(producer(n * 1000),
    function(s) return s:sub(-1):find("[02468]") end, function(s) return s:upper() end)
  local tagged = filter(evens,
    function(s) return #s > 6 end, function(s) return "<" .. s .. ">" end)
  local count, length = consume(tagged)
  local source, prime = counter(2), nil
  for _ = 1, 45 do
    prime = source()
    source = without_multiples(source, prime)
  end
  -- what is left has no factor among the first 45 primes
  for _ = 1, n * 10 do sum = (sum + prime * source()) % 1000000007 end
  return string.format("%d %d %d %d %d", sum, both, count, length, prime)
end
