-- args: 2000
-- stress: 12
-- Coroutines: values both ways, yields from within calls, errors, wrong states, closing.

local size = tonumber((...)) or 2000

local create, resume, yield = coroutine.create, coroutine.resume, coroutine.yield
local status, wrap = coroutine.status, coroutine.wrap

-- Values go both ways, any number of them.
local co = create(function(a, b, ...)
    print("first", a, b, select("#", ...))
    local x, y, z = yield(a + b)
    print("second", x, y, z)
    print("third", yield())
    print("fourth", yield(1, nil, 3, nil))
    return "done", nil
end)
print(type(co), status(co), tostring(co):sub(1, 8))
print(resume(co, 1, 2, 3, nil))
print(status(co), resume(co, "x", nil, "z"))
print(resume(co))
print(select("#", resume(co, 9)))
print(resume(co), status(co))
print(resume(co))

-- Generators in loops.
local function range(n)
    return wrap(function()
        for i = 1, n do
            yield(i, i * i)
        end
    end)
end
local sum, squares = 0, 0
for i, square in range(size) do
    sum = sum + i
    squares = squares + square
end
print(sum, squares)

-- A tree is walked by recursion, from both ends at once.
local function tree(depth, at)
    if depth > 0 then
        return { left = tree(depth - 1, at * 2), value = at, right = tree(depth - 1, at * 2 + 1) }
    end
end
local function walk(node, first, last)
    if node then
        walk(node[first], first, last)
        yield(node.value)
        walk(node[last], first, last)
    end
end
local forward = wrap(function() walk(tree(size < 100 and 2 or 7, 1), "left", "right") end)
local backward = wrap(function() walk(tree(size < 100 and 2 or 7, 1), "right", "left") end)
local sums = 0
for a in forward do
    sums = sums + a * backward()
end
print(sums)

-- A chain of filters, each on its own stack.
local function filter(prime, source)
    return wrap(function()
        for n in source do
            if n % prime ~= 0 then
                yield(n)
            end
        end
    end)
end
local primes = {}
local source = wrap(function()
    for n = 2, size < 100 and 20 or 230 do
        yield(n)
    end
end)
while true do
    local prime = source()
    if not prime then
        break
    end
    primes[#primes + 1] = prime
    source = filter(prime, source)
end
print(#primes, table.concat(primes, " ", #primes - 4))

-- Yields across everything that calls.
local t = setmetatable({}, {
    __index = function(_, key) return yield("index " .. key) end,
    __newindex = function(_, key, value) yield("newindex " .. key .. " " .. tostring(value)) end,
    __add = function(a, b) return yield("add") end,
    __call = function(self, x) return yield("call " .. x) end,
    __eq = function() return yield("eq") end,
    __lt = function() return yield("lt") end,
    __concat = function() return yield("concat") end,
    __len = function() return yield("len") end,
})
local u = setmetatable({}, getmetatable(t))
co = create(function()
    local seen = {}
    seen[#seen + 1] = t.x
    t.y = 5
    seen[#seen + 1] = t + 1
    seen[#seen + 1] = t(7)
    seen[#seen + 1] = tostring(t == u)
    seen[#seen + 1] = tostring(t < u)
    seen[#seen + 1] = t .. "z"
    seen[#seen + 1] = #t
    for k, v in (function(_, n) return yield("iterate", n) end), nil, 0 do
        seen[#seen + 1] = k
    end
    seen[#seen + 1] = tostring(select(2, pcall(function() return yield("protected") end)))
    seen[#seen + 1] = tostring(select(2, pcall(function() yield("failing") error("oops", 0) end)))
    seen[#seen + 1] = select(2, xpcall(function() yield("handled") error("bad", 0) end, function(m) return "<" .. m .. ">" end))
    return table.concat(seen, " ")
end)
local given = 0
while true do
    given = given + 1
    local ok, what, more = resume(co, given < 15 and tostring(given) or nil)
    if status(co) == "dead" then
        print(ok, what)
        break
    else
        print(what, more)
    end
end

-- Errors go to the resumer, with their places.
co = create(function() local x = nil; return x.y end)
print(resume(co))
print(status(co), resume(co))
co = create(function() error({ code = 7 }) end)
local ok, err = resume(co)
print(ok, type(err), err.code)
print(pcall(wrap(function() error("inside", 0) end)))
local failing = wrap(function() yield(1) error("later") end)
print(failing())
print(pcall(function() return (failing()) end))
print(pcall(function() return (failing()) end))
print(pcall(function() for x in wrap(function() error({}) end) do end end) == false)

-- Wrong states.
print(pcall(yield, 1))
print(resume(create(function() return resume(coroutine.running()) end)))
local outer
outer = create(function()
    return resume(create(function() return status(outer), resume(outer) end))
end)
print(resume(outer))
print(pcall(resume, 5))
print(pcall(create, 5))
print(pcall(create))
print(pcall(status))
print(pcall(function() wrap({}) end))
print(pcall(coroutine.close, coroutine.running()))
local main, is_main = coroutine.running()
print(type(main), is_main, status(main), coroutine.isyieldable(), coroutine.isyieldable(main))
print(resume(main))
print(resume(create(function()
    local own, is_main = coroutine.running()
    return type(own), is_main, own == main, status(main), coroutine.isyieldable()
end)))

-- Threads are keys.
local keys = {}
local a, b = create(print), create(print)
keys[a], keys[b] = 1, 2
print(keys[a], keys[b], a == b, a == a, a ~= b, rawequal(a, a))

-- Closing.
local function closing(name)
    return setmetatable({}, { __close = function(_, e) print("close", name, e) end })
end
co = create(function()
    local x <close> = closing("x")
    pcall(function()
        local y <close> = closing("y")
        yield(1)
        print("not reached")
    end)
    print("not reached either")
end)
print(resume(co))
print(coroutine.close(co), status(co))
print(coroutine.close(co))
co = create(function()
    local x <close> = closing("x")
    local y <close> = setmetatable({}, { __close = function() error("in close", 0) end })
    pcall(yield)
end)
resume(co)
print(coroutine.close(co))
print(coroutine.close(create(print)))
co = create(function() error("failed", 0) end)
print(resume(co))
print(coroutine.close(co))
print(coroutine.close(co))

if size < 100 then
    return
end

-- Recursion and nesting have an end.
local function deep(n) return 1 + deep(n + 1) end
ok, err = resume(create(function() return deep(1) end))
print(ok, (tostring(err):find("stack overflow", 1, true)) ~= nil)
local function nest() return wrap(nest)() end
ok, err = pcall(nest)
print(ok, (tostring(err):find("C stack overflow", 1, true)) ~= nil)
