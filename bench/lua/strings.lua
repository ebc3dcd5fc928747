-- Strings: built piece by piece and by table.concat, taken apart by byte and sub, compared, and as keys of a table.
-- args: 40000
-- quick: 200
return function(n)
  local pieces = {}
  for i = 1, n do
    pieces[#pieces + 1] = "item " .. i .. ", "
    if i % 3 == 0 then pieces[#pieces + 1] = string.rep("ab", i % 5) end
  end
  local text = table.concat(pieces)
  local checksum = 0
  for i = 1, #text do checksum = (checksum * 31 + string.byte(text, i)) % 1000003 end
  -- Words by hand, counted.
  local counts, distinct, begin = {}, 0, 1
  for i = 1, #text do
    if string.sub(text, i, i) == " " then
      local word = string.sub(text, begin, i - 1)
      if not counts[word] then distinct = distinct + 1 end
      counts[word] = (counts[word] or 0) + 1
      begin = i + 1
    end
  end
  -- A line that grows until it is long.
  local longest, line = 0, ""
  for i = 1, n do
    line = line .. string.char(97 + i % 26)
    if #line == 80 then
      if line > "mnop" then longest = longest + #line end
      line = ""
    end
  end
  local upper = 0
  for i = 1, n, 4 do
    local s = string.upper(string.sub(text, i, i + 7))
    if s == "ITEM 100" then upper = upper + 1 end
    checksum = (checksum + #string.format("%5d|%s|%x", i, s, i)) % 1000003
  end
  return string.format("%d %d %d %d %d", #text, checksum, distinct, longest, upper)
end
