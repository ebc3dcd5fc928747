-- args: 3
-- stress: 1
-- Functions of the library that call themselves, without a function of the program in between or
-- with one, end with an error that is caught.
local function fails(...)
  local ok, message = pcall(...)
  return not ok and message:find("stack overflow", 1, true) ~= nil
end

for _ = 1, tonumber((...)) do
  print(fails(tostring, setmetatable({}, {__tostring = tostring})))
  -- The innermost `pcall` fails, and all others succeed.
  print((pcall(setmetatable({}, {__call = pcall}))))
  local f
  f = function() return pcall(f) end
  print((f()))
  local text
  text = setmetatable({}, {__tostring = function() return tostring(text) end})
  print(fails(tostring, text), fails(string.format, "%s", text))
  local joined = setmetatable({}, {__concat = function(a, b) return a .. b end})
  print(fails(function() return joined .. joined end))
  print(fails(xpcall, error, xpcall), xpcall(error, function() error() end))
  local loop = setmetatable({}, {})
  getmetatable(loop).__index = loop
  print(fails(function() return loop.x end), select(2, pcall(function() return loop.x end)):sub(-13))
end
