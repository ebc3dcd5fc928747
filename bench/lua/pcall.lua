-- Errors: pcall of functions that end well, that raise tables and strings, directly and from below, and that the language raises.
-- args: 250000
-- quick: 300
local function checked(x)
  if x % 4 == 0 then error({ code = x % 7 }) end
  return x
end

local function deep(depth, x)
  if depth == 0 then
    if x % 3 == 0 then error("too deep", 0) end
    return x
  end
  return deep(depth - 1, x) + 1
end

local function wrong(t)
  return t.field.field
end

return function(n)
  local good, codes, texts, language = 0, 0, 0, 0
  for i = 1, n do
    local ok, value = pcall(checked, i)
    if ok then good = good + value % 3 else codes = codes + value.code end
  end
  for i = 1, n / 4 do
    local ok, value = pcall(deep, 5, i)
    if ok then good = good + value % 3 elseif value == "too deep" then texts = texts + 1 end
  end
  for i = 1, n / 16 do
    if not pcall(wrong, {}) then language = language + 1 end
    -- An error is passed on.
    local ok, value = pcall(function()
      local inner, what = pcall(error, i)
      if not inner then error(what + 1, 0) end
    end)
    if not ok then codes = codes + value % 5 end
  end
  return string.format("%d %d %d %d", good, codes, texts, language)
end
