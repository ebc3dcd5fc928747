-- The parts of the library that are written in Lua. In: functions of the library that are not in it. Out: `table.sort`, `coroutine.wrap`.
-- What a program passes to these functions is called as any other function of the program, so that the JIT sees through them.

local sort_plain, type, error, tostring, create, wrapped = ...

local function ascending(a, b)
    return a < b
end

local function invalid()
    error("invalid order function for sorting", 4)
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
    if type(list) ~= "table" then
        error("bad argument #1 to 'sort' (table expected, got " .. (list == nil and "no value" or type(list)) .. ")", 2)
    end
    if before == nil then
        if sort_plain(list) then
            return
        end
        before = ascending
    elseif type(before) ~= "function" then
        error("bad argument #2 to 'sort' (function expected, got " .. type(before) .. ")", 2)
    end
    quick(list, 1, #list, before)
end

local function wrap(body)
    if type(body) ~= "function" then
        local found = body == nil and "no value" or type(body)
        error("bad argument #1 to 'wrap' (function expected, got " .. found .. ")", 2)
    end
    local thread = create(body)
    return function(...)
        return wrapped(thread, ...)
    end
end

return sort, wrap
