local turn, total = 0, 0
while turn < 300 do
  local text = ""
  local i = 0
  while i < 1000 do
    if i % 2 == 0 then
      text = text .. "ab"
    else
      text = text .. "c"
    end
    i = i + 1
  end
  total = total + #string.upper(text)
  turn = turn + 1
end
print(string.format("%.0f", total))
