-- Section 6.9: the system.
local function fails(message, f, ...)
  local ok, found = pcall(f, ...)
  assert(not ok and found == message, found)
end

-- time and date
assert(math.type(os.time()) == "integer")
assert(type(os.clock()) == "number" and os.clock() >= 0)
assert(os.date("!%Y-%m-%d %H:%M:%S", 0) == "1970-01-01 00:00:00")
assert(os.date("!%c", 0) == "Thu Jan  1 00:00:00 1970")
assert(os.date("!%x %X %p %r", 3600 * 13) == "01/01/70 13:00:00 PM 01:00:00 PM")
assert(os.date("!%a %A %b %B %d %e %j", 86400 * 58) == "Sat Saturday Feb February 28 28 059")
assert(os.date("!%U %W %V %G %g %u %w", 86400 * 3) == "01 00 01 1970 70 7 0")
assert(os.date("!%U %W %V %G %g %u %w", 1609459200) == "00 00 53 2020 20 5 5")
assert(os.date("!%D %F %T %R %C %y %h %I", 951827696) == "02/29/00 2000-02-29 12:34:56 12:34 20 00 Feb 12")
assert(os.date("!%n%t%%") == "\n\t%")
assert(os.date("!%z %Z", 0) == "+0000 GMT")
assert(os.date("!%Ey %Od", 0) == "70 01")
assert(os.date("!%Y", -62135596800) == "1")
assert(os.date("!%F", -86400) == "1969-12-31")
fails("bad argument #1 to 'os.date' (invalid conversion specifier '%Ez')", os.date, "%Ez")
fails("bad argument #1 to 'os.date' (invalid conversion specifier '%')", os.date, "%")
fails("bad argument #1 to 'os.date' (invalid conversion specifier '%Q')", os.date, "x%Q")
fails("bad argument #2 to 'os.date' (number expected, got string)", os.date, "%c", "x")
fails("bad argument #2 to 'os.date' (number has no integer representation)", os.date, "%c", 1.5)
do
  local t = os.date("!*t", 951827696)
  assert(t.year == 2000 and t.month == 2 and t.day == 29 and t.hour == 12 and t.min == 34 and t.sec == 56)
  assert(t.wday == 3 and t.yday == 60 and t.isdst == false)
  local now = os.time()
  assert(os.time(os.date("*t", now)) == now)
  for _, time in ipairs{0, 86399, 1e9 // 1 | 0, 2^31 // 1 | 0, 4102444800} do
    assert(os.time(os.date("*t", time)) == time)
  end
end
do -- what is out of range is put right, in the table too
  local t = {year = 2020, month = 14, day = -3, hour = 25, min = 61, sec = 61}
  local time = os.time(t)
  assert(t.year == 2021 and t.month == 1 and t.day == 29 and t.hour == 2 and t.min == 2 and t.sec == 1)
  assert(t.yday == 29 and t.wday == 6)
  assert(os.time{year = 2021, month = 1, day = 29, hour = 2, min = 2, sec = 1} == time)
  assert(os.time{year = 2000, month = 1, day = 1} - os.time{year = 2000, month = 1, day = 1, hour = 0} == 12 * 3600)
  assert(os.time{year = "2000", month = "1", day = 1.0} == os.time{year = 2000, month = 1, day = 1})
  assert(os.time{year = 2000, month = 2, day = 30} == os.time{year = 2000, month = 3, day = 1})
end
fails("field 'year' missing in date table", os.time, {})
fails("field 'month' is not an integer", os.time, {year = 2000, month = "x", day = 1})
fails("field 'day' is not an integer", os.time, {year = 2000, month = 1, day = 1.5})
fails("field 'day' missing in date table", os.time, {year = 2000, month = 1})
fails("field 'year' is out-of-bound", os.time, {year = 1 << 40, month = 1, day = 1})
fails("bad argument #1 to 'os.time' (table expected, got number)", os.time, 5)
assert(os.difftime(5, 3) == 2.0 and math.type(os.difftime(5, 3)) == "float")
fails("bad argument #1 to 'os.difftime' (number expected, got no value)", os.difftime)

-- the environment, commands
assert(os.getenv("PATH") and os.getenv("no such variable") == nil)
assert(os.execute() == true)
do
  local ok, what, code = os.execute("exit 3")
  assert(ok == nil and what == "exit" and code == 3)
  ok, what, code = os.execute("true")
  assert(ok == true and what == "exit" and code == 0)
  ok, what, code = os.execute("kill -9 $$")
  assert(ok == nil and what == "signal" and code == 9)
end
assert(os.setlocale() == "C" and os.setlocale("C") == "C" and os.setlocale(nil, "numeric") == "C")
assert(os.setlocale("no such locale") == nil)
fails("bad argument #2 to 'os.setlocale' (invalid option 'x')", os.setlocale, "C", "x")

-- files
do
  local a = os.tmpname()
  local b = a .. "b"
  local f = io.open(a)
  assert(f)
  f:close()
  assert(os.rename(a, b) == true)
  assert(io.open(a) == nil and os.remove(b) == true)
  local ok, message, code = os.remove(b)
  assert(ok == nil and message == b .. ": No such file or directory" and code == 2)
  ok, message, code = os.rename(a, b)
  assert(ok == nil and message == "No such file or directory" and code == 2)
end

-- Section 6.7: the same seed gives the same numbers
do
  local a, b = math.randomseed(42)
  assert(a == 42 and b == 0)
  assert(math.random(1, 100) == 50 and math.random(0) == -8358531260401861301)
  assert(string.format("%.14g", math.random()) == "0.79358935263827")
  assert(math.random(10) == 6 and math.random(-5, 5) == 1)
  math.randomseed(1)
  local t = {}
  for i = 1, 5 do t[i] = math.random(1, 7) end
  assert(table.concat(t, " ") == "6 2 5 7 6")
  assert(select("#", math.randomseed()) == 2)
  fails("bad argument #1 to 'math.randomseed' (number has no integer representation)", math.randomseed, 1.5)
  fails("bad argument #1 to 'math.random' (interval is empty)", math.random, 2, 1)
  fails("wrong number of arguments", math.random, 1, 2, 3)
  for _ = 1, 200 do
    local x = math.random(math.mininteger, math.maxinteger)
    assert(math.type(x) == "integer")
    x = math.random()
    assert(x >= 0 and x < 1)
  end
end

-- Section 6.1: what the collector is told
assert(collectgarbage() == 0 and collectgarbage("collect") == 0)
assert(math.type(collectgarbage("count")) == "float" and type(collectgarbage("step")) == "boolean")
assert(collectgarbage("isrunning") == true and collectgarbage("stop") == 0)
assert(collectgarbage("isrunning") == false and collectgarbage("restart") == 0 and collectgarbage("isrunning"))
collectgarbage("incremental")
assert(collectgarbage("generational") == "incremental" and collectgarbage("incremental") == "generational")
assert(collectgarbage("setpause", 100) == 200 and collectgarbage("setpause", 200) == 100)
assert(collectgarbage("setstepmul", 200) == 100 and collectgarbage("setstepmul", 100) == 200)
fails("bad argument #1 to 'collectgarbage' (invalid option 'x')", collectgarbage, "x")
