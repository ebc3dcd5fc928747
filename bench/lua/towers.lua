-- Linked stacks: the towers of Hanoi with discs that are tables, three methods deep, with errors for what is not allowed.
-- args: 16
-- quick: 5
local Towers = {}
Towers.__index = Towers

function Towers:push(disc, peg)
  local top = self.pegs[peg]
  if top and disc.size >= top.size then error("a larger disc on a smaller one") end
  disc.below = top
  self.pegs[peg] = disc
end

function Towers:pop(peg)
  local top = self.pegs[peg]
  if not top then error("no disc on this peg") end
  self.pegs[peg] = top.below
  top.below = nil
  return top
end

function Towers:move_top(from, to)
  self:push(self:pop(from), to)
  self.moved = self.moved + 1
end

function Towers:move(discs, from, to)
  if discs == 1 then return self:move_top(from, to) end
  local other = 6 - from - to
  self:move(discs - 1, from, other)
  self:move_top(from, to)
  self:move(discs - 1, other, to)
end

return function(n)
  local moved = 0
  for _ = 1, 4 do
    local towers = setmetatable({ pegs = {}, moved = 0 }, Towers)
    for size = n, 1, -1 do towers:push({ size = size }, 1) end
    towers:move(n, 1, 2)
    moved = moved + towers.moved
  end
  return moved
end
