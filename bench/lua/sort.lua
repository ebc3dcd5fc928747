-- table.sort of integers, floats and strings in the order of the language.
-- args: 50000
-- quick: 200
return function(n)
  local seed = 42
  local function random()
    seed = (seed * 3877 + 29573) % 139968
    return seed
  end
  local integers, floats, words = {}, {}, {}
  for i = 1, n do
    integers[i] = random()
    floats[i] = random() / 7
  end
  for i = 1, n / 4 do words[i] = "w" .. random() end
  table.sort(integers)
  table.sort(floats)
  table.sort(words)
  local checksum = 0
  for i = 1, n, 7 do checksum = (checksum * 7 + integers[i] + math.floor(floats[i])) % 1000003 end
  -- Once more in order.
  table.sort(integers)
  return string.format("%d %d %s", checksum, integers[1], words[5])
end
