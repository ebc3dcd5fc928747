-- A machine with registers for programs in an assembler's text: one loop with a chain of comparisons on the number of an instruction, operands in arrays
-- beside each other, memory, a stack of return addresses. It runs a sieve, the longest chain of Collatz, and a sort.
-- args: 20
-- quick: 1
local names = { "set", "move", "add", "sub", "mul", "mod", "half", "load", "store", "jump", "less", "same", "call", "back", "out", "stop" }
local numbers = {}
for i, name in ipairs(names) do numbers[name] = i end
local SET, MOVE, ADD, SUB, MUL, MOD, HALF, LOAD, STORE, JUMP, LESS, SAME, CALL, BACK, OUT, STOP = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16

local text = [[
set r1 0
set r9 1
set r2 2
sieve: less r7 r2 primes_done
load r3 r2
same r3 r9 sieve_next
add r1 r1 r9
move r4 r2
strike: add r4 r4 r2
less r7 r4 sieve_next
store r4 r9
jump strike
sieve_next: add r2 r2 r9
jump sieve
primes_done: out r1
set r1 0
set r5 0
set r2 1
set r10 2
chains: call chain
less r3 r5 no_better
move r5 r3
move r1 r2
no_better: add r2 r2 r9
less r2 r8 chains
out r1
out r5
call fill
call sort
call check
stop
chain: move r4 r2
set r3 0
chain_step: same r4 r9 chain_end
add r3 r3 r9
mod r6 r4 r10
same r6 r9 chain_odd
half r4 r4
jump chain_step
chain_odd: add r6 r4 r4
add r4 r6 r4
add r4 r4 r9
jump chain_step
chain_end: back
fill: set r2 0
set r3 17
set r6 1009
set r11 271
fill_step: mul r3 r3 r11
add r3 r3 r9
mod r3 r3 r6
store r2 r3
add r2 r2 r9
less r2 r12 fill_step
back
sort: set r2 1
sort_step: load r3 r2
move r4 r2
sort_sink: set r6 0
same r4 r6 sort_put
sub r5 r4 r9
load r6 r5
less r3 r6 sort_move
jump sort_put
sort_move: store r4 r6
move r4 r5
jump sort_sink
sort_put: store r4 r3
add r2 r2 r9
less r2 r12 sort_step
back
check: set r2 0
set r1 0
set r11 31
set r6 1000003
check_step: load r3 r2
mul r1 r1 r11
add r1 r1 r3
mod r1 r1 r6
add r2 r2 r9
less r2 r12 check_step
out r1
back
]]

-- Words of a line, by hand.
local function words(line)
  local list, word = {}, ""
  for i = 1, #line + 1 do
    local c = line:sub(i, i)
    if c == " " or c == "" then
      if word ~= "" then list[#list + 1] = word end
      word = ""
    else
      word = word .. c
    end
  end
  return list
end

local function assemble(source)
  local labels, lines, begin = {}, {}, 1
  while begin <= #source do
    local stop = source:find("\n", begin, true)
    local list = words(source:sub(begin, stop - 1))
    local first = list[1]
    if first:sub(-1) == ":" then
      labels[first:sub(1, #first - 1)] = #lines + 1
      table.remove(list, 1)
    end
    lines[#lines + 1] = list
    begin = stop + 1
  end
  local code = { op = {}, a = {}, b = {}, c = {} }
  local function operand(word)
    if not word then return 0 end
    if labels[word] then return labels[word] end
    if word:sub(1, 1) == "r" and tonumber(word:sub(2)) then return tonumber(word:sub(2)) end
    return tonumber(word) or error("no operand: " .. word)
  end
  for i, list in ipairs(lines) do
    code.op[i] = numbers[list[1]] or error("no instruction: " .. list[1])
    code.a[i], code.b[i], code.c[i] = operand(list[2]), operand(list[3]), operand(list[4])
  end
  return code
end

local function run(code, r, memory)
  local op, A, B, C = code.op, code.a, code.b, code.c
  local returns, depth, out = {}, 0, {}
  local pc, steps = 1, 0
  while true do
    local o, a, b, c = op[pc], A[pc], B[pc], C[pc]
    pc = pc + 1
    steps = steps + 1
    if o == ADD then r[a] = r[b] + r[c]
    elseif o == SUB then r[a] = r[b] - r[c]
    elseif o == MUL then r[a] = r[b] * r[c]
    elseif o == MOD then r[a] = r[b] % r[c]
    elseif o == LESS then if r[a] < r[b] then pc = c end
    elseif o == SAME then if r[a] == r[b] then pc = c end
    elseif o == JUMP then pc = a
    elseif o == LOAD then r[a] = memory[r[b]]
    elseif o == STORE then memory[r[a]] = r[b]
    elseif o == MOVE then r[a] = r[b]
    elseif o == HALF then r[a] = (r[b] - r[b] % 2) / 2
    elseif o == SET then r[a] = b
    elseif o == CALL then depth = depth + 1; returns[depth] = pc; pc = a
    elseif o == BACK then pc = returns[depth]; depth = depth - 1
    elseif o == OUT then out[#out + 1] = string.format("%d", r[a])
    else return table.concat(out, " "), steps end
  end
end

return function(n)
  local code = assemble(text)
  local registers, memory = {}, {}
  for i = 0, 15 do registers[i] = 0 end
  registers[7], registers[8], registers[12] = n * 1000, n * 60, n * 12
  for i = 0, registers[7] do memory[i] = 0 end
  local out, steps = run(code, registers, memory)
  return out .. " " .. steps
end
