-- args: 200
-- Random numbers: the sequence of a seed, ranges, and what is no range.
local n = tonumber((...))
math.randomseed(42, 7)
local sum, count = 0, {}
for i = 1, n do
    sum = sum + math.random()
    local die = math.random(6)
    count[die] = (count[die] or 0) + 1
    local wide = math.random(math.mininteger, math.maxinteger) ~ math.random(0)
    sum = sum + (wide & 0xff) + math.random(-3, 3)
end
print(string.format("%.12f", sum), table.concat(count, " "))
print(math.random(3.0), math.random("7"), math.random(5, 5))
print(pcall(math.random, 2, 1))
print(pcall(math.random, 1, 2, 3))
print(pcall(math.random, "x"))
print(pcall(math.random, 1.5))
print(math.random(0))
