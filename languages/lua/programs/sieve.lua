-- args: 300
-- stress: 40
local n = tonumber((...))
local flags, count = {}, 0
for i = 2, n do flags[i] = true end
for i = 2, n do
    if flags[i] then
        count = count + 1
        for k = i + i, n, i do flags[k] = false end
    end
end
print(count)
