-- Allocation: complete binary trees of tables, made, counted and dropped; one of them lives all the time.
-- args: 16
-- quick: 6
local function make(depth)
  if depth == 0 then return {} end
  return { left = make(depth - 1), right = make(depth - 1) }
end

local function count(tree)
  if not tree.left then return 1 end
  return 1 + count(tree.left) + count(tree.right)
end

return function(n)
  local long_lived = make(n)
  local total = 0
  for depth = 4, n, 4 do
    local trees = 2 ^ (n - depth)
    local nodes = 0
    for _ = 1, trees do
      nodes = nodes + count(make(depth))
    end
    total = total * 7 + nodes
  end
  return total + count(long_lived)
end
