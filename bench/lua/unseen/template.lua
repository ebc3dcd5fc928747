-- Templates with holes, conditions, loops, filters and partials are compiled to closures that write into a string builder; builders join
-- with .. and are compared.
-- args: 420
-- quick: 1
-- the builder: pieces in a rope-like array that is joined when it grows long
local Builder = {}
Builder.__index = Builder
setmetatable(Builder, { __call = function(class, ...)
  local b = setmetatable({ pieces = {}, length = 0, joins = 0 }, class)
  return b:add(...)
end })
function Builder:add(...)
  for i = 1, select("#", ...) do
    local s = tostring((select(i, ...)))
    self.pieces[#self.pieces + 1] = s
    self.length = self.length + #s
  end
  if #self.pieces > 60 then
    self.pieces = { table.concat(self.pieces) }
    self.joins = self.joins + 1
  end
  return self
end
function Builder.__concat(a, b) return Builder(a, b) end
function Builder.__tostring(b) return table.concat(b.pieces) end
function Builder.__eq(a, b) return tostring(a) == tostring(b) end

-- filters take a value and perhaps an argument
local filters = {
  upper = string.upper,
  lower = string.lower,
  money = function(v) return string.format("%.2f", v) end,
  pad = function(v, width) return string.rep(" ", (tonumber(width) or 8) - #tostring(v)) .. tostring(v) end,
  cut = function(v, k)
    k = tonumber(k) or 10
    if #v <= k then return v end
    return v:sub(1, k - 2) .. ".."
  end,
  escape = function(v)
    local out = {}
    for i = 1, #v do
      local c = v:sub(i, i)
      if c == "<" then c = "&lt;" elseif c == ">" then c = "&gt;" elseif c == "&" then c = "&amp;" end
      out[i] = c
    end
    return table.concat(out)
  end,
}

local function split(text, sep)
  local parts, from, at, first = {}, 1, 1, sep:byte()
  while at <= #text do
    if text:byte(at) == first and (#sep == 1 or text:sub(at, at + #sep - 1) == sep) then
      parts[#parts + 1] = text:sub(from, at - 1)
      at = at + #sep
      from = at
    else
      at = at + 1
    end
  end
  parts[#parts + 1] = text:sub(from)
  return parts
end

local function lookup(path)
  local names = split(path, ".")
  return function(scope)
    local v = scope
    for i = 1, #names do
      if type(v) ~= "table" then return nil end
      v = v[names[i]]
    end
    return v
  end
end

local function hole(text)
  local parts = split(text, "|")
  local get = lookup(parts[1])
  local chain = {}
  for i = 2, #parts do
    local f = split(parts[i], ":")
    local fn, arg = filters[f[1]], f[2]
    if not fn then error("no filter " .. f[1], 0) end
    chain[#chain + 1] = arg and function(v) return fn(v, arg) end or fn
  end
  return function(scope, out)
    local v = get(scope)
    if v == nil then v = "" end
    for i = 1, #chain do v = chain[i](v) end
    out:add(v)
  end
end

local function sequence(steps)
  local n = #steps
  return function(scope, out)
    for i = 1, n do steps[i](scope, out) end
  end
end

local function inner(scope, extra)
  return setmetatable(extra, { __index = scope })
end

local Template = { partials = {} }

function Template.compile(source)
  local tokens = {}
  for i, chunk in ipairs(split(source, "{{")) do
    if i == 1 then
      tokens[#tokens + 1] = { "text", chunk }
    else
      local pieces = split(chunk, "}}")
      if #pieces ~= 2 then error("unbalanced braces", 0) end
      tokens[#tokens + 1] = { "code", pieces[1] }
      tokens[#tokens + 1] = { "text", pieces[2] }
    end
  end
  local at = 1
  local function block(...)
    local stops = { ... }
    local steps = {}
    while tokens[at] do
      local kind, text = tokens[at][1], tokens[at][2]
      at = at + 1
      if kind == "text" then
        if text ~= "" then steps[#steps + 1] = function(_, out) out:add(text) end end
      else
        local words = split(text, " ")
        local first = words[1]
        for _, stop in ipairs(stops) do
          if first == stop then return sequence(steps), stop end
        end
        if first == "if" then
          local get = lookup(words[2])
          local yes, how = block("else", "end")
          local no = how == "else" and block("end") or function() end
          steps[#steps + 1] = function(scope, out)
            local v = get(scope)
            if v and v ~= 0 and v ~= "" then yes(scope, out) else no(scope, out) end
          end
        elseif first == "for" then
          local name, get = words[2], lookup(words[4])
          local body = block("end")
          steps[#steps + 1] = function(scope, out)
            local items = get(scope) or {}
            for i, item in ipairs(items) do
              body(inner(scope, { [name] = item, index = i, last = i == #items }), out)
            end
          end
        elseif first == "use" then
          steps[#steps + 1] = function(scope, out) Template.partials[words[2]](scope, out) end
        else
          steps[#steps + 1] = hole(text)
        end
      end
    end
    if #stops > 0 then error("a block is not closed", 0) end
    return sequence(steps)
  end
  return (block())
end

local page = [[
<h1>{{shop.name|upper}}</h1>
{{for order in orders}}{{use header}}
{{for line in order.lines}}  {{index|pad:3}} {{line.what|escape|cut:16}} {{line.count|pad:4}} x {{line.price|money|pad:8}}{{use note}}
{{end}}{{if order.paid}}PAID{{else}}open: {{order.total|money}}{{if last}} - the end{{end}}{{end}}
{{end}}]]

return function(n)
  Template.partials.header = Template.compile("#{{order.id}} {{order.customer.name|escape}} of {{order.customer.town}}{{shop.missing}}")
  Template.partials.note = Template.compile("{{if line.note}} ({{line.note|lower}}){{end}}")
  local render = Template.compile(page)
  local towns = { "Ulm", "<Rome>", "Oslo & Bergen" }
  local data = { shop = { name = "nuts & bolts" }, orders = {} }
  for i = 1, n do
    local order = { id = i, customer = { name = "Mr. " .. string.char(65 + i % 26), town = towns[i % 3 + 1] }, lines = {}, total = 0 }
    order.paid = i % 4 == 0
    for k = 1, i % 5 + 1 do
      local line = { what = (k % 2 == 0 and "hexagonal <bolt>" or "nut") .. " M" .. k, count = i * k % 13, price = k * 1.25 + i % 7 }
      if k % 3 == 0 then line.note = "On Demand" end
      order.lines[k] = line
      order.total = order.total + line.count * line.price
    end
    data.orders[i] = order
  end
  local out, again = Builder(), Builder("")
  for _ = 1, 3 do render(data, out) end
  for _ = 1, 3 do
    local one = Builder()
    render(data, one)
    again = again .. one
  end
  local text, sum = tostring(out), 0
  for i = 1, #text do sum = (sum * 3 + text:byte(i)) % 1000003 end
  local problems = {}
  for i, bad in ipairs({ "{{if x}}", "{{x|nope}}", "a}}b{{", "{{for a in b}}{{end}}ok" }) do
    local ok, e = pcall(Template.compile, bad)
    problems[i] = ok and "fine" or e
  end
  return string.format("%d %d %d %s %s %s", out.length, sum, out.joins, tostring(out == again), table.concat(problems, ","), text:sub(1, 21))
end
