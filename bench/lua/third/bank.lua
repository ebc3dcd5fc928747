-- Bank and shop simulation on top of a small class library: three-level inheritance,
-- super calls, tostring/eq/lt metamethods and structured errors caught with pcall.
-- args: 50000
-- quick: 300

-- class library: class("Name", Base) copies metamethods and wires up `super`
local function class(name, base)
  local cls = { __name = name, super = base }
  if base then
    for k, v in pairs(base) do
      if type(k) == "string" and k:sub(1, 2) == "__" and k ~= "__index" and k ~= "__name" then cls[k] = v end
    end
  end
  cls.__index = cls
  return setmetatable(cls, {
    __index = base,
    __call = function(c, ...)
      local object = setmetatable({}, c)
      object:init(...)
      return object
    end,
    __tostring = function() return "class " .. name end,
  })
end

local function isA(object, cls)
  local c = getmetatable(object)
  while c do
    if c == cls then return true end
    c = c.super
  end
  return false
end

local BankError = class("BankError")
function BankError:init(code, amount) self.code, self.amount = code, amount end
BankError.__tostring = function(e) return e.__name .. "<" .. e.code .. ":" .. string.format("%d", e.amount) .. ">" end

local LimitError = class("LimitError", BankError)
function LimitError:init(amount, limit)
  LimitError.super.init(self, "limit", amount)
  self.limit = limit
end

local Account = class("Account")
Account.kind = "account"
function Account:init(owner, balance)
  self.owner, self.balance = owner, balance or 0
  self.history = {}
end
function Account:record(what, amount)
  local h = self.history
  h[#h + 1] = { what = what, amount = amount }
  if #h > 20 then table.remove(h, 1) end
end
function Account:deposit(amount)
  if amount <= 0 then error(BankError("amount", amount)) end
  self.balance = self.balance + amount
  self:record("deposit", amount)
end
function Account:available() return self.balance end
function Account:withdraw(amount)
  if amount > self:available() then error(BankError("funds", amount)) end
  self.balance = self.balance - amount
  self:record("withdraw", amount)
end
function Account:monthEnd() end
function Account:describe() return self.owner .. "=" .. string.format("%d", self.balance) end
Account.__tostring = function(a) return a.kind .. "(" .. a:describe() .. ")" end
Account.__lt = function(a, b)
  if a.balance ~= b.balance then return a.balance < b.balance end
  return a.owner < b.owner
end

local Savings = class("Savings", Account)
Savings.kind = "savings"
function Savings:init(owner, balance, rate)
  Savings.super.init(self, owner, balance)
  self.rate = rate
  self.withdrawals = 0
end
function Savings:withdraw(amount)
  if self.withdrawals >= 6 then error(LimitError(amount, 6)) end
  Savings.super.withdraw(self, amount)
  self.withdrawals = self.withdrawals + 1
end
function Savings:monthEnd()
  local interest = math.floor(self.balance * self.rate / 1200)
  if interest > 0 then self:deposit(interest) end
  self.withdrawals = 0
end

local Premium = class("Premium", Savings)
Premium.kind = "premium"
function Premium:init(owner, balance, rate, credit)
  Premium.super.init(self, owner, balance, rate)
  self.credit = credit
end
function Premium:available() return Premium.super.available(self) + self.credit end
function Premium:monthEnd()
  Premium.super.monthEnd(self)
  if self.balance < 0 then self.balance = self.balance - 5 end
end
function Premium:describe() return Premium.super.describe(self) .. "+" .. string.format("%d", self.credit) end

local Bank = class("Bank")
function Bank:init(seed) self.seed, self.accounts, self.failures = seed, {}, {} end
function Bank:random(k)
  self.seed = (self.seed * 16807) % 2147483647
  return self.seed % k + 1
end
function Bank:open(account) self.accounts[#self.accounts + 1] = account end
function Bank:transfer(from, to, amount)
  local ok, err = pcall(function()
    from:withdraw(amount)
    local fine, why = pcall(to.deposit, to, amount)
    if not fine then
      from.balance = from.balance + amount
      error(why, 0)
    end
  end)
  if ok then return true end
  if not isA(err, BankError) then error(err, 0) end
  local key = isA(err, LimitError) and "limit" .. tostring(err.limit) or err.code
  self.failures[key] = (self.failures[key] or 0) + 1
  return false, tostring(err)
end

return function(n)
  local bank, good, text = Bank(2024), 0, 0
  for i = 1, 30 do
    local owner = "client" .. string.format("%02d", i)
    if i % 3 == 0 then bank:open(Account(owner, 500))
    elseif i % 3 == 1 then bank:open(Savings(owner, 900, 4))
    else bank:open(Premium(owner, 1500, 6, 300)) end
  end
  for day = 1, n do
    local from, to = bank.accounts[bank:random(30)], bank.accounts[bank:random(30)]
    local ok, message = bank:transfer(from, to, bank:random(260) - 10)
    if ok then good = good + 1 else text = text + #message end
    if day % 250 == 0 then for _, a in ipairs(bank.accounts) do a:monthEnd() end end
    if day % 500 == 0 then table.sort(bank.accounts, function(a, b) return b < a end) end
  end
  local parts = {}
  for i = 1, 5 do parts[i] = tostring(bank.accounts[i]) .. #bank.accounts[i].history end
  return string.format("%d %d %d %d %s", good, text, bank.failures.funds, bank.failures.limit6 or 0, table.concat(parts, ";"))
end
