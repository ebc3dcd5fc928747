-- The driver of all programs here. In: the name of a program, its size, how many iterations there are. Out: a line for each iteration: seconds of
-- processor time, a tab, the result. The same file runs on every Lua; a program is a module that gives one function of its size.
local name, size, iterations = ...
local run = require(name)
size = tonumber(size)
for _ = 1, tonumber(iterations) do
  local begin = os.clock()
  local result = run(size)
  print(os.clock() - begin, result)
end
