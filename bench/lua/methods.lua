-- Classes with inheritance through chains of __index: shapes of four classes in one list, overridden methods, calls of the parent's.
-- args: 12000
-- quick: 50
local function class(parent)
  local c = {}
  c.__index = c
  if parent then setmetatable(c, { __index = parent }) end
  function c.new(...)
    local object = setmetatable({}, c)
    object:init(...)
    return object
  end
  return c
end

local Shape = class()
function Shape:init(name) self.name = name; self.moves = 0; self.x = 0 end
function Shape:area() return 0 end
function Shape:move(dx) self.x = self.x + dx; self.moves = self.moves + 1; return self end
function Shape:weight() return self:area() * 2 + self.moves end
function Shape:kind() return 1 end

local Rectangle = class(Shape)
function Rectangle:init(width, height)
  Shape.init(self, "rectangle")
  self.width, self.height = width, height
end
function Rectangle:area() return self.width * self.height end
function Rectangle:kind() return 2 end

local Square = class(Rectangle)
function Square:init(side) Rectangle.init(self, side, side); self.name = "square" end
function Square:kind() return Rectangle.kind(self) + 1 end

local Triangle = class(Shape)
function Triangle:init(base, height)
  Shape.init(self, "triangle")
  self.base, self.height = base, height
end
function Triangle:area() return self.base * self.height / 2 end
function Triangle:weight() return Shape.weight(self) + 1 end

return function(n)
  local shapes = {}
  for i = 1, 20 do
    local k = i % 4
    if k == 0 then shapes[i] = Shape.new("point")
    elseif k == 1 then shapes[i] = Rectangle.new(i, i + 1)
    elseif k == 2 then shapes[i] = Square.new(i)
    else shapes[i] = Triangle.new(2 * i, i) end
  end
  local total = 0
  for turn = 1, n do
    for i = 1, #shapes do
      local shape = shapes[i]
      total = total + shape:move(turn % 3):weight() + shape:kind()
    end
    total = total % 1000003
  end
  -- The same class all the time, three levels deep.
  local square = Square.new(3)
  for _ = 1, n * 20 do total = total + square:move(1):area() + square:kind() end
  return string.format("%d %d", total, square.x)
end
