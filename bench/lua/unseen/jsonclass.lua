-- Reads and writes JSON by a Parser and a Writer class; the document is a made-up catalogue, which is read, changed, written and read again.
-- Every object gets its own metatable in the constructor.
-- args: 1100
-- quick: 1
local NULL = setmetatable({}, { __tostring = function() return "null" end })

local Parser = {}
function Parser.new(source)
  local self = setmetatable({}, { __index = Parser })
  self.source = source
  self.pos = 1
  self.depth = 0
  self.maxDepth = 0
  return self
end

function Parser:fail(what)
  error({ message = what, at = self.pos }, 0)
end

function Parser:peek()
  local src = self.source
  local c = src:sub(self.pos, self.pos)
  while c == " " or c == "\n" or c == "\t" do
    self.pos = self.pos + 1
    c = src:sub(self.pos, self.pos)
  end
  return c
end

function Parser:expect(text)
  if self.source:sub(self.pos, self.pos + #text - 1) ~= text then self:fail("expected " .. text) end
  self.pos = self.pos + #text
end

function Parser:value()
  local c = self:peek()
  if c == "{" then return self:object()
  elseif c == "[" then return self:array()
  elseif c == '"' then return self:string()
  elseif c == "t" then self:expect("true"); return true
  elseif c == "f" then self:expect("false"); return false
  elseif c == "n" then self:expect("null"); return NULL
  elseif c == "-" or (c >= "0" and c <= "9") then return self:number()
  end
  self:fail("unexpected " .. (c == "" and "end" or c))
end

function Parser:enter()
  self.depth = self.depth + 1
  if self.depth > self.maxDepth then self.maxDepth = self.depth end
  self.pos = self.pos + 1
end

function Parser:object()
  self:enter()
  local result, order = {}, {}
  result[1] = order                     -- the order of the keys, so that writing is the same everywhere
  if self:peek() ~= "}" then
    repeat
      if self:peek() ~= '"' then self:fail("expected a key") end
      local key = self:string()
      self:peek()
      self:expect(":")
      if result[key] == nil then order[#order + 1] = key end
      result[key] = self:value()
      local c = self:peek()
      if c == "," then self.pos = self.pos + 1 end
    until c ~= ","
  end
  self:expect("}")
  self.depth = self.depth - 1
  return { kind = "object", fields = result }
end

function Parser:array()
  self:enter()
  local items = {}
  if self:peek() ~= "]" then
    while true do
      items[#items + 1] = self:value()
      if self:peek() ~= "," then break end
      self.pos = self.pos + 1
    end
  end
  self:expect("]")
  self.depth = self.depth - 1
  return { kind = "array", items = items }
end

local escapes = { n = "\n", t = "\t", ['"'] = '"', ["\\"] = "\\", ["/"] = "/" }
function Parser:string()
  local src, pos = self.source, self.pos + 1
  local parts, start = {}, pos
  while true do
    local b = src:byte(pos)
    if b == nil then self:fail("open string") end
    if b == 34 then break end
    if b == 92 then
      parts[#parts + 1] = src:sub(start, pos - 1)
      local e = escapes[src:sub(pos + 1, pos + 1)]
      if not e then self.pos = pos; self:fail("bad escape") end
      parts[#parts + 1] = e
      pos = pos + 2
      start = pos
    else
      pos = pos + 1
    end
  end
  parts[#parts + 1] = src:sub(start, pos - 1)
  self.pos = pos + 1
  return table.concat(parts)
end

function Parser:number()
  local src, start = self.source, self.pos
  local pos = start
  while true do
    local b = src:byte(pos)
    if b and (b >= 48 and b <= 57 or b == 45 or b == 43 or b == 46 or b == 101) then pos = pos + 1 else break end
  end
  self.pos = pos
  local n = tonumber(src:sub(start, pos - 1))
  if n == nil then self:fail("bad number") end
  return n
end

local Writer = {}
function Writer.new(indent)
  local self = { out = {}, level = 0, indent = indent or false }
  return setmetatable(self, { __index = Writer })
end
function Writer:put(s) self.out[#self.out + 1] = s end
function Writer:newline()
  if self.indent then self:put("\n" .. string.rep(self.indent, self.level)) end
end
function Writer:quoted(s)
  self:put('"')
  for i = 1, #s do
    local c = s:sub(i, i)
    if c == '"' or c == "\\" then self:put("\\" .. c)
    elseif c == "\n" then self:put("\\n")
    elseif c == "\t" then self:put("\\t")
    else self:put(c) end
  end
  self:put('"')
end
function Writer:write(v)
  local t = type(v)
  if v == NULL or t == "boolean" then self:put(tostring(v))
  elseif t == "number" then
    if v == math.floor(v) then self:put(string.format("%d", v)) else self:put(string.format("%.4g", v)) end
  elseif t == "string" then self:quoted(v)
  elseif v.kind == "array" then
    self:put("[")
    self.level = self.level + 1
    for i, item in ipairs(v.items) do
      if i > 1 then self:put(",") end
      self:newline()
      self:write(item)
    end
    self.level = self.level - 1
    self:newline()
    self:put("]")
  else
    self:put("{")
    self.level = self.level + 1
    for i, key in ipairs(v.fields[1]) do
      if i > 1 then self:put(",") end
      self:newline()
      self:quoted(key)
      self:put(self.indent and ": " or ":")
      self:write(v.fields[key])
    end
    self.level = self.level - 1
    self:newline()
    self:put("}")
  end
end
function Writer:text() return table.concat(self.out) end

local function catalogue(n)
  local t = {}
  for i = 1, n do
    t[i] = '{"id": ' .. i .. ', "name": "item \\"' .. i .. '\\"", "price": ' .. string.format("%d.%02d", i % 90, i * 7 % 100)
      .. ', "tags": ["a", "b\\n' .. i % 5 .. '", {}, []], "old": ' .. (i % 3 == 0 and "true" or "null") .. ", \"size\": -1.5e" .. i % 3 .. " }"
  end
  return '{ "items": [' .. table.concat(t, ",\n\t") .. '], "count": ' .. n .. " }"
end

return function(n)
  local root = Parser.new(catalogue(n)):value()
  local total = 0
  for i, item in ipairs(root.fields.items.items) do
    local f = item.fields
    total = total + f.price * 100 + f.size * 10
    if f.old == true then f.name = f.name:upper() end
    if f.old == NULL and i % 2 == 0 then f.old = false end
  end
  local writer = Writer.new("  ")
  writer:write(root)
  local pretty = writer:text()
  local second = Parser.new(pretty)
  local again = second:value()
  writer = Writer.new()
  writer:write(again)
  local short = writer:text()
  local sum = 0
  for i = 1, #short do sum = (sum * 33 + short:byte(i)) % 1000003 end
  local failures = {}
  for cut = 1, 20 do
    local ok, e = pcall(function() return Parser.new(short:sub(1, cut * 7)):value() end)
    if not ok then failures[#failures + 1] = e.message .. "@" .. e.at end
  end
  return string.format("%d %d %d %d %.0f %s", #pretty, #short, sum, second.maxDepth, total, table.concat(failures, ";", 1, 6))
end
