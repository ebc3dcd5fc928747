-- args: 50
-- stress: 14
local n = tonumber((...))
local seed = 42
local function random() seed = (seed * 1103515245 + 12345) % 2147483648 return seed end
local t = {}
for i = 1, n do t[i] = random() % 1000 end
local u = {table.unpack(t)}
table.sort(t)
table.sort(u, function(a, b) return a > b end)
for i = 2, n do assert(t[i - 1] <= t[i] and u[i - 1] >= u[i]) end
print(t[1], t[n], u[1], u[n])
local s = {}
for i = 1, n do s[i] = {key = random() % 50, at = i} end
table.sort(s, function(a, b) return a.key < b.key or a.key == b.key and a.at < b.at end)
local sum = 0
for i = 1, n do sum = (sum * 31 + s[i].at) % 1000007 end
print(sum)
local w = {"pear", "apple", "fig", "Apple", ""}
table.sort(w)
print(table.concat(w, " "))
print(pcall(table.sort, {3, "x", 1}))
