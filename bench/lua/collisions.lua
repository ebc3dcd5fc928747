-- Vectors that are tables, a balanced tree of keys, and a grid: which of the aircraft on their circles come close to each other in a frame.
-- args: 120
-- quick: 1
local sin, cos, floor, sqrt = math.sin, math.cos, math.floor, math.sqrt

local Vector = {}
Vector.__index = Vector
local function vector(x, y, z) return setmetatable({ x = x, y = y, z = z }, Vector) end
function Vector:plus(o) return vector(self.x + o.x, self.y + o.y, self.z + o.z) end
function Vector:minus(o) return vector(self.x - o.x, self.y - o.y, self.z - o.z) end
function Vector:times(k) return vector(self.x * k, self.y * k, self.z * k) end
function Vector:dot(o) return self.x * o.x + self.y * o.y + self.z * o.z end
function Vector:length() return sqrt(self:dot(self)) end

-- A map from integers in order: an AA tree.
local Map = {}
Map.__index = Map
local function new_map() return setmetatable({ root = false, size = 0 }, Map) end

local function skew(node)
  local left = node.left
  if left and left.level == node.level then
    node.left, left.right = left.right, node
    return left
  end
  return node
end

local function split(node)
  local right = node.right
  if right and right.right and right.right.level == node.level then
    node.right, right.left = right.left, node
    right.level = right.level + 1
    return right
  end
  return node
end

local function put(map, node, key, value)
  if not node then
    map.size = map.size + 1
    return { key = key, value = value, level = 1, left = false, right = false }
  end
  if key < node.key then node.left = put(map, node.left, key, value)
  elseif key > node.key then node.right = put(map, node.right, key, value)
  else node.value = value; return node end
  return split(skew(node))
end

function Map:put(key, value) self.root = put(self, self.root, key, value) end

function Map:get(key)
  local node = self.root
  while node do
    if key == node.key then return node.value end
    if key < node.key then node = node.left else node = node.right end
  end
end

local function walk(node, f)
  if node then
    walk(node.left, f)
    f(node.key, node.value)
    walk(node.right, f)
  end
end

function Map:each(f) walk(self.root, f) end

local function positions(time, count)
  local list = {}
  for i = 1, count do
    local angle = time * (0.5 + i % 5 * 0.1) + i
    list[i] = vector(50 + (10 + i % 20) * cos(angle), 50 + (10 + i % 20) * sin(angle), 2 * (i % 4) + sin(time + i))
  end
  return list
end

-- How near two aircraft come that fly straight from one frame to the next.
local function distance(a, b)
  local apart = a.from:minus(b.from)
  local motion = a.to:minus(a.from):minus(b.to:minus(b.from))
  local square = motion:dot(motion)
  local at = 0.0
  if square > 1e-12 then at = -(apart:dot(motion)) / square end
  if at < 0 then at = 0.0 elseif at > 1 then at = 1.0 end
  return apart:plus(motion:times(at)):length()
end

local CELL = 8

local function cell(p) return floor(p.x / CELL) * 1000 + floor(p.y / CELL) end

return function(n)
  local count, near, sum = 80, 0, 0
  local before = positions(0.0, count)
  for frame = 1, n do
    local now = positions(frame * 0.05, count)
    local grid = new_map()
    for i = 1, count do
      local flight = { number = i, from = before[i], to = now[i] }
      local first, last = cell(before[i]), cell(now[i])
      local function add(key)
        local list = grid:get(key)
        if list then list[#list + 1] = flight else grid:put(key, { flight }) end
      end
      add(first)
      if last ~= first then add(last) end
    end
    local seen = new_map()
    grid:each(function(_, list)
      for i = 1, #list do
        for j = i + 1, #list do
          local a, b = list[i], list[j]
          local pair = a.number * 1000 + b.number
          if not seen:get(pair) then
            seen:put(pair, true)
            local d = distance(a, b)
            if d < 3 then near = near + 1; sum = sum + d end
          end
        end
      end
    end)
    before = now
  end
  return string.format("%d %.9g", near, sum)
end
