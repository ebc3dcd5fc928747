-- Section 2.5: weak tables and finalizers. A collector that looks for references in the machine's
-- stack may find one where there is none, so of many objects a few may be kept.
local MANY <const>, FEW <const> = 100, 4
local function count(t) local n = 0 for _ in pairs(t) do n = n + 1 end return n end
local function weak(mode) return setmetatable({}, {__mode = mode}) end
local function nearly(n, all) assert(n <= all and n >= all - FEW, n) end

-- Weak values: what else is referred to stays, and what is no object.
local function values()
  local w, kept = weak("v"), {}
  for i = 1, MANY do
    local key = i % 2 == 0 and "key" .. i or i
    w[key] = {}
    kept[i] = {i}
    w["kept" .. i] = kept[i]
  end
  w.text, w.number, w.truth, w.named, w.print = "te" .. "xt", 1.5, true, kept[1], print
  return w, kept
end
do
  local w, kept = values()
  collectgarbage()
  assert(w.text == "text" and w.number == 1.5 and w.truth == true and w.named == kept[1] and w.print == print)
  for i = 1, MANY do assert(w["kept" .. i] == kept[i]) end
  nearly(MANY - (count(w) - MANY - 5), MANY)
end

-- A list whose values are weak: the border moves. (One of the arrays that it has outgrown may be
-- kept, with half of the values.)
do
  local w = weak("v")
  local kept = {}
  local function fill() for i = 1, MANY do w[i] = {} end w[1] = kept end
  fill()
  collectgarbage()
  assert(w[1] == kept)
  local holes = 0
  for i = 1, MANY do if w[i] == nil then holes = holes + 1 end end
  assert(holes >= MANY // 4 and holes < MANY)
  assert(w[#w] ~= nil and w[#w + 1] == nil)
  w[#w + 1] = kept
  assert(w[#w] == kept)
end

-- Weak keys are ephemerons: a value that refers to its key does not keep it.
do
  local w, kept = weak("k"), {}
  local function fill()
    for i = 1, MANY do
      local key = {}
      w[key] = {key}
      kept[i] = {}
      w[kept[i]] = {kept[i], i}
      w["text" .. i] = {}
      w[i] = {}
    end
  end
  fill()
  collectgarbage()
  for i = 1, MANY do assert(w[kept[i]][2] == i and w["text" .. i] and w[i]) end
  nearly(MANY - (count(w) - 3 * MANY), MANY)
end

-- A chain through the values of one table: kept as long as its first key is.
do
  local w, first = weak("k"), {}
  local function chain()
    local key = first
    for i = 1, MANY do
      local next = {n = i}
      w[key] = next
      key = next
    end
  end
  chain()
  collectgarbage()
  local n, key = 0, first
  while w[key] do key = w[key] n = n + 1 assert(key.n == n) end
  assert(n == MANY and count(w) == MANY)
  first, key = nil, nil
  collectgarbage()
end

-- Both: either ends the entry.
do
  local w, keys, vals = weak("kv"), {}, {}
  local function fill()
    for i = 1, MANY do
      keys[i], vals[i] = {}, {}
      w[keys[i]] = {}
      w[{}] = vals[i]
      w[vals[i]] = keys[i]
    end
  end
  fill()
  collectgarbage()
  for i = 1, MANY do assert(w[vals[i]] == keys[i]) end
  nearly(2 * MANY - (count(w) - MANY), 2 * MANY)
end

-- What is walked over may lose entries meanwhile.
do
  local w = weak("k")
  local function fill() for i = 1, MANY do w[{}] = i end end
  fill()
  local steps = 0
  for key in pairs(w) do
    steps = steps + 1
    if steps % 10 == 1 then collectgarbage() end
    assert(type(key) == "table")
  end
  assert(steps >= 1 and steps <= MANY)
  local v = weak("v")
  local function values() for i = 1, MANY do v["k" .. i] = {} end end
  values()
  steps = 0
  for key in pairs(v) do
    steps = steps + 1
    collectgarbage()
    assert(type(key) == "string")
  end
  assert(steps <= 1 + FEW)
end

-- Finalizers: once, in reverse order of marking, and what they refer to is there.
do
  local log = {}
  local function mark()
    for i = 1, MANY do
      setmetatable({n = i, child = {i}}, {__gc = function(o)
        assert(o.child[1] == o.n)
        log[#log + 1] = o.n
      end})
    end
  end
  mark()
  collectgarbage()
  nearly(#log, MANY)
  for i = 2, #log do assert(log[i - 1] > log[i]) end
  local before = #log
  collectgarbage()
  assert(#log >= before and #log <= MANY)
end

-- An object may live again; to be finalized again it is marked again.
do
  local saved, calls = {}, 0
  local class = {}
  class.__gc = function(o) calls = calls + 1 saved[#saved + 1] = o end
  local function mark() for i = 1, MANY do setmetatable({i}, class) end end
  mark()
  collectgarbage()
  nearly(calls, MANY)
  assert(#saved == calls)
  for i = 1, #saved do assert(saved[i][1] >= 1 and getmetatable(saved[i]) == class) end
  local first = calls
  saved = {}
  collectgarbage()
  assert(calls - first <= FEW)
  local again = calls
  local function twice() for i = 1, MANY do setmetatable(setmetatable({i}, class), class) end end
  twice()
  collectgarbage()
  assert(calls - again <= 2 * MANY + FEW)
end

-- Values go before finalizers are called, keys after them.
do
  local keys, vals = weak("k"), weak("v")
  local found_key, found_value, calls = 0, 0, 0
  local function mark()
    for i = 1, MANY do
      local o = setmetatable({}, {__gc = function(o)
        calls = calls + 1
        if keys[o] == i then found_key = found_key + 1 end
        if vals[i] ~= nil then found_value = found_value + 1 end
      end})
      keys[o], vals[i] = i, o
    end
  end
  mark()
  collectgarbage()
  nearly(calls, MANY)
  assert(found_key == calls and found_value == 0)
end

-- What is not marked: without the field at that time, or what is no function.
do
  local calls = 0
  local function late()
    for i = 1, 10 do
      local meta = {}
      setmetatable({}, meta)
      meta.__gc = function() calls = calls + 1 end
    end
  end
  late()
  collectgarbage()
  assert(calls == 0)
  local function early()
    for i = 1, MANY do
      local meta = {__gc = true}
      setmetatable({}, meta)
      meta.__gc = function() calls = calls + 1 end
    end
  end
  early()
  collectgarbage()
  nearly(calls, MANY)
end

-- Errors are warnings, which are off: the program goes on.
do
  local calls = 0
  local function mark()
    for i = 1, MANY do
      setmetatable({}, {__gc = function() calls = calls + 1 error({}) end})
    end
  end
  mark()
  collectgarbage()
  nearly(calls, MANY)
end

-- A finalizer does not collect.
do
  local seen = 0
  local function mark()
    for i = 1, MANY do
      setmetatable({}, {__gc = function() if not collectgarbage() then seen = seen + 1 end end})
    end
  end
  mark()
  collectgarbage()
  nearly(seen, MANY)
end

-- They are called while a loop runs, whatever it does.
do
  local done = false
  local function mark()
    for i = 1, 10 do setmetatable({}, {__gc = function() done = true end}) end
  end
  mark()
  repeat local t = {} until done
  done = false
  mark()
  repeat local f = function() return done end until done
  done = false
  mark()
  local i = 0
  repeat i = i + 1 local s = i .. "x" until done
  done = false
  mark()
  local function go(t) if done then return t[1] end return go({t[1] + 1}) end
  assert(go({0}) > 0)
  local w = weak("k")
  local function fill() for i = 1, MANY do w[{}] = i end end
  fill()
  while count(w) > FEW do local t = {} end
end

-- Not while the collector is stopped.
do
  local calls = 0
  local function mark() setmetatable({}, {__gc = function() calls = calls + 1 end}) end
  collectgarbage()
  collectgarbage("stop")
  for i = 1, MANY do mark() end
  for i = 1, 100000 do local t = {i} end
  assert(calls == 0)
  collectgarbage("restart")
  collectgarbage()
  nearly(calls, MANY)
end

-- In a coroutine, too, and in one that is never finished.
do
  local calls = 0
  local function mark() setmetatable({}, {__gc = function() calls = calls + 1 end}) end
  local co = coroutine.wrap(function() for i = 1, MANY do mark() end collectgarbage() coroutine.yield(1) end)
  assert(co() == 1)
  collectgarbage()
  nearly(calls, MANY)
end

-- Files that nobody has closed are closed.
do
  local name = os.tmpname()
  local function write() for i = 1, 20 do io.open(name, "w"):write("text", i) end end
  write()
  collectgarbage()
  local file = io.open(name)
  assert(#file:read("a") >= 4)
  file:close()
  os.remove(name)
end
