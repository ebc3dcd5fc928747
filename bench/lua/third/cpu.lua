-- An 8-bit 6502-like machine: assembler, opcode function table, sieve and multiplication programs.
-- args: 270
-- quick: 3

local SOURCE = [[
        LDX #0        ; sieve: 512.. holds one flag per number
fill:   LDA #1
        STA 512,X
        INX
        BNE fill
        LDY #2
outer:  LDA 512,Y
        BEQ skip
        STY 16
        TYA
again:  CLC
        ADC 16
        BCS skip
        TAX
        STZ 512,X
        JMP again
skip:   INY
        CPY #128
        BNE outer
        LDY #0        ; count what is left
        LDX #2
count:  LDA 512,X
        BEQ next
        INY
next:   INX
        BNE count
        STY 20
        STZ 22        ; product of 17 and 18 goes to 22 and 21 (low byte)
        LDX #8
mult:   LSR 18
        BCC noadd
        CLC
        LDA 22
        ADC 17
        STA 22
noadd:  ROR 22
        ROR 21
        DEX
        BNE mult
        JSR mix
        BRK
mix:    LDA 21
        EOR 22
        STA 23
        RTS
]]

local ORIGIN = 1024
local function flags(cpu, v)
  cpu.Z, cpu.N = v == 0, v >= 128
  return v
end

local function xor(a, b)
  if a == 0 or b == 0 then return a + b end
  return (a + b) % 2 + 2 * xor(math.floor(a / 2), math.floor(b / 2))
end

local readers = {} -- instructions that consume a value
function readers.LDA(cpu, v) cpu.A = flags(cpu, v) end
function readers.LDX(cpu, v) cpu.X = flags(cpu, v) end
function readers.LDY(cpu, v) cpu.Y = flags(cpu, v) end
function readers.EOR(cpu, v) cpu.A = flags(cpu, xor(cpu.A, v)) end
function readers.CPY(cpu, v) cpu.C = cpu.Y >= v; flags(cpu, (cpu.Y - v) % 256) end
function readers.ADC(cpu, v)
  local sum = cpu.A + v + (cpu.C and 1 or 0)
  cpu.C, cpu.A = sum > 255, flags(cpu, sum % 256)
end

local writers = {} -- instructions that touch a memory address
function writers.STA(cpu, at) cpu.memory[at] = cpu.A end
function writers.STZ(cpu, at) cpu.memory[at] = 0 end
function writers.STY(cpu, at) cpu.memory[at] = cpu.Y end
local function shift(cpu, at, top)
  local v = cpu.memory[at]
  cpu.C, cpu.memory[at] = v % 2 == 1, flags(cpu, math.floor(v / 2) + top)
end
function writers.LSR(cpu, at) shift(cpu, at, 0) end
function writers.ROR(cpu, at) shift(cpu, at, cpu.C and 128 or 0) end

local plain = {} -- implied instructions and jumps, by name
function plain.INX(cpu) cpu.X = flags(cpu, (cpu.X + 1) % 256) end
function plain.INY(cpu) cpu.Y = flags(cpu, (cpu.Y + 1) % 256) end
function plain.DEX(cpu) cpu.X = flags(cpu, (cpu.X - 1) % 256) end
function plain.TAX(cpu) cpu.X = flags(cpu, cpu.A) end
function plain.TYA(cpu) cpu.A = flags(cpu, cpu.Y) end
function plain.CLC(cpu) cpu.C = false end
function plain.BRK(cpu) cpu.halted = true end
function plain.JMP(cpu, to) cpu.PC = to end
function plain.BNE(cpu, to) if not cpu.Z then cpu.PC = to end end
function plain.BEQ(cpu, to) if cpu.Z then cpu.PC = to end end
function plain.BCC(cpu, to) if not cpu.C then cpu.PC = to end end
function plain.BCS(cpu, to) if cpu.C then cpu.PC = to end end
function plain.JSR(cpu, to) cpu.SP = cpu.SP - 1; cpu.memory[cpu.SP], cpu.PC = cpu.PC, to end
function plain.RTS(cpu) cpu.PC = cpu.memory[cpu.SP]; cpu.SP = cpu.SP + 1 end

local opcodes, numbers = {}, {}
local function define(name, handler)
  opcodes[#opcodes + 1] = handler
  numbers[name] = #opcodes
end
for name, fn in pairs(plain) do define(name, fn) end
for name, fn in pairs(readers) do
  define(name .. "#", fn)
  define(name .. "m", function(cpu, arg) return fn(cpu, cpu.memory[arg]) end)
  define(name .. "X", function(cpu, arg) return fn(cpu, cpu.memory[arg + cpu.X]) end)
  define(name .. "Y", function(cpu, arg) return fn(cpu, cpu.memory[arg + cpu.Y]) end)
end
for name, fn in pairs(writers) do
  define(name .. "m", fn)
  define(name .. "X", function(cpu, arg) return fn(cpu, arg + cpu.X) end)
end

local function assemble(source, memory)
  local labels, fixups, at = {}, {}, ORIGIN
  for line in source:gmatch("[^\n]+") do
    local label, op, arg = line:gsub(";.*", ""):match("^(%w*):?%s+(%u+)%s*(%S*)")
    if label ~= "" then labels[label] = at end
    local mode = arg:match("^#") or arg:match(",(%u)$") or "m"
    memory[at] = assert(numbers[op] or numbers[op .. mode], "bad instruction")
    memory[at + 1] = tonumber(arg:match("%d+")) or 0
    if arg:find("^%l") then fixups[at + 1] = arg end
    at = at + 2
  end
  for where, name in pairs(fixups) do memory[where] = labels[name] end
end

return function(n)
  local memory, seed, sum, cycles = {}, 77, 0, 0
  for i = 0, ORIGIN - 1 do memory[i] = 0 end
  assemble(SOURCE, memory)
  for _ = 1, n do
    local cpu = { A = 0, X = 0, Y = 0, PC = ORIGIN, SP = 512, C = false, Z = false, N = false, memory = memory }
    seed = (seed * 16807) % 2147483647
    local a, b = seed % 256, math.floor(seed / 256) % 256
    memory[17], memory[18] = a, b
    while not cpu.halted do
      local pc = cpu.PC
      cpu.PC, cycles = pc + 2, cycles + 1
      opcodes[memory[pc]](cpu, memory[pc + 1])
    end
    if memory[21] + memory[22] * 256 ~= a * b or memory[20] ~= 54 then error("the machine is broken") end
    sum = (sum * 31 + memory[23] + cpu.X + cpu.Y) % 1000000007
  end
  return string.format("%d %d", sum, cycles)
end
