-- Manual, section 6.10: who is active, at any level.

local function line_at(level) return debug.getinfo(level + 1, "l").currentline end

-- Lines of callers, warm and cold.
local function inner() return line_at(1), line_at(2), line_at(3) end
local function outer()
  local a, b, c = inner()
  return a, b, c
end
for turn = 1, 300 do
  local a, b, c = outer()
  assert(a == 6 and b == 8 and c == 12, a .. " " .. b .. " " .. c)
end

-- Everything about a level.
local function describe(level, what) return debug.getinfo(level + 1, what) end
local function asked(what) local info = describe(2, what) return info end
local function target(what) local info = asked(what) return info end
for turn = 1, 200 do
  local info = target("nSlutf")
  assert(info.name == "target" and info.namewhat == "local", info.name)
  assert(info.func == target and info.what == "Lua")
  assert(info.short_src:find("levels.lua", 1, true) and info.source:sub(1, 1) == "@")
  assert(info.linedefined == 19 and info.lastlinedefined == 19 and info.currentline == 19)
  assert(info.nups == 1 and info.nparams == 1 and info.isvararg == false)
  assert(info.istailcall == false)
end

-- The main chunk, what has called it, and nothing beyond.
assert(debug.getinfo(1, "S").what == "main")
assert(debug.getinfo(2, "S").what == "C")
assert(debug.getinfo(3, "S") == nil and debug.getinfo(-1) == nil and debug.getinfo(100) == nil)
assert(debug.getinfo(0, "f").func == debug.getinfo and debug.getinfo(0, "n").name == "getinfo")

-- Names.
local object = {}
function object:method() return describe(1, "n") end
object.field = function() local info = describe(1, "n") return info end
function a_global() local info = describe(1, "n") return info end
local info = object:method()
info = object.field()
assert(info.namewhat == "field" or info.namewhat == "method" and info.name == "field")
info = a_global()
assert(info.name == "a_global" and info.namewhat == "global")
local function up() local info = a_global() return info end
info = up()
assert(info.name == "a_global")
local called = setmetatable({}, {
  __add = function() local info = describe(1, "nl") return info end,
  __index = function() local info = describe(1, "n") return info end,
  __lt = function() info = describe(1, "n") return true end,
  __concat = function() local info = describe(1, "n") return info end,
})
for turn = 1, 100 do
  info = called + 1
  assert(info.name == "add" and info.namewhat == "metamethod", info.name)
  info = called.key
  assert(info.name == "index" and info.namewhat == "metamethod", info.name)
  assert(called < called and info.name == "lt")
  assert((called .. "x").name == "concat")
end
local function each() local info = describe(1, "n") return info end
for v in each do
  assert(v.name == "for iterator" and v.namewhat == "for iterator")
  break
end

-- The line of an operator that a metamethod is called for.
local lines = setmetatable({}, { __add = function() local line = line_at(2) return line end })
local sum = lines
  + 1
assert(sum == 72 and 1 +
  lines == 73)

-- Tail calls leave nothing of the caller.
local function last() local info = describe(1, "nt") return info end
local function tail() return last() end
for turn = 1, 100 do
  info = tail()
  assert(info.istailcall == true and info.name == nil and info.namewhat == "")
end

-- Functions of the library are levels.
local function from_library() return describe(2, "nSf") end
local ok
ok, info = pcall(from_library)
local function in_between() local info = describe(2, "nSf") return info end
ok, info = pcall(in_between)
assert(ok and info.what == "C" and info.func == pcall and info.name == "pcall")
local seen
table.sort({ 2, 1 }, function(a, b) seen = debug.getinfo(2, "Sf") return a < b end)
assert(seen.what == "C" and seen.func == table.sort)
string.gsub("x", "x", function() seen = debug.getinfo(2, "Sf") end)
assert(seen.func == string.gsub)

-- A global that is not declared: who sets it?
local function who() local d = debug.getinfo(3, "S") return d and d.what or "C" end
local set_by
setmetatable(_G, { __newindex = function(t, n, v) set_by = who() rawset(t, n, v) end })
first_global = 1
assert(set_by == "main")
local function sets() second_global = 2 end
sets()
assert(set_by == "Lua")
load("third_global = 3")()
assert(set_by == "main")
setmetatable(_G, nil)

-- Variables of callers.
local function look(level, n) return debug.getlocal(level + 1, n) end
local function change(level, n, value) return debug.setlocal(level + 1, n, value) end
local function with_variables(a, b)
  local c = a + b
  local name, value = look(1, 3)
  assert(name == "c" and value == c)
  assert(change(1, 3, c * 2) == "c")
  assert(look(1, 1) == "a" and select(2, look(1, 2)) == b)
  return c
end
local function by_two(...)
  local x = ...
  local name, value = look(1, -1)
  assert(name == "(vararg)" and value == x)
  return with_variables(x, 1)
end
for turn = 1, 300 do
  assert(with_variables(turn, 1) == 2 * (turn + 1))
  assert(by_two(turn) == 2 * (turn + 1))
end
local function find(name)
  local level = 2
  while debug.getinfo(level, "f") do
    local n = 1
    while true do
      local found, value = debug.getlocal(level, n)
      if not found then break end
      if found == name then return value end
      n = n + 1
    end
    level = level + 1
  end
end
local function deep(n)
  local there = n == 0 and find("hidden") or n > 0 and deep(n - 1)
  return there
end
local function hides()
  local hidden = "it"
  local found = deep(20)
  return found .. hidden
end
for turn = 1, 50 do assert(hides() == "itit") end
ok, info = pcall(debug.getlocal, 1000, 1)
assert(not ok and info:find("level out of range", 1, true))

-- Tracebacks of what is active.
local function trace(...) local text = debug.traceback(...) return text end
local function middle(...) local text = trace(...) return text end
local text = middle("hello")
assert(text:find("^hello\nstack traceback:\n\t.-levels.lua:158: in .-'trace'\n"), text)
assert(text:find("levels.lua:159: in .-'middle'\n", 1), text)
assert(text:find("levels.lua:160: in main chunk\n\t%[C%]: in %?$"), text)
text = middle("hello", 2)
assert(not text:find("'trace'", 1, true) and text:find("'middle'", 1, true))
text = middle("hello", 0)
assert(text:find("^hello\nstack traceback:\n\t%[C%]: in function 'debug.traceback'\n"), text)
assert(trace(nil) == trace(nil) and trace(nil):find("^stack traceback:\n"))
assert(trace({}) ~= nil and type(trace({})) == "table" and trace(12):find("^12\n"))
local function again(n) local text = n == 0 and trace() or n > 0 and again(n - 1) return text end
text = again(100)
assert(text:find("\n\t...\t(skipping ", 1, true))
local count = select(2, text:gsub("\n", "\n"))
assert(count == 22, count)
text = select(2, pcall(function() local text = trace("p") return text end))
assert(text:find("[C]: in function 'pcall'", 1, true), text)
local function by_tail() return trace("t") end
text = by_tail()
assert(text:find("(...tail calls...)", 1, true), text)

-- In a message handler: the handler, what the error has left, and what is active still.
local function fails() local x = error("x") return x end
local function handler(e) local text = debug.traceback(e, 1) return text end
local function protects() local ok, text = xpcall(fails, handler) return text end
for turn = 1, 50 do
  text = protects()
  local at = { 0 }
  for _, part in ipairs({ "in function <", "[C]: in function 'error'", "in function <",
    "[C]: in function 'xpcall'", "'protects'", "in main chunk" }) do
    local place = text:find(part, at[1] + 1, true)
    assert(place, part .. " in\n" .. text)
    at[1] = place
  end
end

-- Other threads.
local function waits(n)
  local inside = n * 2
  coroutine.yield(inside)
  local more = "more"
  coroutine.yield(more)
  error("gone")
end
for turn = 1, 20 do
  local thread = coroutine.create(function(n) local unused = n waits(n) return unused end)
  assert(debug.getinfo(thread, 0) == nil)
  coroutine.resume(thread, turn)
  assert(debug.getinfo(thread, 0, "f").func == coroutine.yield)
  assert(debug.getinfo(thread, 1, "l").currentline == 199)
  assert(debug.getinfo(thread, 1, "n").name == "waits")
  assert(debug.getinfo(thread, 3, "l") == nil)
  local name, value = debug.getlocal(thread, 1, 2)
  assert(name == "inside" and value == 2 * turn)
  assert(debug.setlocal(thread, 1, 1, "n's") == "n")
  assert(select(2, debug.getlocal(thread, 1, 1)) == "n's")
  coroutine.resume(thread)
  assert(debug.getinfo(thread, 1, "l").currentline == 201)
  assert(select(2, debug.getlocal(thread, 1, 3)) == "more")
  text = debug.traceback(thread)
  assert(text:find("^stack traceback:\n\t%[C%]: in function 'coroutine.yield'\n\t"), text)
  assert(text:find("levels.lua:201: in .-'waits'\n\t.-levels.lua:205: in function <.->$"), text)
  text = debug.traceback(thread, "said", 1)
  assert(text:find("^said\nstack traceback:\n\t.-levels.lua:201: in"), text)
  assert(not pcall(debug.getinfo, thread, 1, ">"))
end
local function resumes()
  local mine = debug.getinfo(1, "f").func
  local other = coroutine.wrap(function()
    local level1, level2 = debug.getinfo(1, "S"), debug.getinfo(2, "S")
    return level1.what, level2
  end)
  local what, beyond = other()
  assert(what == "Lua" and beyond == nil)
  assert(debug.getinfo(1, "f").func == mine and mine == resumes)
  return line_at(1), line_at(2)
end
local here, there = resumes()
assert(here == 235 and there == 237)

-- In a hook, level 2 is what is looked at.
local events = {}
local function hooked(event)
  local info = debug.getinfo(2, "nSf")
  events[#events + 1] = event .. " " .. info.what .. " " .. tostring(info.func)
end
local function looked_at(x) local s = math.abs(x) return s end
debug.sethook(hooked, "c")
looked_at(1)
debug.sethook()
local all = table.concat(events, "\n")
assert(all:find("call Lua " .. tostring(looked_at), 1, true), all)
assert(all:find("call C " .. tostring(math.abs), 1, true), all)

-- A function of the library may call one that ends in a tail call. What it calls again and again has no tail call before it.
local function is_tail() return debug.getinfo(1, "t").istailcall end
local function hands_on(f) return f() end
assert(select(2, pcall(hands_on, is_tail)) and not select(2, pcall(is_tail)))
local tails = {}
table.sort({ 3, 1, 2 }, function(a, b)
  tails[#tails + 1] = is_tail() or debug.getinfo(1, "t").istailcall or nil
  return a < b
end)
assert(#tails == 0)
