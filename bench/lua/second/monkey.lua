-- An interpreter as a teaching book would have it: a parser by precedence whose rules are in tables of functions, values in boxes that say their type,
-- environments that inherit from the outer one by a metatable for each, and errors that are values.
-- args: 30
-- quick: 1
local program = [[
let fibonacci = fn(x) { if (x < 2) { x } else { fibonacci(x - 1) + fibonacci(x - 2) } };
let map = fn(list, f) { let go = fn(rest, done) { if (len(rest) == 0) { done } else { go(tail(rest), push(done, f(first(rest)))) } }; go(list, []) };
let fold = fn(list, start, f) { let go = fn(rest, value) { if (len(rest) == 0) { value } else { go(tail(rest), f(value, first(rest))) } }; go(list, start) };
let adder = fn(x) { fn(y) { x + y } };
let upto = fn(n) { let go = fn(i, done) { if (i > n) { return done; } go(i + 1, push(done, i)) }; go(1, []) };
let names = {"one": 1, "two": 2, "three": 3, true: 4, 5: "five"};
let total = fold(map(upto(40), adder(7)), 0, fn(a, b) { a + b * 2 });
let power = fn(base, n) { if (n == 0) { return 1; } let half = power(base, n / 2); if (n / 2 * 2 == n) { return half * half; } half * half * base };
[fibonacci(size), total, names["two"] + names[true], power(3, 20), "a" + "b" + names[5], !true == false, -size * 2]
]]
local mistake = "let f = fn(x) { let y = x + true; y }; f(5)"

-- Text to tokens.
local function letter(c) return c >= "a" and c <= "z" or c >= "A" and c <= "Z" or c == "_" end
local function digit(c) return c >= "0" and c <= "9" end
local keyword = { let = "LET", fn = "FN", ["if"] = "IF", ["else"] = "ELSE", ["return"] = "RETURN", ["true"] = "TRUE", ["false"] = "FALSE" }

local function lexer(text)
  local position = 1
  local function char(offset)
    local c = text:sub(position + (offset or 0), position + (offset or 0))
    return c
  end
  local function many(test)
    local begin = position
    while char() ~= "" and test(char()) do position = position + 1 end
    return text:sub(begin, position - 1)
  end
  return function()
    many(function(c) return c == " " or c == "\n" end)
    local c = char()
    if c == "" then return "EOF", "" end
    if letter(c) then
      local word = many(letter)
      return keyword[word] or "IDENT", word
    end
    if digit(c) then return "INT", many(digit) end
    position = position + 1
    if c == '"' then
      local s = many(function(d) return d ~= '"' end)
      position = position + 1
      return "STRING", s
    end
    if (c == "=" or c == "!") and char() == "=" then
      position = position + 1
      return c .. "=", c .. "="
    end
    return c, c
  end
end

-- Tokens to nodes: what a token means at the beginning, and between two expressions.
local prefix, infix = {}, {}
local precedence = { ["=="] = 1, ["!="] = 1, ["<"] = 2, [">"] = 2, ["+"] = 3, ["-"] = 3, ["*"] = 4, ["/"] = 4, ["("] = 6, ["["] = 7 }

local function parser(text)
  local token = lexer(text)
  local p = { kind = nil, text = nil }
  function p.advance() p.kind, p.text = token() end
  function p.accept(kind) if p.kind == kind then p.advance() return true end return false end
  function p.expect(kind) if not p.accept(kind) then error("expected " .. kind .. ", found " .. p.kind) end end
  function p.expression(level)
    local rule = prefix[p.kind]
    if not rule then error("nothing begins with " .. p.kind) end
    local left = rule(p)
    while (precedence[p.kind] or 0) > level do left = infix[p.kind](p, left) end
    return left
  end
  function p.list(stop)
    local all = {}
    if not p.accept(stop) then
      repeat table.insert(all, p.expression(0)) until not p.accept(",")
      p.expect(stop)
    end
    return all
  end
  function p.statement()
    local node
    if p.accept("LET") then
      node = { kind = "let", name = p.text }
      p.expect("IDENT")
      p.expect("=")
      node.value = p.expression(0)
    elseif p.accept("RETURN") then
      node = { kind = "return", value = p.expression(0) }
    else
      node = { kind = "expression", value = p.expression(0) }
    end
    p.accept(";")
    return node
  end
  function p.block(stop)
    local node = { kind = "block" }
    while not p.accept(stop) do node[#node + 1] = p.statement() end
    return node
  end
  p.advance()
  return p
end

function prefix.IDENT(p) local name = p.text p.advance() return { kind = "identifier", name = name } end
function prefix.INT(p) local value = tonumber(p.text) p.advance() return { kind = "integer", value = value } end
function prefix.STRING(p) local value = p.text p.advance() return { kind = "string", value = value } end
function prefix.TRUE(p) p.advance() return { kind = "boolean", value = true } end
function prefix.FALSE(p) p.advance() return { kind = "boolean", value = false } end
prefix["!"] = function(p) p.advance() return { kind = "not", right = p.expression(5) } end
prefix["-"] = function(p) p.advance() return { kind = "minus", right = p.expression(5) } end
prefix["("] = function(p) p.advance() local inside = p.expression(0) p.expect(")") return inside end
prefix["["] = function(p) p.advance() return { kind = "array", items = p.list("]") } end
prefix["{"] = function(p)
  local node = { kind = "hash", keys = {}, values = {} }
  p.advance()
  repeat
    table.insert(node.keys, p.expression(0))
    p.expect(":")
    table.insert(node.values, p.expression(0))
  until not p.accept(",")
  p.expect("}")
  return node
end
function prefix.IF(p)
  p.advance()
  p.expect("(")
  local node = { kind = "if", condition = p.expression(0) }
  p.expect(")")
  p.expect("{")
  node.consequence = p.block("}")
  if p.accept("ELSE") then p.expect("{") node.alternative = p.block("}") end
  return node
end
function prefix.FN(p)
  p.advance()
  p.expect("(")
  local node = { kind = "function", parameters = {} }
  while not p.accept(")") do
    table.insert(node.parameters, p.text)
    p.expect("IDENT")
    p.accept(",")
  end
  p.expect("{")
  node.body = p.block("}")
  return node
end
for _, operator in ipairs({ "==", "!=", "<", ">", "+", "-", "*", "/" }) do
  infix[operator] = function(p, left)
    p.advance()
    return { kind = "infix", operator = operator, left = left, right = p.expression(precedence[operator]) }
  end
end
infix["("] = function(p, left) p.advance() return { kind = "call", callee = left, arguments = p.list(")") } end
infix["["] = function(p, left) p.advance() local node = { kind = "index", left = left, index = p.expression(0) } p.expect("]") return node end

-- Nodes to values.
local NULL, TRUE, FALSE = { type = "NULL" }, { type = "BOOLEAN", value = true }, { type = "BOOLEAN", value = false }
local function integer(n) return { type = "INTEGER", value = n } end
local function text(s) return { type = "STRING", value = s } end
local function boolean(b) if b then return TRUE else return FALSE end end
local function failure(...) return { type = "ERROR", message = table.concat({ ... }, " ") } end

local eval = {}
local function evaluate(node, env) return eval[node.kind](node, env) end

local function all(nodes, env)
  local values = {}
  for i, node in ipairs(nodes) do
    local value = evaluate(node, env)
    if value.type == "ERROR" then return nil, value end
    values[i] = value
  end
  return values
end

local builtins = {
  len = function(x) return integer(x.type == "ARRAY" and #x.items or #x.value) end,
  first = function(x) return x.items[1] or NULL end,
  tail = function(x)
    local items = {}
    for i = 2, #x.items do items[i - 1] = x.items[i] end
    return { type = "ARRAY", items = items }
  end,
  push = function(x, y)
    local items = {}
    for i, item in ipairs(x.items) do items[i] = item end
    table.insert(items, y)
    return { type = "ARRAY", items = items }
  end,
}

local function apply(f, values)
  if f.type == "BUILTIN" then return f.f(values[1], values[2]) end
  if f.type ~= "FUNCTION" then return failure("not a function:", f.type) end
  local env = setmetatable({}, { __index = f.env })
  for i, name in ipairs(f.node.parameters) do env[name] = values[i] end
  local result = evaluate(f.node.body, env)
  if result.type == "RETURN" then return result.value end
  return result
end

function eval.block(node, env)
  local result = NULL
  for _, statement in ipairs(node) do
    result = evaluate(statement, env)
    if result.type == "RETURN" or result.type == "ERROR" then return result end
  end
  return result
end
eval["let"] = function(node, env)
  local value = evaluate(node.value, env)
  if value.type == "ERROR" then return value end
  env[node.name] = value
  return NULL
end
eval["return"] = function(node, env)
  local value = evaluate(node.value, env)
  if value.type == "ERROR" then return value end
  return { type = "RETURN", value = value }
end
function eval.expression(node, env) return evaluate(node.value, env) end
function eval.integer(node) return integer(node.value) end
function eval.string(node) return text(node.value) end
function eval.boolean(node) return boolean(node.value) end
function eval.identifier(node, env) return env[node.name] or failure("unknown:", node.name) end
eval["not"] = function(node, env)
  local right = evaluate(node.right, env)
  if right.type == "ERROR" then return right end
  return boolean(right == FALSE or right == NULL)
end
function eval.minus(node, env)
  local right = evaluate(node.right, env)
  if right.type ~= "INTEGER" then return failure("unknown: -", right.type) end
  return integer(-right.value)
end
function eval.array(node, env)
  local items, mistake = all(node.items, env)
  return mistake or { type = "ARRAY", items = items }
end
function eval.hash(node, env)
  local hash = { type = "HASH", pairs = {} }
  for i, key in ipairs(node.keys) do
    key = evaluate(key, env)
    hash.pairs[key.type .. tostring(key.value)] = evaluate(node.values[i], env)
  end
  return hash
end
function eval.index(node, env)
  local left, index = evaluate(node.left, env), evaluate(node.index, env)
  if left.type == "HASH" then return left.pairs[index.type .. tostring(index.value)] or NULL end
  return left.items[index.value + 1] or NULL
end
eval["if"] = function(node, env)
  local condition = evaluate(node.condition, env)
  if condition.type == "ERROR" then return condition end
  if condition ~= FALSE and condition ~= NULL then return evaluate(node.consequence, env) end
  if node.alternative then return evaluate(node.alternative, env) end
  return NULL
end
eval["function"] = function(node, env) return { type = "FUNCTION", node = node, env = env } end
function eval.call(node, env)
  local f = evaluate(node.callee, env)
  if f.type == "ERROR" then return f end
  local values, mistake = all(node.arguments, env)
  return mistake or apply(f, values)
end

local arithmetic = {
  ["+"] = function(a, b) return integer(a + b) end,
  ["-"] = function(a, b) return integer(a - b) end,
  ["*"] = function(a, b) return integer(a * b) end,
  ["/"] = function(a, b) return integer(math.floor(a / b)) end,
  ["<"] = function(a, b) return boolean(a < b) end,
  [">"] = function(a, b) return boolean(a > b) end,
  ["=="] = function(a, b) return boolean(a == b) end,
  ["!="] = function(a, b) return boolean(a ~= b) end,
}
function eval.infix(node, env)
  local left = evaluate(node.left, env)
  if left.type == "ERROR" then return left end
  local right = evaluate(node.right, env)
  if right.type == "ERROR" then return right end
  if left.type == "INTEGER" and right.type == "INTEGER" then return arithmetic[node.operator](left.value, right.value) end
  if left.type ~= right.type then return failure("type mismatch:", left.type, node.operator, right.type) end
  if left.type == "STRING" and node.operator == "+" then return text(left.value .. right.value) end
  if node.operator == "==" then return boolean(left == right) end
  return failure("unknown operator:", left.type, node.operator, right.type)
end

local show = {}
function show.NULL() return "null" end
function show.INTEGER(v) return string.format("%d", v.value) end
function show.STRING(v) return v.value end
function show.BOOLEAN(v) return tostring(v.value) end
function show.ERROR(v) return "ERROR " .. v.message end
function show.ARRAY(v)
  local out = {}
  for i, item in ipairs(v.items) do out[i] = show[item.type](item) end
  return "[" .. table.concat(out, ", ") .. "]"
end

local function execute(source, size)
  local env = {}
  for name, f in pairs(builtins) do env[name] = { type = "BUILTIN", f = f } end
  env.size = integer(size)
  local result = evaluate(parser(source).block("EOF"), env)
  return show[result.type](result)
end

return function(n)
  local said
  local length = 0
  for i = 1, n do
    said = execute(program, 8 + i % 9)
    length = length + #said
  end
  return said .. " " .. execute(mistake, 0) .. " " .. length
end
