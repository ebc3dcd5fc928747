-- Regular expressions: the parser returns builder closures which make a graph of NFA
-- states, and two engines run it: a backtracking one and one that keeps a list of states.
-- args: 1000
-- quick: 4

local classes = { d = "0-9", w = "a-zA-Z0-9_", s = " \t" }

local function char_set(body)
  local set, negate = {}, body:sub(1, 1) == "^"
  local i = negate and 2 or 1
  while i <= #body do
    local first, last = body:match("^(.)%-(.)", i)
    if not first then first, last = body:sub(i, i), body:sub(i, i) end
    i = body:find("^.%-.", i) and i + 3 or i + 1
    for code = first:byte(), last:byte() do set[string.char(code)] = true end
  end
  return function(after) return { op = "set", set = set, negate = negate, out = after } end
end

local function repeated(mark, inner)
  return function(after)
    local fork = { op = "split", other = after }
    fork.out = inner(mark == "?" and after or fork)
    return mark == "+" and fork.out or fork
  end
end

local function parse(src)
  local pos = 1
  local alternation
  local function peek() return src:sub(pos, pos) end
  local function take()
    pos = pos + 1
    return src:sub(pos - 1, pos - 1)
  end

  local function atom()
    local c = take()
    if c == "(" then
      local inner = alternation()
      assert(take() == ")", "missing )")
      return inner
    elseif c == "[" then
      local stop = assert(src:find("]", pos, true), "missing ]")
      local body = src:sub(pos, stop - 1)
      pos = stop + 1
      return char_set(body)
    elseif c == "." then
      return char_set("^\n")
    elseif c == "\\" then
      c = take()
    end
    return char_set(src:sub(pos - 2, pos - 2) == "\\" and classes[c] or c)
  end

  local function sequence()
    local items = {}
    while not peek():find("^[|)]") and peek() ~= "" do
      local item = atom()
      while peek():find("[*+?]") do item = repeated(take(), item) end
      items[#items + 1] = item
    end
    return function(after)
      for i = #items, 1, -1 do after = items[i](after) end
      return after
    end
  end

  function alternation()
    local left = sequence()
    if peek() ~= "|" then return left end
    take()
    local right = alternation()
    return function(after) return { op = "split", out = left(after), other = right(after) } end
  end

  return alternation()({ op = "match" })
end

local function accepts(state, c)
  return c ~= "" and (state.set[c] or false) ~= state.negate
end

-- returns the position behind the match, or nil
local function backtrack(state, s, at)
  while state.op ~= "match" do
    if state.op == "split" then
      local stop = backtrack(state.out, s, at)
      if stop then return stop end
      state = state.other
    else
      if not accepts(state, s:sub(at, at)) then return nil end
      state, at = state.out, at + 1
    end
  end
  return at
end

-- longest match from a position, all alternatives in step
local function simulate(start, s, at)
  local best
  local function spawn(list, seen, state)
    if seen[state] then return end
    seen[state] = true
    if state.op == "split" then
      spawn(list, seen, state.out)
      spawn(list, seen, state.other)
    elseif state.op == "match" then best = at
    else list[#list + 1] = state end
  end
  local current = {}
  spawn(current, {}, start)
  while #current > 0 do
    local following, seen, c = {}, {}, s:sub(at, at)
    at = at + 1
    for _, state in ipairs(current) do
      if accepts(state, c) then spawn(following, seen, state.out) end
    end
    current = following
  end
  return best
end

local patterns = {
  "\\d+", "[a-z]+@[a-z]+\\.(com|org|net)", "(ab|a)(bc|c)?", "\\w+\\s\\w+",
  "x*y+z?", "[^aeiou ]+", "\\d\\d?:\\d\\d( am| pm)?", "(a|b)*abb",
}
local words = {
  "mail", "joe@site.org", "abbc", "12:30 pm", "xxyyz", "aabb", "babb", "queue",
  "7:05", "nobody@nowhere.net", "rhythm", "2048", "abc", "x", "ann@lab", "zzz",
}

return function(n)
  local seed, parts, sum = 5, {}, 0
  for i = 1, n do
    seed = (seed * 421 + 1663) % 7875
    parts[i] = words[seed % #words + 1]
  end
  local text = table.concat(parts, " ")
  for index, src in ipairs(patterns) do
    local start = parse(src)
    for at = 1, #text do
      local a, b = backtrack(start, text, at), simulate(start, text, at)
      assert((a == nil) == (b == nil) and (not a or a <= b))
      if b then sum = (sum * 5 + a * index + b) % 1000000007 end
    end
  end
  return string.format("%d", sum)
end
