-- A B-tree of small order as an ordered map: put, get, remove, walk in order and by range, checked against sums; also used as an index over records.
-- args: 130
-- quick: 1
local ORDER = 5                      -- most keys in a node; the fewest are 2
local LEAST = 2

local BTree = {}
BTree.__index = BTree

local function newNode(leaf)
  return { n = 0, keys = {}, values = {}, children = not leaf and {} or nil }
end

function BTree.new(options)
  options = options or {}
  local t = { root = newNode(true), size = 0, splits = 0, merges = 0, borrowed = 0, compare = options.compare or function(a, b)
    if a < b then return -1 elseif a > b then return 1 else return 0 end
  end }
  return setmetatable(t, BTree)
end

function BTree:locate(node, key)
  local lo, hi = 1, node.n
  while lo <= hi do
    local mid = math.floor((lo + hi) / 2)
    local c = self.compare(key, node.keys[mid])
    if c == 0 then return mid, true end
    if c < 0 then hi = mid - 1 else lo = mid + 1 end
  end
  return lo, false
end

function BTree:get(key, default)
  local node = self.root
  while node do
    local i, found = self:locate(node, key)
    if found then return node.values[i] end
    node = node.children and node.children[i]
  end
  return default
end

function BTree:split(parent, i)
  local full = parent.children[i]
  local right = newNode(not full.children)
  local middle = LEAST + 1
  for k = middle + 1, full.n do
    right.keys[k - middle] = full.keys[k]
    right.values[k - middle] = full.values[k]
    full.keys[k], full.values[k] = nil, nil
  end
  if full.children then
    for k = middle + 1, full.n + 1 do
      right.children[k - middle] = full.children[k]
      full.children[k] = nil
    end
  end
  right.n = full.n - middle
  table.insert(parent.keys, i, full.keys[middle])
  table.insert(parent.values, i, full.values[middle])
  table.insert(parent.children, i + 1, right)
  full.keys[middle], full.values[middle] = nil, nil
  full.n = middle - 1
  parent.n = parent.n + 1
  self.splits = self.splits + 1
end

function BTree:put(key, value)
  if self.root.n == ORDER then
    local top = newNode(false)
    top.children[1] = self.root
    self.root = top
    self:split(top, 1)
  end
  local node = self.root
  while true do
    local i, found = self:locate(node, key)
    if found then
      node.values[i] = value
      return false
    end
    if not node.children then
      table.insert(node.keys, i, key)
      table.insert(node.values, i, value)
      node.n = node.n + 1
      self.size = self.size + 1
      return true
    end
    if node.children[i].n == ORDER then
      self:split(node, i)
      local c = self.compare(key, node.keys[i])
      if c == 0 then
        node.values[i] = value
        return false
      elseif c > 0 then
        i = i + 1
      end
    end
    node = node.children[i]
  end
end

local function move(from, at, to, place)
  table.insert(to.keys, place, (table.remove(from.keys, at)))
  table.insert(to.values, place, (table.remove(from.values, at)))
end

function BTree:merge(node, i)                     -- child i, key i and child i + 1 become one
  local left, right = node.children[i], node.children[i + 1]
  move(node, i, left, left.n + 1)
  for k = 1, right.n do
    left.keys[left.n + 1 + k] = right.keys[k]
    left.values[left.n + 1 + k] = right.values[k]
  end
  if left.children then
    for k = 1, right.n + 1 do left.children[left.n + 1 + k] = right.children[k] end
  end
  left.n = left.n + 1 + right.n
  table.remove(node.children, i + 1)
  node.n = node.n - 1
  self.merges = self.merges + 1
  return left
end

-- the child at i gets more than the fewest keys before it is gone into
function BTree:strengthen(node, i)
  local child = node.children[i]
  if child.n > LEAST then return child end
  local left, right = node.children[i - 1], node.children[i + 1]
  if left and left.n > LEAST then
    table.insert(child.keys, 1, node.keys[i - 1])
    table.insert(child.values, 1, node.values[i - 1])
    node.keys[i - 1], node.values[i - 1] = table.remove(left.keys), table.remove(left.values)
    if child.children then table.insert(child.children, 1, (table.remove(left.children))) end
    left.n, child.n = left.n - 1, child.n + 1
    self.borrowed = self.borrowed + 1
  elseif right and right.n > LEAST then
    child.keys[child.n + 1], child.values[child.n + 1] = node.keys[i], node.values[i]
    node.keys[i], node.values[i] = table.remove(right.keys, 1), table.remove(right.values, 1)
    if child.children then child.children[child.n + 2] = table.remove(right.children, 1) end
    right.n, child.n = right.n - 1, child.n + 1
    self.borrowed = self.borrowed + 1
  else
    return self:merge(node, left and i - 1 or i)
  end
  return child
end

function BTree:removeFrom(node, key)
  local i, found = self:locate(node, key)
  if not node.children then
    if not found then return nil end
    local value = table.remove(node.values, i)
    table.remove(node.keys, i)
    node.n = node.n - 1
    return value
  end
  if not found then return self:removeFrom(self:strengthen(node, i), key) end
  local value = node.values[i]
  local left, right = node.children[i], node.children[i + 1]
  if left.n > LEAST then
    local at = left
    while at.children do at = at.children[at.n + 1] end
    local k, v = at.keys[at.n], at.values[at.n]
    self:removeFrom(left, k)
    node.keys[i], node.values[i] = k, v
  elseif right.n > LEAST then
    local at = right
    while at.children do at = at.children[1] end
    local k, v = at.keys[1], at.values[1]
    self:removeFrom(right, k)
    node.keys[i], node.values[i] = k, v
  else
    self:removeFrom(self:merge(node, i), key)
  end
  return value
end

function BTree:remove(key)
  local value = self:removeFrom(self.root, key)
  if self.root.n == 0 and self.root.children then self.root = self.root.children[1] end
  if value ~= nil then self.size = self.size - 1 end
  return value
end

function BTree:walk(visit, low, high)
  local function go(node)
    for i = 1, node.n + 1 do
      local key = node.keys[i]
      if node.children and not (low and key ~= nil and self.compare(key, low) < 0) then go(node.children[i]) end
      if key ~= nil then
        if high and self.compare(key, high) > 0 then return end
        if not low or self.compare(key, low) >= 0 then visit(key, node.values[i]) end
      end
    end
  end
  go(self.root)
end

return function(n)
  local tree, sum, hits = BTree.new(), 0, 0
  local m = n * 97
  for i = 1, m do tree:put(i * 7919 % 10007, i) end
  for i = 1, m * 2 do hits = hits + (tree:get(i * 31 % 10007, 0) > 0 and 1 or 0) end
  for i = 1, m, 3 do sum = (sum + (tree:remove(i * 7919 % 10007) or 0)) % 1000003 end
  local last, ordered = -1, true
  tree:walk(function(k, v)
    if k <= last then ordered = false end
    last = k
    sum = (sum * 3 + v) % 1000003
  end)
  local inside = 0
  tree:walk(function(k) inside = inside + k end, 2000, 2500)

  -- an index of people by a name turned round, then by number
  local index = BTree.new { compare = function(a, b)
    if a.key ~= b.key then return a.key < b.key and -1 or 1 end
    return a.id - b.id
  end }
  for i = 1, n * 20 do
    local name = ("p" .. i * 37 % 101):reverse()
    index:put({ key = name, id = i }, { name = name, age = i % 90 })
  end
  local ages, first = 0, nil
  index:walk(function(k, v)
    first = first or k.key .. k.id
    ages = (ages * 5 + v.age) % 1000003
  end)
  return string.format("%d %d %s %d %d %d %d/%d/%d %s %d", tree.size, hits, tostring(ordered), sum, inside, index.size, tree.splits, tree.merges,
    tree.borrowed, first, ages)
end
