-- args: 70
-- stress: 10
local n = tonumber((...))
local s = ""
for i = 1, n do s = s .. i % 10 end
print(#s, s:sub(1, 10), s:byte(-1))
local parts = {}
for i = 1, n do parts[#parts + 1] = ("%03d"):format(i) .. "," .. i * 0.5 .. ";" end
local all = table.concat(parts)
print(#all, all:sub(-12))
local c = 0
for i = 1, #all do if all:sub(i, i) == "," then c = c + 1 end end
for i = 1, #all do c = c + all:byte(i) end
print(c)
local words, hits = {"lua", "lu" .. "a", "tar"}, 0
for i = 1, n do if words[i % 3 + 1] == "lua" then hits = hits + 1 end end
print(hits, "a" < "b", "Z" < "a", "" < "a", "10" + 5, "0x10" * 2, 10 .. 20)
print(("x"):rep(3, "-"), ("abc"):reverse(), ("aBc"):upper(), ("aBc"):lower(), ("hello"):find("l", 1, true))
print(string.format("%5.2f|%-6d|%x|%q|%s|%g", 3.14159, 42, 255, "a\nb", nil, 1e20))
for i = 1, n do
    local k = "key" .. i
    if k ~= "key" .. i then print("no") end
end
