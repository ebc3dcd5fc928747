-- Packing of texts in three ways, and unpacking: a dictionary of strings that grows (each prefix a new string), copies of what came before found by
-- chains over hashes of three bytes, and runs behind a move-to-front list.
-- args: 80
-- quick: 1
local byte, char, sub, concat = string.byte, string.char, string.sub, table.concat

local function sample(length)
  local words = { "green", "grey", "copper", "and", "the", "old roof", "of", "tin", "is", "not" }
  local out, size, k = {}, 0, 7
  while size < length do
    k = (k * 279 + 11) % 10007
    local word = words[k % #words + 1] .. (k % 7 == 0 and ", " or " ")
    if k % 50 == 0 then word = word .. string.rep("=", k % 23) end
    out[#out + 1] = word
    size = size + #word
  end
  return concat(out)
end

-- So many codes there are; then all are forgotten.
local MOST = 1024

-- Codes for prefixes that were seen before.
local function by_prefixes(text)
  local codes, next_code = {}, 256
  for i = 0, 255 do codes[char(i)] = i end
  local out, prefix = {}, ""
  for i = 1, #text do
    local c = sub(text, i, i)
    local longer = prefix .. c
    if codes[longer] then
      prefix = longer
    else
      out[#out + 1] = codes[prefix]
      codes[longer] = next_code
      next_code = next_code + 1
      prefix = c
      if next_code == MOST then
        codes, next_code = {}, 256
        for k = 0, 255 do codes[char(k)] = k end
      end
    end
  end
  out[#out + 1] = codes[prefix]
  return out
end

local function from_prefixes(list)
  local strings, size, count
  local out, before = {}, nil
  local function forget()
    strings, size, count, before = {}, 256, 0, nil
    for i = 0, 255 do strings[i] = char(i) end
  end
  forget()
  for i = 1, #list do
    local entry = strings[list[i]]
    if before then
      if not entry then entry = before .. sub(before, 1, 1) end
      strings[size] = before .. sub(entry, 1, 1)
      size = size + 1
    end
    out[#out + 1] = entry
    before = entry
    count = count + 1
    if count == MOST - 256 then forget() end
  end
  return concat(out)
end

-- Copies: items are a byte, or a distance and a length.
local function by_copies(text)
  local heads, links = {}, {}
  local out, at, n = {}, 1, #text
  local function remember(i)
    if i + 2 > n then return end
    local a, b, c = byte(text, i, i + 2)
    local hash = (a * 961 + b * 31 + c) % 4099
    links[i] = heads[hash]
    heads[hash] = i
  end
  while at <= n do
    local best, from = 0, 0
    if at + 2 <= n then
      local a, b, c = byte(text, at, at + 2)
      local candidate, tries = heads[(a * 961 + b * 31 + c) % 4099], 0
      while candidate and tries < 16 do
        local length = 0
        while length < 255 and at + length <= n and byte(text, candidate + length) == byte(text, at + length) do
          length = length + 1
        end
        if length > best then best, from = length, candidate end
        candidate = links[candidate]
        tries = tries + 1
      end
    end
    if best >= 4 then
      out[#out + 1] = { distance = at - from, length = best }
      for i = at, at + best - 1 do remember(i) end
      at = at + best
    else
      out[#out + 1] = { byte = byte(text, at) }
      remember(at)
      at = at + 1
    end
  end
  return out
end

local function from_copies(items)
  local bytes, n = {}, 0
  for _, item in ipairs(items) do
    if item.byte then
      n = n + 1
      bytes[n] = item.byte
    else
      for _ = 1, item.length do
        bytes[n + 1] = bytes[n + 1 - item.distance]
        n = n + 1
      end
    end
  end
  for i = 1, n do bytes[i] = char(bytes[i]) end
  return concat(bytes)
end

-- The place of each byte in a list of those that came last, and how often zero comes in a row.
local function to_front(text)
  local recent = {}
  for i = 1, 256 do recent[i] = i - 1 end
  local out, zeros = {}, 0
  for i = 1, #text do
    local c = byte(text, i)
    local place = 1
    while recent[place] ~= c do place = place + 1 end
    if place == 1 then
      zeros = zeros + 1
    else
      if zeros > 0 then out[#out + 1] = -zeros; zeros = 0 end
      out[#out + 1] = place
      table.remove(recent, place)
      table.insert(recent, 1, c)
    end
  end
  if zeros > 0 then out[#out + 1] = -zeros end
  return out
end

local function from_front(list)
  local recent = {}
  for i = 1, 256 do recent[i] = i - 1 end
  local out = {}
  for _, place in ipairs(list) do
    if place < 0 then
      out[#out + 1] = string.rep(char(recent[1]), -place)
    else
      local c = table.remove(recent, place)
      table.insert(recent, 1, c)
      out[#out + 1] = char(c)
    end
  end
  return concat(out)
end

return function(n)
  local text = sample(n * 100)
  local a = by_prefixes(text)
  local sum = 0
  for i = 1, #a do sum = (sum * 17 + a[i]) % 999979 end
  local b = by_copies(text)
  for _, item in ipairs(b) do sum = (sum * 17 + (item.byte or item.distance + item.length)) % 999979 end
  local c = to_front(text)
  for i = 1, #c do sum = (sum * 17 + c[i]) % 999979 end
  local same = { from_prefixes(a) == text, from_copies(b) == text, from_front(c) == text }
  return string.format("%d %d %d %d %d %s %s %s", #text, #a, #b, #c, sum, tostring(same[1]), tostring(same[2]), tostring(same[3]))
end
