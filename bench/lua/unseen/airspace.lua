-- Aircraft fly through a space of cells and are checked for near meetings; positions are kept in a red-black tree ordered by call sign.
-- Float arithmetic, a tree with parents and rotations, and a hash of cells by string keys.
-- args: 200
-- quick: 1
local RED, BLACK = true, false

local Tree = {}
Tree.__index = Tree

function Tree.create(compare)
  return setmetatable({ root = nil, size = 0, compare = compare }, Tree)
end

local function leftmost(node)
  while node.left do node = node.left end
  return node
end

function Tree:rotate(x, from, to)
  local y = x[from]
  x[from] = y[to]
  if y[to] then y[to].parent = x end
  y.parent = x.parent
  if not x.parent then self.root = y
  elseif x == x.parent[to] then x.parent[to] = y
  else x.parent[from] = y end
  y[to] = x
  x.parent = y
end

function Tree:put(key, value)
  local parent, side
  local at = self.root
  while at do
    local c = self.compare(key, at.key)
    if c == 0 then
      local old = at.value
      at.value = value
      return old
    end
    parent = at
    side = c < 0 and "left" or "right"
    at = at[side]
  end
  local node = { key = key, value = value, parent = parent, color = RED }
  self.size = self.size + 1
  if parent then parent[side] = node else self.root = node end
  while node ~= self.root and node.parent.color == RED do
    local p = node.parent
    local g = p.parent
    local mine, other = "left", "right"
    if p == g.right then mine, other = "right", "left" end
    local uncle = g[other]
    if uncle and uncle.color == RED then
      p.color, uncle.color, g.color = BLACK, BLACK, RED
      node = g
    else
      if node == p[other] then
        node = p
        self:rotate(node, other, mine)
        p = node.parent
      end
      p.color, g.color = BLACK, RED
      self:rotate(g, mine, other)
    end
  end
  self.root.color = BLACK
  return nil
end

function Tree:get(key)
  local at = self.root
  while at do
    local c = self.compare(key, at.key)
    if c == 0 then return at.value end
    at = c < 0 and at.left or at.right
  end
end

function Tree:each()
  local node = self.root and leftmost(self.root)
  return function()
    local current = node
    if not current then return nil end
    if current.right then
      node = leftmost(current.right)
    else
      local child = current
      node = current.parent
      while node and child == node.right do child, node = node, node.parent end
    end
    return current.key, current.value
  end
end

function Tree:height(node)
  if not node then return 0 end
  return 1 + math.max(self:height(node.left), self:height(node.right))
end

local function by_text(a, b)
  if a == b then return 0 end
  return a < b and -1 or 1
end

local CELL, NEAR = 8.0, 3.0
local function position(i, t)
  local angle = i * 0.37 + t * (0.05 + (i % 7) * 0.01)
  local r = 20 + (i % 11) * 3
  return r * math.cos(angle), r * math.sin(angle), 4 + (i % 4) + 0.5 * math.cos(t * 0.3)
end

local function distance(a, b)
  local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
  return math.sqrt(dx * dx + dy * dy + dz * dz)
end

-- the nearest the two come in the step, when both go straight
local function approach(a, b)
  local px, py, pz = a.ox - b.ox, a.oy - b.oy, a.oz - b.oz
  local vx, vy, vz = a.x - a.ox - (b.x - b.ox), a.y - a.oy - (b.y - b.oy), a.z - a.oz - (b.z - b.oz)
  local vv = vx * vx + vy * vy + vz * vz
  if vv < 1e-12 then return distance(a, b) end
  local t = -(px * vx + py * vy + pz * vz) / vv
  if t < 0 then t = 0 elseif t > 1 then t = 1 end
  px, py, pz = px + vx * t, py + vy * t, pz + vz * t
  return math.sqrt(px * px + py * py + pz * pz)
end

local function collide(tree)
  local cells, order = {}, {}
  for sign, plane in tree:each() do
    local cx, cy = math.floor(plane.x / CELL), math.floor(plane.y / CELL)
    for dx = -1, 1 do
      for dy = -1, 1 do
        local k = string.format("%d:%d", cx + dx, cy + dy)
        local cell = cells[k]
        if not cell then
          cell = {}
          cells[k] = cell
          order[#order + 1] = k
        end
        cell[#cell + 1] = plane
      end
    end
    plane.seen = {}
  end
  local hits, closest = 0, 1e9
  for _, k in ipairs(order) do
    local cell = cells[k]
    for i = 1, #cell - 1 do
      local a = cell[i]
      for j = i + 1, #cell do
        local b = cell[j]
        if not a.seen[b] then
          a.seen[b] = true
          local d = approach(a, b)
          if d < closest then closest = d end
          if d < NEAR then hits = hits + 1 end
        end
      end
    end
  end
  return hits, closest, #order
end

return function(n)
  local planes = 60
  local tree = Tree.create(by_text)
  local hits, cells, closest = 0, 0, 1e9
  for t = 1, n do
    for i = 1, planes do
      local sign = "AC" .. (i * 7919 % 1009)
      local x, y, z = position(i, t)
      local old = tree:get(sign)
      local plane = { x = x, y = y, z = z, ox = x, oy = y, oz = z, sign = sign }
      if old then plane.ox, plane.oy, plane.oz = old.x, old.y, old.z end
      tree:put(sign, plane)
    end
    local h, c, k = collide(tree)
    hits, cells = hits + h, cells + k
    closest = math.min(closest, c)
  end
  local first = tree:each()()
  return string.format("%d %d %.6f %d %d %s", hits, cells, closest, tree.size, tree:height(tree.root), first)
end
