-- args: 90
-- stress: 10
local n = tonumber((...))
local function risky(i)
    if i % 7 == 0 then error("seven " .. i) end
    if i % 11 == 0 then error({code = i}) end
    if i % 13 == 0 then local t = nil; return t.x end
    return i
end
local ok, bad, codes, last = 0, 0, 0, nil
for i = 1, n do
    local fine, e = pcall(risky, i)
    if fine then ok = ok + e elseif type(e) == "table" then codes = codes + e.code else bad = bad + 1 last = e end
end
print(ok, bad, codes, last)
print(xpcall(risky, function(m) return "H:" .. m end, 7))
print(pcall(function() return 1 + {} end))
print(pcall(function() undefined_function() end))
print(pcall(error, "plain", 0))
local log = {}
local function closer(name) return setmetatable({}, {__close = function(_, e) log[#log + 1] = name .. ":" .. tostring(e) end}) end
for i = 1, n // 10 do
    pcall(function()
        local a <close> = closer("a")
        local b <close> = closer("b")
        if i % 3 == 0 then error("x", 0) end
        if i % 3 == 1 then return i end
    end)
end
print(#log, log[1], log[2], log[5], log[6])
local function deep(k) if k == 0 then error("bottom", 2) end deep(k - 1) end
print(pcall(deep, 20))
local function endless() return 1 + endless() end
local e = select(2, pcall(endless))
print(e)
error("the end")
