-- Manual, section 6.10: the lines that a hook sees, one after the other.

local function check(text, expected)
  local seen = {}
  debug.sethook(function(_, line) seen[#seen + 1] = line end, "l")
  load(text)()
  debug.sethook()
  -- Without the lines here.
  local list = table.concat(seen, " ", 2, #seen - 1)
  assert(list == expected, text .. "\n" .. list .. " instead of " .. expected)
end

-- What a chunk ends with stands in the line of its last word.
check("x = 1\ny = 2\n\n", "1 2")
check("do\n  x = 1\nend\n\n\n", "2 3")

-- A test stands where its `then` does.
check([[
if tostring(x)
then
  x = 3
else
  x = 4
end
]], "1 2 3 6")
check([[
local n = 1
if n == 1
  and x
then
  n = 2
elseif n then
  n = 3
end
]], "1 2 3 4 5 8")

-- Loops.
check([[
local i = 0
repeat
  i = i + 1
until i ==
  2
]], "1 3 5 3 5")
check([[
local i = 0
while i < 2 do
  i = i + 1
end
]], "1 2 3 2 3 2 4")
check([[
for i = 1,
  2
do
  x = i
end
]], "1 2 3 4 1 4 1 5")
check([[
for i = 3, 1, -1 do
  if i == 2 then goto continue end
  x = i
  ::continue::
end
]], "1 2 3 1 2 1 2 3 1 5")
check("for i = 1, 3 do x = i end", "1 1 1")
check([[
for k, v in pairs { 7, 8 } do
  x = k
end
]], "1 2 1 2 1 3")

-- Functions: made where they end, defined where they begin.
check([[
local function f(a)
  if a then
    return a
  end
end
f(1)
f()
]], "5 6 2 3 7 2 5")
check([[
function g(a)
  local function inner()
    a = a + 1
  end
  inner()
  return a,
    a
end
g(
  1
)
]], "8 1 9 11 9 4 5 3 4 6 7 11")
check([[
local t = {
  x = 1,
  2,
  f = function()
    return 1
  end,
  [3] = 4,
}
t.f()
]], "1 2 3 6 7 8 9 5")

-- Calls stand where the whole begins, operators where they are.
check([[
local s = tostring("x")
  :rep(2)
  :upper()
s = s ..
  "a" ..
  s
]], "1 2 1 3 1 4 5 6 5 6")

-- Constants are in no line, and what a block closes is in its last one.
check([[
local a <const> = 1
local b = a
do
  local c <close> = nil
  b = 2
end
b = b or
  3
]], "2 4 5 7 8")

-- Errors have the same lines.
local function fails(text, line)
  local ok, message = pcall(load(text, "=c"))
  local found = message:match("^c:(%d+):")
  assert(found == line, text .. "\n" .. message)
end
fails("local x = {}\nx\n  .y\n  .z(1)", "4")
fails("local x = {}\nx\n  .y\n  (1)", "2")
fails("local x = {}\nx\n  :y\n  (1)", "2")
fails("local x = {}\nlocal y = 1\n  + x\n  * 2", "4")
fails("local x = {}\nlocal y = 1\n  .. x\n  .. 2", "4")
fails("error(\n  'e'\n)", "1")
fails("for i = 1,\n  {}\ndo end", "3")
local info = debug.getinfo(load("\n\n"), "S")
assert(info.linedefined == 0 and info.lastlinedefined == 0)
