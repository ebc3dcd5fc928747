-- Manual, section 6.10: a function looks at its own variables in a program that knows its callers.

local function line() return debug.getinfo(2, "l").currentline end
local function own(n)
  local twice = n + n
  local name, value = debug.getlocal(1, 2)
  assert(name == "twice" and value == 2 * n)
  assert(debug.setlocal(1, 2, n) == "twice")
  return twice, line()
end
for turn = 1, 300 do
  local once, at = own(turn)
  assert(once == turn and at == 9)
end
