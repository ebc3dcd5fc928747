-- Formulas as trees of eight kinds of nodes: derived, simplified until nothing changes, printed, measured and computed, the last three by visitors. Every
-- node has a metatable of its own, with new closures for the operators, and every visitor has new methods.
-- args: 120
-- quick: 1
local node, number, variable, sum, difference, product, quotient, power, sine

local function node(kind, methods, fields)
  fields.kind = kind
  return setmetatable(fields, { __index = methods, __add = function(a, b) return sum(a, b) end, __mul = function(a, b) return product(a, b) end })
end

local Number, Variable, Sum, Difference, Product, Quotient, Power, Sine = {}, {}, {}, {}, {}, {}, {}, {}

function number(value) return node("number", Number, { value = value }) end
function variable(name) return node("variable", Variable, { name = name }) end
function sum(a, b) return node("sum", Sum, { left = a, right = b }) end
function difference(a, b) return node("difference", Difference, { left = a, right = b }) end
function product(a, b) return node("product", Product, { left = a, right = b }) end
function quotient(a, b) return node("quotient", Quotient, { left = a, right = b }) end
function power(a, n) return node("power", Power, { left = a, n = n }) end
function sine(a) return node("sine", Sine, { left = a, shift = 0 }) end

-- Derivatives.
function Number:derive() return number(0) end
function Variable:derive(name) return number(self.name == name and 1 or 0) end
function Sum:derive(name) return self.left:derive(name) + self.right:derive(name) end
function Difference:derive(name) return difference(self.left:derive(name), self.right:derive(name)) end
function Product:derive(name) return self.left:derive(name) * self.right + self.left * self.right:derive(name) end
function Quotient:derive(name)
  local above = difference(self.left:derive(name) * self.right, self.left * self.right:derive(name))
  return quotient(above, power(self.right, 2))
end
function Power:derive(name) return number(self.n) * power(self.left, self.n - 1) * self.left:derive(name) end
-- The derivative of a sine is a sine that is a quarter of a turn ahead.
function Sine:derive(name)
  local ahead = sine(self.left)
  ahead.shift = (self.shift + 1) % 4
  return ahead * self.left:derive(name)
end

-- Simpler forms.
local function is(n, value) return n.kind == "number" and n.value == value end
local function constants(a, b) return a.kind == "number" and b.kind == "number" end

function Number:simplify() return self end
function Variable:simplify() return self end
function Sum:simplify()
  local a, b = self.left:simplify(), self.right:simplify()
  if constants(a, b) then return number(a.value + b.value) end
  if is(a, 0) then return b end
  if is(b, 0) then return a end
  return a + b
end
function Difference:simplify()
  local a, b = self.left:simplify(), self.right:simplify()
  if constants(a, b) then return number(a.value - b.value) end
  if is(b, 0) then return a end
  if a.kind == "variable" and b.kind == "variable" and a.name == b.name then return number(0) end
  return difference(a, b)
end
function Product:simplify()
  local a, b = self.left:simplify(), self.right:simplify()
  if constants(a, b) then return number(a.value * b.value) end
  if is(a, 0) or is(b, 0) then return number(0) end
  if is(a, 1) then return b end
  if is(b, 1) then return a end
  if b.kind == "number" then a, b = b, a end
  if a.kind == "number" and b.kind == "product" and b.left.kind == "number" then return number(a.value * b.left.value) * b.right end
  return a * b
end
function Quotient:simplify()
  local a, b = self.left:simplify(), self.right:simplify()
  if is(a, 0) then return number(0) end
  if is(b, 1) then return a end
  return quotient(a, b)
end
function Power:simplify()
  local a = self.left:simplify()
  if self.n == 0 then return number(1) end
  if self.n == 1 then return a end
  if a.kind == "power" then return power(a.left, a.n * self.n) end
  return power(a, self.n)
end
function Sine:simplify()
  local other = sine(self.left:simplify())
  other.shift = self.shift
  return other
end

-- Visitors.
for kind, methods in pairs({ number = Number, variable = Variable, sum = Sum, difference = Difference, product = Product, quotient = Quotient,
  power = Power, sine = Sine }) do
  function methods:accept(visitor) return visitor[kind](visitor, self) end
end

local function size_counter()
  local visitor = { seen = 0 }
  local function two(v, n) v.seen = v.seen + 1; n.left:accept(v); n.right:accept(v) end
  local function one(v, n) v.seen = v.seen + 1; n.left:accept(v) end
  local function none(v) v.seen = v.seen + 1 end
  visitor.sum, visitor.difference, visitor.product, visitor.quotient = two, two, two, two
  visitor.power, visitor.sine, visitor.number, visitor.variable = one, one, none, none
  return visitor
end

local function computer(values)
  local visitor = {}
  function visitor:number(n) return n.value end
  function visitor:variable(n) return values[n.name] end
  function visitor:sum(n) return n.left:accept(self) + n.right:accept(self) end
  function visitor:difference(n) return n.left:accept(self) - n.right:accept(self) end
  function visitor:product(n) return n.left:accept(self) * n.right:accept(self) end
  function visitor:quotient(n) return n.left:accept(self) / n.right:accept(self) end
  function visitor:power(n) return n.left:accept(self) ^ n.n end
  function visitor:sine(n) return math.sin(n.left:accept(self) + n.shift * math.pi / 2) end
  return visitor
end

local function printer()
  local visitor = { out = {} }
  function visitor:put(text) self.out[#self.out + 1] = text end
  local function between(sign)
    return function(self, n)
      self:put("(")
      n.left:accept(self)
      self:put(sign)
      n.right:accept(self)
      self:put(")")
    end
  end
  visitor.sum, visitor.difference, visitor.product, visitor.quotient = between("+"), between("-"), between("*"), between("/")
  function visitor:number(n) self:put(string.format("%d", n.value)) end
  function visitor:variable(n) self:put(n.name) end
  function visitor:power(n) n.left:accept(self); self:put("^" .. n.n) end
  function visitor:sine(n) self:put(({ [0] = "sin", "cos", "-sin", "-cos" })[n.shift] .. "("); n.left:accept(self); self:put(")") end
  return visitor
end

local function text_of(formula)
  local visitor = printer()
  formula:accept(visitor)
  return table.concat(visitor.out)
end

local function simplest(formula)
  local text, before = text_of(formula), nil
  repeat
    before = text
    formula = formula:simplify()
    text = text_of(formula)
  until text == before
  return formula, text
end

return function(n)
  local x, y = variable("x"), variable("y")
  local total, nodes, longest, shown = 0, 0, 0, nil
  for i = 1, n do
    local inner = number(i % 4) * x + power(y, 2)
    local f = sine(inner) * quotient(x + number(1), power(y, i % 3 + 1) + number(2)) + power(difference(x, y) * inner, 3)
    local derived, text = f, nil
    for k = 1, 2 do derived, text = simplest(derived:derive(k % 2 == 1 and "x" or "y")) end
    if #text > longest then longest = #text end
    local counter = size_counter()
    derived:accept(counter)
    nodes = nodes + counter.seen
    for k = 1, 10 do total = total + derived:accept(computer({ x = k / 7, y = 1 - k / 9 })) end
    shown = text_of((simplest((x * x * number(i) + sine(x)):derive("x"))))
  end
  return string.format("%.6g %d %d %s", total, nodes, longest, shown)
end
