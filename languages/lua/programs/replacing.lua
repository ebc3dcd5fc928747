-- args: 60
-- What gsub makes with functions and tables, with and without captures, up to a limit.
local n = tonumber((...))
local words = ("alpha beta,gamma  delta;"):rep(3)
local seen = {}
local function upper(word) return word:upper() end
local table_of = setmetatable({ alpha = "A", beta = false, gamma = 3, delta = 2.5 }, { __index = function(_, key) seen[#seen + 1] = key end })

for i = 1, n do
    local limit = i % 7 - 1
    local a, count = words:gsub("%a+", upper, limit)
    local b, others = words:gsub("(%a)(%a*)", function(first, rest)
        if first == "b" then return nil elseif first == "g" then return false end
        return rest .. first
    end)
    local c, places = words:gsub("()%s+()", function(from, to) return to - from end)
    local d, found = (words .. "other"):gsub("%a+", table_of, i % 2 == 0 and limit or nil)
    if i > n - 7 then
        print(limit, a, count)
        print(b, others, c, places)
        print(d, found)
    end
end
print(#seen, seen[1])

-- Empty matches, no match, an empty subject, a replacement that is longer than all before.
print(("abc"):gsub("", function() return "-" end))
print(("abc"):gsub("x*", { [""] = "." }))
print((""):gsub("^", function() return "start" end))
print(("hello"):gsub("xyz", function() error("never") end))
print(("aXbX"):gsub("^%a", function(c) return c:rep(300) end))
print(#(("ab"):rep(100):gsub("b", function() return ("long"):rep(50) end)))
print(("abc"):gsub("%w", function(c) return c == "b" and "" or nil end))

-- What a replacement cannot be.
print(pcall(string.gsub, "abc", "b", function() return {} end))
print(pcall(string.gsub, "abc", "b", { b = print }) == false)
print(pcall(string.gsub, "abc", "(", function() end))
print(pcall(string.gsub, "abc", "a", true))

-- A search within a search, and an error that leaves one.
print(("a.b c.d"):gsub("%S+", function(pair)
    return (pair:gsub("%a", function(c) return "<" .. c .. ">" end))
end))
print(select(2, pcall(string.gsub, "abc", "%w", function(c) if c == "b" then error("left", 0) end end)))

-- Literals that read back, and bytes by their codes.
for _, value in ipairs({ 'a"b\\c\nd', "\0001\r9\r", "", 1 << 63, 7, 0.1, -1 / 0, false }) do
    local text = string.format("%q", value)
    print(text, load("return " .. text)() == value)
end
print(string.char(), string.char(76, 117, 97), #string.char(table.unpack((function() local t = {} for i = 1, 200 do t[i] = i end return t end)())))
print(pcall(string.char, 1, 256))

-- More captures than most patterns have, some of them given up on the way.
print(("abcdefgh"):match("(a)(b)(c)(d)(e)(f)()(g)(h)"))
print(("key=value; k2=v2"):gsub("((%w)(%w*))%s*=%s*((%w)(%w*))(;?)", "%4%7%1%2%3%5%6"))
print(("aaab"):match("^((a-)(a-)(a-)(a-)(a-)b)$"))
print(pcall(string.match, "a", ("(a)"):rep(33)))

-- Plain searches for what begins alike.
local text = ("aab"):rep(40) .. "aaab"
print(text:find("aaab", 1, true), text:find("aaac", 1, true), text:find("", 5, true), text:find("b", -1, true))

-- Keys between integers.
local halves = {}
for i = 1, 500 do halves[i + 0.5] = i end
local sum = 0
for i = 1, 500 do sum = sum + halves[i + 0.5] end
print(sum, halves[1], halves[0.5], halves[500.5])
