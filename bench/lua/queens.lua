-- Recursion and arrays of booleans: in how many ways n queens stand on a board so that none attacks another.
-- args: 11
-- quick: 5
local function place(row, n, columns, rising, falling)
  if row > n then return 1 end
  local ways = 0
  for column = 1, n do
    local up, down = row + column, row - column + n
    if not (columns[column] or rising[up] or falling[down]) then
      columns[column], rising[up], falling[down] = true, true, true
      ways = ways + place(row + 1, n, columns, rising, falling)
      columns[column], rising[up], falling[down] = false, false, false
    end
  end
  return ways
end

return function(n)
  local ways = 0
  for _ = 1, 3 do
    local columns, rising, falling = {}, {}, {}
    for i = 1, n do columns[i] = false end
    for i = 1, 2 * n do rising[i], falling[i] = false, false end
    ways = ways + place(1, n, columns, rising, falling)
  end
  return ways
end
