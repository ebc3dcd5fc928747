-- A spreadsheet: formulas are parsed to trees, cells are worked out when looked at (through __index)
-- and forgotten when something is set (__newindex).
-- args: 600
-- quick: 1
local Sheet = {}

local functions = {
  SUM = function(list) local s = 0; for _, v in ipairs(list) do s = s + v end; return s end,
  MAX = function(list) return math.max(unpack and unpack(list) or table.unpack(list)) end,
  MIN = function(list) local m = list[1]; for i = 2, #list do if list[i] < m then m = list[i] end end; return m end,
  AVG = function(list) local s = 0; for _, v in ipairs(list) do s = s + v end; return s / #list end,
  COUNT = function(list) return #list end,
  IF = function(list) if list[1] ~= 0 then return list[2] else return list[3] or 0 end end,
}

local function name(col, row) return string.char(64 + col) .. row end

------------------------------------------------------------------ reading formulas
local function parser(text)
  local pos = 2                                    -- after the "="
  local expression

  local function letter(b) return b and b >= 65 and b <= 90 end
  local function digit(b) return b and b >= 48 and b <= 57 end
  local function accept(c)
    if text:sub(pos, pos) == c then pos = pos + 1; return true end
    return false
  end
  local function digits()
    local from = pos
    while digit(text:byte(pos)) or text:sub(pos, pos) == "." do pos = pos + 1 end
    return text:sub(from, pos - 1)
  end

  local function primary()
    if accept("(") then
      local e = expression()
      if not accept(")") then error("#PAREN", 0) end
      return e
    end
    if accept("-") then return { op = "neg", primary() } end
    if letter(text:byte(pos)) then
      local from = pos
      while letter(text:byte(pos)) do pos = pos + 1 end
      local word = text:sub(from, pos - 1)
      if accept("(") then
        local call = { op = "call", fn = functions[word] }
        if not call.fn then error("#NAME", 0) end
        repeat call[#call + 1] = expression() until not accept(",")
        accept(")")
        return call
      end
      local row = tonumber(digits())
      if accept(":") then
        local col2 = text:byte(pos) - 64
        pos = pos + 1
        return { op = "range", word:byte() - 64, row, col2, tonumber(digits()) }
      end
      return { op = "cell", word .. row }
    end
    local d = digits()
    if d == "" then error("#SYNTAX", 0) end
    return { op = "num", tonumber(d) }
  end

  local function product()
    local left = primary()
    while true do
      if accept("*") then left = { op = "*", left, primary() }
      elseif accept("/") then left = { op = "/", left, primary() }
      else return left end
    end
  end
  local function sum()
    local left = product()
    while true do
      if accept("+") then left = { op = "+", left, product() }
      elseif accept("-") then left = { op = "-", left, product() }
      else return left end
    end
  end
  function expression()
    local left = sum()
    if accept("<") then return { op = "<", left, sum() } end
    if accept(">") then return { op = "<", sum(), left } end
    return left
  end
  return expression()
end

------------------------------------------------------------------ working out
local function evaluate(node, sheet)
  local op = node.op
  if op == "num" then return node[1]
  elseif op == "cell" then return sheet[node[1]]
  elseif op == "neg" then return -evaluate(node[1], sheet)
  elseif op == "call" then
    local list = {}
    for i = 1, #node do
      local arg = node[i]
      if arg.op == "range" then
        for row = arg[2], arg[4] do
          for col = arg[1], arg[3] do list[#list + 1] = sheet[name(col, row)] end
        end
      else
        list[#list + 1] = evaluate(arg, sheet)
      end
    end
    return node.fn(list)
  end
  local a, b = evaluate(node[1], sheet), evaluate(node[2], sheet)
  if op == "+" then return a + b
  elseif op == "-" then return a - b
  elseif op == "*" then return a * b
  elseif op == "/" then
    if b == 0 then error("#DIV", 0) end
    return a / b
  end
  return a < b and 1 or 0
end

function Sheet.new()
  local texts, trees, values, users, busy = {}, {}, {}, {}, {}
  local stats = { evaluated = 0, forgotten = 0 }
  local stack = {}
  local proxy = {}

  local function forget(cell)
    values[cell] = nil
    local list = users[cell]
    if list then
      users[cell] = nil
      for user in pairs(list) do
        if values[user] ~= nil then
          stats.forgotten = stats.forgotten + 1
          forget(user)
        end
      end
    end
  end

  local meta = {
    __index = function(_, cell)
      local reader = stack[#stack]
      if reader then
        users[cell] = users[cell] or {}
        users[cell][reader] = true
      end
      local v = values[cell]
      if v ~= nil then return v end
      if busy[cell] then error("#CYCLE", 0) end
      local tree = trees[cell]
      if not tree then return 0 end
      busy[cell] = true
      stack[#stack + 1] = cell
      local ok, result = pcall(evaluate, tree, proxy)
      stack[#stack] = nil
      busy[cell] = nil
      if not ok then error(result, 0) end
      stats.evaluated = stats.evaluated + 1
      values[cell] = result
      return result
    end,
    __newindex = function(_, cell, text)
      forget(cell)
      texts[cell] = text
      trees[cell] = nil
      if type(text) == "number" then values[cell] = text
      elseif text:sub(1, 1) == "=" then trees[cell] = parser(text)
      else values[cell] = tonumber(text) or #text end
    end,
    __call = function() return stats, texts end,
  }
  return setmetatable(proxy, meta)
end

return function(n)
  local s = Sheet.new()
  local rows = 12
  for row = 1, rows do
    s["A" .. row] = row * 3 % 7
    s["B" .. row] = tostring(row / 2)
    s["C" .. row] = row == 1 and "=A1*B1" or string.format("=C%d+A%d*B%d", row - 1, row, row)
    s["D" .. row] = string.format("=IF(A%d<4,SUM(A1:B%d),MAX(C1:C%d)-MIN(A%d,B%d)*2)", row, row, row, row, row)
    s["E" .. row] = string.format("=(D%d+C%d)/(1+COUNT(A1:A%d))", row, row, row)
  end
  s.F1 = "=AVG(E1:E" .. rows .. ")"
  s.F2 = "=F1*2-SUM(D1:D" .. rows .. ")/-4"
  s.F3 = "=F4+1"
  s.F4 = "=F5*F3"
  s.F5 = "total"
  s.F6 = "=F1/F7"
  local total, errors = 0, {}
  for i = 1, n do
    s["A" .. (i % rows + 1)] = i % 9
    if i % 4 == 0 then s["B" .. (i % rows + 1)] = "=A1+" .. i % 5 .. ".5" end
    total = total + s.F2
    local ok, e = pcall(function() return s[i % 2 == 0 and "F3" or "F6"] end)
    if not ok then errors[e] = (errors[e] or 0) + 1 end
  end
  local ok, e = pcall(function() s.G1 = "=(1+2" end)
  local ok2, e2 = pcall(function() s.G1 = "=NOPE(1)" end)
  local stats, texts = s()
  return string.format("%.6f %.4f %d %d %d %d %s %s %s %s", total, s.C12, stats.evaluated, stats.forgotten,
    errors["#CYCLE"] or 0, errors["#DIV"] or 0,
    tostring(ok), e, e2, texts.F5)
end
