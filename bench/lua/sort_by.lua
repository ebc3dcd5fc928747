-- table.sort with comparators: descending, by a field, by two fields; and a merge sort in Lua with a comparator as its argument.
-- args: 20000
-- quick: 100
local function merge_sort(list, low, high, less, scratch)
  if high - low < 1 then return end
  local middle = math.floor((low + high) / 2)
  merge_sort(list, low, middle, less, scratch)
  merge_sort(list, middle + 1, high, less, scratch)
  for i = low, high do scratch[i] = list[i] end
  local left, right = low, middle + 1
  for i = low, high do
    if right > high or (left <= middle and not less(scratch[right], scratch[left])) then
      list[i] = scratch[left]
      left = left + 1
    else
      list[i] = scratch[right]
      right = right + 1
    end
  end
end

return function(n)
  local seed = 7
  local function random()
    seed = (seed * 3877 + 29573) % 139968
    return seed
  end
  local numbers, records, others = {}, {}, {}
  for i = 1, n do
    numbers[i] = random()
    records[i] = { key = random() % 50, rank = i, name = "n" .. i % 100 }
    others[i] = random()
  end
  table.sort(numbers, function(a, b) return a > b end)
  table.sort(records, function(a, b)
    if a.key ~= b.key then return a.key < b.key end
    return a.rank < b.rank
  end)
  merge_sort(others, 1, n, function(a, b) return a < b end, {})
  local checksum = 0
  for i = 1, n, 5 do checksum = (checksum * 7 + numbers[i] + records[i].rank + others[i]) % 1000003 end
  return checksum
end
