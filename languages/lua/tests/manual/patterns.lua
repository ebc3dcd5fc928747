-- Section 6.4.1: patterns, and the functions that take them.
local function fails(message, f, ...)
  local ok, found = pcall(f, ...)
  assert(not ok, "it did not fail")
  assert(found == message, found)
end
local function list(...) return table.concat({...}, ",") end
local function is(expected, ...)
  local n = select("#", ...)
  local texts = {}
  for i = 1, n do texts[i] = tostring((select(i, ...))) end
  local found = table.concat(texts, " ")
  assert(found == expected, found .. " and not " .. expected)
end

-- find: plain text
is("5 7", ("hello world"):find("o w"))
is("1 0", ("abc"):find(""))
is("nil", ("abc"):find("z"))
is("4 3", ("abc"):find("", 4))
is("nil", ("abc"):find("", 5))
is("nil", ("abc"):find("", 10))
is("3 3", ("abc"):find("c", -1))
is("1 1", ("abc"):find("a", -10))
is("nil", ("abc"):find("a", 2))
is("2 2", ("a.c"):find(".", 2, true))
is("2 3", ("a+b"):find("+b", 1, true))
is("2 2", ("a.c"):find("%."))
is("1 1", ("a.c"):find("."))
is("nil", (""):find("x"))
is("1 0", (""):find(""))
is("nil", (""):find("", 2))
is("5 8", ("abc\0abc\0"):find("abc\0", 2))
is("4 4", ("abc\0abc"):find("\0"))
is("2 2", ("11"):find(1, 2))

-- single characters and classes
local classes = {
  a = "[A-Za-z]", d = "[0-9]", l = "[a-z]", u = "[A-Z]", x = "[0-9a-fA-F]", w = "[0-9A-Za-z]", s = "[ \t-\r]",
}
for class, set in pairs(classes) do
  for byte = 0, 255 do
    local c = string.char(byte)
    assert((c:find("%" .. class) ~= nil) == (c:find(set) ~= nil))
    assert((c:find("%" .. class:upper()) == nil) == (c:find(set) ~= nil))
    assert((c:find("[%" .. class .. "]") == nil) == (c:find("[^" .. set:sub(2)) ~= nil))
  end
end
for byte = 0, 127 do
  local c = string.char(byte)
  local punctuation = byte > 32 and byte < 127 and not c:find("%w")
  assert((c:find("%p") ~= nil) == punctuation)
  assert((c:find("%g") ~= nil) == (byte > 32 and byte < 127))
  assert((c:find("%c") ~= nil) == (byte < 32 or byte == 127))
  assert(c:find("."))
  if punctuation then assert(("x" .. c):find("%" .. c) == 2) end
end
is("1 3", ("a]b"):find("a[]]b"))
is("1 1", ("^"):find("[%^]"))
is("1 1", ("x"):find("[^%^]"))
is("2 2", ("a-z"):find("[-]"))
is("2 2", ("b-z"):find("[a-]"))
is("1 1", ("-"):find("[a-]"))
is("1 1", ("-"):find("[%a-z]"))
is("1 1", ("b"):find("[a-c]"))
is("nil", ("d"):find("[a-c]"))
is("1 1", ("]"):find("[]-a]"))
is("1 1", ("^"):find("[a^]"))
is("nil", ("a"):find("[^%a]"))

-- repetitions
is("aaa", ("aaab"):match("a*"))
is("", ("baaa"):match("a*"))
is("aaa", ("baaa"):match("a+"))
is("nil", ("bbb"):match("a+"))
is("", ("aaa"):match("^.-"))
is("aaa", ("aaa"):match("^.-$"))
is("ab", ("aab"):match("a?b"))
is("b", ("b"):match("a?b"))
is("aXbXc", ("aXbXc"):match("^(.*)$"))
is("aXb c", ("aXbXc"):match("^(.*)X(.*)$"))
is("a bXc", ("aXbXc"):match("^(.-)X(.*)$"))
is("2 4", ("xaay"):find("a+y"))
is("$ab", ("x$ab"):match("$ab"))
is("a$", ("a$b"):match("a$?"))
is("1 0", ("abc"):find("x*"))
is("0x1F", ("n = 0x1F;"):match("0[xX]%x+"))
is("*", ("a*b"):match("%*"))
is("*a", ("*a"):match("*a"))

-- anchors
is("nil", ("xa"):match("^a"))
is("a", ("ab"):match("^a"))
is("nil", ("ab"):find("^b", 1))
is("2 2", ("ab"):find("^b", 2))
is("b", ("ab"):match("b$"))
is("nil", ("ab"):match("a$"))
is("1 0", (""):find("^$"))
is("^", ("^"):match("^^"))

-- captures
is("key val", ("key = val"):match("^(%w+)%s*=%s*(%w+)$"))
is("3 5", ("hello"):match("()ll()"))
is("1 4 bc", ("abcd"):find("a(bc)d"))
is("hello h", ("hello"):match("((h)ello)"))
is("1 1 2 2", ("x"):find("x()()"))
is("aa", ("aa"):match("(a)%1") and "aa")
is("abab", ("xababx"):match("(..)%1") and ("xababx"):match("((..)%2)"))
is("\"x'y\"", ([[say "x'y"]]):match([[(["'])(.-)%1]]) and [["x'y"]])
is([[" x'y]], ([[say "x'y"]]):match([[(["'])(.-)%1]]))
is("nil", ("ab"):match("(a)%1"))
is("nil", ("()"):match("()%1"))
local many = ("x"):rep(32)
is("32", select("#", many:match(("(x)"):rep(32))))
fails("too many captures", string.find, ("x"):rep(33), ("(x)"):rep(33))

-- %b and %f
is("(a(b)c)", ("f(a(b)c)d"):match("%b()"))
is("nil", ("f(a(b"):match("%b()"))
is("(b)", ("f(a(b)"):match("%b()"))
is("xx", ("axxb"):match("%bxx"))
is("THE quick", (("THE (quick) fox"):match("%f[%a](%a+)")), (("THE (quick) fox"):match("%((%f[%a]%a+)")))
is("X (X) X 3", ("THE (quick) fox"):gsub("%f[%a]%a+", "X"))
is("4", (("foo"):find("%f[\0]")))
is("1", (("foo"):find("%f[^\0]")))
is("[a] [b] 2", ("a b"):gsub("%f[%w]%w+%f[%W]", "[%0]"))

-- gmatch
local function all(s, p, init)
  local found = {}
  for a, b in s:gmatch(p, init) do found[#found + 1] = b and a .. ":" .. b or tostring(a) end
  return table.concat(found, " ")
end
assert(all("a=1, b=2", "(%w+)=(%w+)") == "a:1 b:2")
assert(all("one two", "%a+") == "one two")
assert(all("abc", "") == "   ")
assert(all("abc", "()") == "1 2 3 4")
assert(all("abcabc", "b", 3) == "b")
assert(all("abcabc", "()b", -2) == "5")
assert(all("abc", "x*") == "   ")
assert(all("xaxbx", "x*") == "x x x")
assert(all("^a^a", "^a") == "^a ^a")
assert(all("", ".") == "")
assert(all("abc", ".", 10) == "")
do
  local next = ("ab"):gmatch(".")
  assert(next() == "a" and next() == "b" and next() == nil and next() == nil)
  assert(select("#", next()) == 0 or true)
end
do -- nested
  local n = 0
  for line in ("a b\nc d\n"):gmatch("([^\n]*)\n") do
    for word in line:gmatch("%a") do n = n + word:byte() end
  end
  assert(n == 97 + 98 + 99 + 100)
end

-- gsub with strings
is("heLLo 2", ("hello"):gsub("l", "L"))
is("-h-e-l-l-o- 6", ("hello"):gsub("", "-"))
is("heLlo 1", ("hello"):gsub("l", "L", 1))
is("hello 0", ("hello"):gsub("l", "L", 0))
is("hello 0", ("hello"):gsub("l", "L", -1))
is("hello hello 1", ("hello"):gsub(".+", "%0 %0"))
is("world hello 1", ("hello world"):gsub("(%w+) (%w+)", "%2 %1"))
is("he%%o 2", ("hello"):gsub("l", "%%"))
is("he12o 2", ("hello"):gsub("()l", function(p) return p - 2 end))
is("x-b-c 1", ("a-b-c"):gsub("^a", "x"))
is("abc 0", ("abc"):gsub("^b", "x"))
is("xaa 1", ("aaa"):gsub("^a", "x"))
is("abc. 1", ("abc"):gsub("$", "."))
is("a1b2 2", ("a_b_"):gsub("_", (function() local n = 0 return function() n = n + 1 return n end end)()))
is("5bc 1", ("abc"):gsub("a", 5))
is("3x 1", ("ax"):gsub("a", 3))
is("trim", (("  trim  "):gsub("^%s+", ""):gsub("%s+$", "")))
is("a,b,c 2", ("a;b;c"):gsub(";", ","))
is("\\n 1", ("\n"):gsub("\n", "\\n"))
is("%1 1", ("a"):gsub("a", "%%1"))
is("12 2", ("ab"):gsub("()[ab]", "%1"))

-- gsub with functions and tables
is("HELLO WORLD 2", ("hello world"):gsub("%w+", string.upper))
is("hello 2", ("hello"):gsub("l", function() end))
is("hello 2", ("hello"):gsub("l", function() return false end))
is("he77o 2", ("hello"):gsub("l", function() return 7 end))
is("b a 1", ("a b"):gsub("(%w) (%w)", function(a, b) return b .. " " .. a end))
is("1bc 3", ("abc"):gsub("%w", {a = "1", b = false}))
is("abc 1", ("abc"):gsub("(a)(b)", {b = "1"}))
is("<a><b> 2", ("ab"):gsub(".", setmetatable({}, {__index = function(_, k) return "<" .. k .. ">" end})))
is("hi 1", ("$name"):gsub("%$(%w+)", {name = "hi"}))
is("xbc 1", ("abc"):gsub("a", function() return "x", "y" end))
is("x$y 2", ("a$b"):gsub("%w", {a = "x", b = "y"}))
is("one 1.5 2", ("a b"):gsub("%w", {a = "one", b = 1.5}))
do
  local calls = 0
  local result = ("aaaa"):gsub("a", function() calls = calls + 1 return calls end, 2)
  assert(result == "12aa" and calls == 2)
end
do -- an error goes through
  local ok, message = pcall(string.gsub, "x", "x", function() error("inside", 0) end)
  assert(not ok and message == "inside")
  local t = {}
  ok, message = pcall(string.gsub, "x", "x", function() error(t) end)
  assert(not ok and message == t)
end

-- malformed patterns
fails("malformed pattern (ends with '%')", string.find, "a", "%")
fails("malformed pattern (missing ']')", string.find, "a", "[a")
fails("malformed pattern (missing ']')", string.find, "a", "[]")
fails("malformed pattern (missing ']')", string.find, "a", "[^]")
fails("malformed pattern (missing ']')", string.find, "a", "[a%]")
fails("malformed pattern (missing ']')", string.find, "a", "[a%")
fails("malformed pattern (missing arguments to '%b')", string.find, "a", "%b")
fails("malformed pattern (missing arguments to '%b')", string.find, "a", "%bx")
fails("missing '[' after '%f' in pattern", string.find, "a", "%f")
fails("unfinished capture", string.find, "a", "(a")
fails("invalid capture index %1", string.find, "a", "%1")
fails("invalid capture index %1", string.find, "a", "(%1)")
fails("invalid capture index %2", string.find, "aa", "(a)%2")
fails("invalid capture index %2", string.gsub, "a", "(a)", "%2")
fails("invalid use of '%' in replacement string", string.gsub, "a", "a", "%x")
fails("invalid use of '%' in replacement string", string.gsub, "a", "a", "%")
fails("invalid replacement value (a table)", string.gsub, "a", "a", function() return {} end)
fails("invalid replacement value (a boolean)", string.gsub, "a", "a", {a = true})
fails("bad argument #3 to 'string.gsub' (string/function/table expected, got no value)", string.gsub, "a", "a")
fails("bad argument #3 to 'string.gsub' (string/function/table expected, got nil)", string.gsub, "a", "a", nil)
fails("bad argument #4 to 'string.gsub' (number expected, got table)", string.gsub, "a", "a", "b", {})
fails("bad argument #1 to 'string.find' (string expected, got nil)", string.find, nil, "a")
fails("bad argument #2 to 'string.gmatch' (string expected, got no value)", string.gmatch, "a")
fails("pattern too complex", string.find, ("x"):rep(300), (".-"):rep(201) .. "y")
is("1 190", ("x"):rep(300):find(("x?"):rep(190)))

-- many matches, so that what is compiled does them too
do
  local parts = {}
  for i = 1, 400 do parts[i] = ("k%d=v%d"):format(i, i * 7) end
  local text = table.concat(parts, ";")
  for _ = 1, 3 do
    local n, sum = 0, 0
    for k, v in text:gmatch("k(%d+)=v(%d+)") do
      n = n + 1
      sum = sum + v - 7 * k
    end
    assert(n == 400 and sum == 0)
    local doubled, count = text:gsub("v(%d+)", function(d) return d // 7 end)
    assert(count == 400 and doubled:find("k400=400$"))
    local plain = text:gsub("%d", "")
    assert(#plain == 400 * 3 + 399)
    assert(text:find("k399=", 1, true) == text:find("k399="))
  end
end
