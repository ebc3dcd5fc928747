-- args: 0
-- Fields that one instruction finds in many ways: what it has found once must not be believed when
-- the table, its metatable, its class or the class of that has changed since.
local function get(o) return o.x end
local function set(o, v) o.x = v end
local function call(o) return o:name() end

local function warm(f, ...)
  for _ = 1, 40 do f(...) end
end

-- A field that goes and comes back.
local p = { x = 1, y = 2 }
warm(get, p)
print(get(p))
p.x = nil
print(get(p))
set(p, 3)
print(get(p))

-- A class, and what hides it.
local Base = { name = function() return "base" end }
Base.__index = Base
local Class = setmetatable({ x = "class" }, Base)
Class.__index = Class
local o = setmetatable({}, Class)
warm(get, o)
warm(call, o)
print(get(o), call(o))
o.x = "own"
print(get(o))
o.x = nil
print(get(o))
Class.x = "changed"
print(get(o))
Class.x = nil
print(get(o))
Base.x = "from the base"
print(get(o))
Class.name = function() return "class" end
print(call(o))
Class.name = nil
print(call(o))
Base.name = function() return "another base" end
print(call(o))

-- Another `__index`: a table, a function, none.
Class.__index = { x = "elsewhere", name = function() return "elsewhere" end }
print(get(o), call(o))
Class.__index = function(_, key) return "computed " .. key end
print(get(o))
Class.__index = nil
print(get(o))
Class.__index = Class
print(get(o), call(o))

-- Another metatable of the base, and none.
setmetatable(Class, { __index = { x = "new base", name = function() return "new" end } })
print(get(o), call(o))
setmetatable(Class, nil)
print(get(o), pcall(call, o))
setmetatable(Class, Base)

-- Names that the program computes hide those of the class, too.
local key = "x"
local many = setmetatable({}, Class)
for n = 1, 200 do many["k" .. n] = n end
warm(get, many)
print(get(many))
many[key] = "computed"
print(get(many))
many[key] = nil
print(get(many))
for n = 1, 200 do Class["k" .. n] = n end
print(get(o), get(many))

-- Metatables of their own for each object.
for n = 1, 40 do
  local one = setmetatable({ y = n }, { __index = { x = n } })
  assert(get(one) == n)
  local meta = { __index = { x = -n } }
  setmetatable(one, meta)
  assert(get(one) == -n)
  meta.__index = { x = 2 * n }
  assert(get(one) == 2 * n)
end

-- Fields that are added: the table may have room for them or not, and `__newindex` may appear.
local Adds = {}
Adds.__index = Adds
local function make()
  local made = setmetatable({}, Adds)
  set(made, 1)
  made.a, made.b, made.c, made.d, made.e = 1, 2, 3, 4, 5
  return made
end
for _ = 1, 40 do make() end
local added = make()
print(added.x, added.e)
local seen = {}
Adds.__newindex = function(t, k, v)
  seen[#seen + 1] = k
  rawset(t, k, v)
end
make()
print(table.concat(seen, " "))
Adds.__newindex = nil
make()
print(#seen)
local plain = {}
warm(set, plain, 1)
local fresh = {}
set(fresh, nil)
print(next(fresh))
set(fresh, 5)
print(next(fresh))

-- More shapes than an instruction remembers.
local shapes = {
  { x = 1 }, { a = 0, x = 2 }, { b = 0, x = 3 }, { c = 0, x = 4 }, { d = 0, x = 5 }, { e = 0, x = 6 }
}
for _ = 1, 20 do
  local sum = 0
  for _, s in ipairs(shapes) do
    set(s, get(s) + 1)
    sum = sum + get(s)
  end
  assert(sum >= 27)
end
local sum = 0
for _, s in ipairs(shapes) do sum = sum + get(s) end
print(sum)

-- What is no table.
local ok, message = pcall(get, nil)
print(ok, message)
ok, message = pcall(set, 1, 2)
print(ok, message)
print(pcall(call, "text"))
print(getmetatable("").__index == string, ("x"):rep(3))
