local function counter()
  local count = 0
  return function(by)
    count = count + by
    return count
  end
end
local function repeated(f, n)
  local i = 0
  while i < n do
    f(i)
    i = i + 1
  end
end
local next = counter()
repeated(next, 50000000)
repeated(function(x) next(x) end, 50000000)
print(string.format("%.0f", next(0)))
