local function build(n)
  local list = nil
  local i = 0
  while i < n do
    list = { value = i, next = list }
    i = i + 1
  end
  return list
end
local function total(list)
  local sum = 0
  while list ~= nil do
    sum = sum + list.value
    list = list.next
  end
  return sum
end
local turn, sum = 0, 0
while turn < 50 do
  sum = sum + total(build(100000))
  turn = turn + 1
end
print(string.format("%.0f", sum))
