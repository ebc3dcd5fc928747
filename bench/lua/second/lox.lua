-- A language with functions, closures and classes, interpreted by walking its tree: a scanner by bytes, a parser by recursive descent, a class for each
-- kind of node with a method of its own, and scopes that are linked dictionaries of names.
-- args: 30
-- quick: 1
local byte, sub = string.byte, string.sub

local SOURCE = [[
fun fib(n) { if (n < 2) return n; return fib(n - 2) + fib(n - 1); }
fun make(step) { var total = 0; fun next(x) { total = total + x * step; return total; } return next; }
class Cell { init(value, rest) { this.value = value; this.rest = rest; } sum() { if (this.rest == nil) return this.value; return this.value + this.rest.sum(); } }
class Double < Cell { sum() { return 2 * this.value; } }
fun gcd(a, b) { while (b != 0) { var t = a; while (!(t < b)) t = t - b; a = b; b = t; } return a; }
print fib(size);
var counter = make(3);
var list = nil;
for (var i = 0; i < 20 * size; i = i + 1) {
  counter(i);
  if (i > 30 and i < 60 or i == 7) list = Cell(i, list);
  if (list == nil) list = Double(11, nil);
}
print counter(0);
print list.sum();
print "gcd " + "sum";
{ var all = 0; for (var i = 1; i < 40; i = i + 1) all = all + gcd(i * 6, 84); print all; }
print list.nothing;
]]

local function class(base)
  local c = setmetatable({}, { __index = base, __call = function(self, fields) return setmetatable(fields, self) end })
  c.__index = c
  return c
end

-- Tokens.
local words = {}
for _, word in ipairs({ "and", "class", "else", "false", "for", "fun", "if", "nil", "or", "print", "return", "this", "true", "var", "while" }) do
  words[word] = true
end

local function is_letter(c) return c and (c >= 97 and c <= 122 or c >= 65 and c <= 90 or c == 95) end
local function is_digit(c) return c and c >= 48 and c <= 57 end

local function scan(text)
  local tokens, at, line = {}, 1, 1
  local function add(kind, first, last, value)
    tokens[#tokens + 1] = { kind = kind, text = sub(text, first, last), value = value, line = line }
    at = last + 1
  end
  while at <= #text do
    local c, last = byte(text, at), at
    if c == 10 then line = line + 1; at = at + 1
    elseif c == 32 then at = at + 1
    elseif is_letter(c) then
      while is_letter(byte(text, last + 1)) or is_digit(byte(text, last + 1)) do last = last + 1 end
      local word = sub(text, at, last)
      add(words[word] and word or "name", at, last)
    elseif is_digit(c) then
      local value = c - 48
      while is_digit(byte(text, last + 1)) do last = last + 1; value = value * 10 + byte(text, last) - 48 end
      add("number", at, last, value)
    elseif c == 34 then
      repeat last = last + 1 until byte(text, last) == 34
      add("string", at, last, sub(text, at + 1, last - 1))
    else
      if (c == 33 or c == 60 or c == 61 or c == 62) and byte(text, at + 1) == 61 then last = at + 1 end
      add(sub(text, at, last), at, last)
    end
  end
  add("end", at, at)
  return tokens
end

-- Scopes.
local Scope = class()
function Scope:find(name)
  local scope = self
  while scope do
    local value = scope.names[name.text]
    if value ~= nil then return scope end
    scope = scope.outer
  end
  error({ line = name.line, why = "no variable " .. name.text })
end
local function inner(outer) return Scope({ outer = outer, names = {} }) end

-- A name whose value is nil still has a place.
local NIL = {}

-- Expressions. Each has `eval`, which gives a value.
local Literal, Name, Assign, Unary, Both, Call, Get, Set = class(), class(), class(), class(), class(), class(), class(), class()
local binary = {}

function Literal:eval() return self.value end
function Name:eval(scope)
  local value = scope:find(self.name).names[self.name.text]
  if value == NIL then return nil end
  return value
end
function Assign:eval(scope)
  local value = self.value:eval(scope)
  scope:find(self.name).names[self.name.text] = value == nil and NIL or value
  return value
end
function Unary:eval(scope)
  local value = self.right:eval(scope)
  if self.operator == "-" then return -value end
  return not value
end
function Both:eval(scope)
  local left = self.left:eval(scope)
  if (self.operator == "or") == (left and true or false) then return left end
  return self.right:eval(scope)
end

-- A class for each operator, all alike but for one word.
local function operator(name, apply)
  local c = class()
  function c:eval(scope) return apply(self.left:eval(scope), self.right:eval(scope)) end
  binary[name] = c
end
operator("+", function(a, b) if type(a) == "string" then return a .. b end return a + b end)
operator("-", function(a, b) return a - b end)
operator("*", function(a, b) return a * b end)
operator("<", function(a, b) return a < b end)
operator(">", function(a, b) return a > b end)
operator("==", function(a, b) return a == b end)
operator("!=", function(a, b) return a ~= b end)

local Function, Class, Instance = class(), class(), class()
function Function:call(values)
  local scope = inner(self.scope)
  for i, name in ipairs(self.names) do scope.names[name.text] = values[i] == nil and NIL or values[i] end
  local _, value = self.body:run(scope)
  return value
end
function Function:bind(object)
  local scope = inner(self.scope)
  scope.names.this = object
  return Function({ names = self.names, body = self.body, scope = scope })
end
function Class:method(name)
  local method = self.methods[name]
  if method or not self.base then return method end
  return self.base:method(name)
end
function Class:call(values)
  local object = Instance({ class = self, fields = {} })
  local init = self:method("init")
  if init then init:bind(object):call(values) end
  return object
end

function Call:eval(scope)
  local callee, values = self.callee:eval(scope), {}
  for i, argument in ipairs(self.arguments) do values[i] = argument:eval(scope) end
  return callee:call(values)
end
function Get:eval(scope)
  local object, name = self.object:eval(scope), self.name.text
  local value = object.fields[name]
  if value == nil then
    local method = object.class:method(name)
    if not method then error({ line = self.name.line, why = "no field " .. name }) end
    return method:bind(object)
  end
  if value == NIL then return nil end
  return value
end
function Set:eval(scope)
  local value = self.value:eval(scope)
  self.object:eval(scope).fields[self.name.text] = value == nil and NIL or value
  return value
end

-- Statements. Each has `run`, which says whether the function returns, and with what.
local Print, Plain, Var, Block, If, While, Return, Declare = class(), class(), class(), class(), class(), class(), class(), class()
local output
function Print:run(scope)
  local value = self.value:eval(scope)
  output[#output + 1] = tostring(value)
end
function Plain:run(scope) self.value:eval(scope) end
function Var:run(scope)
  local value = self.value and self.value:eval(scope)
  scope.names[self.name.text] = value == nil and NIL or value
end
function Block:run(outer)
  local scope, list = inner(outer), self.list
  for i = 1, #list do
    local returns, value = list[i]:run(scope)
    if returns then return true, value end
  end
end
function If:run(scope)
  if self.condition:eval(scope) then return self.yes:run(scope) end
  if self.no then return self.no:run(scope) end
end
function While:run(scope)
  while self.condition:eval(scope) do
    local returns, value = self.body:run(scope)
    if returns then return true, value end
  end
end
function Return:run(scope) return true, self.value:eval(scope) end
function Declare:run(scope)
  local base, methods = self.base and self.base:eval(scope), {}
  for i, method in ipairs(self.methods) do
    methods[method.name.text] = Function({ names = method.names, body = method.body, scope = scope })
  end
  if self.is_class then
    scope.names[self.name.text] = Class({ base = base, methods = methods })
  else
    scope.names[self.name.text] = methods[self.name.text]
  end
end

-- The parser.
local Parser = class()
function Parser:peek() return self.tokens[self.at].kind end
function Parser:next() self.at = self.at + 1; return self.tokens[self.at - 1] end
function Parser:eat(kind) if self:peek() == kind then return self:next() end end
function Parser:need(kind) return self:eat(kind) or error({ line = self.tokens[self.at].line, why = kind .. " expected" }) end

function Parser:primary()
  local token = self:next()
  local kind = token.kind
  if kind == "number" or kind == "string" then return Literal({ value = token.value })
  elseif kind == "true" or kind == "false" then return Literal({ value = kind == "true" })
  elseif kind == "nil" then return Literal({})
  elseif kind == "name" or kind == "this" then return Name({ name = token })
  elseif kind == "(" then
    local inside = self:expression()
    self:need(")")
    return inside
  end
  error({ line = token.line, why = "an expression expected" })
end
function Parser:call()
  local left = self:primary()
  while true do
    if self:eat("(") then
      local list = {}
      while not self:eat(")") do list[#list + 1] = self:expression(); self:eat(",") end
      left = Call({ callee = left, arguments = list })
    elseif self:eat(".") then left = Get({ object = left, name = self:need("name") })
    else return left end
  end
end
function Parser:unary()
  local token = self:eat("-") or self:eat("!")
  if token then return Unary({ operator = token.kind, right = self:unary() }) end
  return self:call()
end
local levels = { { "or" }, { "and" }, { "==", "!=" }, { "<", ">" }, { "+", "-" }, { "*" } }
function Parser:level(n)
  if n > #levels then return self:unary() end
  local left = self:level(n + 1)
  while true do
    local token
    for _, kind in ipairs(levels[n]) do token = token or self:eat(kind) end
    if not token then return left end
    local make = n <= 2 and Both or binary[token.kind]
    left = make({ operator = token.kind, left = left, right = self:level(n + 1) })
  end
end
function Parser:expression()
  local left = self:level(1)
  if self:eat("=") then
    local value = self:expression()
    if left.object then return Set({ object = left.object, name = left.name, value = value }) end
    return Assign({ name = left.name, value = value })
  end
  return left
end
function Parser:ended(node) self:need(";"); return node end
function Parser:block()
  local list = {}
  while not self:eat("}") do list[#list + 1] = self:statement() end
  return Block({ list = list })
end
function Parser:rest_of_function()
  local name, names = self:need("name"), {}
  self:need("(")
  while not self:eat(")") do names[#names + 1] = self:need("name"); self:eat(",") end
  self:need("{")
  return { name = name, names = names, body = self:block() }
end
function Parser:statement()
  if self:eat("print") then return self:ended(Print({ value = self:expression() })) end
  if self:eat("return") then return self:ended(Return({ value = self:expression() })) end
  if self:eat("{") then return self:block() end
  if self:eat("var") then
    local name = self:need("name")
    return self:ended(Var({ name = name, value = self:eat("=") and self:expression() }))
  end
  if self:eat("fun") then
    local this = self:rest_of_function()
    return Declare({ name = this.name, methods = { this } })
  end
  if self:eat("class") then
    local name, methods = self:need("name"), {}
    local base = self:eat("<") and Name({ name = self:need("name") })
    self:need("{")
    while not self:eat("}") do methods[#methods + 1] = self:rest_of_function() end
    return Declare({ name = name, base = base, methods = methods, is_class = true })
  end
  if self:eat("if") then
    local condition, yes = self:primary(), self:statement()
    return If({ condition = condition, yes = yes, no = self:eat("else") and self:statement() })
  end
  if self:eat("while") then
    local condition = self:primary()
    return While({ condition = condition, body = self:statement() })
  end
  if self:eat("for") then
    self:need("(")
    local first, condition = self:statement(), self:ended(self:expression())
    local step = Plain({ value = self:expression() })
    self:need(")")
    return Block({ list = { first, While({ condition = condition, body = Block({ list = { self:statement(), step } }) }) } })
  end
  return self:ended(Plain({ value = self:expression() }))
end

return function(n)
  output = {}
  local parser = Parser({ tokens = scan(SOURCE), at = 1 })
  local list = {}
  while not parser:eat("end") do list[#list + 1] = parser:statement() end
  for round = 1, n do
    local globals = inner(nil)
    globals.names.size = 5 + round % 12
    local ok, why = pcall(function()
      for i = 1, #list do list[i]:run(globals) end
    end)
    output[#output + 1] = tostring(ok) .. " " .. why.line .. " " .. why.why
  end
  local sum = 0
  local text = table.concat(output, "\n")
  for i = 1, #text do sum = (sum * 31 + byte(text, i)) % 1000003 end
  return string.format("%d %d %s", #text, sum, output[1] .. "/" .. output[2] .. "/" .. output[3] .. "/" .. output[#output])
end
