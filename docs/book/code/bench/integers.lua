local i = 0
local sum = 0
while i < 100000000 do
  if i % 3 == 0 then
    sum = sum + i
  else
    sum = sum - 1
  end
  i = i + 1
end
print(string.format("%.0f", sum))
