-- Markov chain text generator: learns which word follows each pair of words
-- (the pair joined in one string key), then babbles and counts the words used.
-- args: 120000
-- quick: 500

local NOWORD = "\n"

local source = [[
the old harbour was quiet in the morning and the boats were still asleep .
a boy with a red cap walked along the wall and counted the boats one by one .
when he reached the end of the wall he turned around and counted the boats again .
the old fisherman looked at the boy and said that the sea does not count anything .
the sea takes the boats and the sea brings the boats back in the evening .
but the boy with the red cap said that somebody must count the boats in the morning .
so the old fisherman gave the boy a pencil and a book with a blue cover .
in the book the boy wrote the names of the boats and the colour of the sails .
one evening the wind was strong and the sea was grey and the boats were late .
the boy walked along the wall and looked at the book and looked at the sea .
one by one the boats came back and one by one the boy marked the names in the book .
at the end of the evening one name was still without a mark in the book .
the old fisherman walked along the wall with a lamp and the boy walked with the lamp too .
when the lamp reached the end of the wall somebody called from the grey sea .
it was the last boat and the sails were red and the old fisherman laughed .
the sea does not count anything said the old fisherman but the boy does .
and in the morning the harbour was quiet and the boats were asleep again .
]]

local Random = {}
Random.__index = Random

function Random.new(seed)
  return setmetatable({ state = seed }, Random)
end

function Random:below(limit)
  self.state = (self.state * 69069 + 1) % 4294967296
  return math.floor(self.state / 65536) % limit
end

local function prefix(w1, w2)
  return w1 .. " " .. w2
end

local function learn(text)
  local chain = {}
  local function insert(key, value)
    local list = chain[key]
    if list == nil then
      chain[key] = { value }
    else
      list[#list + 1] = value
    end
  end
  local w1, w2 = NOWORD, NOWORD
  local words = 0
  for word in string.gmatch(text, "%S+") do
    insert(prefix(w1, w2), word)
    w1, w2 = w2, word
    words = words + 1
  end
  insert(prefix(w1, w2), NOWORD)
  return chain, words
end

local function generate(chain, rng, limit)
  local out, sentence = {}, {}
  local w1, w2 = NOWORD, NOWORD
  for _ = 1, limit do
    local options = chain[prefix(w1, w2)]
    local word = options[rng:below(#options) + 1]
    if word == NOWORD then
      w1, w2 = NOWORD, NOWORD
    else
      if word == "." then
        local s = table.concat(sentence, " ")
        out[#out + 1] = s:sub(1, 1):upper() .. s:sub(2) .. "."
        sentence = {}
      else
        sentence[#sentence + 1] = word
      end
      w1, w2 = w2, word
    end
  end
  return out
end

local function count_words(sentences)
  local counts = {}
  for _, s in ipairs(sentences) do
    for w in s:lower():gmatch("%a+") do
      counts[w] = (counts[w] or 0) + 1
    end
  end
  local list = {}
  for w, c in pairs(counts) do
    list[#list + 1] = { word = w, count = c }
  end
  table.sort(list, function(a, b)
    if a.count ~= b.count then return a.count > b.count end
    return a.word < b.word
  end)
  return list
end

local function hash(s, h)
  for i = 1, #s do
    h = (h * 33 + s:byte(i)) % 16777213
  end
  return h
end

return function(n)
  local rng = Random.new(20240)
  local chain, total = learn(source)
  local sentences = generate(chain, rng, n)
  -- learn a second time from the text just produced and babble again
  local second = learn(table.concat(sentences, "\n"):lower():gsub("%.", " ."))
  local more = generate(second, rng, n)
  local h, longest = total, 0
  for _, s in ipairs(more) do
    if #s > longest then longest = #s end
    h = hash(s, h)
  end
  for rank, entry in ipairs(count_words(more)) do
    h = (h + rank * entry.count) % 16777213
    if rank <= 10 then h = hash(entry.word, h) end
  end
  return string.format("%d/%d/%d", h, #more, longest)
end
