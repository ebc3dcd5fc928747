-- A bank with accounts of several sorts; transfers raise errors (tables with classes, plain texts, rethrown ones) that are caught at several levels.
-- Inheritance with super calls, errors as objects with __tostring.
-- args: 43000
-- quick: 5
local function inherit(base, name)
  local class = { className = name }
  class.__index = class
  class.__tostring = base and base.__tostring
  class.super = base
  class.new = function(...)
    local instance = setmetatable({}, class)
    if instance.construct then instance:construct(...) end
    return instance
  end
  if base then setmetatable(class, { __index = base }) end
  return class
end

local function is_a(object, class)
  local mt = type(object) == "table" and getmetatable(object) or nil
  while mt do
    if mt == class then return true end
    mt = mt.super
  end
  return false
end

-- errors
local BankError = inherit(nil, "BankError")
BankError.__tostring = function(e) return e.className .. ": " .. e:describe() end
function BankError:construct(account) self.account = account end
function BankError:describe() return "account " .. self.account.id end

local Insufficient = inherit(BankError, "Insufficient")
function Insufficient:construct(account, missing)
  BankError.construct(self, account)
  self.missing = missing
end
function Insufficient:describe()
  return BankError.describe(self) .. " lacks " .. string.format("%.2f", self.missing / 100)
end

local Frozen = inherit(BankError, "Frozen")
local Limit = inherit(Insufficient, "Limit")

-- accounts; money is in cents
local Account = inherit(nil, "Account")
function Account:construct(id, owner, balance)
  self.id, self.owner, self.balance = id, owner, balance or 0
  self.history = {}
end
function Account:record(kind, amount, ...)
  local entry = { kind = kind, amount = amount, ... }
  self.history[#self.history + 1] = entry
  if #self.history > 20 then table.remove(self.history, 1) end
end
function Account:available() return self.balance end
function Account:withdraw(amount)
  if self.frozen then error(Frozen.new(self)) end
  if type(amount) ~= "number" or amount <= 0 then error("bad amount", 0) end
  local free = self:available()
  if amount > free then error(Insufficient.new(self, amount - free)) end
  self.balance = self.balance - amount
  self:record("out", amount)
  return self.balance
end
function Account:deposit(amount, from)
  if self.frozen then error(Frozen.new(self)) end
  self.balance = self.balance + amount
  self:record("in", amount, from)
end
function Account:month_end() end

local Checking = inherit(Account, "Checking")
function Checking:construct(id, owner, balance, overdraft)
  Checking.super.construct(self, id, owner, balance)
  self.overdraft = overdraft or 5000
end
function Checking:available() return self.balance + self.overdraft end
function Checking:month_end()
  if self.balance < 0 then
    local fee = math.floor(-self.balance * 0.02)
    self.balance = self.balance - fee
    self:record("fee", fee)
  end
end

local Savings = inherit(Account, "Savings")
function Savings:construct(id, owner, balance, rate)
  Savings.super.construct(self, id, owner, balance)
  self.rate, self.withdrawals = rate or 0.01, 0
end
function Savings:withdraw(amount)
  if self.withdrawals >= 6 and type(amount) == "number" and amount > 0 then error(Limit.new(self, amount)) end
  local rest = Savings.super.withdraw(self, amount)
  self.withdrawals = self.withdrawals + 1
  return rest
end
function Savings:month_end()
  self.withdrawals = 0
  self:deposit(math.floor(self.balance * self.rate), "interest")
end

-- the bank
local Bank = inherit(nil, "Bank")
function Bank:construct()
  self.accounts, self.count = {}, 0
  self.failures, self.undone = {}, 0
end
function Bank:open(class, ...)
  self.count = self.count + 1
  local id = string.format("%s-%03d", class.className:sub(1, 1), self.count)
  local account = class.new(id, ...)
  self.accounts[self.count] = account
  return account
end
function Bank:transfer(from, to, amount)
  from:withdraw(amount)
  local ok, err = pcall(to.deposit, to, amount, from.id)
  if not ok then
    from.balance = from.balance + amount       -- undo, and tell the caller
    self.undone = self.undone + 1
    error(err, 0)
  end
end
function Bank:attempt(from, to, amount)
  local ok, err = pcall(self.transfer, self, from, to, amount)
  if ok then return true end
  local name = is_a(err, BankError) and err.className or tostring(err)
  self.failures[name] = (self.failures[name] or 0) + 1
  return false, err
end
function Bank:total()
  local sum = 0
  for _, a in ipairs(self.accounts) do sum = sum + a.balance end
  return sum
end

return function(n)
  local bank = Bank.new()
  for i = 1, 24 do
    local owner = "customer " .. i
    if i % 3 == 0 then bank:open(Savings, owner, 20000 + i * 150, 0.004)
    elseif i % 3 == 1 then bank:open(Checking, owner, i * 1000)
    else bank:open(Account, owner, 30000) end
  end
  local seed, last, texts = 9, "", 0
  local function pick(k)
    seed = (seed * 3877 + 29573) % 139968
    return seed % k + 1
  end
  for step = 1, n do
    local a, b = bank.accounts[pick(24)], bank.accounts[pick(24)]
    local amount = pick(9000)
    if step % 50 == 0 then amount = -amount elseif step % 77 == 0 then amount = "much" end
    local ok, err = bank:attempt(a, b, amount)
    if not ok then
      last = tostring(err)
      texts = (texts * 3 + #last) % 1000003
      if is_a(err, Insufficient) and not is_a(err, Limit) and a.balance < 1000 then a:deposit(err.missing + 2000, "loan") end
    end
    if step % 97 == 0 then a.frozen = true end
    if step % 250 == 0 then
      for _, account in ipairs(bank.accounts) do
        account.frozen = nil
        account:month_end()
      end
    end
  end
  local f, lines = bank.failures, 0
  for _, a in ipairs(bank.accounts) do
    for i, e in ipairs(a.history) do lines = (lines + i * e.amount + (e[1] and #e[1] or 0)) % 1000003 end
  end
  return string.format("%.0f %d %d %d %d %d %d %d [%s]", bank:total(), f.Insufficient or 0, f.Frozen or 0, f.Limit or 0, f["bad amount"] or 0,
    bank.undone, texts, lines, last)
end
