-- A trie of words whose nodes are tables under the letters themselves: words are made up, put in, looked up, counted by their beginnings, completed,
-- found with gaps, and taken out again until nothing is left.
-- args: 6000
-- quick: 60
local Trie = {}

function Trie.new()
  local t = { root = {}, count = 0, nodes = 1 }
  return setmetatable(t, { __index = Trie, __len = function(self) return self.count end })
end

function Trie:add(word)
  local node = self.root
  for i = 1, #word do
    local letter = word:sub(i, i)
    local child = node[letter]
    if child == nil then
      child = {}
      node[letter] = child
      self.nodes = self.nodes + 1
    end
    node = child
  end
  if not node.word then
    node.word = word
    self.count = self.count + 1
    return true
  end
  return false
end

function Trie:find(beginning)
  local node = self.root
  for i = 1, #beginning do
    node = node[beginning:sub(i, i)]
    if not node then return nil end
  end
  return node
end

function Trie:has(word)
  local node = self:find(word)
  return node ~= nil and node.word == word
end

local function each(node, f)
  if node.word then f(node.word) end
  for letter, child in pairs(node) do
    if letter ~= "word" then each(child, f) end
  end
end

function Trie:complete(beginning, most)
  local found = {}
  local node = self:find(beginning)
  if node then each(node, function(word) found[#found + 1] = word end) end
  table.sort(found)
  while #found > most do table.remove(found) end
  return found
end

-- A dot stands for any letter.
function Trie:match(pattern)
  local found = 0
  local function go(node, at)
    if at > #pattern then
      if node.word then found = found + 1 end
      return
    end
    local letter = pattern:sub(at, at)
    if letter ~= "." then
      local child = node[letter]
      if child then go(child, at + 1) end
    else
      for key, child in pairs(node) do
        if key ~= "word" then go(child, at + 1) end
      end
    end
  end
  go(self.root, 1)
  return found
end

function Trie:remove(word)
  local trie = self
  -- Whether the node is of no more use.
  local function go(node, at)
    if at > #word then
      if not node.word then return false end
      node.word = nil
      trie.count = trie.count - 1
      return next(node) == nil
    end
    local letter = word:sub(at, at)
    local child = node[letter]
    if child and go(child, at + 1) then
      node[letter] = nil
      trie.nodes = trie.nodes - 1
      return next(node) == nil
    end
    return false
  end
  go(self.root, 1)
end

local heads = { "b", "c", "d", "f", "gr", "h", "l", "m", "n", "pl", "r", "st", "t", "v", "w" }
local middles = { "a", "e", "i", "o", "u", "ai", "ea", "ou" }

local function made_up(k)
  local word = ""
  repeat
    word = word .. heads[k % #heads + 1]
    k = math.floor(k / #heads)
    word = word .. middles[k % #middles + 1]
    k = math.floor(k / #middles)
  until k == 0
  return word
end

return function(n)
  local trie = Trie.new()
  local words = {}
  for i = 1, n do words[i] = made_up(i * 7919 % 50021) end
  local added = 0
  for _, word in ipairs(words) do
    if trie:add(word) then added = added + 1 end
  end
  local nodes = trie.nodes
  local there = 0
  for i = 1, 2 * n do
    if trie:has(made_up(i)) then there = there + 1 end
  end
  local completed = {}
  for _, beginning in ipairs({ "ba", "gre", "sto", "mou", "xa", "tea" }) do
    for _, word in ipairs(trie:complete(beginning, 3)) do completed[#completed + 1] = word end
  end
  local matched = trie:match("ba.a") + trie:match("..ea") + trie:match(".o..") + trie:match("gr....")
  for i = 1, n, 2 do trie:remove(words[i]) end
  local left = trie.count
  for i = n, 1, -1 do trie:remove(words[i]) end
  return string.format("%d %d %d %s %d %d %d %d %s", added, nodes, there, table.concat(completed, ","), matched, left, trie.count, trie.nodes,
    tostring(next(trie.root)))
end
