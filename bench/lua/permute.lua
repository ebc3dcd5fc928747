-- Recursion with exchanges in an array: all permutations by Heap's algorithm, with a checksum of each.
-- args: 9
-- quick: 4
local count, checksum, items

local function permute(n)
  if n == 1 then
    count = count + 1
    checksum = (checksum * 3 + items[1] * 2 + items[2]) % 65521
    return
  end
  for i = 1, n do
    permute(n - 1)
    local other = n % 2 == 0 and i or 1
    items[other], items[n] = items[n], items[other]
  end
end

return function(n)
  count, checksum, items = 0, 0, {}
  for i = 1, n do items[i] = i end
  permute(n)
  return count * 100000 + checksum
end
