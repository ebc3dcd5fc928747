local function inside(cx, cy)
  local x, y, n = 0.0, 0.0, 0
  while n < 100 and x * x + y * y < 4.0 do
    local t = x * x - y * y + cx
    y = 2.0 * x * y + cy
    x = t
    n = n + 1
  end
  return n
end
local sum = 0
local row = 0
while row < 700 do
  local column = 0
  while column < 700 do
    sum = sum + inside(column / 350.0 - 1.5, row / 350.0 - 1.0)
    column = column + 1
  end
  row = row + 1
end
print(string.format("%.0f", sum))
