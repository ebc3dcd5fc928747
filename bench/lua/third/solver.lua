-- A miniature prolog: unification with a trail and backtracking search over parsed rules.
-- args: 4
-- quick: 1

local RULES = [[
parent(ann, bob). parent(ann, cleo). parent(bob, dan). parent(cleo, eve). parent(dan, fay). parent(eve, gus).
ancestor(X, Y) :- parent(X, Y). ancestor(X, Y) :- parent(X, Z), ancestor(Z, Y).
append([], L, L). append([H|T], L, [H|R]) :- append(T, L, R).
reverse([], []). reverse([H|T], R) :- reverse(T, S), append(S, [H], R).
pick(X, [X|T], T). pick(X, [H|T], [H|R]) :- pick(X, T, R).
queens(Ns, Qs) :- place(Ns, [], Qs).
place([], Qs, Qs). place(Ns, Safe, Qs) :- pick(Q, Ns, Rest), free(Q, 1, Safe), place(Rest, [Q|Safe], Qs).
free(Q, D, []). free(Q, D, [Y|T]) :- safe(Q, Y, D), next(D, E), free(Q, E, T).
colour(red). colour(green). colour(blue).
map(A, B, C, D, E) :- colour(A), colour(B), differ(A, B), colour(C), differ(C, A), differ(C, B), colour(D),
  differ(D, B), differ(D, C), colour(E), differ(E, C), differ(E, D).
]]

local QUERIES = { "ancestor(A, D)", "append(X, Y, LIST)", "reverse(LIST, R)", "queens(LIST, Qs)", "map(A, B, C, D, E)" }
local trail, steps = {}, 0
-- reading terms: lower case atoms, upper case variables, f(a, B), [a, b | T]
local Reader = {}
Reader.__index = Reader
local function newReader(text) return setmetatable({ text = text, pos = 1, vars = {} }, Reader) end

function Reader:look(pattern)
  local found, stop = self.text:match("^%s*(" .. pattern .. ")()", self.pos)
  if found then self.pos = stop end
  return found
end

function Reader:list()
  local out = {}
  repeat out[#out + 1] = self:term() until not self:look(",")
  return out
end

function Reader:term()
  if self:look("%[") then
    if self:look("%]") then return { kind = "atom", name = "nil" } end
    local items = self:list()
    local rest = self:look("|") and self:term() or { kind = "atom", name = "nil" }
    assert(self:look("%]"), "unfinished list")
    for i = #items, 1, -1 do rest = { kind = "struct", name = "cons", items[i], rest } end
    return rest
  end
  local word = assert(self:look("[%w_]+"), "bad term")
  if word:find("^%u") then
    self.vars[word] = self.vars[word] or { kind = "var", name = word }
    return self.vars[word]
  end
  if not self:look("%(") then return { kind = "atom", name = word } end
  local t = self:list()
  t.kind, t.name = "struct", word
  return self:look("%)") and t or error("missing )")
end

local function loadRules(source)
  local db, reader = {}, newReader(source)
  while source:find("%S", reader.pos) do
    reader.vars = {}
    local head = reader:term()
    db[head.name] = db[head.name] or {}
    table.insert(db[head.name], { head = head, body = reader:look(":%-") and reader:list() or {} })
    assert(reader:look("%."), "missing full stop")
  end
  return db
end

local function walk(t)
  while t.ref do t = t.ref end
  return t
end

local function undoTo(mark)
  for i = #trail, mark + 1, -1 do
    trail[i].ref, trail[i] = nil, nil
  end
end

local function unify(a, b)
  a, b = walk(a), walk(b)
  if a == b then return true end
  if a.kind ~= "var" and b.kind == "var" then a, b = b, a end
  if a.kind == "var" then
    a.ref, trail[#trail + 1] = b, a
    return true
  end
  if a.name ~= b.name or #a ~= #b then return false end
  for i = 1, #a do if not unify(a[i], b[i]) then return false end end
  return true
end

local function rename(t, map)
  if t.kind == "atom" then return t end
  if t.kind == "var" then
    map[t] = map[t] or { kind = "var", name = t.name }
    return map[t]
  end
  local copy = { kind = "struct", name = t.name }
  for i = 1, #t do copy[i] = rename(t[i], map) end
  return copy
end

local function number(t) return tonumber(walk(t).name) end
local builtins = {}
function builtins.differ(a, b) return walk(a).name ~= walk(b).name end
function builtins.next(a, b) return unify(b, { kind = "atom", name = string.format("%d", number(a) + 1) }) end
function builtins.safe(a, b, columns) return math.abs(number(a) - number(b)) ~= number(columns) end

-- goals is a linked list { goal, next }; success() is called once per solution
local function solve(db, goals, success)
  if not goals then return success() end
  local goal, mark = goals[1], #trail
  local builtin = builtins[goal.name]
  steps = steps + 1
  if builtin then
    if builtin(goal[1], goal[2], goal[3]) then solve(db, goals[2], success) end
    return undoTo(mark)
  end
  for _, clause in ipairs(db[goal.name]) do
    local map, rest = {}, goals[2]
    if unify(goal, rename(clause.head, map)) then
      for i = #clause.body, 1, -1 do rest = { rename(clause.body[i], map), rest } end
      solve(db, rest, success)
    end
    undoTo(mark)
  end
end

local function show(t)
  t = walk(t)
  local parts = {}
  for i = 1, #t do parts[i] = show(t[i]) end
  return #parts > 0 and t.name .. "(" .. table.concat(parts, ",") .. ")" or t.name
end

return function(n)
  local db, hash, count = loadRules(RULES), 5, 0
  steps, trail = 0, {}
  for i = 0, n * 5 - 1 do
    local numbers = ("[1,2,3,4,5,6,7]"):gsub(",7", i % 10 < 5 and "" or ",7")
    local query = QUERIES[i % 5 + 1]:gsub("LIST", numbers)
    local goal = newReader(query):term()
    solve(db, { goal }, function()
      count = count + 1
      for c in show(goal):gmatch("%w") do hash = (hash * 33 + c:byte()) % 1000000007 end
    end)
  end
  return string.format("%d %d %d", count, steps, hash)
end
