-- A small library for classes, as many programs bring along: calling a class makes an object, constructors call those of their bases, methods are found
-- up to five levels above or copied from mixins, and classes can be told apart. Sites see one class, then a few, then more than twenty.
-- args: 2500
-- quick: 15
local Object = {}
Object.__index = Object
Object.name = "Object"

function Object:init() end
function Object:is(class)
  local mine = getmetatable(self)
  while mine do
    if mine == class then return true end
    mine = mine.super
  end
  return false
end

local meta = {
  __index = function(class, key)
    local super = rawget(class, "super")
    return super and super[key]
  end,
  __call = function(class, ...)
    local object = setmetatable({}, class)
    object:init(...)
    return object
  end,
  __tostring = function(class) return "class " .. class.name end,
}
setmetatable(Object, meta)

local function extend(base, name, ...)
  local class = setmetatable({ super = base, name = name }, meta)
  class.__index = class
  class.__tostring = base.__tostring
  for _, mixin in ipairs({ ... }) do
    for key, method in pairs(mixin) do class[key] = method end
  end
  return class
end

-- Mixins.
local Counted = { counter = 0 }
function Counted:count() self.counter = self.counter + 1; return self.counter end
local Named = {}
function Named:title() return self.label or "some " .. getmetatable(self).name end

-- Things with an area.
local Shape = extend(Object, "Shape", Counted, Named)
function Shape:init(x, y) self.x, self.y = x, y end
function Shape:move(dx, dy) self.x, self.y = self.x + dx, self.y + dy; return self end
function Shape:area() return 0 end
function Shape:weight() return self:area() * self:density() end
function Shape:density() return 1 end

local Polygon = extend(Shape, "Polygon")
function Polygon:init(x, y, corners)
  Polygon.super.init(self, x, y)
  self.corners = corners
end
local Box = extend(Polygon, "Box")
function Box:init(x, y, width, height)
  Box.super.init(self, x, y, 4)
  self.width, self.height = width, height
end
function Box:area() return self.width * self.height end
local Square = extend(Box, "Square")
function Square:init(x, y, side) Square.super.init(self, x, y, side, side) end
local Tile = extend(Square, "Tile")
function Tile:init(x, y, side, kind)
  Tile.super.init(self, x, y, side)
  self.kind = kind
end
function Tile:density() return self.kind % 3 + 1 end
local Round = extend(Shape, "Round")
function Round:init(x, y, radius)
  Shape.init(self, x, y)
  self.radius = radius
end
function Round:area() return 3 * self.radius * self.radius end
local Ring = extend(Round, "Ring")
function Ring:init(x, y, radius, inner)
  Round.init(self, x, y, radius)
  self.inner = inner
end
function Ring:area() return Round.area(self) - 3 * self.inner * self.inner end
Ring.__tostring = function(self) return "ring " .. self.radius .. "-" .. self.inner end

-- Classes that are made in a loop, each below the one before or below the shape itself.
local many = {}
for k = 1, 24 do
  local class = extend(k % 4 == 0 and Shape or many[k - 1] or Shape, "Made" .. k)
  function class:area() return self.x % k + 1 end
  if k % 3 == 0 then
    function class:init(x, y)
      class.super.init(self, x, y)
      self.extra = k
    end
  end
  many[k] = class
end

local function total(shapes)
  local sum = 0
  for i = 1, #shapes do sum = sum + shapes[i]:weight() end
  return sum
end

local function walk(shapes, turns)
  for turn = 1, turns do
    for _, shape in ipairs(shapes) do
      shape:move(turn % 3 - 1, 1)
      if shape.x % 5 == 0 then shape:count() end
    end
  end
end

return function(n)
  local tiles, mixed, all = {}, {}, {}
  for i = 1, 60 do tiles[i] = Tile(i, i, i % 4 + 1, i) end
  for i = 1, 60 do
    if i % 3 == 0 then mixed[i] = Box(i, 0, i % 7, 2)
    elseif i % 3 == 1 then mixed[i] = Ring(i, 0, 9, i % 9)
    else mixed[i] = Tile(i, 0, 2, i) end
  end
  for i = 1, 120 do all[i] = many[i % #many + 1](i, i) end
  local sum, boxes, counted, made = 0, 0, 0, 0
  for _, shapes in ipairs({ tiles, mixed, all }) do
    for turn = 1, n / 10 do
      sum = (sum + total(shapes)) % 1000003
      if turn % 5 == 0 then walk(shapes, 2) end
    end
    for _, shape in ipairs(shapes) do
      if shape:is(Box) then boxes = boxes + 1 end
      if shape:is(many[1]) then boxes = boxes + 1000 end
      counted = counted + shape.counter
    end
  end
  -- Objects that live for one turn.
  for i = 1, n * 4 do
    local shape = i % 2 == 0 and Square(i, i, i % 10) or Ring(i, 1, i % 10 + 2, 1)
    made = (made + shape:move(1, 1):weight() + shape:count()) % 1000003
  end
  return string.format("%d %d %d %d %s %s %s %s", sum, boxes, counted, made, tostring(mixed[1]), tostring(Tile), tiles[1]:title(), many[5].super.name)
end
