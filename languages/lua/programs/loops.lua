-- args: 400
-- stress: 12
local n = tonumber((...))
local s = 0
for i = 1, n do
    if i % 3 == 0 then s = s + i elseif i % 5 == 0 then s = s - 1 else s = s ~ i end
end
print(s)
local i, product = 0, 1
while i < n do
    i = i + 1
    if i % 2 == 0 then goto continue end
    product = product * i % 1000003
    ::continue::
end
print(product)
local count = 0
repeat
    local half = n // 2
    n = half
    count = count + 1
until half == 0
print(count)
for x = 1, 2, 0.25 do io.write(x, " ") end
for x = 10, 1, -3 do io.write(x, " ") end
for x = math.maxinteger - 2, math.maxinteger do io.write(x, " ") end
print()
local outer = 0
for a = 1, 30 do
    for b = 1, 30 do
        if b > a then break end
        outer = outer + a * b
    end
end
print(outer)
