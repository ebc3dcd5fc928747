-- A writer and a parser of JSON, byte by byte: a document is made, written, read, and written again.
-- args: 500
-- quick: 5
local byte, sub, char, concat = string.byte, string.sub, string.char, table.concat

local QUOTE, BACKSLASH, COMMA, COLON = byte('"'), byte("\\"), byte(","), byte(":")
local OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT = byte("["), byte("]"), byte("{"), byte("}")
local ZERO, NINE, MINUS, PLUS, DOT, SMALL_E, LARGE_E = byte("0"), byte("9"), byte("-"), byte("+"), byte("."), byte("e"), byte("E")

local escapes = { [QUOTE] = '\\"', [BACKSLASH] = "\\\\", [10] = "\\n", [9] = "\\t", [13] = "\\r" }
local unescapes = { [byte("n")] = "\n", [byte("t")] = "\t", [byte("r")] = "\r" }

local function write_string(out, s)
  local begin = 1
  out[#out + 1] = '"'
  for i = 1, #s do
    local escape = escapes[byte(s, i)]
    if escape then
      out[#out + 1] = sub(s, begin, i - 1)
      out[#out + 1] = escape
      begin = i + 1
    end
  end
  out[#out + 1] = sub(s, begin)
  out[#out + 1] = '"'
end

-- Objects say the order of their keys, so that what is written is always the same.
local function write(out, value)
  local kind = type(value)
  if kind == "string" then write_string(out, value)
  elseif kind == "number" then out[#out + 1] = string.format("%.14g", value)
  elseif kind == "boolean" then out[#out + 1] = value and "true" or "false"
  elseif value == nil then out[#out + 1] = "null"
  elseif value.keys then
    out[#out + 1] = "{"
    for i, key in ipairs(value.keys) do
      if i > 1 then out[#out + 1] = "," end
      write_string(out, key)
      out[#out + 1] = ":"
      write(out, value.fields[key])
    end
    out[#out + 1] = "}"
  else
    out[#out + 1] = "["
    for i = 1, value.length do
      if i > 1 then out[#out + 1] = "," end
      write(out, value[i])
    end
    out[#out + 1] = "]"
  end
end

local Parser = {}
Parser.__index = Parser

function Parser:fail(what) error({ what = what, at = self.at }) end

function Parser:skip()
  local text, at = self.text, self.at
  local c = byte(text, at)
  while c == 32 or c == 10 or c == 13 or c == 9 do
    at = at + 1
    c = byte(text, at)
  end
  self.at = at
  return c
end

function Parser:expect(c, what)
  if self:skip() ~= c then self:fail(what .. " expected") end
  self.at = self.at + 1
end

function Parser:word(word, value)
  for i = 1, #word do
    if byte(self.text, self.at + i - 1) ~= byte(word, i) then self:fail("a value expected") end
  end
  self.at = self.at + #word
  return value
end

function Parser:string()
  self:expect(QUOTE, "a string")
  local text, begin, at = self.text, self.at, self.at
  local pieces
  while true do
    local c = byte(text, at)
    if not c then self:fail("the string does not end") end
    if c == QUOTE then break end
    if c == BACKSLASH then
      pieces = pieces or {}
      pieces[#pieces + 1] = sub(text, begin, at - 1)
      local escaped = byte(text, at + 1)
      pieces[#pieces + 1] = unescapes[escaped] or char(escaped)
      at = at + 2
      begin = at
    else
      at = at + 1
    end
  end
  self.at = at + 1
  local last = sub(text, begin, at - 1)
  if not pieces then return last end
  pieces[#pieces + 1] = last
  return concat(pieces)
end

function Parser:number()
  local text, at = self.text, self.at
  local begin = at
  local integer, whole = 0, true
  local c = byte(text, at)
  local negative = c == MINUS
  if negative then at = at + 1; c = byte(text, at) end
  while c and (c >= ZERO and c <= NINE or c == DOT or c == SMALL_E or c == LARGE_E or c == PLUS or c == MINUS) do
    if c >= ZERO and c <= NINE then integer = integer * 10 + (c - ZERO) else whole = false end
    at = at + 1
    c = byte(text, at)
  end
  self.at = at
  if whole then return negative and -integer or integer end
  return tonumber(sub(text, begin, at - 1)) or self:fail("a number expected")
end

function Parser:list()
  self.at = self.at + 1
  local out, length = {}, 0
  if self:skip() == CLOSE_LIST then
    self.at = self.at + 1
  else
    repeat
      length = length + 1
      out[length] = self:value()
      local c = self:skip()
      self.at = self.at + 1
      if c ~= COMMA and c ~= CLOSE_LIST then self:fail("`,` or `]` expected") end
    until c == CLOSE_LIST
  end
  out.length = length
  return out
end

function Parser:object()
  self.at = self.at + 1
  local keys, fields = {}, {}
  if self:skip() == CLOSE_OBJECT then
    self.at = self.at + 1
  else
    repeat
      self:skip()
      local key = self:string()
      self:expect(COLON, "`:`")
      keys[#keys + 1] = key
      fields[key] = self:value()
      local c = self:skip()
      self.at = self.at + 1
      if c ~= COMMA and c ~= CLOSE_OBJECT then self:fail("`,` or `}` expected") end
    until c == CLOSE_OBJECT
  end
  return { keys = keys, fields = fields }
end

function Parser:value()
  local c = self:skip()
  if c == QUOTE then return self:string()
  elseif c == OPEN_OBJECT then return self:object()
  elseif c == OPEN_LIST then return self:list()
  elseif c == byte("t") then return self:word("true", true)
  elseif c == byte("f") then return self:word("false", false)
  elseif c == byte("n") then return self:word("null", nil)
  elseif c then return self:number() end
  self:fail("a value expected")
end

local function parse(text)
  local parser = setmetatable({ text = text, at = 1 }, Parser)
  local value = parser:value()
  if parser:skip() then parser:fail("the end expected") end
  return value
end

local function document(n)
  local list = { length = n }
  for i = 1, n do
    list[i] = {
      keys = { "id", "name", "position", "tags", "open", "nothing", "nested" },
      fields = {
        id = i * 17, name = "thing \"" .. i .. "\"\n", position = { i / 8, -i * 2.5, i % 7, length = 3 },
        tags = { "a", "tag" .. i % 10, "path\\to", length = 3 }, open = i % 2 == 0,
        nested = { keys = { "depth", "more" }, fields = { depth = { i, length = 1 }, more = { length = 0 } } },
      },
    }
  end
  return list
end

local function written(value)
  local out = {}
  write(out, value)
  return concat(out)
end

return function(n)
  local text = written(document(n))
  local again = text
  for _ = 1, 3 do again = written(parse(again)) end
  local checksum = 0
  for i = 1, #text, 3 do checksum = (checksum * 31 + byte(again, i)) % 65521 end
  local ok, mistake = pcall(parse, sub(text, 1, #text - 1))
  return string.format("%d %s %d %s %s", #text, tostring(text == again), checksum, tostring(ok), mistake.what)
end
