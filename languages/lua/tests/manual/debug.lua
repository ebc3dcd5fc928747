-- Manual, section 6.10: local variables, upvalues, hooks.

-- Names of parameters.
local function f(a, b, ...)
  local c = a
  return c
end
assert(debug.getlocal(f, 1) == "a" and debug.getlocal(f, 2) == "b" and debug.getlocal(f, 3) == nil)
assert(debug.getlocal(print, 1) == nil)

-- Variables of the function that asks.
local function locals(x, y)
  local seen = {}
  local z = x + y
  do
    local inner = 5
    local n = 1
    while true do
      local name, value = debug.getlocal(1, n)
      if name == nil or name:sub(1, 1) == "(" then break end
      seen[name] = value
      n = n + 1
    end
  end
  local later = 1
  return seen, later
end
for turn = 1, 100 do
  local seen = locals(turn, 2)
  assert(seen.x == turn and seen.y == 2 and seen.z == turn + 2 and seen.inner == 5)
  assert(seen.later == nil and seen.n ~= nil)
end

local function varargs(...)
  local name, value = debug.getlocal(1, -2)
  assert(name == "(vararg)" and value == "two")
  assert(debug.getlocal(1, -3) == nil)
  assert(debug.setlocal(1, -1, "changed") == "(vararg)")
  return ...
end
assert(varargs("one", "two") == "changed")

local function set(n)
  local a, b = n, n
  local function shared() b = b + 1 return b end
  assert(debug.setlocal(1, 2, "a's") == "a")
  assert(debug.setlocal(1, 3, 40) == "b")
  assert(debug.setlocal(1, 30, 1) == nil)
  return a, shared()
end
for turn = 1, 100 do
  local a, b = set(turn)
  assert(a == "a's" and b == 41)
end
local ok, message = pcall(function() debug.getlocal(1000, 1) end)
assert(not ok and message:find("level out of range", 1, true))

-- Upvalues that several functions share.
local function counters()
  local n, m = 0, 100
  local function up() n = n + 1 return n end
  local function down() n = n - 1 return n end
  local function other() m = m + 1 return m end
  return up, down, other
end
local up, down, other = counters()
local up2 = counters()
assert(debug.upvalueid(up, 1) == debug.upvalueid(down, 1))
assert(debug.upvalueid(up, 1) ~= debug.upvalueid(up2, 1))
assert(debug.upvalueid(up, 1) ~= debug.upvalueid(other, 1))
assert(not pcall(debug.upvaluejoin, up, 5, down, 1))
assert(up() == 1 and up2() == 1)
debug.upvaluejoin(up2, 1, other, 1)
for turn = 1, 100 do
  assert(up2() == 99 + 2 * turn and other() == 100 + 2 * turn)
end
assert(debug.upvalueid(up2, 1) == debug.upvalueid(other, 1) and up() == 2)

-- Hooks: lines.
local function lines(run)
  local seen = {}
  debug.sethook(function(event, line) seen[#seen + 1] = event == "line" and line end, "l")
  run()
  debug.sethook()
  return seen
end
local first = debug.getinfo(1, "l").currentline + 1
local function body()
  local s = 0
  for i = 1, 3 do
    s = s + i
  end
  if s == 6 then
    s = 1
  else
    s = 2
  end
  return s
end
for turn = 1, 20 do
  local seen = {}
  for _, line in ipairs(lines(body)) do
    if line >= first and line <= first + 12 then seen[#seen + 1] = line - first end
  end
  local text = table.concat(seen, " ")
  assert(text == "1 2 3 2 3 2 3 2 5 6 10", text)
end

-- Hooks: calls and returns, with the function that is called.
local events = {}
local function callee(n) return n end
local function caller() local x = callee(1) return (callee(x)) end
for turn = 1, 20 do
  events = {}
  debug.sethook(function(event)
    local info = debug.getinfo(2, "f")
    if info.func == callee then events[#events + 1] = event .. " callee" end
    if info.func == caller then events[#events + 1] = event .. " caller" end
    if info.func == math.abs then events[#events + 1] = event .. " abs" end
  end, "cr")
  caller()
  local a = math.abs(-1)
  debug.sethook()
  local text = table.concat(events, ", ")
  assert(text == "call caller, call callee, return callee, call callee, return callee, return caller, call abs, return abs", text)
end
caller()
assert(#events == 8)

-- Hooks: counts; the variables of the function that is looked at.
local count, seen = 0, nil
debug.sethook(function(event)
  assert(event == "count")
  count = count + 1
end, "", 100)
local s = 0
for i = 1, 10000 do s = s + i end
debug.sethook()
assert(count > 50 and s == 50005000)
local function watched(argument)
  local own = argument * 2
  return own
end
debug.sethook(function()
  local name, value = debug.getlocal(2, 1)
  if name == "argument" then seen = value end
end, "r")
watched(21)
debug.sethook()
assert(seen == 21)

-- What a hook raises is an error where it was called; a hook is not called in a hook.
local function forever() while true do end end
for turn = 1, 20 do
  local steps = 0
  debug.sethook(function()
    steps = steps + 1
    if steps == 5 then error("too long", 0) end
  end, "", 50)
  local ok, message = pcall(forever)
  debug.sethook()
  assert(not ok and message == "too long" and steps == 5)
end

local hook = function() end
debug.sethook(hook, "crl", 7)
local h, mask, every = debug.gethook()
debug.sethook()
assert(h == hook and mask == "crl" and every == 7)
assert(debug.gethook() == nil)

-- Functions that were compiled before are looked at, and are as fast again afterwards.
local function work(n) local t = 0 for i = 1, n do t = t + callee(i) end return t end
assert(work(1000) == 500500)
local calls = 0
debug.sethook(function() calls = calls + 1 end, "c")
assert(work(100) == 5050)
debug.sethook()
assert(calls >= 101)
assert(work(1000) == 500500)
