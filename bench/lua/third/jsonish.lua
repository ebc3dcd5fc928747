-- JSON-like encoder and decoder: byte scanning, escapes, nested tables, pretty printing,
-- a deep comparison and a small query layer. Round-trips a generated company document.
-- args: 150
-- quick: 2

local json = { null = function() end }
local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t" }
local UNESCAPES = { n = "\n", t = "\t", ['"'] = '"', ["\\"] = "\\", ["/"] = "/" }

local function quoted(s)
  return '"' .. s:gsub('[%c"\\]', function(c) return ESCAPES[c] or string.format("\\u%04x", c:byte()) end) .. '"'
end

local function numeral(v)
  if v == math.floor(v) and math.abs(v) < 1e15 then return string.format("%d", v) end
  return string.format("%.6f", v)
end

local function write(value, out, indent, level)
  local kind = type(value)
  if kind == "string" then out[#out + 1] = quoted(value)
  elseif kind == "number" then out[#out + 1] = numeral(value)
  elseif kind ~= "table" then out[#out + 1] = value == json.null and "null" or tostring(value)
  else
    local isList, keys = #value > 0 or next(value) == nil, {}
    for k in pairs(value) do keys[#keys + 1] = k end
    if not isList then table.sort(keys) end
    local newline = indent and "\n" .. indent:rep(level + 1) or ""
    out[#out + 1] = isList and "[" or "{"
    for i = 1, #keys do
      out[#out + 1] = (i > 1 and "," or "") .. newline
      if not isList then out[#out + 1] = quoted(keys[i]) .. (indent and ": " or ":") end
      write(value[isList and i or keys[i]], out, indent, level + 1)
    end
    if indent and #keys > 0 then out[#out + 1] = "\n" .. indent:rep(level) end
    out[#out + 1] = isList and "]" or "}"
  end
end

function json.encode(value, indent)
  local out = {}
  write(value, out, indent, 0)
  return table.concat(out)
end

function json.decode(text)
  local pos, readValue = 1, nil
  local function fail(message) error({ message = message, at = pos }) end
  local function skip()
    local b = text:byte(pos)
    while b == 32 or b == 10 or b == 9 or b == 13 do
      pos = pos + 1
      b = text:byte(pos)
    end
    return b
  end

  local function readString()
    local parts, from = {}, pos + 1
    pos = from
    while text:byte(pos) ~= 34 do
      local b = text:byte(pos) or fail("unterminated string")
      if b == 92 then
        parts[#parts + 1] = text:sub(from, pos - 1)
        local c = text:sub(pos + 1, pos + 1)
        if c == "u" then
          parts[#parts + 1] = string.char(tonumber(text:sub(pos + 2, pos + 5), 16))
          pos = pos + 4
        else
          parts[#parts + 1] = UNESCAPES[c] or fail("bad escape")
        end
        from = pos + 2
        pos = pos + 1
      end
      pos = pos + 1
    end
    parts[#parts + 1] = text:sub(from, pos - 1)
    pos = pos + 1
    return table.concat(parts)
  end

  local function readContainer(closer, readItem)
    local result = {}
    pos = pos + 1
    while skip() ~= closer do
      readItem(result)
      if skip() == 44 then pos = pos + 1 elseif skip() ~= closer then fail("expected comma") end
    end
    pos = pos + 1
    return result
  end

  function readValue()
    local b = skip()
    if b == 123 then
      return readContainer(125, function(t)
        if skip() ~= 34 then fail("expected key") end
        local key = readString()
        if skip() ~= 58 then fail("expected colon") end
        pos = pos + 1
        t[key] = readValue()
      end)
    elseif b == 91 then
      return readContainer(93, function(t) t[#t + 1] = readValue() end)
    elseif b == 34 then return readString() end
    local word = text:match("^[%w%.%+%-]+", pos) or fail("unexpected character")
    pos = pos + #word
    if word == "true" then return true elseif word == "false" then return false end
    if word == "null" then return json.null end
    return tonumber(word) or fail("bad literal " .. word)
  end

  return readValue()
end

local function same(a, b)
  if type(a) ~= "table" or type(b) ~= "table" then return a == b end
  for k, v in pairs(a) do if not same(v, b[k]) then return false end end
  for k in pairs(b) do if a[k] == nil then return false end end
  return true
end

local function company(seed, size)
  local function rnd(k) seed = (seed * 16807) % 2147483647; return seed % k + 1 end
  local names, tags = { "Ana", "Bj\195\182rn", "Chen", 'Dee "D" Lee', "Ewa" }, { "new", "on\tleave", "C:\\tmp", "lead\n" }
  local staff = {}
  for i = 1, size do
    local person = { id = i, name = names[rnd(#names)], salary = rnd(9000) + rnd(4) / 4, active = rnd(3) > 1, tags = {} }
    for t = 1, rnd(4) - 1 do person.tags[t] = tags[rnd(#tags)] end
    person.manager = i > 3 and { id = rnd(i - 1), since = { year = 1990 + rnd(30) } } or json.null
    staff[i] = person
  end
  return { title = "Staff list", staff = staff, offsets = { -1, 0, 2.5 }, empty = {} }
end

return function(n)
  local sum, salaries = 1, 0
  for round = 1, n do
    local original = company(round, 12)
    local compact = json.encode(original)
    local pretty = json.encode(json.decode(compact), "  ")
    local final = json.decode(pretty)
    if not same(original, final) then error("round trip failed") end
    for i = 1, #pretty, 3 do sum = (sum * 31 + pretty:byte(i)) % 1000000007 end
    for _, p in ipairs(final.staff) do if p.active then salaries = salaries + p.salary end end
    local ok, err = pcall(json.decode, compact:sub(1, 40 + round))
    if not ok then sum = sum + err.at + #err.message end
  end
  return string.format("%d %.6f", sum, salaries)
end
