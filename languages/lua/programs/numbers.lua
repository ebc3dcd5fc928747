-- args: 120
-- stress: 10
local n = tonumber((...))
local i, f = math.maxinteger - n // 2, 0.5
for k = 1, n do
    i = i + 1
    f = f * 1.5 - k
end
print(i, f)
local a, b, c, d = 0, 0, 0, 0
for k = -n, n do
    if k ~= 0 then
        a = a + 7 // k + 7 % k
        b = b + 7.5 // k + 7.5 % k
        c = c ~ (k << 3) ~ (k >> 60) | 1
        d = d + math.fmod(k, 7) + k / 2
    end
end
print(a, b, c, d)
local eq = 0
for k = 1, n do
    local x = k % 2 == 0 and k or k + 0.0
    if x == k then eq = eq + 1 end
    if x < k + 1 then eq = eq + 1 end
    if x // 1 | 0 == k then eq = eq + 1 end
end
print(eq)
local m = 0
for k = 1, n do
    m = m + math.floor(k / 3) + math.max(k, n - k) + math.abs(-k) + math.tointeger(k + 0.0)
    m = m + math.sqrt(k * k)
end
print(m)
print(1 < 1.5, 2^53 == 2^53 + 1, math.maxinteger + 0.0 == math.maxinteger, math.mininteger // -1)
print(math.type(2^31 | 0), 5 // 0.0, -5 % math.huge, "0x7fffffffffffffff" + 1, 3 | 4.0)
