-- Allocation of arrays of different lengths: trees whose nodes are arrays of four with leaves of random length, kept for a while.
-- args: 7
-- quick: 3
local seed

local function random()
  seed = (seed * 1309 + 13849) % 65536
  return seed
end

local count

local function build(depth)
  count = count + 1
  if depth == 0 then
    local leaf = {}
    for i = 1, random() % 10 + 1 do leaf[i] = false end
    return leaf
  end
  local node = {}
  for i = 1, 4 do node[i] = build(depth - 1) end
  return node
end

local function cells(node)
  local sum = #node
  for i = 1, #node do
    if node[i] then sum = sum + cells(node[i]) end
  end
  return sum
end

return function(n)
  count, seed = 0, 74755
  local kept, total = {}, 0
  for i = 1, 8 do
    kept[1 + i % 3] = build(n)
    total = total + cells(kept[1 + (i + 1) % 3] or {})
  end
  return total * 1000000 + count
end
