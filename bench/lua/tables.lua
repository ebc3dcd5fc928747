-- Tables as maps: keys that are integers far apart, strings, and floats; insertion, look-up, removal, and iteration by pairs, ipairs and next.
-- args: 50000
-- quick: 200
return function(n)
  local checksum = 0
  local sparse = {}
  for i = 1, n do sparse[i * 977 % 100003] = i end
  for i = 1, n * 3 do
    local found = sparse[i * 31 % 100003]
    if found then checksum = (checksum + found) % 1000003 end
  end
  local names = {}
  for i = 1, n do names[i] = "key" .. i % 1000 end
  local counts = {}
  for round = 1, 5 do
    for i = 1, n do
      local name = names[i]
      counts[name] = (counts[name] or 0) + round
    end
  end
  local sum, entries = 0, 0
  for _, count in pairs(counts) do sum = sum + count; entries = entries + 1 end
  -- What iteration visits has no order, so only sums are kept; entries may be removed in the middle of it.
  local removed = 0
  for key, value in pairs(sparse) do
    if key % 2 == 0 then sparse[key] = nil; removed = removed + value % 10 end
  end
  local left = 0
  local key = next(sparse)
  while key do left = left + 1; key = next(sparse, key) end
  local floats = {}
  for i = 1, n do floats[i / 4] = i end
  local quarters = 0
  for i = 1, n / 4 do quarters = quarters + floats[i] + floats[i - 0.25] end
  local list = {}
  for i = 1, n do table.insert(list, i % 17) end
  local listed = 0
  for i, x in ipairs(list) do listed = (listed + i * x) % 1000003 end
  while #list > n / 2 do listed = listed + table.remove(list) end
  for i = 1, 50 do table.insert(list, 1, i); listed = listed + table.remove(list, 2) end
  return string.format("%d %d %d %d %d %d %d", checksum, sum, entries, removed, left, quarters, listed)
end
