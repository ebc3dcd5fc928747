-- Renders a few balls on a chequered floor by tracing rays; vectors are objects with operators (+ - * and unary minus), shapes share an interface.
-- args: 46
-- quick: 2
local sqrt, floor, huge = math.sqrt, math.floor, math.huge

local Vec = {}
local mt = { __index = Vec }
local function vec(x, y, z) return setmetatable({ x = x, y = y, z = z }, mt) end

mt.__add = function(a, b) return vec(a.x + b.x, a.y + b.y, a.z + b.z) end
mt.__sub = function(a, b) return vec(a.x - b.x, a.y - b.y, a.z - b.z) end
mt.__unm = function(a) return vec(-a.x, -a.y, -a.z) end
mt.__eq = function(a, b) return a.x == b.x and a.y == b.y and a.z == b.z end
mt.__mul = function(a, b)
  if type(a) == "number" then return vec(a * b.x, a * b.y, a * b.z) end
  if type(b) == "number" then return vec(a.x * b, a.y * b, a.z * b) end
  return vec(a.x * b.x, a.y * b.y, a.z * b.z)
end
mt.__div = function(a, k) return vec(a.x / k, a.y / k, a.z / k) end

function Vec:dot(o) return self.x * o.x + self.y * o.y + self.z * o.z end
function Vec:length() return sqrt(self:dot(self)) end
function Vec:unit() return self / self:length() end
function Vec.cross(a, b) return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x) end
function Vec:mirror(normal) return self - normal * (2 * self:dot(normal)) end

local BLACK, WHITE = vec(0, 0, 0), vec(1, 1, 1)

-- shapes
local Sphere = {}
Sphere.__index = Sphere
function Sphere.new(center, radius, color, shine)
  return setmetatable({ center = center, r2 = radius * radius, radius = radius, color = color, shine = shine or 0 }, Sphere)
end
function Sphere:hit(from, dir)
  local oc = from - self.center
  local b = oc:dot(dir)
  local c = oc:dot(oc) - self.r2
  local d = b * b - c
  if d <= 0 then return nil end
  local root = sqrt(d)
  local t = -b - root
  if t > 1e-4 then return t end
  t = -b + root
  if t > 1e-4 then return t end
end
function Sphere:normal(p) return (p - self.center) / self.radius end
function Sphere:colour() return self.color end

local Floor = {}
Floor.__index = Floor
function Floor.new(y, a, b) return setmetatable({ y = y, a = a, b = b, shine = 0.15, up = vec(0, 1, 0) }, Floor) end
function Floor:hit(from, dir)
  if dir.y > -1e-6 and dir.y < 1e-6 then return nil end
  local t = (self.y - from.y) / dir.y
  if t > 1e-4 and t < 200 then return t end
end
function Floor:normal() return self.up end
function Floor:colour(p)
  if (floor(p.x) + floor(p.z)) % 2 == 0 then return self.a end
  return self.b
end

local Scene = {}
Scene.__index = Scene
function Scene:nearest(from, dir)
  local best, shape = huge, nil
  for i = 1, #self do
    local t = self[i]:hit(from, dir)
    if t and t < best then best, shape = t, self[i] end
  end
  return shape, best
end
function Scene:trace(from, dir, depth)
  self.rays = self.rays + 1
  local shape, t = self:nearest(from, dir)
  if not shape then
    local k = 0.5 * (dir.y + 1)
    return (1 - k) * WHITE * 0.6 + k * vec(0.3, 0.5, 0.9)
  end
  local p = from + dir * t
  local n = shape:normal(p)
  if n:dot(dir) > 0 then n = -n end
  local base = shape:colour(p)
  local result = base * 0.1
  for _, light in ipairs(self.lights) do
    local to = light.at - p
    local far = to:length()
    to = to / far
    local facing = n:dot(to)
    if facing > 0 then
      local blocker, d = self:nearest(p, to)
      if not blocker or d > far then result = result + base * (facing * light.power) end
    end
  end
  if shape.shine > 0 and depth > 0 then
    result = result * (1 - shape.shine) + self:trace(p, dir:mirror(n):unit(), depth - 1) * shape.shine
  end
  return result
end

local function byte(v)
  if v < 0 then v = 0 elseif v > 1 then v = 1 end
  return floor(sqrt(v) * 255)
end

return function(n)
  local scene = setmetatable({ rays = 0 }, Scene)
  scene[1] = Floor.new(-1, vec(0.9, 0.9, 0.85), vec(0.2, 0.25, 0.2))
  for i = 1, 5 do
    local s = Sphere.new(vec(i * 1.1 - 3.3, (i % 3) * 0.6 - 0.5, 4 + i % 2), 0.45 + i * 0.05, vec(i / 5, 1 - i / 6, 0.4), i % 2 == 0 and 0.4 or nil)
    table.insert(scene, s)
  end
  scene.lights = { { at = vec(-5, 6, -2), power = 0.7 }, { at = vec(4, 5, 1), power = 0.35 } }
  local eye, w, h = vec(0, 0.4, -2), n * 2, n
  local forward = (vec(0, -0.05, 4) - eye):unit()
  local right = Vec.cross(vec(0, 1, 0), forward):unit()
  local up = forward:cross(right)
  local r, g, b, dark = 0, 0, 0, 0
  local rows = {}
  for y = 1, h do
    local row = 0
    for x = 1, w do
      local dir = (forward + right * ((x - w / 2) / h) + up * ((h / 2 - y) / h)):unit()
      local c = scene:trace(eye, dir, 3)
      if c == BLACK then dark = dark + 1 end
      local cr, cg, cb = byte(c.x), byte(c.y), byte(c.z)
      r, g, b = r + cr, g + cg, b + cb
      row = (row * 3 + cr + cg + cb) % 9973
    end
    if y % math.max(1, floor(h / 4)) == 0 then rows[#rows + 1] = string.format("%d", row) end
  end
  return string.format("%d %d %d rays %d dark %d rows %s", r, g, b, scene.rays, dark, table.concat(rows, "/"))
end
