-- args: 100
-- stress: 8
local n = tonumber((...))
local Account = {}
Account.__index = Account
function Account.new(balance) return setmetatable({balance = balance, log = 0}, Account) end
function Account:deposit(v) self.balance = self.balance + v; self.log = self.log + 1 end
function Account:get() return self.balance end
local Saving = setmetatable({}, {__index = Account})
Saving.__index = Saving
function Saving.new(balance, rate)
    local self = setmetatable(Account.new(balance), Saving)
    self.rate = rate
    return self
end
function Saving:deposit(v) Account.deposit(self, v * self.rate) end
local a, s = Account.new(10), Saving.new(5, 3)
for i = 1, n do
    local which = i % 2 == 0 and a or s
    which:deposit(i)
end
print(a:get(), s:get(), a.log, s.log)
function Account:get() return -self.balance end
print(a:get(), s:get())
local V = {}
V.__index = V
V.__add = function(x, y) return setmetatable({x = x.x + y.x}, V) end
V.__eq = function(x, y) return x.x == y.x end
V.__lt = function(x, y) return x.x < y.x end
V.__le = function(x, y) return x.x <= y.x end
V.__call = function(self, y) return self.x + y end
V.__len = function(self) return self.x end
V.__concat = function(x, y) return "cat" end
V.__unm = function(x) return setmetatable({x = -x.x}, V) end
V.__tostring = function(x) return "V" .. x.x end
local v, one = setmetatable({x = 0}, V), setmetatable({x = 1}, V)
local c = 0
for i = 1, n do
    v = v + one
    if v == one or v < one or v <= one then c = c + 1 end
    c = c + v(1) + #v
end
print(tostring(v), tostring(-v), c, v .. 1)
local d = setmetatable({}, {__index = function(t, k) return k * 2 end, __newindex = function(t, k, x) rawset(t, k, x + 1) end})
local e = 0
for i = 1, n do e = e + d[i] end
for i = 1, n do d[i] = i end
for i = 1, n do e = e + d[i] end
print(e)
