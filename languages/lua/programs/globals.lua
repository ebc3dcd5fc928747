-- args: 150
-- stress: 10
n = tonumber((...))
total = 0
function bump(i) total = total + i end
for i = 1, n do bump(i) end
print(total)
function bump(i) total = total - 1 end
for i = 1, n do
    bump(i)
    if i == n // 2 then function bump(i) total = total + 1000 end end
end
print(total)
setmetatable(_G, {__index = function(_, k) return k == "missing" and 7 or nil end})
local s = 0
for i = 1, n do s = s + missing if i == n - 5 then missing = 100 end end
print(s, absent)
local names = {}
for k in pairs(_G) do if k == "total" or k == "bump" or k == "n" then names[#names + 1] = k end end
table.sort(names)
print(table.concat(names, " "))
local env = {print = print}
do local _ENV = env x = 5 print(x) end
print(x, env.x, _G.total == total)
