-- LRU cache: a doubly linked list for the order of use and a table keyed by strings.
-- A pretend file system sits behind two cache levels; the access pattern is skewed.
-- args: 75000
-- quick: 300

local Cache = {}
Cache.__index = Cache

function Cache.new(capacity, on_evict)
  local self = setmetatable({}, Cache)
  self.capacity = capacity
  self.count = 0
  self.hits = 0
  self.misses = 0
  self.evicted = 0
  self.nodes = {}
  self.on_evict = on_evict
  -- one ring with a guard node: guard.next is the newest, guard.prev the oldest
  local guard = {}
  guard.next, guard.prev = guard, guard
  self.guard = guard
  return self
end

local function unlink(node)
  node.prev.next = node.next
  node.next.prev = node.prev
end

function Cache:push_front(node)
  local guard = self.guard
  node.next = guard.next
  node.prev = guard
  guard.next.prev = node
  guard.next = node
end

function Cache:get(key)
  local node = self.nodes[key]
  if node == nil then
    self.misses = self.misses + 1
    return nil
  end
  self.hits = self.hits + 1
  if self.guard.next ~= node then
    unlink(node)
    self:push_front(node)
  end
  return node.value
end

function Cache:put(key, value)
  local node = self.nodes[key]
  if node then
    node.value = value
    unlink(node)
    self:push_front(node)
    return
  end
  if self.count >= self.capacity then
    local oldest = self.guard.prev
    unlink(oldest)
    self.nodes[oldest.key] = nil
    self.count = self.count - 1
    self.evicted = self.evicted + 1
    if self.on_evict then self.on_evict(oldest.key, oldest.value) end
  end
  node = { key = key, value = value }
  self.nodes[key] = node
  self.count = self.count + 1
  self:push_front(node)
end

function Cache:remove(key)
  local node = self.nodes[key]
  if not node then return false end
  unlink(node)
  self.nodes[key] = nil
  self.count = self.count - 1
  return true
end

function Cache:keys()
  local node = self.guard.next
  return function()
    if node == self.guard then return nil end
    local key, value = node.key, node.value
    node = node.next
    return key, value
  end
end

local Disk = {}
Disk.__index = Disk

function Disk.new()
  return setmetatable({ reads = 0 }, Disk)
end

function Disk:read(path)
  self.reads = self.reads + 1
  local h = 7
  for i = 1, #path do h = (h * 37 + path:byte(i)) % 65521 end
  return { path = path, size = h, version = self.reads }
end

return function(n)
  local state = 99
  local function random(limit)
    state = (state * 16807) % 2147483647
    return state % limit
  end

  local disk = Disk.new()
  local big = Cache.new(150)
  local small = Cache.new(60, function(key, value) big:put(key, value) end)
  local folders = { "home", "etc", "var/log", "usr/lib", "tmp" }

  local checksum = 0
  for i = 1, n do
    -- the product of two draws favours the small numbers
    local number = math.floor(random(40) * random(40) / 2)
    local path = "/" .. folders[number % #folders + 1] .. "/file" .. number .. ".txt"
    local file = small:get(path)
    if not file then
      file = big:get(path)
      if not file then file = disk:read(path) end
      small:put(path, file)
    end
    checksum = (checksum * 3 + file.size + file.version) % 1000000007
    if i % 50 == 0 then
      if small:remove(path) then checksum = checksum + 1 end
      if big:remove(path) then checksum = checksum + 2 end
    end
  end

  local place = 0
  for key, file in big:keys() do
    place = place + 1
    checksum = (checksum + place * (file.size + #key)) % 1000000007
  end
  return string.format("%d hits=%d/%d misses=%d/%d evicted=%d reads=%d", checksum,
    small.hits, big.hits, small.misses, big.misses, big.evicted, disk.reads)
end
