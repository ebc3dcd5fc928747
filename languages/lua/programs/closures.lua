-- args: 150
-- stress: 10
local n = tonumber((...))
local function counter(start)
    local value = start
    return function(by) value = value + by return value end, function() return value end
end
local add, get = counter(5)
for i = 1, n do add(i) end
print(get())
local all = {}
for i = 1, 10 do
    all[i] = function() i = i + 1 return i end
end
local s = 0
for turn = 1, n do s = s + all[turn % 10 + 1]() end
print(s)
local function compose(f, g) return function(x) return f(g(x)) end end
local function inc(x) return x + 1 end
local f = inc
for _ = 1, 5 do f = compose(f, inc) end
local t = 0
for i = 1, n do t = t + f(i) end
print(t)
local function add3(a, b, c) return (a or 0) + (b or 0) + (c or 0) end
local u = 0
for i = 1, n do u = u + add3(i) + add3(i, 1) + add3(i, 1, 2, 3) end
print(u)
