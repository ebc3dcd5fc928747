-- Event emitter: listeners with priorities, one-shot listeners, wildcard listeners and
-- bound arguments, all passing variable argument lists around. A small shop uses it.
-- args: 42000
-- quick: 200

local unpack = table.unpack or unpack
local pack = table.pack or function(...)
  return { n = select("#", ...), ... }
end

-- puts two argument lists behind each other
local function bind(fn, ...)
  local bound = pack(...)
  return function(...)
    local args = {}
    for i = 1, bound.n do args[i] = bound[i] end
    local extra = select("#", ...)
    for i = 1, extra do args[bound.n + i] = (select(i, ...)) end
    return fn(unpack(args, 1, bound.n + extra))
  end
end

local function Emitter()
  local self = {}
  local listeners, calls = {}, 0
  local serial = 0

  function self.on(event, fn, priority)
    local list = listeners[event]
    if not list then
      list = {}
      listeners[event] = list
    end
    serial = serial + 1
    local entry = { fn = fn, priority = priority or 0, serial = serial }
    table.insert(list, entry)
    table.sort(list, function(a, b)
      if a.priority ~= b.priority then return a.priority > b.priority end
      return a.serial < b.serial
    end)
    -- the returned function removes the listener again
    return function()
      for i, e in ipairs(list) do
        if e == entry then return table.remove(list, i) end
      end
    end
  end

  function self.once(event, fn, priority)
    local off
    off = self.on(event, function(...)
      off()
      return fn(...)
    end, priority)
    return off
  end

  local function run(list, ...)
    local handled = 0
    for _, entry in ipairs({ unpack(list) }) do
      calls = calls + 1
      if entry.fn(...) ~= false then handled = handled + 1 end
    end
    return handled
  end

  function self.emit(event, ...)
    local handled = 0
    if listeners[event] then handled = handled + run(listeners[event], ...) end
    if listeners["*"] then handled = handled + run(listeners["*"], event, ...) end
    return handled, select("#", ...)
  end

  function self.calls() return calls end
  return self
end

local function sum_all(...)
  local total = 0
  for i = 1, select("#", ...) do
    local v = select(i, ...)
    if type(v) == "number" then total = total + v end
  end
  return total
end

local function describe(...)
  local words = {}
  for i, v in ipairs({ ... }) do
    words[i] = type(v) == "table" and "table" or tostring(v)
  end
  return table.concat(words, "/")
end

return function(n)
  local shop = Emitter()
  local stock, money, log_size, refused, missing = {}, 0, 0, 0, 0
  local goods = { "bread", "milk", "cheese", "soap", "rice" }
  for i, g in ipairs(goods) do stock[g] = 10 * i end

  shop.on("sale", function(item, count, ...)
    if stock[item] < count then
      refused = refused + 1
      shop.emit("empty", item, nil, count)
      return false
    end
    stock[item] = stock[item] - count
    money = money + sum_all(...) * count
  end)
  shop.on("sale", bind(function(tag, factor, item, count)
    log_size = log_size + #tag + #item * factor + count
  end, "SALE", 2), 5)
  shop.on("empty", function(...)
    local args = pack(...)
    for i = 1, args.n do
      if args[i] == nil then missing = missing + 1 end
    end
    shop.emit("order", args[1], 20)
  end)
  shop.on("order", bind(function(list, item, count)
    list[item] = list[item] + count
  end, stock))
  shop.on("*", function(event, ...)
    log_size = log_size + #describe(event, ...)
    return select("#", ...) > 2
  end)

  local seed, handled, count_args = 17, 0, 0
  local function rnd(limit)
    seed = (seed * 421 + 54773) % 259200
    return math.floor(seed / 100) % limit + 1
  end
  for i = 1, n do
    if i % 10 == 0 then
      shop.once("sale", function(item) log_size = log_size + #item end, rnd(9))
    end
    local h, c
    if rnd(3) == 1 then
      h, c = shop.emit("sale", goods[rnd(#goods)], rnd(4), rnd(9), 1)
    else
      h, c = shop.emit("sale", goods[rnd(#goods)], rnd(3), rnd(20))
    end
    handled, count_args = handled + h, count_args + c
  end
  local left = 0
  for i, g in ipairs(goods) do left = left + i * stock[g] end
  return string.format("%d %d %d %d %d %d %d %d", money, left, log_size, refused,
    missing, handled, count_args, shop.calls())
end
