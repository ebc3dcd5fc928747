-- Brainfuck two ways: run directly from a table of handlers, and compiled (runs of signs folded) to code of a little stack machine with its own loop.
-- args: 5
-- quick: 1
-- The programs are put together from parts. One counts in nested loops, one makes Fibonacci's numbers, one adds what it reads, one prints a text.
local function plus(k) return ("+"):rep(k) end

local function nested(a, b, c)
  return plus(a) .. "[->" .. plus(b) .. "[->" .. plus(c) .. "[->+<]<]>>.<<<]"
end

local function fibonacci(count)
  return plus(count) .. " >>+<< [- > [->>+<<] > [-<+>>+<] > [-<+>] << . <]"
end

local function printer(text)
  local parts, last = {}, 0
  for i = 1, #text do
    local delta = text:byte(i) - last
    local tens, rest = math.floor(math.abs(delta) / 7), math.abs(delta) % 7
    local sign = delta < 0 and "-" or "+"
    if tens > 0 then parts[#parts + 1] = plus(tens) .. "[->" .. sign:rep(7) .. "<]" end
    parts[#parts + 1] = ">" .. sign:rep(rest) .. ".<"
    last = text:byte(i)
  end
  return table.concat(parts, "\n")
end

local adder = ",[>,[->+<]>.<<" .. plus(40) .. "[->>+<<]>>.<<,]"
local programs = { nested(5, 11, 13), fibonacci(40), printer("Every loop must end."), adder }

local function matching(program)
  local stack, jump = {}, {}
  for i = 1, #program do
    local c = program:sub(i, i)
    if c == "[" then
      stack[#stack + 1] = i
    elseif c == "]" then
      local open = table.remove(stack)
      if not open then error("no [ for ] at " .. i, 0) end
      jump[open], jump[i] = i, open
    end
  end
  if #stack > 0 then error("no ] for [ at " .. stack[#stack], 0) end
  return jump
end

-- The direct way.
local handlers = {
  [">"] = function(s) s.p = s.p + 1 end,
  ["<"] = function(s) s.p = s.p - 1 end,
  ["+"] = function(s) s.tape[s.p] = (s.tape[s.p] + 1) % 256 end,
  ["-"] = function(s) s.tape[s.p] = (s.tape[s.p] - 1) % 256 end,
  ["."] = function(s) s.out[#s.out + 1] = string.char(s.tape[s.p]) end,
  [","] = function(s)
    s.tape[s.p] = s.input:byte(s.at) or 0
    s.at = s.at + 1
  end,
  ["["] = function(s) if s.tape[s.p] == 0 then s.pc = s.jump[s.pc] end end,
  ["]"] = function(s) if s.tape[s.p] ~= 0 then s.pc = s.jump[s.pc] end end,
}

local zero = { __index = function() return 0 end }

local function interpret(program, input)
  local s = { tape = setmetatable({}, zero), p = 0, pc = 1, out = {}, input = input or "", at = 1, jump = matching(program), steps = 0 }
  while s.pc <= #program do
    local h = handlers[program:sub(s.pc, s.pc)]
    if h then h(s) end
    s.pc = s.pc + 1
    s.steps = s.steps + 1
  end
  return table.concat(s.out), s.steps
end

-- The machine: opcodes as numbers in one array, an argument after each.
local PUSHCELL, PUSH, ADD, STORE, MOVE, PRINT, READ, JZ, JNZ, CLEAR, HALT = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11

local function compile(program)
  local code, opens = {}, {}
  local function emit(op, arg)
    code[#code + 1] = op
    code[#code + 1] = arg or 0
  end
  local i = 1
  local function run_of(plus, minus)
    local k = 0
    while true do
      local c = program:sub(i, i)
      if c == plus then k = k + 1 elseif c == minus then k = k - 1 else break end
      i = i + 1
    end
    return k
  end
  while i <= #program do
    local c = program:sub(i, i)
    if c == "+" or c == "-" then
      local k = run_of("+", "-")
      emit(PUSHCELL); emit(PUSH, k); emit(ADD); emit(STORE)
    elseif c == ">" or c == "<" then
      emit(MOVE, run_of(">", "<"))
    elseif program:sub(i, i + 2) == "[-]" then
      emit(CLEAR)
      i = i + 3
    else
      if c == "." then emit(PRINT)
      elseif c == "," then emit(READ)
      elseif c == "[" then
        emit(JZ)
        opens[#opens + 1] = #code
      elseif c == "]" then
        local open = table.remove(opens)
        emit(JNZ, open + 1)
        code[open] = #code + 1
      end
      i = i + 1
    end
  end
  emit(HALT)
  return code
end

local function execute(code, input)
  local tape, stack, out = {}, {}, {}
  local pc, sp, p, at, steps = 1, 0, 1, 1, 0
  for k = 1, 300 do tape[k] = 0 end
  while true do
    local op, arg = code[pc], code[pc + 1]
    pc = pc + 2
    steps = steps + 1
    if op == PUSHCELL then
      sp = sp + 1
      stack[sp] = tape[p]
    elseif op == PUSH then
      sp = sp + 1
      stack[sp] = arg
    elseif op == ADD then
      stack[sp - 1] = (stack[sp - 1] + stack[sp]) % 256
      sp = sp - 1
    elseif op == STORE then
      tape[p] = stack[sp]
      sp = sp - 1
    elseif op == MOVE then
      p = p + arg
    elseif op == JZ then
      if tape[p] == 0 then pc = arg end
    elseif op == JNZ then
      if tape[p] ~= 0 then pc = arg end
    elseif op == CLEAR then
      tape[p] = 0
    elseif op == PRINT then
      out[#out + 1] = string.char(tape[p])
    elseif op == READ then
      tape[p] = input and input:byte(at) or 0
      at = at + 1
    else
      return table.concat(out), steps
    end
  end
end

return function(n)
  local sum, parts = 0, {}
  for round = 1, n do
    for k, program in ipairs(programs) do
      local input = string.char(20 + round % 50, 30 + k, 40, 200)
      local b, fast = execute(compile(program), input)
      local a, slow = interpret(program, input)
      if a ~= b then error("they differ") end
      sum = ((sum * 3 + fast) * 3 + slow) % 1000003
      for i = 1, #b do sum = (sum * 5 + b:byte(i)) % 1000003 end
      if round == n then parts[#parts + 1] = k == 3 and b or #b end
    end
  end
  local ok, message = pcall(matching, "[[]")
  parts[#parts + 1] = tostring(ok) .. " " .. message
  return sum .. " " .. table.concat(parts, "|")
end
