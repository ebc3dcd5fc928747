-- Objects with methods in an array: balls that bounce off the walls of a box, with a random generator that is an object as well.
-- args: 8000
-- quick: 20
local Random = {}
Random.__index = Random
function Random:next()
  self.seed = (self.seed * 1309 + 13849) % 65536
  return self.seed
end

local Ball = {}
Ball.__index = Ball
local function ball(random)
  return setmetatable({
    x = random:next() % 500, y = random:next() % 500,
    dx = random:next() % 300 - 150, dy = random:next() % 300 - 150,
  }, Ball)
end

local abs = math.abs

function Ball:bounce()
  local bounced = false
  self.x = self.x + self.dx
  self.y = self.y + self.dy
  if self.x > 500 then self.x = 500; self.dx = -abs(self.dx); bounced = true end
  if self.x < 0 then self.x = 0; self.dx = abs(self.dx); bounced = true end
  if self.y > 500 then self.y = 500; self.dy = -abs(self.dy); bounced = true end
  if self.y < 0 then self.y = 0; self.dy = abs(self.dy); bounced = true end
  return bounced
end

return function(n)
  local random = setmetatable({ seed = 74755 }, Random)
  local balls = {}
  for i = 1, 100 do balls[i] = ball(random) end
  local bounces = 0
  for _ = 1, n do
    for i = 1, #balls do
      if balls[i]:bounce() then bounces = bounces + 1 end
    end
  end
  return bounces
end
