-- An interpreter for a machine with a counter and an accumulator, whose code is an array. It runs a loop of seven instructions, two of which
-- branch, one by the sign of a number that wraps.
local function run(code, n)
  local acc, pc = 0, 1
  while true do
    local op, arg = code[pc], code[pc + 1]
    pc = pc + 2
    if op == 1 then acc = acc + n
    elseif op == 2 then acc = acc * arg
    elseif op == 3 then acc = acc - arg
    elseif op == 4 then n = n - arg
    elseif op == 5 then if n > 0 then pc = arg end
    elseif op == 6 then if acc < 0 then pc = arg end
    else return acc end
  end
end

return function(n)
  -- acc += n; acc *= 13; if acc >= 0 { acc -= 7 }; acc += n; n -= 1; if n > 0 { again }
  return run({ 1, 0, 2, 13, 6, 9, 3, 7, 1, 0, 4, 1, 5, 1, 0, 0 }, n)
end
