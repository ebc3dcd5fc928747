-- Section 2.6 and 6.2: coroutines.
local create, resume, yield = coroutine.create, coroutine.resume, coroutine.yield
local status, wrap, close = coroutine.status, coroutine.wrap, coroutine.close
local running, isyieldable = coroutine.running, coroutine.isyieldable
local function is(expected, ...)
  local texts = {}
  for i = 1, select("#", ...) do texts[i] = tostring((select(i, ...))) end
  local found = table.concat(texts, " ")
  assert(found == expected, found .. " and not " .. expected)
end
local function fails(message, f, ...)
  local ok, found = pcall(f, ...)
  assert(not ok, "it did not fail")
  assert(found == message, found)
end

-- what a thread is
local co = create(function() end)
is("thread suspended", type(co), status(co))
assert(tostring(co):find("^thread: ") == 1)
assert(co ~= create(function() end) and co == co)
is("true", resume(co))
is("dead", status(co))
is("thread true", type((running())), select(2, running()))
is("false false", isyieldable(), isyieldable((running())))
assert(isyieldable(create(print)) == true)

-- values
is("true", resume(create(function(...) assert(select("#", ...) == 0) end)))
is("true 1 2 nil", resume(create(function(...) return ... end), 1, 2, nil))
co = create(function(a, b)
  is("1 2", a, b)
  is("3 nil 4", yield(a + b, "x"))
  is("", yield())
  is("5", yield(nil, nil))
  return "end", 6
end)
is("true 3 x", resume(co, 1, 2))
is("true", resume(co, 3, nil, 4))
is("true nil nil", resume(co))
is("true end 6", resume(co, 5))
is("false cannot resume dead coroutine", resume(co))
is("1 2 3", wrap(function(...) return ... end)(1, 2, 3))
is("4", select("#", wrap(function() return yield(1) end)()) + 3)

-- wrong states and arguments
fails("attempt to yield from outside a coroutine", yield)
is("false cannot resume non-suspended coroutine", resume((running())))
is("true false cannot resume non-suspended coroutine", resume(create(function() return resume((running())) end)))
fails("bad argument #1 to 'coroutine.create' (function expected, got no value)", create)
fails("bad argument #1 to 'coroutine.create' (function expected, got table)", create, {})
fails("bad argument #1 to 'coroutine.wrap' (function expected, got nil)", wrap, nil)
fails("bad argument #1 to 'coroutine.resume' (thread expected, got number)", resume, 1)
fails("bad argument #1 to 'coroutine.status' (thread expected, got no value)", status)
local outer
outer = create(function()
  local inner = create(function()
    is("normal running", status(outer), status((running())))
    is("false cannot resume non-suspended coroutine", resume(outer))
    fails("cannot close a normal coroutine", close, outer)
    fails("cannot close a running coroutine", close, (running()))
    return isyieldable()
  end)
  is("true true", resume(inner))
  return "ok"
end)
is("true ok", resume(outer))

-- errors
is("false e", resume(create(function() error("e", 0) end)))
is("false coroutines.lua:71: e", resume(create(function() error("e") end)))
is("false nil", resume(create(function() error() end)))
local object = {}
assert(select(2, resume(create(function() error(object) end))) == object)
fails("e", wrap(function() error("e", 0) end))
local failing = wrap(function() yield(1) error("e", 0) end)
is("1", failing())
fails("coroutines.lua:78: e", function() failing() end)
fails("coroutines.lua:79: cannot resume dead coroutine", function() failing() end)
assert(select(2, pcall(wrap(function() error(object) end))) == object)
fails("coroutines.lua:81: coroutines.lua:81: e", function() for _ in wrap(function() error("e") end) do end end)

-- across protected calls
co = wrap(function()
  local ok, value = pcall(function() return yield("inside") + 1 end)
  is("true 4", ok, value)
  ok, value = pcall(function() yield("failing") error("e", 0) end)
  is("false e", ok, value)
  ok, value = xpcall(function() yield("handled") error("e", 0) end, function(m) return m .. m end)
  is("false ee", ok, value)
  return "end"
end)
is("inside", co())
is("failing", co(3))
is("handled", co())
is("end", co())

-- message handlers belong to the thread that has set them
is("false <e>", xpcall(function()
  is("false e", resume(create(function() error("e", 0) end)))
  local inner = wrap(function() pcall(function() yield() end) end)
  inner() inner()
  error("e", 0)
end, function(m) return "<" .. m .. ">" end))

-- closing
local closed = {}
local function variable(name)
  return setmetatable({}, {__close = function(_, e) closed[#closed + 1] = name .. tostring(e) end})
end
co = create(function()
  local a <close> = variable("a")
  pcall(function() local b <close> = variable("b") yield() end)
  closed[1] = "not reached"
end)
resume(co)
is("true dead", close(co), status(co))
is("bnil anil", table.unpack(closed))
is("true", close(co))
co = create(function()
  local a <close> = variable("c")
  local b <close> = setmetatable({}, {__close = function() error("f", 0) end})
  yield()
end)
resume(co)
is("false f", close(co))
is("cf", closed[3])
is("true", close(create(print)))
co = create(function() error("g", 0) end)
is("false g", resume(co))
is("false g", close(co))
is("true", close(co))

-- threads are keys
local keys = {[outer] = 1, [co] = 2}
is("1 2 nil", keys[outer], keys[co], keys[create(print)])

-- many, deep, and within each other
local all, sum = {}, 0
for n = 1, 300 do
  all[n] = wrap(function(a) while true do a = a + yield(a) end end)
  all[n](n)
end
collectgarbage()
for n = 1, 300 do sum = sum + all[n](1) + all[n](1) end
is("91200", sum)
local function down(n) if n == 0 then return yield("bottom") end return down(n - 1) + 1 end
co = create(down)
is("true bottom", resume(co, 100))
is("true 107", resume(co, 7))
local function nest(n) if n == 0 then return 0 end return wrap(nest)(n - 1) + 1 end
is("50", nest(50))
