-- Section 3.3.8: variables that are closed.
local found = {}
local function print(...)
  local texts = table.pack(...)
  for i = 1, texts.n do texts[i] = tostring(texts[i]) end
  found[#found + 1] = table.concat(texts, "\t")
end
local log = {}
local function C(n, fail) return setmetatable({}, {__close = function(_, e) log[#log + 1] = n .. ":" .. tostring(e) if fail then error(fail, 0) end end}) end
local function flush() local s = table.concat(log, " ") log = {} return s end
do local a <close> = C"a" local b <close> = C"b" end print(flush())
print((function() local a <close> = C"a" return 1, 2, 3 end)()) print(flush())
print(pcall(function() local a <close> = C"a" error("x", 0) end)) print(flush())
print(pcall(function() local a <close> = C("a", "second") error("x", 0) end)) print(flush())
print(pcall(function() local a <close> = C("a", "e1") local b <close> = C("b", "e2") end)) print(flush())
print(pcall(function() local a <close> = C("a", "e1") local b <close> = C("b", "e2") return 5 end)) print(flush())
for i = 1, 3 do local a <close> = C("i" .. i) if i == 2 then break end end print(flush())
for i = 1, 2 do local a <close> = C("i" .. i) goto cont ::cont:: end print(flush())
for k in (function(_, c) if not c then return 1 end end), nil, nil, C"for" do end print(flush())
for k in (function(_, c) if not c then return 1 end end), nil, nil, C"for2" do break end print(flush())
print(pcall(function() for k in function() error("it", 0) end, nil, nil, C"for3" do end end)) print(flush())
print(pcall(function() local a <close> = 42 end)) print(pcall(function() local a <close> = {} end)) 
do local a <close> = nil local b <close> = false end
local function tail() local a <close> = C"t" return print("in tail") end tail() print(flush())
local i = 0 while i < 2 do i = i + 1 local a <close> = C("w" .. i) end print(flush())
local n = 0 repeat n = n + 1 local a <close> = C("r" .. n) until n == 2 print(flush())
do local a <close> = C"g" goto out end ::out:: print(flush())
print(pcall(function() local x <close> = C"c1" do local y <close> = C("c2", "boom") end end)) print(flush())
local function nest() local a <close> = C"n1" do local b <close> = C"n2" return "r" end end print(nest()) print(flush())
print(xpcall(function() local a <close> = C("h") error("err", 0) end, function(m) log[#log + 1] = "H" return m .. "!" end)) print(flush())
for i = 1, 300 do local a <close> = C"" end print(#flush())
print(load("local a <close> = 1; a = 2")) print(load("local a <const> = 1; a = 2"))
local expected = [[
b:nil a:nil
1	2	3
a:nil
false	x
a:x
false	second
a:x
false	e1
b:nil a:e2
false	e1
b:nil a:e2
i1:nil i2:nil
i1:nil i2:nil
for:nil
for2:nil
false	it
for3:it
false	variable 'a' got a non-closable value
false	variable 'a' got a non-closable value
in tail
t:nil
w1:nil w2:nil
r1:nil r2:nil
g:nil
false	boom
c2:nil c1:boom
r
n2:nil n1:nil
false	err!
H h:err!
1499
nil	attempt to assign to const variable 'a'
nil	attempt to assign to const variable 'a']]
local n = 0
for line in (expected .. "\n"):gmatch("(.-)\n") do
  n = n + 1
  local said = found[n]:gsub("[%w_]+%.lua:%d+: ", ""):gsub("%[string [^\n]-:1: ", "")
  assert(said == line, n .. ": " .. said .. " and not " .. line)
end
assert(n == #found)
