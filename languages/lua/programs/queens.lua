-- args: 5
-- stress: 4
local n = tonumber((...))
local function ok(a, k, c)
    for i = 1, k - 1 do
        if a[i] == c or a[i] - i == c - k or a[i] + i == c + k then return false end
    end
    return true
end
local found = 0
local function add(a, k)
    if k > n then found = found + 1 return end
    for c = 1, n do
        if ok(a, k, c) then a[k] = c add(a, k + 1) end
    end
end
add({}, 1)
print(found)
