-- Tokenizer, recursive-descent parser and tree-walking evaluator for a small imperative language.
-- args: 20
-- quick: 3

local PROGRAM = [[
fn gcd(a, b) { while b > 0 { let t = a % b; a = b; b = t; } return a; }
fn fib(k) { if k < 2 { return k; } return fib(k - 1) + fib(k - 2); }
fn prime(x) { let d = 2; while d * d <= x { if x % d == 0 { return 0; } d = d + 1; } return 1; }
let total = 0; let i = 1; let primes = 0; let p = 2;
while i <= 40 { let g = gcd(i * 12, 90 + SIZE); total = total + g * g - i; i = i + 1; }
while p < SIZE * 30 { primes = primes + prime(p); p = p + 1; }
print total; print primes; print fib(SIZE);
if SIZE * 3 > 20 and (primes < 90 or total > 0 - 5) { print 1; } else { print 0; } ]]

local KEYWORDS = { fn = 1, let = 1, print = 1, ["while"] = 1, ["if"] = 1, ["else"] = 1, ["return"] = 1 }
KEYWORDS["and"], KEYWORDS["or"] = 1, 1

local function tokenize(src)
  local tokens, pos = {}, src:match("^%s*()")
  while pos <= #src do
    local word, num = src:match("^[%a_][%w_]*", pos), src:match("^%d+", pos)
    local text = word or num or src:match("^[<>=!]=", pos) or src:sub(pos, pos)
    local kind = num and "number" or word and not KEYWORDS[word] and "name" or text
    tokens[#tokens + 1] = { kind = kind, text = text }
    pos = src:match("^%s*()", pos + #text)
  end
  tokens[#tokens + 1] = { kind = "eof" }
  return tokens
end

local Parser = {}
Parser.__index = Parser
function Parser:accept(kind)
  local t = self.tokens[self.pos]
  if t.kind == kind then self.pos = self.pos + 1; return t end
end
function Parser:expect(kind) return self:accept(kind) or error("expected " .. kind .. " at " .. self.pos) end
function Parser:name() return self:expect("name").text end

local LEVELS = { { ["or"] = 1 }, { ["and"] = 1 }, { ["=="] = 1, ["<"] = 1, ["<="] = 1, [">"] = 1 },
  { ["+"] = 1, ["-"] = 1 }, { ["*"] = 1, ["%"] = 1 } }

function Parser:expr(level)
  level = level or 1
  if level > #LEVELS then return self:primary() end
  local left = self:expr(level + 1)
  while true do
    local op = self.tokens[self.pos].kind
    if not LEVELS[level][op] then return left end
    self.pos = self.pos + 1
    left = { tag = "binary", op = op, left = left, right = self:expr(level + 1) }
  end
end

function Parser:primary()
  local num = self:accept("number")
  if num then return { tag = "number", value = tonumber(num.text) } end
  if self:accept("(") then return self:list(self.expr)[1] end
  local name = self:name()
  if self:accept("(") then return { tag = "call", name = name, args = self:list(self.expr) } end
  return { tag = "var", name = name }
end

function Parser:list(item)
  local out = {}
  repeat out[#out + 1] = item(self) until not self:accept(",")
  return self:expect(")") and out
end

function Parser:block(closer)
  local node = { tag = "block" }
  while not self:accept(closer) do table.insert(node, self:statement()) end
  return node
end

function Parser:body() return self:expect("{") and self:block("}") end

function Parser:statement()
  local node
  if self:accept("while") then
    return { tag = "while", cond = self:expr(), body = self:body() }
  elseif self:accept("if") then
    return { tag = "if", cond = self:expr(), yes = self:body(), no = self:accept("else") and self:body() }
  elseif self:accept("fn") then
    return { tag = "fn", name = self:name(), params = self:expect("(") and self:list(self.name), body = self:body() }
  elseif self:accept("return") or self:accept("print") then
    node = { tag = self.tokens[self.pos - 1].kind, value = self:expr() }
  else
    local tag = self:accept("let") and "let" or "assign"
    node = { tag = tag, name = self:name(), value = self:expect("=") and self:expr() }
  end
  return self:expect(";") and node
end

local function lookup(env, name)
  while env.vars[name] == nil do env = env.parent or error("unknown variable " .. name) end
  return env.vars
end

local OPS = {
  ["+"] = function(a, b) return a + b end, ["-"] = function(a, b) return a - b end,
  ["*"] = function(a, b) return a * b end, ["%"] = function(a, b) return a % b end,
  ["=="] = function(a, b) return a == b end, [">"] = function(a, b) return b < a end,
  ["<"] = function(a, b) return a < b end, ["<="] = function(a, b) return a <= b end,
  ["and"] = function(_, b) return b end, ["or"] = function(_, b) return b end,
}

local exec
local function eval(node, env, vm)
  local tag = node.tag
  if tag == "number" then return node.value end
  if tag == "var" then return lookup(env, node.name)[node.name] end
  if tag == "binary" then
    local op, left = node.op, eval(node.left, env, vm)
    if op == "and" and not left or op == "or" and left then return left end
    return OPS[op](left, eval(node.right, env, vm))
  end
  local fn, vars = vm.functions[node.name], {}
  for i, p in ipairs(fn.params) do vars[p] = eval(node.args[i], env, vm) end
  return (select(2, exec(fn.body, { vars = vars, parent = vm.globals }, vm)))
end

-- gives back true plus a value once a `return` was executed
function exec(node, env, vm)
  local tag, done, value = node.tag
  if tag == "block" then
    local scope, i = { vars = {}, parent = env }, 1
    while node[i] and not done do done, value = exec(node[i], scope, vm); i = i + 1 end
  elseif tag == "while" then
    while not done and eval(node.cond, env, vm) do done, value = exec(node.body, env, vm) end
  elseif tag == "if" then
    local branch = eval(node.cond, env, vm) and node.yes or node.no
    if branch then done, value = exec(branch, env, vm) end
  elseif tag == "return" then return true, eval(node.value, env, vm)
  elseif tag == "fn" then vm.functions[node.name] = node
  elseif tag == "let" then env.vars[node.name] = eval(node.value, env, vm)
  elseif tag == "assign" then lookup(env, node.name)[node.name] = eval(node.value, env, vm)
  else table.insert(vm.output, string.format("%d", eval(node.value, env, vm))) end
  return done, value
end

return function(n)
  local results = {}
  for size = 3, n do
    local parser = setmetatable({ tokens = tokenize((PROGRAM:gsub("SIZE", size))), pos = 1 }, Parser)
    local vm = { functions = {}, output = {}, globals = { vars = {} } }
    exec(parser:block("eof"), vm.globals, vm)
    table.insert(results, table.concat(vm.output, ","))
  end
  return table.concat(results, ";")
end
