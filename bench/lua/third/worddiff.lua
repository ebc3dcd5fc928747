-- Compares texts: edit distance between words (a spelling corrector), the longest common
-- subsequence of two word lists, and a diff made from it, applied again as a patch.
-- args: 540
-- quick: 8

local vocabulary = {
  "garden", "kitchen", "window", "station", "letter", "winter", "summer", "bridge",
  "engine", "market", "doctor", "morning", "evening", "teacher", "picture", "weather",
  "journey", "village", "forest", "captain", "pocket", "number", "silver", "copper",
  "mountain", "question", "answer", "shoulder", "blanket", "castle",
}

local seed
local function random(limit)
  seed = seed * 16807 % 2147483647
  return seed % limit + 1
end

local function min3(a, b, c)
  if b < a then a = b end
  if c < a then a = c end
  return a
end

local function levenshtein(a, b)
  local previous = {}
  for j = 0, #b do previous[j] = j end
  for i = 1, #a do
    local current = { [0] = i }
    local ca = a:sub(i, i)
    for j = 1, #b do
      local cost = ca == b:sub(j, j) and 0 or 1
      current[j] = min3(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + cost)
    end
    previous = current
  end
  return previous[#b]
end

-- changes, drops or doubles one letter
local function misspell(word)
  local at, kind = random(#word), random(3)
  local head, letter, tail = word:sub(1, at - 1), word:sub(at, at), word:sub(at + 1)
  if kind == 1 then return head .. string.char(96 + random(26)) .. tail end
  if kind == 2 then return head .. tail end
  return head .. letter .. letter .. tail
end

local function correct(word)
  local best, distance
  for _, candidate in ipairs(vocabulary) do
    local d = levenshtein(word, candidate)
    if not distance or d < distance then best, distance = candidate, d end
    if d == 0 then break end
  end
  return best, distance
end

local function lcs_table(a, b)
  local t = {}
  for i = 0, #a do
    t[i] = {}
    for j = 0, #b do
      if i == 0 or j == 0 then
        t[i][j] = 0
      elseif a[i] == b[j] then
        t[i][j] = t[i - 1][j - 1] + 1
      else
        t[i][j] = math.max(t[i - 1][j], t[i][j - 1])
      end
    end
  end
  return t
end

local function diff(a, b)
  local t = lcs_table(a, b)
  local script = {}
  local i, j = #a, #b
  while i > 0 or j > 0 do
    if i > 0 and j > 0 and a[i] == b[j] then
      script[#script + 1] = { kind = "=", word = a[i] }
      i, j = i - 1, j - 1
    elseif j > 0 and (i == 0 or t[i][j - 1] >= t[i - 1][j]) then
      script[#script + 1] = { kind = "+", word = b[j] }
      j = j - 1
    else
      script[#script + 1] = { kind = "-", word = a[i] }
      i = i - 1
    end
  end
  -- it was found from the end, so turn it round
  local count = #script
  for k = 1, math.floor(count / 2) do
    script[k], script[count + 1 - k] = script[count + 1 - k], script[k]
  end
  return script, t[#a][#b]
end

local function patch(a, script)
  local out, at = {}, 1
  for _, edit in ipairs(script) do
    if edit.kind == "+" then
      out[#out + 1] = edit.word
    else
      assert(a[at] == edit.word)
      if edit.kind == "=" then out[#out + 1] = edit.word end
      at = at + 1
    end
  end
  return out
end

return function(n)
  seed = 1001
  local first, second, third = {}, {}, {}
  for i = 1, n do first[i] = vocabulary[random(#vocabulary)] end
  for _, word in ipairs(first) do
    local dice = random(10)
    if dice == 1 then second[#second + 1] = vocabulary[random(#vocabulary)] end
    if dice ~= 2 then second[#second + 1] = dice < 6 and misspell(word) or word end
  end
  local sum = 0
  for i, word in ipairs(second) do
    local fixed, distance = correct(word)
    third[i] = fixed
    sum = (sum * 3 + distance * #fixed) % 1000003
  end
  local report = {}
  for _, pair in ipairs({ { first, second }, { second, third }, { first, third } }) do
    local script, common = diff(pair[1], pair[2])
    local marks = {}
    for _, edit in ipairs(script) do marks[#marks + 1] = edit.kind .. edit.word end
    local text = table.concat(marks, " ")
    assert(table.concat(patch(pair[1], script), " ") == table.concat(pair[2], " "))
    for k = 1, #text do sum = (sum * 31 + text:byte(k)) % 1000003 end
    report[#report + 1] = string.format("%d/%d", common, #script)
  end
  return table.concat(report, " ") .. string.format(" %d", sum)
end
