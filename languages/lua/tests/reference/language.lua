-- Closures, varargs, goto, variables to be closed, metatables, the library.
local function counter() local n = 0 return function() n = n + 1 return n end, function(v) n = v end end
local a, set = counter() print(a(), a()) set(10) print(a())
local fs = {} for i = 1, 3 do fs[i] = function() i = i + 1 return i end end print(fs[1](), fs[1](), fs[2](), fs[3]())
local gs = {} for i = 1, 3 do local j = i * 10 gs[i] = function() return i + j end end print(gs[1](), gs[2](), gs[3]())
local k = 0 local hs = {} while k < 3 do k = k + 1 local x = k hs[k] = function() x = x + 1 return x end end print(hs[1](), hs[1](), hs[2]())
do local t = {} local i = 1 ::top:: local y = i t[i] = function() y = y + 1 return y end i = i + 1 if i <= 3 then goto top end print(t[1](), t[1](), t[2](), t[3]()) end
local function va(...) local a, b = ... return select('#', ...), a, b, ... end
print(va()) print(va(1)) print(va(1, 2, 3)) print((va(1, 2, 3))) print(va(nil, nil))
local function pass(...) return ... end print(pass(1, nil, 3)) print(({pass(1, 2, 3)})[3], #{pass(1, 2, 3)}, #{pass(1, 2), 5})
print(table.unpack({1, 2, 3})) print(table.unpack({1, 2, 3}, 2)) print(table.unpack({1, 2}, 1, 4)) local p = table.pack(1, nil, 3) print(p.n, p[1], p[2], p[3])
for i = 1, 3 do for j = 1, 3 do if j == 2 then goto continue end io.write(i, ":", j, " ") ::continue:: end end print()
do local i = 1 ::again:: if i <= 3 then io.write(i, " ") i = i + 1 goto again end print() end
for i = 1, 10 do if i % 2 == 0 then goto cont end if i > 7 then break end io.write(i, " ") ::cont:: end print()
local mt = {__index = function(t, k) return k .. "!" end, __newindex = function(t, k, v) rawset(t, k, v * 2) end, __call = function(self, a, b) return a + b, self end, __tostring = function() return "OBJ" end, __len = function() return 42 end, __unm = function() return "neg" end, __bnot = function() return "bnot" end, __concat = function(a, b) return "cat" end, __eq = function() return true end, __lt = function() return true end, __le = function() return false end, __name = "My", __close = function() print("closed") end}
for _, e in ipairs{"add", "sub", "mul", "div", "mod", "pow", "idiv", "band", "bor", "bxor", "shl", "shr"} do mt["__" .. e] = function(a, b) return e .. (type(a) == "table" and "L" or "R") end end
local o, q = setmetatable({}, mt), setmetatable({}, mt)
print(o.x, o[1], (o(1, 2)), tostring(o), #o, -o, ~o, o .. "x", "x" .. o, 1 .. o, o == q, o ~= q, o < q, o <= q, o > 1, 1 >= o)
o.y = 21 print(o.y, rawget(o, "z"), rawlen(o), rawequal(o, q)) o[1] = 5 print(o[1], rawlen(o))
print(o + 1, 1 - o, o * o, o / 1, o % 1, 1 ^ o, o // 1, o & 1, 1 | o, o ~ 1, o << 1, 1 >> o)
do local c <close> = o local d <close> = setmetatable({}, {__close = function(_, e) print("d", e) end}) print("in") end
print(pcall(function() local c <close> = setmetatable({}, {__close = function(_, e) print("closing", e) end}) error("boom") end))
print(pcall(function() local c <close> = setmetatable({}, {__close = function(_, e) error("second", 0) end}) error("boom") end))
local function cl() local c <close> = setmetatable({}, {__close = function() print("ret close") end}) return "a", "b" end print(cl())
for i = 1, 2 do local c <close> = setmetatable({}, {__close = function() io.write("loop", i, " ") end}) if i == 2 then break end end print()
print(pcall(function() local x <close> = 5 end))
local B = {} B.__index = B function B.new(x) return setmetatable({x = x}, B) end function B:get() return self.x end
local D = setmetatable({}, {__index = B}) D.__index = D function D.new(x) local o = setmetatable(B.new(x), D) return o end function D:twice() return self:get() * 2 end
print(B.new(3):get(), D.new(4):twice(), D.new(5):get())
print(getmetatable(o) == mt, getmetatable("x").__index == string, getmetatable(setmetatable({}, {__metatable = "locked"})), pcall(setmetatable, setmetatable({}, {__metatable = 1}), {}))
local prox = setmetatable({}, {__pairs = function(t) return function(_, k) if not k then return 1, "one" end end, t, nil end}) for k, v in pairs(prox) do print(k, v) end
local function f(n) if n == 0 then return "done" end return f(n - 1) end print(f(100000))
local function ev(n) if n == 0 then return true end return od(n - 1) end function od(n) if n == 0 then return false end return ev(n - 1) end print(ev(10001))
print(pcall(function() error("lvl1") end)) print(pcall(function() error("lvl2", 2) end)) print(pcall(function() local function g() error("deep", 2) end g() end))
print(xpcall(function() error("E") end, function(m) return "handled: " .. m end)) print(xpcall(function(...) return ... end, print, 1, 2)) print(pcall(pcall, error, "x"))
print(pcall(assert, false)) print(pcall(assert, nil, "am")) print(assert(1, 2, 3)) print(pcall(assert))
local t = {10, 20, 30, nil, 50} print(#t == 5 or #t == 3, t[5]) t[#t + 1] = 60
local u = {n = 1, [1] = "a", [2] = "b", [3.0] = "c", ["x y"] = 2; "z"} print(u[1], u[2], u[3], u["x y"], #u)
local r = {} for i = 1, 10 do r[i] = i end for i = 1, 10 do r[i] = nil end print(#r, next(r))
local cnt = 0 for k, v in pairs({1, 2, 3, a = 1, b = 2, [10] = 3, [2.5] = 4, [true] = 5}) do cnt = cnt + v end print(cnt)
local dd = {} for i = 1, 100 do dd["k" .. i] = i end for k in pairs(dd) do dd[k] = nil end print(next(dd)) for i = 1, 5 do dd["k" .. i] = i end local s = 0 for k, v in pairs(dd) do s = s + v end print(s)
local x, y, z = (function() return 1, 2, 3 end)() print(x, y, z) x, y = y, x print(x, y) local i = 1 local ar = {} i, ar[i] = i + 1, 20 print(i, ar[1], ar[2])
do local a = {1} local i = 1 i, a[i], a[i + 1] = 2, "p", "q" print(i, a[1], a[2]) end
print(next({}), type(next), rawequal("a", "a"), #arg, ...)
local w = setmetatable({}, {__index = table}) w:insert(1) w:insert(2) w:insert(1, 0) print(w:concat(","), w:remove(), w:remove(1), #w, table.remove({}), table.remove({}, 0))
print(pcall(table.insert, {1, 2}, 5, 1)) print(pcall(table.insert, {}, 1, 2, 3)) print(pcall(table.concat, {1, {}, 3})) print(table.concat({1, 2.5, "x"}, "-", 2, 3), table.concat({}), table.concat({1}, ","))
print(table.unpack(table.move({1, 2, 3}, 2, 3, 1))) print(table.unpack(table.move({1, 2, 3}, 1, 3, 2)))
local ss = {5, 2, 8, 1, 9, 3} table.sort(ss) print(table.concat(ss, " ")) table.sort(ss, function(a, b) return a > b end) print(table.concat(ss, " ")) local st = {"b", "a", "C"} table.sort(st) print(table.concat(st)) print(pcall(table.sort, {1, "x"})) print(pcall(table.sort, {3, 1, {}}))
local big = {} for i = 1, 500 do big[i] = (i * 7919) % 1009 end table.sort(big, function(a, b) return a < b end) for i = 2, 500 do assert(big[i - 1] <= big[i]) end
print(pcall(next, {}, "nokey")) print(pcall(ipairs)) print(pcall(setmetatable, 1, {})) print(pcall(rawset, {}, nil, 1)) print(pcall(function() local t = {} t[nil] = 1 end)) print(pcall(function() local t = {} t[0/0] = 1 end)) print(({})[nil])
local env = {print = print} do local _ENV = env zz = 5 print(zz) end print(zz, env.zz)
print(("%d"):format(3), #"\u{48}\x41\65\z
   x", "\u{7FFFFFFF}" == "\xFD\xBF\xBF\xBF\xBF\xBF", [[
line]], [==[a]]b]==])
goto fin do print("skipped") end ::fin:: print(os.time() > 0, os.clock() >= 0, collectgarbage("count") > 0, collectgarbage() == 0)
local c1 <const> = 5 print(c1) print(type(_G), _G._G == _G, _VERSION) gx = 1 print(_G.gx, rawget(_G, "gx")) _G.gy = 2 print(gy) gx = nil print(gx, _G.gx)
setmetatable(_G, {__index = function(_, k) return "undef " .. k end, __newindex = function(t, k, v) rawset(t, k, v + 1) end}) print(foo) bar = 1 print(bar) bar = 1 print(bar) setmetatable(_G, nil) print(foo)
for i = 1, 3 do do local c <close> = setmetatable({}, {__close = function() print("closed", i) end}) if i < 3 then goto on end end do print(i) end ::on:: end
print(pcall(math.max, 1, {})) print(pcall(math.min, {}, 1)) print(pcall(math.max, "10", 9)) print(math.max("10", "9"), math.min("b", "a"), math.max("a"), math.min(2, 1.5, 3)) print(math.max(1, setmetatable({}, {__lt = function() return true end})) ~= 1)
print(xpcall(error, function() return 1, 2 end)) print(pcall(xpcall, error)) print(xpcall(error, function(m) error(m) end, "x"))
print(xpcall(function() local c <close> = setmetatable({}, {__close = function(_, e) print("c", e) error("again") end}) error("x") end, function(m) return "h" .. m end))
print(xpcall(function() print(pcall(function() local c <close> = setmetatable({}, {__close = function(_, e) print("c", e) end}) error("in") end)) error("out") end, function(m) return "h" .. m end))
do local n = 0 print(xpcall(function() local c <close> = setmetatable({}, {__close = function(_, e) print("c", e) end}) error("x") end, function(m) n = n + 1 if n < 3 then error(n) end return m end)) end
