-- A search tree of 500 random keys; then n times the sum of its keys and its height, both by recursion.
local function insert(tree, node)
  while true do
    if tree.key < node.key then
      if not tree.right then tree.right = node return end
      tree = tree.right
    else
      if not tree.left then tree.left = node return end
      tree = tree.left
    end
  end
end

local function sum(tree)
  local sum_ = tree.key
  if tree.left then sum_ = sum_ + sum(tree.left) end
  if tree.right then sum_ = sum_ + sum(tree.right) end
  return sum_
end

local function height(tree)
  local left, right = 0, 0
  if tree.left then left = height(tree.left) end
  if tree.right then right = height(tree.right) end
  if left < right then return right + 1 end
  return left + 1
end

return function(n)
  local seed, tree = 1394, nil
  for _ = 1, 500 do
    local node = { key = seed, left = false, right = false }
    if tree then insert(tree, node) else tree = node end
    seed = seed * 1309 + 85
  end
  local check = 0
  for _ = 1, n do check = check * 3 + sum(tree) * height(tree) end
  return check
end
