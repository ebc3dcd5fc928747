-- A small Lisp: a reader, an evaluator with environments chained by __index, closures, macros and tail calls; runs some programs written in it.
-- args: 24
-- quick: 1
local unpack = table.unpack or unpack

local Symbol = {}
Symbol.__index = Symbol
Symbol.__tostring = function(s) return s.name end
local table_of_symbols = {}
local function sym(name)
  table_of_symbols[name] = table_of_symbols[name] or setmetatable({ name = name }, Symbol)
  return table_of_symbols[name]
end

local NIL = setmetatable({}, { __tostring = function() return "()" end })
local Pair = {}
Pair.__index = Pair
local function cons(a, d) return setmetatable({ a, d }, Pair) end
local function list(...)
  local l = NIL
  for i = select("#", ...), 1, -1 do l = cons((select(i, ...)), l) end
  return l
end
local function is_pair(x) return getmetatable(x) == Pair end

local function show(x)
  local t = type(x)
  if t == "number" then return x == math.floor(x) and string.format("%d", x) or string.format("%.5f", x)
  elseif t == "boolean" then return x and "#t" or "#f"
  elseif t == "function" then return "<primitive>"
  elseif is_pair(x) then
    local parts = {}
    while is_pair(x) do parts[#parts + 1] = show(x[1]); x = x[2] end
    if x ~= NIL then parts[#parts + 1] = ". " .. show(x) end
    return "(" .. table.concat(parts, " ") .. ")"
  elseif t == "table" and x.body then return "<closure>"
  end
  return tostring(x)
end

-------------------------------------------------- reading
local function read_all(text)
  local pos, n = 1, #text
  local function skip()
    while pos <= n do
      local c = text:sub(pos, pos)
      if c == ";" then
        while pos <= n and text:sub(pos, pos) ~= "\n" do pos = pos + 1 end
      elseif c == " " or c == "\n" then pos = pos + 1
      else return c end
    end
    return nil
  end
  local function datum()
    local c = skip()
    if c == "'" then
      pos = pos + 1
      return list(sym("quote"), datum())
    elseif c == "(" then
      pos = pos + 1
      local items = {}
      while true do
        c = skip() or error("unexpected end", 0)
        if c == ")" then break end
        items[#items + 1] = datum()
      end
      pos = pos + 1
      return list(unpack(items))
    end
    local from = pos
    while pos <= n do
      c = text:sub(pos, pos)
      if c == " " or c == "\n" or c == "(" or c == ")" then break end
      pos = pos + 1
    end
    local word = text:sub(from, pos - 1)
    if word == "#t" then return true elseif word == "#f" then return false end
    return tonumber(word) or sym(word)
  end
  local all = {}
  while skip() do all[#all + 1] = datum() end
  return all
end

-------------------------------------------------- evaluating
local evaluations = 0
local eval

local function child(env) return setmetatable({}, { __index = env, parent = env }) end

local function assign(env, name, value)
  while env do
    if rawget(env, name) ~= nil then env[name] = value; return value end
    local mt = getmetatable(env)
    env = mt and mt.parent
  end
  error("unbound: " .. name, 0)
end

local function bind(params, args, count, env)
  local new = child(env)
  local i = 1
  while is_pair(params) do
    if i > count then error("too few arguments", 0) end
    new[params[1].name] = args[i]
    i = i + 1
    params = params[2]
  end
  if params ~= NIL then                    -- the rest as a list
    local rest = NIL
    for k = count, i, -1 do rest = cons(args[k], rest) end
    new[params.name] = rest
  end
  return new
end

-- a special form answers a value, or what is to be evaluated next and where
local special = {}
function special.quote(x) return x[2][1] end
special["if"] = function(x, env)
  local rest = x[2]
  if eval(rest[1], env) ~= false then return rest[2][1], env end
  rest = rest[2][2]
  if rest ~= NIL then return rest[1], env end
  return NIL
end
function special.define(x, env)
  local target = x[2][1]
  if is_pair(target) then
    env[target[1].name] = { params = target[2], body = x[2][2], env = env }
  else
    env[target.name] = eval(x[2][2][1], env)
  end
  return NIL
end
special["set!"] = function(x, env) return assign(env, x[2][1].name, eval(x[2][2][1], env)) end
special["lambda"] = function(x, env) return { params = x[2][1], body = x[2][2], env = env } end
special["macro"] = function(x, env)
  env[x[2][1].name] = { params = x[2][2][1], body = x[2][2][2], env = env, macro = true }
  return NIL
end
special["begin"] = function(x, env)
  x = x[2]
  while x[2] ~= NIL do eval(x[1], env); x = x[2] end
  return x[1], env
end
special["let"] = function(x, env)
  local new = child(env)
  local b = x[2][1]
  while b ~= NIL do
    new[b[1][1].name] = eval(b[1][2][1], env)
    b = b[2]
  end
  return cons(sym("begin"), x[2][2]), new
end

function eval(x, env)
  while true do
    evaluations = evaluations + 1
    local mt = getmetatable(x)
    if mt == Symbol then
      local v = env[x.name]
      if v == nil then error("unbound: " .. x.name, 0) end
      return v
    elseif mt ~= Pair then return x end
    local head = x[1]
    local form = getmetatable(head) == Symbol and special[head.name]
    if form then
      local result, next_env = form(x, env)
      if not next_env then return result end
      x, env = result, next_env
    else
      local f = eval(head, env)
      local args, count, rest = {}, 0, x[2]
      local macro = type(f) == "table" and f.macro
      while rest ~= NIL do
        count = count + 1
        if macro then args[count] = rest[1] else args[count] = eval(rest[1], env) end
        rest = rest[2]
      end
      if type(f) == "function" then return f(unpack(args, 1, count)) end
      if type(f) ~= "table" or not f.body then error("not a function: " .. show(f), 0) end
      local new = bind(f.params, args, count, f.env)
      local body = f.body
      while body[2] ~= NIL do eval(body[1], new); body = body[2] end
      if macro then x = eval(body[1], new) else x, env = body[1], new end
    end
  end
end

local function globals()
  return {
    ["+"] = function(a, b) return a + b end,
    ["-"] = function(a, b) return b and a - b or -a end,
    ["*"] = function(a, b) return a * b end,
    ["mod"] = function(a, b) return a % b end,
    ["<"] = function(a, b) return a < b end,
    ["="] = function(a, b) return a == b end,
    ["eq?"] = function(a, b) return a == b end,
    ["cons"] = cons,
    ["car"] = function(p) return p[1] end,
    ["cdr"] = function(p) return p[2] end,
    ["null?"] = function(p) return p == NIL end,
    ["list"] = list,
    ["not"] = function(p) return p == false end,
  }
end

local prelude = [[
(macro and (a b) (list 'if a b))
(macro unless (c . body) (list 'if (list 'not c) (cons 'begin body)))
(define (map f l) (if (null? l) '() (cons (f (car l)) (map f (cdr l)))))
(define (filter p l) (if (null? l) l (if (p (car l)) (cons (car l) (filter p (cdr l))) (filter p (cdr l)))))
(define (fold f a l) (if (null? l) a (fold f (f a (car l)) (cdr l))))
(define (append a b) (if (null? a) b (cons (car a) (append (cdr a) b))))
(define (iota n) (let ((go #f)) (set! go (lambda (i acc) (if (< i 0) acc (go (- i 1) (cons i acc))))) (go (- n 1) '())))
(define (sort l) (if (null? l) l
  (let ((p (car l)) (r (cdr l)))
    (append (sort (filter (lambda (x) (< x p)) r)) (cons p (sort (filter (lambda (x) (not (< x p))) r)))))))
(define (counter) (let ((n 0)) (lambda () (set! n (+ n 1)) n)))
(define c1 (counter)) (define c2 (counter))
]]

local programs = {
  "(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))) (fib %d)",
  "(sort (map (lambda (x) (mod (* x 37) 101)) (iota %d)))",
  "(define (loop i s) (if (= i 0) s (loop (- i 1) (mod (+ (* s 3) i) 1009)))) (loop (* 60 %d) 1)",
  "(c1) (c1) (c2) (unless (< 5 1) (c1) (list (c1) (c2) (fold + 0 (iota %d))))",
  "(define (f a . r) (cons a r)) (and (eq? 'a 'a) (f %d 2.5 'x car f))",
  "(define x (undefined %d))",
}

return function(n)
  evaluations = 0
  local env, sum, out = child(globals()), 0, {}
  for _, form in ipairs(read_all(prelude)) do eval(form, env) end
  for round = 1, n do
    for k, source in ipairs(programs) do
      local ok, result = pcall(function()
        local last
        for _, form in ipairs(read_all(source:format(round % 6 + 6))) do last = eval(form, env) end
        return show(last)
      end)
      out[k] = (ok and "" or "error ") .. result
      for i = 1, #out[k] do sum = (sum * 3 + out[k]:byte(i)) % 1000003 end
    end
  end
  return evaluations .. " " .. sum .. " " .. table.concat(out, " ; ")
end
