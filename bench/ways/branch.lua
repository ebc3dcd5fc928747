-- A loop with a branch that goes by the sign of a random number: one way or the other, each time anew.
return function(n)
  local seed, sum = 1, 0
  while n > 0 do
    n = n - 1
    seed = seed * 1309 + 85
    if seed < 0 then sum = sum * 3 + n else sum = sum - n end
  end
  return sum
end
