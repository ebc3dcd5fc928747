-- A text is taken apart without patterns, by a machine whose states are tables of functions by the class of a character; words are counted, sorted by
-- a comparison, and made to a report with lines of equal length.
-- args: 500
-- quick: 2
local verbs = { "sees", "knows", "paints", "asks", "counts" }
local nouns = { "the fox", "a clock", "no one", "Anna's cat", "the 12th man", "x1", "her friend", "3.75 litres" }
local ends = { ". ", "! ", "?\n", "; ", ", ", " -- " }

local function write_text(sentences)
  local out = {}
  local seed = 5
  local function pick(list)
    seed = (seed * 1103 + 37) % 65537
    return list[seed % #list + 1]
  end
  for i = 1, sentences do
    out[#out + 1] = pick(nouns) .. " " .. pick(verbs) .. " " .. pick(nouns)
    if i % 9 == 0 then out[#out + 1] = " (\"" .. pick(nouns) .. "\")" end
    out[#out + 1] = pick(ends)
  end
  return table.concat(out)
end

-- The class of each byte.
local class_of = {}
for c = 0, 255 do
  local class = "other"
  if c == 10 then class = "line"
  elseif c == 32 or c == 9 then class = "space"
  elseif c >= 48 and c <= 57 then class = "digit"
  elseif c >= 65 and c <= 90 or c >= 97 and c <= 122 then class = "letter"
  elseif c == 39 then class = "apostrophe"
  elseif c == 46 then class = "dot"
  elseif c == 45 then class = "dash" end
  class_of[c] = class
end

-- A state gives for each class what to do; an action answers the next state, and whether the character is to be looked at again.
local states = { between = {}, word = {}, number = {}, fraction = {}, dash = {} }

local function emit(m, kind)
  m.count = m.count + 1
  m.tokens[m.count] = { kind = kind, text = m.text:sub(m.begin, m.at - 1), line = m.line }
end

local between = states.between
function between.space() return "between" end
function between.line(m) m.line = m.line + 1; return "between" end
function between.letter(m) m.begin = m.at; return "word" end
function between.digit(m) m.begin = m.at; return "number" end
function between.dash(m) m.begin = m.at; return "dash" end
function between.other(m)
  m.begin, m.at = m.at, m.at + 1
  emit(m, "sign")
  m.at = m.begin
  return "between"
end
between.dot, between.apostrophe = between.other, between.other

local function goes_on(state) return function() return state end end
local function stops(kind)
  return function(m) emit(m, kind); return "between", true end
end

for _, class in ipairs({ "space", "line", "other", "dash", "dot", "apostrophe", "letter", "digit" }) do
  states.word[class] = stops("word")
  states.number[class] = stops("number")
  states.fraction[class] = stops("number")
  states.dash[class] = stops("sign")
end
states.word.letter, states.word.digit, states.word.apostrophe = goes_on("word"), goes_on("word"), goes_on("word")
states.number.digit, states.number.dot, states.number.letter = goes_on("number"), goes_on("fraction"), goes_on("word")
states.fraction.digit = goes_on("fraction")
states.dash.dash = goes_on("dash")

local function tokens(text)
  local machine = { text = text, at = 1, begin = 1, line = 1, count = 0, tokens = {} }
  local state = "between"
  while machine.at <= #text do
    local class = class_of[text:byte(machine.at)]
    local again
    state, again = states[state][class](machine)
    if not again then machine.at = machine.at + 1 end
  end
  if state ~= "between" then emit(machine, state) end
  return machine.tokens
end

local function report(list)
  local counts, order = {}, {}
  for _, token in ipairs(list) do
    if token.kind == "word" then
      local word = token.text:lower()
      if not counts[word] then order[#order + 1] = word end
      counts[word] = (counts[word] or 0) + 1
    end
  end
  table.sort(order, function(a, b)
    if counts[a] ~= counts[b] then return counts[a] > counts[b] end
    return a < b
  end)
  local lines, line = {}, ""
  for _, word in ipairs(order) do
    local entry = word .. ":" .. counts[word]
    if #line + #entry >= 30 then
      lines[#lines + 1] = line .. string.rep(".", 30 - #line)
      line = ""
    end
    line = line == "" and entry or line .. " " .. entry
  end
  lines[#lines + 1] = line
  return table.concat(lines, "|")
end

return function(n)
  local text = write_text(n * 10)
  local list = tokens(text)
  local numbers, signs = 0, {}
  for i, token in ipairs(list) do
    if token.kind == "number" then numbers = (numbers + (tonumber(token.text) or 0) * i) % 10007
    elseif token.kind == "sign" then signs[token.text] = (signs[token.text] or 0) + 1 end
  end
  local again = tokens(report(list))
  return string.format("%d %d %.2f %d %d %s %d", #list, list[#list].line, numbers, signs["--"] or 0, signs['"'] or 0, report(list), #again)
end
