-- Section 6.4, string.dump, and section 6.1, load of what it gives.
local function fails(message, f, ...)
  local ok, found = pcall(f, ...)
  assert(not ok and found == message, found)
end
local dump = string.dump

-- what is dumped, and what is not
local bytes = dump(load("x = 1; return x"))
assert(type(bytes) == "string" and bytes:byte() == 27)
assert(load(bytes)() == 1 and x == 1)
assert(load(bytes, nil, "b")() == 1 and load(bytes, "name", "bt")() == 1)
fails("unable to dump given function", dump, print)
fails("unable to dump given function", dump, string.dump)
fails("bad argument #1 to 'string.dump' (function expected, got no value)", dump)
fails("bad argument #1 to 'string.dump' (function expected, got nil)", dump, nil)
do
  local f, message = load(bytes, nil, "t")
  assert(f == nil and message == "attempt to load a binary chunk (mode is 't')")
  f, message = load("return 1", nil, "b")
  assert(f == nil and message == "attempt to load a text chunk (mode is 'b')")
end

-- in pieces, and whatever the pieces
for size = 1, 40, 13 do
  local at = 1 - size
  local f = load(function()
    at = at + size
    if at <= #bytes then return bytes:sub(at, at + size - 1) end
  end, "r", "b")
  assert(f() == 1)
end

-- every shorter one is refused
for len = 1, #bytes - 1 do
  local f, message = load(bytes:sub(1, len))
  assert(f == nil and message == "binary string: bad binary format (truncated chunk)", message)
end

-- parameters, further arguments, functions inside
do
  local f = load(dump(function(a, b, ...)
    local c = a + b + select("#", ...)
    return function(d) c = c + d return c end
  end))
  local g, h = f(1, 2), f(10, 20, nil, nil)
  assert(g(1) == 4 and g(1) == 5 and h(0) == 32)
  local nested = load(dump(f))
  assert(nested(5, 6)(0) == 11)
  local fib = load(dump(function(n)
    local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
    return fib(n)
  end))
  assert(fib(15) == 610)
end

-- variables of the functions around are nil, and its own
do
  local a, b = 20, 30
  local source = dump(function(y)
    if y == "set" then a = 10 + b; b = b + 1 else return a end
  end)
  local f, other = load(source, "", "b", nil), load(source, "", "b", nil)
  assert(f() == nil)
  assert(debug.setupvalue(f, 1, "hi") == "a" and f() == "hi" and other() == nil)
  assert(debug.setupvalue(f, 2, 13) == "b" and not debug.setupvalue(f, 3, 10))
  f("set")
  assert(f() == 23 and a == 20 and b == 30)
  assert(debug.getupvalue(f, 1) == "a" and debug.getupvalue(f, 2) == "b")
end

-- environments
do
  local env = {}
  local f = load(dump(function(...) made = (made or 0) + 1 return print, ... end), "n", "b", env)
  local p, q = f(5)
  assert(p == nil and q == 5 and env.made == 1 and made == nil)
  f()
  assert(env.made == 2)
  f = load(dump(load("y = 4 return _ENV", "c", "t", env)), "n", "b", env)
  assert(f() == env and env.y == 4 and y == nil)
  f = load(dump(load("return _ENV", "c", "t", env)))
  assert(f() == _G)
end

-- names and lines
do
  local text = "local a = 1\nlocal b = {}\nreturn b.x.y"
  local f = load(dump(load(text, "@some.lua")), "other")
  local ok, message = pcall(f)
  assert(message == "some.lua:3: attempt to index a nil value (field 'x')")
  assert(debug.getinfo(f, "S").short_src == "some.lua")
  f = load(dump(load(text, "@some.lua"), true), "other")
  ok, message = pcall(f)
  assert(message == "?:-1: attempt to index a nil value (field 'x')", message)
  f = load(dump(f)) -- still without
  ok, message = pcall(f)
  assert(message == "?:-1: attempt to index a nil value (field 'x')", message)
  local info = debug.getinfo(f, "S")
  assert(info.source == "=?" and info.short_src == "?")
end

-- files
do
  local name = os.tmpname()
  local file = io.open(name, "wb")
  file:write(dump(load("return 'read', ...", "@orig.lua")))
  file:close()
  local a, b = loadfile(name)(7)
  assert(a == "read" and b == 7)
  assert(dofile(name) == "read")
  local f, message = loadfile(name, "t")
  assert(f == nil and message == "attempt to load a binary chunk (mode is 't')", message)
  os.remove(name)
end
