-- Operands that are variables are read behind the evaluation of the operands behind them, shared or not.
local b, t, k, u = 5, {1}, 1, {9,8}
local function f(i) b = i; return i end
local function g() t = u; k = 2; return 1 end
print(b < f(7)) b = 5
print(b + f(7), b) b = 5
print((b) - f(1)) b = 5
print(b == f(9)) b=5
print(b > f(9)) b=5
print(b .. f(3)) b=5
print(t[g()]) t = {1}
t[g()] = 5 print(t[1], u[1]) t={1} k = 1
t.x = g() print(t.x, u.x) t = {1} k=1
t[k] = g() print(t[1], t[2], u[1], u[2]) t = {1} k=1
local w = {[k] = g()} print(w[1], w[2]) k=1 t = {1}
t[k], t = g(), 3 print(t, u[1]) t = {1} k=1
t[k], k = g(), 3 print(k, t[1], t[2], t[3], u[1])
print(b and f(2), b or f(4)) 
b = nil
print(pcall(function() return 1 end))
local ok, m = pcall(function() local z; local function y() z = nil end y() z.x = 1 end) print(m)
local ok, m = pcall(function() local z; local function y() z = nil end y() z[k] = 1 end) print(m)
local ok, m = pcall(function() local z; local function y() z = nil end y() return z.x + 1 end) print(m)
local ok, m = pcall(function() local z; local function y() z = nil end y() return z + 1 end) print(m)
local ok, m = pcall(function() local z; local function y() z = nil end y() return z[y()] end) print(m)
do
  local u, v, w, k = {}, {}, {}, 1
  local function set() u = v return 1 end
  local function key() k = 2 return 3 end
  local function all()
    u[set()] = 1 print(u[1], v[1]) u = w
    u.x = set() print(u.x, w.x) u = w
    u[1] = set() print(v[1], w[1]) u = w
    u["x" .. set()] = set() print(v.x1, w.x1) u = w
    print(u[set()], u == v) u = w
    u[k] = key() print(u[1], u[2], u[3])
    u[k], u.y = set(), 2 print(v[2], v.y, w.y) u = w
    u[k], u = key(), v print(w[2], v[2], u == v)
    local function deeper() u.z = set() return u.z, v.z, w.z end
    u = w print(deeper())
  end
  all()
end
