-- Integer loops: for, while and repeat, nested, with branches that go either way. Gives a sum that depends on all of them.
-- args: 3000
-- quick: 60
return function(n)
  local total = 0
  for i = 1, n do
    local row = 0
    for j = i, n, 3 do
      if j % 7 < 3 then row = row + i * j else row = row - j end
    end
    total = (total + row) % 1000003
  end
  local steps = 0
  for start = 1, n * 6 do
    local x = start
    while x ~= 1 do
      if x % 2 == 0 then x = math.floor(x / 2) else x = 3 * x + 1 end
      steps = steps + 1
    end
  end
  local down = n * 100
  local bits = 0
  repeat
    if down % 3 == 0 then bits = bits + 2 elseif down % 5 == 0 then bits = bits - 1 end
    down = down - 1
  until down == 0
  return string.format("%d %d %d", total, steps, bits)
end
