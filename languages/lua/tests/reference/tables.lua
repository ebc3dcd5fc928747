-- random table operations against a slow model
local seed = 7 local function rnd(n) seed = (seed * 1103515245 + 12345) % 2147483648 return seed // 65536 % n end
for round = 1, 300 do
  local t, keys, model = {}, {}, {}
  local range = ({5, 20, 100, 1000})[rnd(4) + 1]
  for step = 1, 200 do
    local k
    local kind = rnd(10)
    if kind < 6 then k = rnd(range) + 1 elseif kind == 6 then k = #t + 1 elseif kind == 7 then k = "k" .. rnd(20) elseif kind == 8 then k = rnd(range) + 0.5 else k = #t end
    local v = rnd(4) ~= 0 and step or nil
    t[k] = v
    local found for i = 1, #keys do if keys[i] == k then found = i end end
    if not found then keys[#keys + 1] = k found = #keys end
    model[found] = v or false
    local n = #t
    assert((n == 0 or t[n] ~= nil) and t[n + 1] == nil, "border")
  end
  for i = 1, #keys do assert(t[keys[i]] == (model[i] or nil)) end
  local count = 0 for k, v in pairs(t) do count = count + 1 local ok for i = 1, #keys do if keys[i] == k then ok = model[i] == v end end assert(ok) end
  local want = 0 for i = 1, #keys do if model[i] then want = want + 1 end end
  assert(count == want, count .. " " .. want)
  for k in pairs(t) do t[k] = nil end assert(next(t) == nil and #t == 0)
end
print "ok"
