-- Errors in places of every kind; the argument says which.
local cases = {}

local object = setmetatable({}, {
    __add = function(a, b)
        error("in add")
    end,
    __index = function(t, key)
        return t + 1
    end,
    __lt = function(a, b)
        return a.missing
    end,
    __concat = function(a, b)
        return a < b
    end,
    __tostring = function(a)
        return a .. a
    end,
})

local function upper()
    error("boom")
end

function global()
    upper()
end

local o = {m = function(self)
    global()
end}

function o.field()
    o:m()
end

local function tail()
    return o.field()
end

function cases.methods()
    tail()
end

function cases.operators()
    local text = object .. object
end

function cases.sort()
    table.sort({3, 1, 2}, function(a, b)
        return a.x < b.x
    end)
end

function cases.gsub()
    string.gsub("abc", "%w", function(c)
        upper()
    end)
end

local function deep(n)
    if n == 0 then
        upper()
    end
    deep(n - 1)
end

function cases.deep()
    deep(40)
end

function cases.print()
    print(object)
end

function cases.iterator()
    for x in tail do
    end
end

function cases.varargs(...)
    local function last(...)
        return select("#", ...), error(...)
    end
    last("a", ...)
end

function cases.rethrown()
    local ok, message = pcall(deep, 3)
    error(message, 2)
end

cases[arg[1]](select(2, ...))
