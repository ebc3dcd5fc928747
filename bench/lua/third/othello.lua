-- Othello player: alpha-beta search over a flat 10x10 mailbox board, two engines
-- with different depth settings play a few games from randomised openings.
-- args: 7
-- quick: 2

local EMPTY, BLACK, WHITE, EDGE = 0, 1, -1, 9
local DIRS = { -11, -10, -9, -1, 1, 9, 10, 11 }

local SQUARES = {}
local WEIGHT = {}
do
  local quarter = { { 90, -18, 9, 6 }, { -18, -35, -3, -2 }, { 9, -3, 4, 1 }, { 6, -2, 1, 0 } }
  for row = 1, 8 do
    for col = 1, 8 do
      local sq = row * 10 + col
      SQUARES[#SQUARES + 1] = sq
      WEIGHT[sq] = quarter[math.min(row, 9 - row)][math.min(col, 9 - col)]
    end
  end
end

local function newBoard()
  local b = {}
  for i = 0, 99 do b[i] = EDGE end
  for _, sq in ipairs(SQUARES) do b[sq] = EMPTY end
  b[44], b[55] = WHITE, WHITE
  b[45], b[54] = BLACK, BLACK
  return b
end

-- collects every disc flipped by playing at sq; nil when the move is illegal
local function flips(b, sq, me)
  if b[sq] ~= EMPTY then return nil end
  local found
  for d = 1, 8 do
    local step = DIRS[d]
    local p = sq + step
    if b[p] == -me then
      repeat p = p + step until b[p] ~= -me
      if b[p] == me then
        found = found or {}
        p = p - step
        while p ~= sq do
          found[#found + 1] = p
          p = p - step
        end
      end
    end
  end
  return found
end

-- sets one square and repaints the flipped discs (used for playing and for undoing)
local function paint(b, sq, value, list, colour)
  b[sq] = value
  for i = 1, #list do b[list[i]] = colour end
end

local function moves(b, me)
  local out = {}
  for i = 1, #SQUARES do
    local sq = SQUARES[i]
    local list = flips(b, sq, me)
    if list then out[#out + 1] = { sq = sq, list = list, key = WEIGHT[sq] * 4 + #list } end
  end
  table.sort(out, function(x, y)
    if x.key ~= y.key then return x.key > y.key end
    return x.sq < y.sq
  end)
  return out
end

local function evaluate(b, me)
  local score = 0
  for _, sq in ipairs(SQUARES) do score = score + b[sq] * WEIGHT[sq] end
  return score * me
end

local function count(b)
  local diff, total = 0, 0
  for _, sq in ipairs(SQUARES) do
    if b[sq] ~= EMPTY then diff = diff + b[sq]; total = total + 1 end
  end
  return diff, total
end

local nodes = 0

local function search(b, me, depth, alpha, beta, passed)
  nodes = nodes + 1
  if depth == 0 then return evaluate(b, me) end
  local list = moves(b, me)
  if #list == 0 then
    if passed then return count(b) * me * 1000 end
    return -search(b, -me, depth - 1, -beta, -alpha, true)
  end
  local best
  for i = 1, #list do
    local m = list[i]
    paint(b, m.sq, me, m.list, me)
    local v = -search(b, -me, depth - 1, -beta, -alpha, false)
    paint(b, m.sq, EMPTY, m.list, -me)
    if v > alpha then alpha, best = v, m end
    if alpha >= beta then break end
  end
  return alpha, best or list[1]
end

local function makeRandom(seed)
  return function(k)
    seed = (seed * 16807) % 2147483647
    return seed % k + 1
  end
end

local function game(rnd, blackDepth, whiteDepth)
  local b, me, ply, passes, hash = newBoard(), BLACK, 0, 0, 7
  while passes < 2 do
    local list = moves(b, me)
    if #list == 0 then
      passes = passes + 1
    else
      passes = 0
      local m
      if ply < 6 then
        m = list[rnd(#list)]
      else
        m = select(2, search(b, me, me == BLACK and blackDepth or whiteDepth, -1e9, 1e9, false))
      end
      paint(b, m.sq, me, m.list, me)
      hash = (hash * 131 + m.sq) % 1000000007
      ply = ply + 1
    end
    me = -me
  end
  return count(b), hash
end

return function(n)
  local rnd = makeRandom(99)
  nodes = 0
  local total, mixed = 0, 0
  for i = 1, n do
    local diff, hash = game(rnd, 2 + i % 2, 3 - i % 2)
    total = total + diff
    mixed = (mixed * 31 + hash) % 1000000007
  end
  return string.format("%d %d %d", total, mixed, nodes)
end
