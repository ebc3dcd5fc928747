-- args: 40
-- stress: 1
-- Tables that get the same fields in other ways: in other orders, under computed names, as copies, later.
local n = tonumber((...))
local list, sum = {}, 0
for i = 1, n do
  local t = {}
  if i % 2 == 0 then t.a = i t.b = -i t.c = 0 else t.c = 0 t.b = -i t.a = i end
  if i % 3 == 0 then setmetatable(t, {__index = list}) end
  if i % 5 == 0 then t.b = nil t.d = 4 t.b = 9 end
  list[i] = t
end
for _ = 1, 20 do
  for i = 1, n do local t = list[i] sum = sum + t.a + t.b * 2 + t.c + (rawget(t, 'd') or 0) end
end
print(sum)
-- Each order of six names.
local names, seed = {'a', 'b', 'c', 'd', 'e', 'f'}, 7
local function random(k) seed = (seed * 16807) % 2147483647 return seed % k + 1 end
sum = 0
for i = 1, n do
  local order, t, u = {1, 2, 3, 4, 5, 6}, {}, {f = 1, b = 2}
  for k = 6, 2, -1 do local j = random(k) order[k], order[j] = order[j], order[k] end
  for k = 1, 6 do t[names[order[k]]] = i + k u[names[order[k]]] = i end
  for k = 1, 6 do assert(t[names[order[k]]] == i + k and u[names[k]] == i) end
  for k, v in pairs(t) do sum = sum + v * #k end
  sum = sum + t.a + t.d - t.f + u.e
  t.g = 1 t[names[order[1]]] = nil t.h = 2 sum = sum + t.g + t.h + (t.c or 5)
end
print(sum)
-- Names that the text has and names that it has not.
local words = {}
for i = 1, 3 do
  for _, w in ipairs {'alpha', 'beta', 'gamma'} do words[w] = (words[w] or 0) + i end
  words['n' .. i] = i
end
print(words.alpha, words.beta, words.gamma, words.n1, words.n2, words['n' .. 3])
sum = 0 for _, v in pairs(words) do sum = sum + v end print(sum)
for k in pairs(words) do words[k] = nil end print(next(words))
words.alpha = 1 words['be' .. 'ta'] = 2 print(words.alpha, words.beta, words['alp' .. 'ha'], words.gamma)
-- A dictionary stays one.
local big = {}
for i = 1, n do big['k' .. i] = i end
big.k7 = 'seven' big.fresh = 1 big['fre' .. 'sh'] = big.fresh + 1
print(big.k7, big['k' .. 7], big.fresh, big['k' .. n])
-- Sets of names.
local all = {'alpha', 'beta', 'gamma', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7', 'fresh', 'other'}
sum = 0
for i = 0, n * 20 do
  local t = {}
  for bit = 1, #all do if i >> (bit - 1) & 1 == 1 then t[all[bit]] = bit end end
  sum = sum + (t.alpha or 0) + (t.k7 or 0) * 3 + (t.other or 0) + (t[all[i % 12 + 1]] or 0)
  t.last = 1 t.alpha = 2
  sum = sum + t.alpha + t.last
  for k, v in pairs(t) do sum = sum + v t[k] = nil end
  assert(next(t) == nil)
end
print(sum)
-- Methods copied into objects.
local methods = {}
function methods.push(s, v) s.n = s.n + 1 s[s.n] = v end
function methods.pop(s) local v = s[s.n] s[s.n] = nil s.n = s.n - 1 return v end
sum = 0
for i = 1, n do
  local s = {n = 0}
  for k, f in pairs(methods) do s[k] = f end
  if i % 3 == 0 then s.label = i end
  for k = 1, 4 do s:push(k * i) end
  for k = 1, 4 do sum = sum + s:pop() % 10 end
end
print(sum)
