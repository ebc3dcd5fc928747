-- Red-black tree with insertion and deletion, ordered by a comparison closure.
-- Three trees are exercised: numbers upward, strings downward and records by two fields.
-- args: 12000
-- quick: 60

local Tree = {}
Tree.__index = Tree
function Tree.new(less)
  local leaf = { red = false }
  return setmetatable({ leaf = leaf, root = leaf, less = less, size = 0 }, Tree)
end

function Tree:find(key)
  local x, less = self.root, self.less
  while x ~= self.leaf do
    if less(key, x.key) then x = x.left
    elseif less(x.key, key) then x = x.right
    else return x end
  end
end

-- puts node b where node a hangs
function Tree:replace(a, b)
  local p = a.parent
  if p == self.leaf then self.root = b
  elseif p.left == a then p.left = b else p.right = b end
  b.parent = p
end

local opposite = { left = "right", right = "left" }
-- side is the direction in which x sinks
function Tree:rotate(x, side)
  local other = opposite[side]
  local y = x[other]
  x[other] = y[side]
  if y[side] ~= self.leaf then y[side].parent = x end
  self:replace(x, y)
  y[side], x.parent = x, y
end

function Tree:insert(key, value)
  local leaf, less = self.leaf, self.less
  local parent, x, side = leaf, self.root, nil
  while x ~= leaf do
    parent = x
    if less(key, x.key) then side = "left"
    elseif less(x.key, key) then side = "right"
    else x.value = value return end
    x = x[side]
  end
  local node = { key = key, value = value, red = true, parent = parent, left = leaf, right = leaf }
  if side then parent[side] = node else self.root = node end
  self.size = self.size + 1
  while node.parent.red do
    local p = node.parent
    local g = p.parent
    local s = p == g.left and "left" or "right"
    local o = opposite[s]
    local uncle = g[o]
    if uncle.red then
      p.red, uncle.red, g.red, node = false, false, true, g
    else
      if node == p[o] then
        node = p
        self:rotate(p, s)
      end
      node.parent.red, g.red = false, true
      self:rotate(g, o)
    end
  end
  self.root.red = false
end

function Tree:delete(key)
  local z, leaf = self:find(key), self.leaf
  if not z then return false end
  if z.left ~= leaf and z.right ~= leaf then
    local y = z.right
    while y.left ~= leaf do y = y.left end
    z.key, z.value = y.key, y.value
    z = y
  end
  local x = z.left ~= leaf and z.left or z.right
  self:replace(z, x)
  self.size = self.size - 1
  if z.red then return true end
  while x ~= self.root and not x.red do
    local p = x.parent
    local s = x == p.left and "left" or "right"
    local o = opposite[s]
    local w = p[o]
    if w.red then
      w.red, p.red = false, true
      self:rotate(p, s)
      w = p[o]
    end
    if not w.left.red and not w.right.red then
      w.red, x = true, p
    else
      if not w[o].red then
        w[s].red, w.red = false, true
        self:rotate(w, o)
        w = p[o]
      end
      w.red, p.red, w[o].red = p.red, false, false
      self:rotate(p, s)
      x = self.root
    end
  end
  x.red = false
  return true
end

function Tree:each(visit)
  local function walk(x, depth)
    if x == self.leaf then return end
    walk(x.left, depth + 1)
    visit(x.key, x.value, depth)
    walk(x.right, depth + 1)
  end
  walk(self.root, 1)
end

local function exercise(tree, n, rnd, make_key, weigh)
  local sum, order = 0, 0
  for i = 1, n do tree:insert(make_key(rnd(n * 2)), i) end
  for _ = 1, n do
    if tree:delete(make_key(rnd(n * 2))) then sum = sum + 1 end
    if rnd(3) == 1 then tree:insert(make_key(rnd(n * 2)), sum) end
  end
  tree:each(function(k, v, depth)
    order = order + 1
    sum = (sum * 7 + weigh(k) * order + v + depth) % 1000000007
  end)
  assert(order == tree.size)
  return sum
end

return function(n)
  local state = 12345
  local function rnd(limit) state = state * 48271 % 2147483647 return state % limit end
  local function same(i) return i end
  local a = exercise(Tree.new(function(x, y) return x < y end), n, rnd, same, same)
  local b = exercise(Tree.new(function(x, y) return x > y end), n, rnd,
    function(i) return "k" .. i end, function(k) return #k end)
  local c = exercise(Tree.new(function(x, y)
    return x.major < y.major or (x.major == y.major and x.minor > y.minor)
  end), n, rnd, function(i) return { major = i % 50, minor = i } end,
    function(k) return k.major + k.minor end)
  return string.format("%d-%d-%d", a, b, c)
end
