-- args: 7
-- stress: 3
local n = tonumber((...))
local function matrix(f)
    local m = {}
    for i = 1, n do
        local row = {}
        for j = 1, n do row[j] = f(i, j) end
        m[i] = row
    end
    return m
end
local a = matrix(function(i, j) return i + j end)
local b = matrix(function(i, j) return i * j / 2 end)
local c = matrix(function(i, j)
    local s = 0
    for k = 1, n do s = s + a[i][k] * b[k][j] end
    return s
end)
print(c[1][1], c[n][n], c[1][n])
