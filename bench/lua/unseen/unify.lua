-- A tiny Prolog: terms are read from text, unified with a trail, and goals are proved depth first with continuations;
-- it answers about families and lists.
-- args: 12
-- quick: 1
local function Atom(name) return { tag = "atom", name = name } end
local function Struct(name, ...) return { tag = "struct", name = name, arity = select("#", ...), ... } end
local serial = 0
local function Var(name)
  serial = serial + 1
  return { tag = "var", name = name, id = serial }
end

local NIL = Atom("[]")

-- reading
local Reader = {}

function Reader.space(r)
  while r.text:sub(r.pos, r.pos) == " " or r.text:sub(r.pos, r.pos) == "\n" do r.pos = r.pos + 1 end
end

function Reader.is(r, s)
  Reader.space(r)
  if r.text:sub(r.pos, r.pos + #s - 1) == s then
    r.pos = r.pos + #s
    return true
  end
end

function Reader.word(r)
  Reader.space(r)
  local from = r.pos
  while true do
    local b = r.text:byte(r.pos)
    if b and (b == 95 or b >= 48 and b <= 57 or b >= 65 and b <= 90 or b >= 97 and b <= 122) then r.pos = r.pos + 1 else break end
  end
  if from == r.pos then error("a word was expected at " .. from, 0) end
  return r.text:sub(from, r.pos - 1)
end

function Reader.terms(r, close)
  local list = {}
  repeat list[#list + 1] = Reader.term(r) until not Reader.is(r, ",")
  if close and not Reader.is(r, close) then error(close .. " was expected", 0) end
  return list
end

function Reader.term(r)
  if Reader.is(r, "[") then
    if Reader.is(r, "]") then return NIL end
    local items = Reader.terms(r)
    local tail = NIL
    if Reader.is(r, "|") then tail = Reader.term(r) end
    Reader.is(r, "]")
    for i = #items, 1, -1 do tail = Struct(".", items[i], tail) end
    return tail
  end
  local word = Reader.word(r)
  local b = word:byte()
  if b == 95 or b >= 65 and b <= 90 then
    if word == "_" then return Var("_") end
    r.vars[word] = r.vars[word] or Var(word)
    return r.vars[word]
  end
  if Reader.is(r, "(") then return Struct(word, (table.unpack or unpack)(Reader.terms(r, ")"))) end
  return Atom(word)
end

local function read_program(text)
  local r = { text = text, pos = 1 }
  local clauses = {}
  while true do
    Reader.space(r)
    if r.pos > #text then break end
    r.vars = {}
    local head = Reader.term(r)
    local body = {}
    if Reader.is(r, ":-") then body = Reader.terms(r) end
    if not Reader.is(r, ".") then error("a dot was expected", 0) end
    local key = head.name .. "/" .. (head.arity or 0)
    clauses[key] = clauses[key] or {}
    table.insert(clauses[key], { head = head, body = body })
  end
  return clauses
end

-- unification
local trail = {}

local function walk(t)
  while t.tag == "var" and t.ref do t = t.ref end
  return t
end

local function bind(v, t)
  v.ref = t
  trail[#trail + 1] = v
end

local function undo(mark)
  for i = #trail, mark + 1, -1 do
    trail[i].ref = nil
    trail[i] = nil
  end
end

local function unify(a, b)
  a, b = walk(a), walk(b)
  if a == b then return true end
  if a.tag == "var" then bind(a, b) return true end
  if b.tag == "var" then bind(b, a) return true end
  if a.tag ~= b.tag or a.name ~= b.name or a.arity ~= b.arity then return false end
  for i = 1, a.arity or 0 do
    if not unify(a[i], b[i]) then return false end
  end
  return true
end

local function rename(t, map)
  if t.tag == "var" then
    local v = map[t]
    if not v then
      v = Var(t.name)
      map[t] = v
    end
    return v
  elseif t.tag == "struct" then
    local s = { tag = "struct", name = t.name, arity = t.arity }
    for i = 1, t.arity do s[i] = rename(t[i], map) end
    return s
  end
  return t
end

local function show(t)
  t = walk(t)
  if t.tag == "var" then return "_" end
  if t.tag == "atom" then return t.name end
  if t.name == "." then
    local parts = {}
    while t.tag == "struct" and t.name == "." do
      parts[#parts + 1] = show(t[1])
      t = walk(t[2])
    end
    return "[" .. table.concat(parts, ",") .. (t == NIL and "]" or "|" .. show(t) .. "]")
  end
  local parts = {}
  for i = 1, t.arity do parts[i] = show(t[i]) end
  return t.name .. "(" .. table.concat(parts, ",") .. ")"
end

-- proving; goals is a linked list; the continuation answers true to stop
local inferences = 0
local function prove(clauses, goals, depth, found)
  if not goals then return found() end
  if depth > 150 then return false end
  local goal = walk(goals.term)
  if goal.name == "different" then
    local mark = #trail
    local same = unify(goal[1], goal[2])
    undo(mark)
    if same then return false end
    return prove(clauses, goals.next, depth, found)
  end
  local list = clauses[goal.name .. "/" .. (goal.arity or 0)]
  if not list then error({ unknown = goal.name }) end
  for i = 1, #list do
    local clause, map = list[i], {}
    inferences = inferences + 1
    local mark = #trail
    if unify(goal, rename(clause.head, map)) then
      local rest = goals.next
      for k = #clause.body, 1, -1 do rest = { term = rename(clause.body[k], map), next = rest } end
      if prove(clauses, rest, depth + 1, found) then return true end
    end
    undo(mark)
  end
  return false
end

local function ask(clauses, text, limit)
  local r = { text = text, pos = 1, vars = {} }
  local terms = Reader.terms(r)
  local goals
  for k = #terms, 1, -1 do goals = { term = terms[k], next = goals } end
  local names, answers = {}, {}
  for name in pairs(r.vars) do names[#names + 1] = name end
  table.sort(names)
  trail = {}
  local ok, err = pcall(prove, clauses, goals, 0, function()
    local parts = {}
    for i, name in ipairs(names) do parts[i] = name .. "=" .. show(r.vars[name]) end
    answers[#answers + 1] = table.concat(parts, " ")
    return #answers >= limit
  end)
  if not ok then answers[#answers + 1] = "unknown " .. tostring(err.unknown) end
  return answers
end

local source = [[
parent(ada, ben). parent(ada, cleo). parent(ben, dan). parent(ben, eve). parent(cleo, finn). parent(finn, gus). parent(eve, hal).
sibling(X, Y) :- parent(P, X), parent(P, Y), different(X, Y).
ancestor(X, Y) :- parent(X, Y).
ancestor(X, Y) :- parent(X, Z), ancestor(Z, Y).
cousin(X, Y) :- parent(A, X), parent(B, Y), sibling(A, B).
append([], L, L).
append([H|T], L, [H|R]) :- append(T, L, R).
member(X, L) :- append(_, [X|_], L).
reverse([], []).
reverse([H|T], R) :- reverse(T, S), append(S, [H], R).
select(X, [X|T], T).
select(X, [H|T], [H|R]) :- select(X, T, R).
permutation([], []).
permutation(L, [H|T]) :- select(H, L, R), permutation(R, T).
plus(z, Y, Y).
plus(s(X), Y, s(Z)) :- plus(X, Y, Z).
times(z, _, z).
times(s(X), Y, Z) :- times(X, Y, W), plus(W, Y, Z).
colour(red). colour(green). colour(blue).
map(A, B, C, D, E) :- colour(A), colour(B), different(A, B), colour(C), different(A, C), different(B, C), colour(D), different(D, B),
  different(D, C), colour(E), different(E, D), different(E, A).
]]

local questions = { "ancestor(ada, W)", "cousin(X, Y)", "append(X, Y, [a, b, c, d])", "reverse([a, b, c, d, e, f], R)",
  "permutation([a, b, c, d, e], P)",
  "times(s(s(s(z))), s(s(s(s(z)))), N)", "times(X, Y, s(s(s(s(z)))))", "map(A, B, C, D, E)", "member(X, [p, q]), member(Y, [X, r])", "nothing(X)" }

return function(n)
  serial, inferences = 0, 0
  local clauses = read_program(source)
  local sum, counts = 0, {}
  for round = 1, n do
    for q, question in ipairs(questions) do
      local answers = ask(clauses, question, q == 7 and 3 or 20 + round)
      counts[q] = #answers
      for i, a in ipairs(answers) do
        for k = 1, #a, 3 do sum = (sum * 7 + a:byte(k) * i) % 1000003 end
      end
      if round == n and q % 3 == 0 then counts[q] = counts[q] .. "{" .. answers[#answers] .. "}" end
    end
  end
  return string.format("%d %d %d %s", sum, inferences, serial, table.concat(counts, " "))
end
