-- An array of booleans: the primes up to n, six times.
-- args: 300000
-- quick: 1000
return function(n)
  local primes = 0
  for _ = 1, 6 do
    local composite = {}
    for i = 1, n do composite[i] = false end
    primes = 0
    for i = 2, n do
      if not composite[i] then
        primes = primes + 1
        for j = i + i, n, i do composite[j] = true end
      end
    end
  end
  return primes
end
