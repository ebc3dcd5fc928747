-- Sections 2.2, 6.1 and 6.3: environments, chunks, modules.
local function fails(message, f, ...)
  local ok, found = pcall(f, ...)
  assert(not ok and found == message, found)
end
local function refused(message, ...)
  local f, found = load(...)
  assert(f == nil and found == message, found)
end

-- load
assert(load("return 1 + 1")() == 2)
assert(select("#", load("return ...")(1, nil, nil)) == 3)
assert(load("return ...", "=x")(7) == 7)
refused("[string \"x =\"]:1: unexpected symbol near <eof>", "x =")
refused("name:1: unexpected symbol near <eof>", "x =", "=name")
refused("name:1: unexpected symbol near <eof>", "x =", "@name")
refused("[string \"name\"]:1: unexpected symbol near <eof>", "x =", "name")
refused("[string \"a...\"]:1: unexpected symbol near <eof>", "x =", "a\nb")
refused("attempt to load a text chunk (mode is 'b')", "x = 1", "n", "b")
refused("attempt to load a binary chunk (mode is 't')", "\27Lua", "n", "t")
refused("[string \"#x\"]:1: unexpected symbol near '#'", "#x") -- a first line with # is for files alone
fails("bad argument #1 to 'load' (function expected, got no value)", load)
fails("bad argument #1 to 'load' (function expected, got table)", load, {})
do
  local parts, n = {"return ", "1", "2", ""}, 0
  assert(load(function() n = n + 1 return parts[n] end)() == 12)
  assert(n == 4)
  n = 0
  local f = load(function() n = n + 1 return ({"x", " = ", "="})[n] end)
  assert(f == nil)
  local ok, message = load(function() return {} end)
  assert(ok == nil and message:find("reader function must return a string"))
  ok, message = load(function() error("inside", 0) end)
  assert(ok == nil and message:find("inside"))
end
for name, shown in pairs{["@" .. ("p"):rep(80)] = "..." .. ("p"):rep(56), ["=" .. ("q"):rep(80)] = ("q"):rep(59),
    [("t"):rep(80)] = "[string \"" .. ("t"):rep(45) .. "...\"]"} do
  local ok, message = pcall(load("error('e')", name))
  assert(not ok and message == shown .. ":1: e", message)
end

-- environments
do
  local env = {x = 5}
  assert(load("return x", "c", "t", env)() == 5)
  assert(load("y = x + 1 return _ENV", "c", "t", env)() == env and env.y == 6 and rawget(_G, "y") == nil)
  assert(load("local function f() z = 1 return function() return z end end return f()()", "c", "t", env)() == 1)
  assert(env.z == 1)
  assert(load("return _ENV", "c", "t", _G)() == _G and load("return _ENV")() == _G)
  fails("c:1: attempt to index a nil value (upvalue '_ENV')", load("x = 1", "=c", "t", nil))
  fails("c:1: attempt to index a nil value (global 'x')", load("x.y = 1", "=c", "t", {}))
  fails("c:1: attempt to call a nil value (global 'x')", load("x()", "=c", "t", {}))
  fails("c:1: attempt to perform arithmetic on a nil value (global 'x')", load("return x + 1", "=c", "t", {}))
  local proxy = setmetatable({}, {__index = _G})
  load("w = type(print)", "c", "t", proxy)()
  assert(proxy.w == "function" and rawget(_G, "w") == nil)
end
do
  local _ENV = {assert = assert, n = 1}
  n = n + 1
  m = "m"
  assert(n == 2 and _ENV.m == "m" and print == nil)
end
do
  local function f(_ENV) return a + b end
  assert(f{a = 1, b = 2} == 3)
  local function g(_ENV, v) x = v end
  local t = {}
  g(t, 9)
  assert(t.x == 9)
  local print, _ENV = print, {q = 1}
  print = q
  q = 2
  local e = _ENV
  do local _ENV = {e = e} q = 3 e.ok = q end
end
do -- hot loops in an environment of their own
  local env = {sum = 0}
  load("for i = 1, 3000 do sum = sum + i end", "c", "t", env)()
  assert(env.sum == 4501500)
end
do -- globals of the table of globals, by all ways
  setmetatable(_G, {__index = function(_, k) return "no " .. k end, __newindex = function(t, k, v) rawset(t, k, v .. "!") end})
  assert(undefined_name == "no undefined_name")
  new_name = "v"
  assert(new_name == "v!" and _G.new_name == "v!" and load("return new_name")() == "v!")
  setmetatable(_G, nil)
  new_name = nil
  assert(new_name == nil)
  _G["by key"] = 1
  assert(_ENV["by key"] == 1)
  _G["by key"] = nil
end

-- files and modules
local name = os.tmpname()
local function write(text)
  local f = assert(io.open(name, "w"))
  f:write(text)
  f:close()
end
write("#!/usr/bin/lua\nlocal a, b = ... return a, b, 3")
do
  local a, b, c = loadfile(name)(1, 2)
  assert(a == 1 and b == 2 and c == 3)
  assert(select(3, dofile(name)) == 3)
  assert(loadfile(name, "b") == nil)
  write("\n\nerror('here')")
  local ok, message = pcall(dofile, name)
  assert(not ok and message:find(":3: here$"))
  write("x = = 1")
  ok, message = loadfile(name)
  assert(ok == nil and message:find(":1: unexpected symbol near '='$"))
  write("return v")
  assert(loadfile(name, "t", {v = 7})() == 7)
  ok, message = loadfile("/no/such/file")
  assert(ok == nil and message == "cannot open /no/such/file: No such file or directory", message)
  fails("cannot open /no/such/file: No such file or directory", dofile, "/no/such/file")
end
do
  assert(package.loaded.string == string and package.loaded._G == _G and package.loaded.package == package)
  assert(package.config == "/\n;\n?\n!\n-\n")
  assert(type(package.searchers) == "table" and type(package.path) == "string" and type(package.cpath) == "string")
  local folder, base = name:match("^(.*)/(.-)$")
  local old = package.path
  package.path = folder .. "/?"
  write("local name, file = ... loads = (loads or 0) + 1 return {name = name, file = file}")
  local m, where = require(base)
  assert(m.name == base and m.file == name and where == name and require(base) == m and loads == 1)
  assert(package.loaded[base] == m)
  package.loaded[base] = nil
  assert(require(base) ~= m and loads == 2)
  loads = nil
  package.loaded[base] = nil
  write("package.loaded[...] = 'set'")
  assert(require(base) == "set")
  package.loaded[base] = nil
  write("")
  assert(require(base) == true)
  package.loaded[base] = nil
  write("x = = 1")
  local ok, message = pcall(require, base)
  assert(not ok and message:find("^error loading module '" .. base:gsub("%W", "%%%0") .. "' from file '"), message)
  write("error('while loading', 0)")
  fails("while loading", require, base)
  package.path = old
  package.preload["made up"] = function(...) assert(select("#", ...) == 2) return "P" end
  local p, extra = require("made up")
  assert(p == "P" and extra == ":preload:")
  ok, message = pcall(require, "no.such")
  assert(not ok and message:find("^module 'no.such' not found:\n\tno field package.preload%['no.such'%]\n\tno file '"))
  assert(message:find("no/such.lua'", 1, true))
  assert(package.searchpath(base, folder .. "/?") == name)
  ok, message = package.searchpath("a.b", "./?.x;/y/?")
  assert(ok == nil and message == "no file './a/b.x'\n\tno file '/y/a/b'")
  ok, message = package.searchpath("a.b", "?", ".", "-")
  assert(message == "no file 'a-b'")
  table.insert(package.searchers, 1, function(n) if n == "own" then return function(...) return {...} end, "x" end end)
  assert(require("own")[2] == "x")
  table.remove(package.searchers, 1)
  fails("bad argument #1 to 'require' (string expected, got no value)", require)
end
os.remove(name)
