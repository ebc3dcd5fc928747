-- Small arrays of integers: for all permutations how often the first so many items must be turned over until the first item is 1.
-- args: 9
-- quick: 5
return function(n)
  local permutation, turned, counts = {}, {}, {}
  for i = 1, n do permutation[i] = i; counts[i] = 0 end
  local checksum, most, even = 0, 0, true
  while true do
    local first = permutation[1]
    if first ~= 1 then
      for i = 2, n do turned[i] = permutation[i] end
      local flips = 0
      repeat
        flips = flips + 1
        local next_first = turned[first]
        turned[first] = first
        local low, high = 2, first - 1
        while low < high do
          turned[low], turned[high] = turned[high], turned[low]
          low, high = low + 1, high - 1
        end
        first = next_first
      until first == 1
      if flips > most then most = flips end
      if even then checksum = checksum + flips else checksum = checksum - flips end
    end
    -- The next permutation: every other one is an exchange of the first two items, the others are rotations.
    if even then
      permutation[1], permutation[2] = permutation[2], permutation[1]
      even = false
    else
      permutation[2], permutation[3] = permutation[3], permutation[2]
      even = true
      local i = 3
      while true do
        counts[i] = counts[i] + 1
        if counts[i] < i then break end
        counts[i] = 0
        if i == n then return checksum * 1000 + most end
        local first_item = permutation[1]
        for j = 1, i do permutation[j] = permutation[j + 1] end
        permutation[i + 1] = first_item
        i = i + 1
      end
    end
  end
end
