-- A little game world of entities with components in sparse tables with holes; systems run over those that have all of a set of components.
-- Components come by prototypes (copied defaults), ids are used again, names are looked up through a guarded table.
-- args: 160
-- quick: 2
local World = {}
function World:new()
  local w = { alive = {}, free = {}, top = 0, stores = {}, systems = {}, log = {}, tick = 0 }
  self.__index = self
  return setmetatable(w, self)
end

local prototypes = setmetatable({}, {
  __index = function(_, name) error("no component called " .. tostring(name), 0) end,
  __newindex = function(t, name, proto)
    if type(proto) ~= "table" then error("a prototype is a table", 0) end
    rawset(t, name, proto)
  end,
})
prototypes.position = { x = 0, y = 0 }
prototypes.velocity = { dx = 1, dy = 0 }
prototypes.health = { points = 10 }
prototypes.hunter = { range = 6, kills = 0 }
prototypes.plant = { size = 1 }

function World:component(name, values)
  local c = {}
  for k, v in pairs(prototypes[name]) do c[k] = v end
  for k, v in pairs(values or {}) do c[k] = v end
  return c
end

function World:spawn(components)
  local id = table.remove(self.free)
  if not id then
    self.top = self.top + 1
    id = self.top
  end
  self.alive[id] = true
  for name, values in pairs(components) do self:attach(id, name, values) end
  return id
end

function World:attach(id, name, values)
  local store = self.stores[name]
  if store == nil then
    store = {}
    self.stores[name] = store
  end
  store[id] = self:component(name, values)
end

function World:kill(id)
  if not self.alive[id] then return false end
  self.alive[id] = nil
  for _, store in pairs(self.stores) do store[id] = nil end
  self.free[#self.free + 1] = id
  return true
end

-- for id, a, b, c in world:each("a", "b", "c")
function World:each(...)
  local a, b, c = ...
  local sa, sb, sc = self.stores[a] or {}, b and self.stores[b] or nil, c and self.stores[c] or nil
  local id = 0
  return function()
    while id < self.top do
      id = id + 1
      local va = sa[id]
      if va and (not b or sb and sb[id]) and (not c or sc and sc[id]) then
        return id, va, sb and sb[id], sc and sc[id]
      end
    end
  end
end

function World:note(fmt, ...)
  self.log[#self.log + 1] = fmt:format(...)
  if #self.log > 40 then table.remove(self.log, 1) end
end

function World:system(name, fn)
  self.systems[#self.systems + 1] = { name = name, run = fn, calls = 0 }
end

function World:step()
  self.tick = self.tick + 1
  for _, s in ipairs(self.systems) do
    local ok, err = pcall(s.run, self, self.tick)
    if not ok then self:note("%s failed: %s", s.name, tostring(err)) else s.calls = s.calls + 1 end
  end
end

local SIZE = 40

local function setup(world)
  local seed = 3
  local function random(k)
    seed = (seed * 9301 + 49297) % 233280
    return math.floor(seed / 233280 * k)
  end

  world:system("move", function(w)
    for _, p, v in w:each("position", "velocity") do
      p.x, p.y = (p.x + v.dx) % SIZE, (p.y + v.dy) % SIZE
      if random(8) == 0 then v.dx, v.dy = v.dy, -v.dx end
    end
  end)

  world:system("graze", function(w)
    local at = {}
    for id, p in w:each("position", "plant") do at[p.x * SIZE + p.y] = id end
    for id, p, h in w:each("position", "health", "velocity") do
      h.points = h.points - 1
      local plant = at[p.x * SIZE + p.y]
      if plant and w.alive[plant] then
        h.points = h.points + w.stores.plant[plant].size * 3
        w:kill(plant)
      end
      if h.points <= 0 then
        w:note("%d starved", id)
        w:kill(id)
      end
    end
  end)

  world:system("hunt", function(w)
    local prey = {}
    for id, p in w:each("position", "health", "velocity") do
      if not w.stores.hunter[id] then prey[#prey + 1] = { id = id, x = p.x, y = p.y } end
    end
    for id, hunter, p in w:each("hunter", "position") do
      local best, near = nil, hunter.range
      for _, v in ipairs(prey) do
        local d = math.abs(v.x - p.x) + math.abs(v.y - p.y)
        if d < near and w.alive[v.id] then best, near = v, d end
      end
      if best then
        w:kill(best.id)
        hunter.kills = hunter.kills + 1
        w.stores.health[id].points = w.stores.health[id].points + 6
        w:note("%d ate %d at %d,%d", id, best.id, best.x, best.y)
      end
    end
  end)

  world:system("grow", function(w, tick)
    for _, plant in w:each("plant") do
      if plant.size < 5 and tick % 3 == 0 then plant.size = plant.size + 1 end
    end
    for _ = 1, 6 do w:spawn { position = { x = random(SIZE), y = random(SIZE) }, plant = {} } end
    if tick % 2 == 0 then
      w:spawn { position = { x = random(SIZE), y = random(SIZE) }, velocity = { dx = random(3) - 1, dy = 1 }, health = { points = 14 } }
    end
    if tick % 16 == 0 then w:attach(w.top, "wings") end
    if tick % 25 == 0 then
      w:spawn { position = {}, velocity = { dy = 2 }, health = { points = 25 }, hunter = { range = 4 + random(3) } }
    end
  end)
end

return function(n)
  local world = World:new()
  world.stores.hunter, world.stores.health = {}, {}
  setup(world)
  for i = 1, 30 do
    world:spawn { position = { x = i * 7 % SIZE, y = i * 11 % SIZE }, velocity = { dx = i % 3 - 1 }, health = { points = 8 + i } }
    if i % 10 == 0 then world:spawn { position = { x = i, y = i }, velocity = { dx = -1, dy = 1 }, hunter = {}, health = { points = 40 } } end
  end
  for _ = 1, n * 2 do world:step() end
  local plants, animals, hunters, kills, sum = 0, 0, 0, 0, 0
  for id, p in world:each("position") do
    sum = (sum * 3 + id + p.x * SIZE + p.y) % 1000003
    if world.stores.plant[id] then plants = plants + 1 else animals = animals + 1 end
  end
  for _, h in world:each("hunter") do
    hunters, kills = hunters + 1, kills + h.kills
  end
  for i, line in ipairs(world.log) do sum = (sum + #line * i) % 1000003 end
  local calls = {}
  for i, s in ipairs(world.systems) do calls[i] = s.name .. "=" .. s.calls end
  return string.format("%d %d %d %d top %d sum %d %s | %s", plants, animals, hunters, kills, world.top, sum, table.concat(calls, " "),
    world.log[#world.log] or "")
end
