-- args: 160
-- stress: 14
local n = tonumber((...))
local t = {}
for i = 1, n do t[i] = i * 2 end
for i = n, 1, -1 do t[#t] = nil if #t < n // 2 then break end end
print(#t)
local h = {}
for i = n, 1, -1 do h[i] = i end
local s = 0
for i, v in ipairs(h) do s = s + i * v end
print(s, #h)
local d = {}
for i = 1, n do d["k" .. i % 17] = (d["k" .. i % 17] or 0) + i end
s = 0
for k, v in pairs(d) do s = s + v + #k end
print(s)
for k in pairs(d) do d[k] = nil end
print(next(d))
local m = {}
for i = 1, n do m[i * 1.5] = i m[-i] = i m[i % 2 == 0] = i end
s = 0
for k, v in pairs(m) do if type(k) == "number" then s = s + k * v end end
print(s, m[true], m[false], m[3], m[3.0])
local q, first, last = {}, 1, 0
for i = 1, n do
    last = last + 1 q[last] = i
    if i % 3 == 0 then q[first] = nil first = first + 1 end
end
print(first, last, q[first], q[last])
local r = {10, 20, 30, x = 1, y = 2, [100] = 5}
local keys = 0
for k, v in next, r do keys = keys + v end
print(keys, #r)
local points = {}
for i = 1, n do points[i] = {x = i, y = -i, tag = i % 2 == 0 and "even" or nil} end
s = 0
for _, p in ipairs(points) do s = s + p.x - p.y + (p.tag and 1 or 0) p.x = 0 p.z = 1 end
for _, p in ipairs(points) do s = s + p.x + p.z end
print(s)
local w = {}
for i = 1, n do table.insert(w, i) end
for i = 1, n // 2 do table.remove(w) end
for i = 1, 5 do table.insert(w, 1, -i) end
print(#w, table.remove(w, 1), table.concat(w, ",", 1, 6))
