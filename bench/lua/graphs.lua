-- Graphs of objects: control-flow graphs are made, numbered depth first, their dominators found, and their natural loops nested in each other.
-- args: 36
-- quick: 2
local Block = {}
Block.__index = Block

local Graph = {}
Graph.__index = Graph

local function new_graph() return setmetatable({ blocks = {} }, Graph) end

function Graph:block()
  local b = setmetatable({ name = #self.blocks + 1, after = {}, before = {}, order = 0, dominator = false, depth = 0 }, Block)
  self.blocks[b.name] = b
  return b
end

function Block:to(other)
  self.after[#self.after + 1] = other
  other.before[#other.before + 1] = self
  return other
end

-- A region that is entered at the given block; gives the block where it is left.
function Graph:straight(from, length)
  for _ = 1, length do from = from:to(self:block()) end
  return from
end

function Graph:diamond(from)
  local left, right, join = from:to(self:block()), from:to(self:block()), self:block()
  left:to(join)
  return self:straight(right, 1):to(join)
end

function Graph:loop(from, inner, depth)
  local header = from:to(self:block())
  local at = header
  for i = 1, inner do
    if depth > 0 then at = self:loop(at, inner, depth - 1) else at = self:diamond(at) end
    if i % 3 == 0 then at = self:straight(at, 2) end
  end
  at:to(header)
  return header:to(self:block())
end

local function numbered(entry)
  local order, stack, at = {}, { entry }, { 1 }
  local seen = { [entry] = true }
  local depth = 1
  while depth > 0 do
    local block = stack[depth]
    local next_block = block.after[at[depth]]
    if next_block then
      at[depth] = at[depth] + 1
      if not seen[next_block] then
        seen[next_block] = true
        depth = depth + 1
        stack[depth], at[depth] = next_block, 1
      end
    else
      order[#order + 1] = block
      block.order = #order
      depth = depth - 1
    end
  end
  return order
end

-- The dominator of two blocks: who is left of the other in the order goes up.
local function common(a, b)
  while a ~= b do
    while a.order < b.order do a = a.dominator end
    while b.order < a.order do b = b.dominator end
  end
  return a
end

local function dominators(entry, order)
  entry.dominator = entry
  local rounds, changed = 0, true
  while changed do
    changed = false
    rounds = rounds + 1
    for i = #order - 1, 1, -1 do
      local block = order[i]
      local found
      for j = 1, #block.before do
        local before = block.before[j]
        if before.dominator then found = found and common(found, before) or before end
      end
      if block.dominator ~= found then
        block.dominator = found
        changed = true
      end
    end
  end
  return rounds
end

local function dominates(a, b)
  while b.order < a.order do b = b.dominator end
  return a == b
end

-- The natural loops: for each edge back to a dominator the blocks that reach it without the header.
local function loops(order)
  local found = {}
  for i = 1, #order do
    local block = order[i]
    for j = 1, #block.after do
      local header = block.after[j]
      if dominates(header, block) then
        local members, work = { [header] = true }, { block }
        local size = 1
        while #work > 0 do
          local member = table.remove(work)
          if not members[member] then
            members[member] = true
            size = size + 1
            for k = 1, #member.before do table.insert(work, member.before[k]) end
          end
        end
        found[#found + 1] = { header = header, members = members, size = size }
      end
    end
  end
  return found
end

local function nest(found)
  local deepest = 0
  for i = 1, #found do
    local inner = found[i]
    local depth = 1
    for j = 1, #found do
      if i ~= j and found[j].members[inner.header] and found[j].size > inner.size then depth = depth + 1 end
    end
    inner.header.depth = depth
    if depth > deepest then deepest = depth end
  end
  return deepest
end

return function(n)
  local checksum = 0
  for round = 1, n do
    local graph = new_graph()
    local entry = graph:block()
    local at = entry
    for i = 1, 3 do at = graph:loop(at, 3 + (round + i) % 2, 2) end
    graph:straight(at, 3)
    local order = numbered(entry)
    local rounds = dominators(entry, order)
    local found = loops(order)
    local deepest = nest(found)
    local sizes, depths = 0, 0
    for i = 1, #found do
      sizes = sizes + found[i].size * i
      depths = depths + found[i].header.depth
    end
    checksum = (checksum * 31 + #graph.blocks * 7 + rounds + #found * 5 + deepest + sizes + depths) % 1000003
  end
  return checksum
end
