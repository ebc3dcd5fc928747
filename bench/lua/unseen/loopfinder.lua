-- Finds the nest of loops of a control flow graph (depth-first numbers, union-find, headers of reducible and irreducible loops).
-- Plain functions over parallel arrays; the graph is built by a few recursive generators.
-- args: 82
-- quick: 1
local M = {}

function M.newGraph()
  return { count = 0, outs = {}, ins = {} }
end

function M.node(g)
  g.count = g.count + 1
  g.outs[g.count] = {}
  g.ins[g.count] = {}
  return g.count
end

function M.edge(g, a, b)
  local o, i = g.outs[a], g.ins[b]
  o[#o + 1] = b
  i[#i + 1] = a
end

local function straight(g, from, len)
  for _ = 1, len do
    local n = M.node(g)
    M.edge(g, from, n)
    from = n
  end
  return from
end

local function diamond(g, from)
  local join = M.node(g)
  local l, r = straight(g, from, 1), straight(g, from, 2)
  M.edge(g, l, join)
  M.edge(g, r, join)
  return join
end

local function loop(g, from, depth, width)
  local head = straight(g, from, 1)
  local tail = diamond(g, head)
  if depth > 0 then
    for _ = 1, width do tail = loop(g, tail, depth - 1, width) end
  end
  tail = straight(g, tail, 1)
  M.edge(g, tail, head)
  return straight(g, tail, 1)
end

local function knot(g, from)               -- a loop with two entries
  local a, b = M.node(g), M.node(g)
  M.edge(g, from, a)
  M.edge(g, from, b)
  M.edge(g, a, b)
  M.edge(g, b, a)
  return straight(g, b, 1)
end

-- depth first: numbers in order of the first visit, and the last number below each
local function number(g, root)
  local num, last, nodeOf, n = {}, {}, {}, 0
  local function visit(v)
    n = n + 1
    local me = n
    num[v] = me
    nodeOf[me] = v
    local outs = g.outs[v]
    for k = 1, #outs do
      if not num[outs[k]] then visit(outs[k]) end
    end
    last[me] = n
  end
  visit(root)
  return num, last, nodeOf, n
end

local function find(parent, x)
  local root = x
  while parent[root] ~= root do root = parent[root] end
  while parent[x] ~= root do
    parent[x], x = root, parent[x]
  end
  return root
end

local NORMAL, SELF, HEADER, BAD = "normal", "self", "header", "irreducible"

function M.loops(g, root)
  local num, last, nodeOf, n = number(g, root)
  local backs, others, parent, header, kind = {}, {}, {}, {}, {}
  for w = 1, n do
    backs[w], others[w], parent[w], header[w], kind[w] = {}, {}, w, 1, NORMAL
    for _, pred in ipairs(g.ins[nodeOf[w]]) do
      local v = num[pred]
      if v then
        local list = (w <= v and v <= last[w]) and backs[w] or others[w]
        list[#list + 1] = v
      end
    end
  end
  header[1] = nil
  local found = {}
  for w = n, 1, -1 do
    local pool, inPool = {}, {}
    for _, v in ipairs(backs[w]) do
      if v == w then
        kind[w] = SELF
      else
        local r = find(parent, v)
        if not inPool[r] then inPool[r] = true; pool[#pool + 1] = r end
      end
    end
    if #pool > 0 then kind[w] = HEADER end
    local at = 1
    while pool[at] do                      -- the pool grows as it is gone through
      local x = pool[at]
      at = at + 1
      local list = others[x]
      for k = 1, #list do
        local y = find(parent, list[k])
        if not (w <= y and y <= last[w]) then
          kind[w] = BAD
          local ow = others[w]
          ow[#ow + 1] = y
        elseif y ~= w and not inPool[y] then
          inPool[y] = true
          pool[#pool + 1] = y
        end
      end
    end
    if #pool > 0 or kind[w] == SELF then
      local l = { head = w, kind = kind[w], members = {}, size = #pool, inner = 0 }
      for k, x in ipairs(pool) do
        header[x] = w
        parent[x] = w
        l.members[k] = x
      end
      found[#found + 1] = l
    end
  end
  return found, header
end

function M.nesting(found)
  local byHead = {}
  for _, l in ipairs(found) do byHead[l.head] = l end
  local deepest, weight = 0, 0
  for i = 1, #found do                       -- inner loops come before outer ones
    local l = found[i]
    for _, x in ipairs(l.members) do
      local child = byHead[x]
      if child then l.inner = math.max(l.inner, child.inner + 1) end
    end
    if l.inner > deepest then deepest = l.inner end
    weight = (weight * 5 + l.inner * 11 + l.size) % 1000003
  end
  return deepest, weight
end

return function(n)
  local total, bad, check, nodes, deepest = 0, 0, 0, 0, 0
  for round = 1, n do
    local g = M.newGraph()
    local at = M.node(g)
    local root = at
    for i = 1, 4 do
      at = loop(g, at, 2 + round % 2, 2)
      at = diamond(g, at)
      at = loop(g, at, i % 3, 3)
      at = knot(g, at)
      if i % 2 == 0 then M.edge(g, at, at) end
    end
    M.edge(g, at, root + 1)
    local found, header = M.loops(g, root)
    local d, w = M.nesting(found)
    total = total + #found
    for _, l in ipairs(found) do if l.kind == BAD then bad = bad + 1 end end
    for k, h in pairs(header) do check = (check + k * h) % 1000003 end
    check = (check + w) % 1000003
    nodes = nodes + g.count
    deepest = math.max(deepest, d)
  end
  return ("loops=%d bad=%d nodes=%d deepest=%d check=%d"):format(total, bad, nodes, deepest, check)
end
