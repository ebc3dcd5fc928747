-- A tiny 2D arena game loop: balls, sparks and a chasing drone live in a world
-- with gravity, walls and a uniform collision grid. Reports an energy/score checksum.
-- args: 900
-- quick: 4

local WIDTH, HEIGHT, CELL = 320, 240, 16

local Entity = {}
Entity.__index = Entity

function Entity.init(self, x, y, vx, vy, radius, mass)
  self.x, self.y, self.vx, self.vy = x, y, vx, vy
  self.radius, self.mass = radius, mass
  self.dead, self.hits = false, 0
  return self
end

function Entity:move(dt)
  self.x = self.x + self.vx * dt
  self.y = self.y + self.vy * dt
  local r = self.radius
  if self.x < r then self.x = r; self.vx = -self.vx * 0.9
  elseif self.x > WIDTH - r then self.x = WIDTH - r; self.vx = -self.vx * 0.9 end
  if self.y < r then self.y = r; self.vy = -self.vy * 0.9
  elseif self.y > HEIGHT - r then self.y = HEIGHT - r; self.vy = -self.vy * 0.9 end
end

function Entity:onHit(other) self.hits = self.hits + 1 end

local function extend(base, kind)
  local cls = setmetatable({ kind = kind }, { __index = base })
  cls.__index = cls
  function cls.new(...) return cls.init(setmetatable({}, cls), ...) end
  return cls
end

local Ball = extend(Entity, "ball")
function Ball:update(world, dt)
  self.vy = self.vy + world.gravity * dt
  self:move(dt)
end
function Ball:onHit(other, world)
  Entity.onHit(self, other)
  if other.kind == "drone" then
    world:spark(self.x, self.y, 3)
    world.score = world.score + 5
  end
end

local Spark = extend(Entity, "spark")
function Spark:init(x, y, vx, vy)
  self.life = 0.6
  return Entity.init(self, x, y, vx, vy, 1, 0.5)
end
function Spark:update(world, dt)
  self.life = self.life - dt
  if self.life <= 0 then self.dead = true end
  self.vx, self.vy = self.vx * 0.98, self.vy * 0.98
  self:move(dt)
end

local Drone = extend(Entity, "drone")
function Drone:update(world, dt)
  local t = world.entities[self.target or 1]
  if not t or t.kind ~= "ball" or self.hits > 4 then
    self.target, self.hits = world:rand(20), 0
    return
  end
  local dx, dy = t.x - self.x, t.y - self.y
  local d = math.sqrt(dx * dx + dy * dy) + 0.001
  self.vx = self.vx * 0.95 + dx / d * 6
  self.vy = self.vy * 0.95 + dy / d * 6
  self:move(dt)
end

local World = {}
World.__index = World

function World.new(seed)
  return setmetatable({ entities = {}, gravity = 60, score = 0, seed = seed, contacts = 0 }, World)
end
function World:rand(k)
  self.seed = (self.seed * 16807) % 2147483647
  return self.seed % k + 1
end
function World:add(e) self.entities[#self.entities + 1] = e end
function World:spark(x, y, count)
  if #self.entities > 140 then return end
  for _ = 1, count do self:add(Spark.new(x, y, self:rand(200) - 100, self:rand(200) - 100)) end
end

local function collide(a, b, world)
  local dx, dy = b.x - a.x, b.y - a.y
  local rr, d2 = a.radius + b.radius, dx * dx + dy * dy
  if d2 >= rr * rr or d2 < 1e-6 then return end
  local d = math.sqrt(d2)
  local nx, ny, total = dx / d, dy / d, a.mass + b.mass
  local rel = (b.vx - a.vx) * nx + (b.vy - a.vy) * ny
  local push = (rr - d) / total
  a.x, a.y = a.x - nx * push * b.mass, a.y - ny * push * b.mass
  b.x, b.y = b.x + nx * push * a.mass, b.y + ny * push * a.mass
  world.contacts = world.contacts + 1
  if rel < 0 then
    local j = -1.8 * rel / total
    a.vx, a.vy = a.vx - j * b.mass * nx, a.vy - j * b.mass * ny
    b.vx, b.vy = b.vx + j * a.mass * nx, b.vy + j * a.mass * ny
  end
  a:onHit(b, world)
  b:onHit(a, world)
end

function World:step(dt)
  local list, grid, order, keep = self.entities, {}, {}, {}
  for i = 1, #list do list[i]:update(self, dt) end
  for _, e in ipairs(list) do
    local key = math.floor(e.y / CELL) * 64 + math.floor(e.x / CELL)
    local bucket = grid[key]
    if not bucket then bucket = {}; grid[key] = bucket; order[#order + 1] = key end
    bucket[#bucket + 1] = e
  end
  for _, key in ipairs(order) do
    local bucket = grid[key]
    for i = 1, #bucket do
      for j = i + 1, #bucket do collide(bucket[i], bucket[j], self) end
      for _, off in ipairs({ 1, 63, 64, 65 }) do
        local other = grid[key + off] or {}
        for j = 1, #other do collide(bucket[i], other[j], self) end
      end
    end
  end
  for _, e in ipairs(list) do
    if e.dead then self.score = self.score + 1 else keep[#keep + 1] = e end
  end
  self.entities = keep
end

return function(n)
  local w, energy = World.new(4242), 0
  for _ = 1, 90 do
    local r = 3 + w:rand(4)
    w:add(Ball.new(w:rand(WIDTH), w:rand(HEIGHT), w:rand(120) - 60, w:rand(120) - 60, r, r * r))
  end
  w:add(Drone.new(160, 120, 0, 0, 6, 80))
  w:add(Drone.new(20, 20, 0, 0, 6, 80))
  for _ = 1, n do
    w:step(1 / 60)
    for _, e in ipairs(w.entities) do energy = energy + e.mass * (e.vx * e.vx + e.vy * e.vy) * 1e-6 end
  end
  return string.format("%.6f:%d:%d", energy, w.score, w.contacts)
end
