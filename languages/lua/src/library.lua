-- The parts of the library that are written in Lua. In: functions of the library that are not in it. Out: functions that
-- the library calls when it has checked their arguments.
-- What a program passes to these functions is called as any other function of the program, so that the JIT sees through them.

local sort_plain, error, rawequal, step, next, finish, type, pcall, concat, load, loadfile, searchpath, line, unpack, wrapped, package = ...

local function ascending(a, b)
    return a < b
end

local function invalid()
    error("invalid order function for sorting")
end

local function insertion(list, low, high, before)
    for i = low + 1, high do
        local value = list[i]
        local j = i - 1
        while j >= low do
            local other = list[j]
            if not before(value, other) then
                break
            end
            list[j + 1] = other
            j = j - 1
        end
        list[j + 1] = value
    end
end

local function quick(list, low, high, before)
    while high - low > 11 do
        -- The median of three is the pivot, and the other two stop the searches.
        local middle = low + (high - low) // 2
        local a, b, c = list[low], list[middle], list[high]
        if before(b, a) then
            a, b = b, a
        end
        if before(c, b) then
            b, c = c, b
            if before(b, a) then
                a, b = b, a
            end
        end
        list[low], list[middle], list[high] = a, b, c
        local i, j = low, high
        while true do
            i = i + 1
            while before(list[i], b) do
                i = i + 1
                if i > high then
                    invalid()
                end
            end
            j = j - 1
            while before(b, list[j]) do
                j = j - 1
                if j < low then
                    invalid()
                end
            end
            if i >= j then
                break
            end
            list[i], list[j] = list[j], list[i]
        end
        -- Recursion is for the smaller part, so that it is not deep.
        if j - low < high - i then
            quick(list, low, j, before)
            low = j + 1
        else
            quick(list, j + 1, high, before)
            high = j
        end
    end
    insertion(list, low, high, before)
end

local function sort(list, before)
    if before == nil then
        if sort_plain(list) then
            return
        end
        before = ascending
    end
    quick(list, 1, #list, before)
end

local function gmatch(search)
    return function()
        return step(search)
    end
end

-- What a step gives at the end of a search is nothing. Then the result is this table.
local over = {}

local function apply(f, capture, ...)
    if capture == nil then
        return over
    end
    return f(capture, ...)
end

local function gsub_call(search, f, limit)
    if limit < 1 then
        return finish(search), 0
    end
    local count = 0
    local value = apply(f, step(search))
    while not rawequal(value, over) do
        count = count + 1
        if count >= limit then
            return finish(search, value), count
        end
        value = apply(f, next(search, value))
    end
    return finish(search), count
end

local function gsub_index(search, t, limit)
    if limit < 1 then
        return finish(search), 0
    end
    local count = 0
    local capture = step(search)
    while capture ~= nil do
        count = count + 1
        local value = t[capture]
        if count >= limit then
            return finish(search, value), count
        end
        capture = next(search, value)
    end
    return finish(search), count
end

local function load_pieces(read, name, ...)
    local pieces, count = {}, 0
    while true do
        local ok, piece = pcall(read)
        if not ok then
            return nil, piece
        end
        if piece == nil or piece == "" then
            break
        end
        if type(piece) ~= "string" then
            return nil, "reader function must return a string"
        end
        count = count + 1
        pieces[count] = piece
    end
    return load(concat(pieces), name or "=(load)", ...)
end

local function run_file(name)
    local f, message = loadfile(name)
    if f == nil then
        error(message, 0)
    end
    return f()
end

local function search_preload(name)
    local preload = package.preload
    local loader = preload[name]
    if loader == nil then
        return "no field package.preload['" .. name .. "']"
    end
    return loader, ":preload:"
end

local function search_files(name)
    local path = package.path
    if type(path) ~= "string" then
        error("'package.path' must be a string")
    end
    local file, tried = searchpath(name, path)
    if file == nil then
        return tried
    end
    local loader, message = loadfile(file)
    if loader == nil then
        error("error loading module '" .. name .. "' from file '" .. file .. "':\n\t" .. message)
    end
    return loader, file
end

package.searchers = {search_preload, search_files}
-- What `require` sees, whatever a program makes of the field.
local loaded = package.loaded

local function find_module(name)
    local known = loaded[name]
    if known then
        return known
    end
    local searchers = package.searchers
    if type(searchers) ~= "table" then
        error("'package.searchers' must be a table")
    end
    local tried, n = "", 1
    local loader, extra
    while true do
        local searcher = searchers[n]
        if searcher == nil then
            error("module '" .. name .. "' not found:" .. tried)
        end
        loader, extra = searcher(name)
        if type(loader) == "function" then
            break
        end
        if type(loader) == "string" then
            tried = tried .. "\n\t" .. loader
        end
        n = n + 1
    end
    local result = loader(name, extra)
    if result ~= nil then
        loaded[name] = result
    end
    if loaded[name] == nil then
        loaded[name] = true
    end
    return loaded[name], extra
end

local function lines(file, closes, ...)
    local format, more = ...
    if more == nil then
        -- One format, or none, which is a line.
        format = format or "l"
        return function()
            return line(file, closes, format)
        end
    end
    local formats = {...}
    return function()
        return line(file, closes, unpack(formats))
    end
end

local function wrap(thread)
    return function(...)
        return wrapped(thread, ...)
    end
end

return sort, gmatch, gsub_call, gsub_index, load_pieces, run_file, find_module, lines, wrap
