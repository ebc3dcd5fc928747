-- Nodes that are made and linked, and a tree to collect, in Lua. In: what, and n. Out: seconds of processor time, and a result.
local function node(value, next) return { value = value, next = next } end

local function make(n)
  local chain
  while n > 0 do
    chain = node(n, chain)
    if n % 64 == 0 then chain = nil end
    n = n - 1
  end
  return chain.value
end

local nodes = {}
for i = 0, 1023 do nodes[i] = node(i) end

local function link(n)
  while n > 0 do
    nodes[n % 1024].next = nodes[(n + 7) % 1024]
    n = n - 1
  end
  return nodes[1].next.value
end

local function count(n)
  while n > 0 do
    nodes[n % 1024].value = n
    n = n - 1
  end
  return nodes[7].value
end

local function tree(depth)
  if depth == 0 then return {} end
  return { left = tree(depth - 1), right = tree(depth - 1) }
end

local function nodes_of(tree)
  if not tree.left then return 1 end
  return 1 + nodes_of(tree.left) + nodes_of(tree.right)
end

local what, n = arg[1], tonumber(arg[2])
local run = ({ make = make, link = link, count = count })[what]
if run then
  run(1000000)
  local begin = os.clock()
  local result = run(n)
  print(string.format("%.9f %.0f", os.clock() - begin, result))
else
  local kept = tree(n)
  collectgarbage()
  local begin = os.clock()
  collectgarbage()
  print(string.format("%.9f %.0f", os.clock() - begin, nodes_of(kept)))
end
