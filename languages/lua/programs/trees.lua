-- args: 5
-- stress: 3
local depth = tonumber((...))
local function make(d) if d == 0 then return {} end return {make(d - 1), make(d - 1)} end
local function check(t) if t[1] then return 1 + check(t[1]) + check(t[2]) end return 1 end
local total = 0
for i = 1, 6 do total = total + check(make(depth)) end
print(total)
local list = nil
for i = 1, depth * 20 do list = {value = i, next = list} end
local s = 0
while list do s = s + list.value list = list.next end
print(s)
