-- A sliding-window compressor with chains of earlier places (LZ77-like) and a dictionary coder (LZW-like), both undone again and compared.
-- One big function does it all over arrays of bytes.
-- args: 70
-- quick: 1
return function(n)
  local floor, byte, char, sub = math.floor, string.byte, string.char, string.sub
  local words = { "stone", "river", "and", "the", "under", "a", "mountain", "riverbank", "of", "stones", "wind", "undertow", "theme" }

  -- the text
  local seed, list = 11, {}
  for i = 1, n * 330 do
    seed = (seed * 171 + 11213) % 53125
    list[i] = words[seed % #words + 1]
    if seed % 10 == 3 then list[i] = list[i] .. "." end
    if seed % 17 == 5 then list[i] = list[i] .. "\n" .. (i * seed) end
  end
  local text = table.concat(list, " ")
  local len = #text
  local data = {}
  for i = 1, len do data[i] = byte(text, i) end

  -- window: tokens are {distance, length} as two numbers, or a literal as 0 and the byte
  local MIN, MAX, WINDOW, TRIES = 3, 66, 4096, 12
  local head, prev, tokens, count = {}, {}, {}, 0
  local pos, literals, copies = 1, 0, 0
  while pos <= len do
    local bestLen, bestDist = 0, 0
    local h
    if pos + 2 <= len then
      h = (data[pos] * 256 + data[pos + 1]) * 256 + data[pos + 2]
      local cand, tries = head[h], TRIES
      while cand and tries > 0 and pos - cand <= WINDOW do
        local l = 0
        while l < MAX and pos + l <= len and data[cand + l] == data[pos + l] do l = l + 1 end
        if l > bestLen then
          bestLen, bestDist = l, pos - cand
          if l == MAX then break end
        end
        cand = prev[cand]
        tries = tries - 1
      end
    end
    local step
    if bestLen >= MIN then
      tokens[count + 1], tokens[count + 2] = bestDist, bestLen
      copies = copies + 1
      step = bestLen
    else
      tokens[count + 1], tokens[count + 2] = 0, data[pos]
      literals = literals + 1
      step = 1
    end
    count = count + 2
    for p = pos, pos + step - 1 do
      if p + 2 <= len then
        local k = (data[p] * 256 + data[p + 1]) * 256 + data[p + 2]
        prev[p] = head[k]
        head[k] = p
      end
    end
    pos = pos + step
  end

  -- to bytes: a flag byte for each eight tokens
  local packed, size = {}, 0
  local i = 1
  while i <= count do
    local flagAt, flag, bit = size + 1, 0, 1
    size = size + 1
    for _ = 1, 8 do
      if i > count then break end
      if tokens[i] > 0 then
        flag = flag + bit
        local d, l = tokens[i] - 1, tokens[i + 1] - MIN
        packed[size + 1] = d % 256
        packed[size + 2] = floor(d / 256) * 16 + l % 16
        packed[size + 3] = floor(l / 16)
        size = size + 3
      else
        size = size + 1
        packed[size] = tokens[i + 1]
      end
      bit = bit * 2
      i = i + 2
    end
    packed[flagAt] = flag
  end

  -- and back
  local out, m, at = {}, 0, 1
  while at <= size do
    local flag = packed[at]
    at = at + 1
    for _ = 1, 8 do
      if at > size then break end
      if flag % 2 == 1 then
        local d = packed[at] + floor(packed[at + 1] / 16) * 256 + 1
        local l = packed[at + 1] % 16 + packed[at + 2] * 16 + MIN
        at = at + 3
        for _ = 1, l do
          m = m + 1
          out[m] = out[m - d]
        end
      else
        m = m + 1
        out[m] = packed[at]
        at = at + 1
      end
      flag = floor(flag / 2)
    end
  end
  local same = m == len
  for k = 1, len do
    if out[k] ~= data[k] then same = false end
  end

  -- the dictionary coder, over strings
  local codes, next_code = {}, 256
  for c = 0, 255 do codes[char(c)] = c end
  local result, w = {}, ""
  for k = 1, len do
    local c = sub(text, k, k)
    local wc = w .. c
    if codes[wc] then
      w = wc
    else
      result[#result + 1] = codes[w]
      if next_code < 4096 then
        codes[wc] = next_code
        next_code = next_code + 1
      end
      w = c
    end
  end
  if w ~= "" then result[#result + 1] = codes[w] end
  local strings, top = {}, 256
  for c = 0, 255 do strings[c] = char(c) end
  local old = strings[result[1]]
  local pieces = { old }
  for k = 2, #result do
    local entry = strings[result[k]] or (old .. sub(old, 1, 1))
    pieces[k] = entry
    if top < 4096 then
      strings[top] = old .. sub(entry, 1, 1)
      top = top + 1
    end
    old = entry
  end

  local check = 0
  for k = 1, size do check = (check * 13 + packed[k]) % 1000003 end
  for k = 1, #result do check = (check * 7 + result[k]) % 1000003 end
  return string.format("%d>%d %s lit %d copy %d; codes %d top %d %s; %d", len, size, tostring(same), literals, copies, #result, top,
    tostring(table.concat(pieces) == text), check)
end
