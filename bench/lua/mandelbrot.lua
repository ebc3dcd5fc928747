-- Floats in locals: how many points of a grid stay near for fifty turns, and a checksum of when the others leave.
-- args: 320
-- quick: 10
return function(n)
  local inside, checksum = 0, 0
  for row = 0, n - 1 do
    local ci = 2.0 * row / n - 1.0
    for column = 0, n - 1 do
      local cr = 2.0 * column / n - 1.5
      local zr, zi, rr, ii = 0.0, 0.0, 0.0, 0.0
      local turns = 0
      while turns < 50 and rr + ii <= 4.0 do
        zi = 2.0 * zr * zi + ci
        zr = rr - ii + cr
        rr, ii = zr * zr, zi * zi
        turns = turns + 1
      end
      if turns == 50 then inside = inside + 1 else checksum = (checksum * 31 + turns) % 65521 end
    end
  end
  return inside * 100000 + checksum
end
