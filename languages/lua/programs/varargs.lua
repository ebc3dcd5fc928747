-- args: 120
-- stress: 10
local n = tonumber((...))
local function count(...) return select('#', ...) end
local function second(...) local _, b = ... return b end
local function sum(...)
    local s = 0
    for i = 1, select('#', ...) do s = s + (select(i, ...)) end
    return s
end
local function pass(...) return ... end
local s = 0
for i = 1, n do
    s = s + count(i, nil, nil) + second(i, i + 1) + sum(i, 2, 3) + sum(pass(1, i)) + #{pass(i, i, i)}
end
print(s)
local function swap(a, b) return b, a end
local a, b = 1, 2
for i = 1, n do a, b = swap(a, b + i) end
print(a, b)
print(pass(1, nil, 3), (pass(4, 5)))
print(table.unpack({1, 2, 3}, 2))
local p = table.pack(pass(nil, nil))
print(p.n, #p)
print(select(-2, "a", "b", "c"))
print(string.format("%s-%s-%s", pass("x", "y", "z")))
