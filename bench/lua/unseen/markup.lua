-- A formatter for a small markup: headings, lists, quotes, code and paragraphs with emphasis become wrapped and justified plain text.
-- A table of block handlers by the first sign of a line; everything by byte and sub.
-- args: 44
-- quick: 1
local function trim(s)
  local i, j = 1, #s
  while i <= j and s:byte(i) == 32 do i = i + 1 end
  while j >= i and s:byte(j) == 32 do j = j - 1 end
  return s:sub(i, j)
end

local function split(s, separator)
  local list, from = {}, 1
  for i = 1, #s do
    if s:sub(i, i) == separator then
      list[#list + 1] = s:sub(from, i - 1)
      from = i + 1
    end
  end
  list[#list + 1] = s:sub(from)
  return list
end

local function starts(s, prefix) return s:sub(1, #prefix) == prefix end

-- *bold* is written large, _slanted_ with spaces kept together, `code` in quotes, [text](place) with a number of a note
local function inline(s, notes)
  local out, i, bold = {}, 1, false
  while i <= #s do
    local c = s:sub(i, i)
    if c == "*" then
      bold = not bold
    elseif c == "`" then
      out[#out + 1] = "'"
    elseif c == "[" then
      local j = i + 1
      while j <= #s and s:sub(j, j) ~= "]" do j = j + 1 end
      local k = j + 2
      while k <= #s and s:sub(k, k) ~= ")" do k = k + 1 end
      notes[#notes + 1] = s:sub(j + 2, k - 1)
      out[#out + 1] = s:sub(i + 1, j - 1) .. "^" .. #notes
      i = k
    elseif c == "_" then
      out[#out + 1] = "~"
    else
      out[#out + 1] = bold and c:upper() or c
    end
    i = i + 1
  end
  return table.concat(out)
end

local function fill(words, width, justify)
  local lines, line, used = {}, {}, 0
  local function flush(is_last)
    if #line == 0 then return end
    local gaps = #line - 1
    local spare = width - used - gaps
    if justify and not is_last and gaps > 0 and spare > 0 then
      local text = ""
      for k, w in ipairs(line) do
        text = text .. w
        if k <= gaps then
          local more = math.floor(spare * k / gaps) - math.floor(spare * (k - 1) / gaps)
          text = text .. (" "):rep(1 + more)
        end
      end
      lines[#lines + 1] = text
    else
      lines[#lines + 1] = table.concat(line, " ")
    end
    line, used = {}, 0
  end
  for _, w in ipairs(words) do
    if w ~= "" then
      while #w > width do                          -- a word longer than a line is cut
        flush(true)
        lines[#lines + 1] = w:sub(1, width - 1) .. "-"
        w = w:sub(width)
      end
      if used + #w + #line > width then flush(false) end
      line[#line + 1] = w
      used = used + #w
    end
  end
  flush(true)
  return lines
end

local function format(source, width)
  local out, notes, paragraph = {}, {}, {}
  local counters = { 0, 0, 0 }
  local in_code = false
  local stats = { headings = 0, items = 0, quotes = 0, code = 0, paragraphs = 0 }

  local function add(lines, first, rest)
    for k, l in ipairs(lines) do out[#out + 1] = (k == 1 and first or rest or "") .. l end
  end
  local function close()
    if #paragraph > 0 then
      add(fill(split(inline(table.concat(paragraph, " "), notes), " "), width, true), "", "")
      out[#out + 1] = ""
      paragraph = {}
      stats.paragraphs = stats.paragraphs + 1
    end
  end

  local handlers = {
    ["#"] = function(l)
      local level = 1
      while l:sub(level + 1, level + 1) == "#" do level = level + 1 end
      counters[level] = counters[level] + 1
      for k = level + 1, 3 do counters[k] = 0 end
      local number = table.concat(counters, ".", 1, level)
      local title = number .. " " .. inline(trim(l:sub(level + 1)), notes)
      add({ title, ("=-."):sub(level, level):rep(#title) }, "", "")
      stats.headings = stats.headings + 1
    end,
    ["-"] = function(l, indent)
      local pad = (" "):rep(indent)
      add(fill(split(inline(trim(l:sub(2)), notes), " "), width - indent - 2), pad .. "o ", pad .. "  ")
      stats.items = stats.items + 1
    end,
    [">"] = function(l)
      add(fill(split(inline(trim(l:sub(2)), notes), " "), width - 4, true), "  | ", "  | ")
      stats.quotes = stats.quotes + 1
    end,
  }

  for _, raw in ipairs(split(source, "\n")) do
    local l = trim(raw)
    if starts(l, "```") then
      close()
      in_code = not in_code
    elseif in_code then
      out[#out + 1] = "    " .. raw
      stats.code = stats.code + 1
    elseif l == "" then
      close()
    else
      local h = handlers[l:sub(1, 1)]
      if h then
        close()
        local indent = 0
        while raw:byte(indent + 1) == 32 do indent = indent + 1 end
        h(l, indent)
      else
        paragraph[#paragraph + 1] = l
      end
    end
  end
  close()
  for k, note in ipairs(notes) do out[#out + 1] = string.format("%3d. %s", k, note) end
  return out, stats
end

local bits = { "the *quick* brown fox", "a [link](http://place/%d) to it", "with `code %d` inside", "_very slow_ turtles,", "numbers such as %d",
  "Donaudampfschiffahrtsgesellschaft", "and *two bold* things.", "or not?" }

local function write(n)
  local lines, seed = {}, 21
  local function some(k)
    local t = {}
    for i = 1, k do
      seed = (seed * 421 + 1663) % 7875
      t[i] = string.format(bits[seed % #bits + 1], seed)
    end
    return table.concat(t, " ")
  end
  local function put(s) lines[#lines + 1] = s end
  for section = 1, n do
    put((section % 4 == 1 and "#" or "##") .. " Section " .. some(1))
    put(some(6)); put(some(5)); put("")
    for item = 1, 4 do put((" "):rep(item % 3 * 2) .. "- " .. some(4)) end
    put("> " .. some(7))
    put("```"); put("for i = 1, " .. section .. " do"); put("  *not bold*"); put("```")
    put(some(9))
    put("")
  end
  return table.concat(lines, "\n")
end

return function(n)
  local source = write(n * 2)
  local sums, st, longest = {}, nil, 0
  for k, width in ipairs({ 30, 48, 72 }) do
    local lines, stats = format(source, width)
    local sum = 0
    for i, l in ipairs(lines) do
      if #l > longest then longest = #l end
      for j = 1, #l, 3 do sum = (sum * 3 + l:byte(j) + i) % 1000003 end
    end
    sums[k] = #lines .. "/" .. sum
    st = stats
  end
  return table.concat({ table.concat(sums, " "), st.headings, st.items, st.quotes, st.code, st.paragraphs, longest }, " ")
end
