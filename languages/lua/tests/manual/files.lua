-- Section 6.8: files.
local name = os.tmpname()
local function fails(message, f, ...)
  local ok, found = pcall(f, ...)
  assert(not ok and found == message, found)
end
local function write(text)
  local f = assert(io.open(name, "w"))
  assert(f:write(text) == f)
  assert(f:close() == true)
end
local function read(format)
  local f <close> = assert(io.open(name))
  return f:read(format)
end

-- kinds
assert(type(io.stdout) == "userdata" and io.type(io.stdout) == "file" and io.type(5) == nil)
assert(tostring(io.stdout):find("^file %(0x"))
assert(io.stdout == io.stdout and io.stdout ~= io.stderr)
assert(getmetatable(io.stdout).__name == "FILE*")
assert(({[io.stdout] = 1})[io.stdout] == 1)

-- open
local f, message, code = io.open("/no/such/file")
assert(f == nil and message == "/no/such/file: No such file or directory" and code == 2)
fails("bad argument #2 to 'io.open' (invalid mode)", io.open, name, "rw")
fails("bad argument #2 to 'io.open' (invalid mode)", io.open, name, "")
fails("bad argument #1 to 'io.open' (string expected, got no value)", io.open)
assert(io.open(name, "rb")):close()

-- lines and formats
write("one\ntwo\n\nlast")
assert(read("l") == "one" and read("L") == "one\n" and read("*l") == "one")
assert(read("a") == "one\ntwo\n\nlast")
assert(read(2) == "on" and read(0) == "" and read(100) == "one\ntwo\n\nlast")
do
  local f = io.open(name)
  local a, b, c, d = f:read("l", 1, "L", "l")
  assert(a == "one" and b == "t" and c == "wo\n" and d == "")
  a, b = f:read("a", "a")
  assert(a == "last" and b == "")
  a, b = f:read("l", "l")
  assert(a == nil and b == nil and select("#", f:read("l", "l")) == 1)
  assert(f:read(0) == nil and f:read(1) == nil and f:read("a") == "")
  f:close()
end
do
  local found = {}
  for line in io.lines(name) do found[#found + 1] = line end
  assert(table.concat(found, "|") == "one|two||last")
  found = {}
  for line in io.lines(name, "L") do found[#found + 1] = line end
  assert(table.concat(found, "|") == "one\n|two\n|\n|last")
  found = {}
  for a, b in io.lines(name, 1, 2) do found[#found + 1] = a .. "-" .. tostring(b) end
  assert(table.concat(found, "|") == "o-ne|\n-tw|o-\n\n|l-as|t-nil")
  local f = io.open(name)
  found = {}
  for line in f:lines() do found[#found + 1] = line end
  assert(#found == 4 and io.type(f) == "file")
  f:close()
  for _ in io.lines(name) do break end
end
write("12 0x1F -7.5e1 .5 nope 1e 99")
do
  local f = io.open(name)
  local a, b, c, d, e = f:read("n", "n", "n", "n", "n")
  assert(a == 12 and b == 31 and c == -75.0 and d == 0.5 and e == nil)
  assert(math.type(a) == "integer" and math.type(c) == "float")
  f:close()
end
fails("bad argument #1 to 'io.read' (invalid format)", io.read, "x")

-- writing
do
  local f = io.open(name, "w")
  assert(f:write("a", 1, 2.5, "b", -0.0, 1e15) == f)
  assert(f:seek("cur") == 13)
  f:close()
  assert(read("a") == "a12.5b-01e+15", read("a"))
end
write("0123456789")
do
  local f = io.open(name, "r+")
  assert(f:seek("set", 3) == 3 and f:read(2) == "34")
  assert(f:seek("cur") == 5 and f:seek("cur", -1) == 4 and f:read(1) == "4")
  f:seek("cur", 0)
  f:write("XY")
  assert(f:seek("end") == 10 and f:seek("end", -2) == 8 and f:read("a") == "89")
  assert(f:seek("set") == 0 and f:read("a") == "01234XY789")
  assert(f:seek("set", -1) == nil)
  f:close()
end
do
  local f = io.open(name, "a")
  f:write("+")
  f:close()
  assert(read("a") == "01234XY789+")
  f = io.open(name, "w+")
  f:write("abc")
  f:seek("set", 1)
  assert(f:read("a") == "bc")
  f:close()
  f = io.open(name, "a+")
  assert(f:read("a") == "abc")
  f:write("d")
  f:seek("set", 0)
  assert(f:read("a") == "abcd")
  f:close()
end
do
  local f = io.open(name)
  local ok, message, code = f:write("x")
  assert(ok == nil and message == "Bad file descriptor" and code == 9)
  f:close()
  f = io.open(name, "w")
  ok, message, code = f:read("a")
  assert(ok == nil and message == "Bad file descriptor" and code == 9)
  f:close()
end
do
  local f = io.open(name, "w")
  assert(f:setvbuf("no") and f:setvbuf("full", 1024) and f:setvbuf("line"))
  f:write("now\n")
  assert(read("a") == "now\n")
  f:write("later")
  assert(f:flush() == true)
  assert(read("a") == "now\nlater")
  fails("bad argument #2 to '?' (invalid option 'x')", f.setvbuf, f, "x")
  fails("bad argument #2 to '?' (invalid option 'x')", f.seek, f, "x")
  f:close()
end

-- closed files
do
  local f = io.open(name)
  f:close()
  assert(io.type(f) == "closed file" and tostring(f) == "file (closed)")
  fails("attempt to use a closed file", f.read, f)
  fails("attempt to use a closed file", f.close, f)
  fails("attempt to use a closed file", f.lines, f)
  local ok, message = pcall(function() return f:read() end)
  assert(message:find(":%d+: attempt to use a closed file$"))
  fails("bad argument #1 to '?' (FILE* expected, got table)", f.read, {})
  fails("bad argument #1 to '?' (FILE* expected, got no value)", f.read)
  do
    local g
    do
      local h <close> = io.open(name)
      g = h
    end
    assert(io.type(g) == "closed file")
  end
  local next = io.lines(name)
  while next() do end
  fails("file is already closed", next)
end

-- the default files
do
  write("x\ny\n")
  local input, output = io.input(), io.output()
  assert(io.input(name) == io.input() and io.read() == "x")
  for line in io.lines() do assert(line == "y") end
  assert(io.read() == nil and io.close(io.input()))
  fails("default input file is closed", io.read)
  fails("attempt to use a closed file", io.lines)
  io.input(input)
  io.output(name)
  io.write("to", " ", "file")
  assert(io.output():seek("cur") == 7)
  io.close()
  fails("default output file is closed", io.write, "x")
  io.output(output)
  assert(read("a") == "to file")
  fails("cannot open file '/no/such' (No such file or directory)", io.input, "/no/such")
end
fails("cannot open file '/no/such' (No such file or directory)", io.lines, "/no/such")
fails("bad argument #1 to 'io.write' (string expected, got table)", io.write, {})

-- commands and temporary files
do
  local p = io.popen("echo hello; echo there; exit 3")
  assert(p:read() == "hello" and p:read("a") == "there\n")
  local ok, what, code = p:close()
  assert(ok == nil and what == "exit" and code == 3)
  p = io.popen("cat > " .. name, "w")
  p:write("piped")
  ok, what, code = p:close()
  assert(ok == true and what == "exit" and code == 0)
  assert(read("a") == "piped")
  fails("bad argument #2 to 'io.popen' (invalid mode)", io.popen, "true", "x")
  local t = io.tmpfile()
  t:write("temporary")
  t:seek("set")
  assert(t:read("a") == "temporary")
  t:close()
end
do -- what is larger than a buffer
  local parts = {}
  for i = 1, 20000 do parts[i] = "line " .. i end
  local f = io.open(name, "w")
  for i = 1, #parts do f:write(parts[i], "\n") end
  f:close()
  local n = 0
  for line in io.lines(name) do
    n = n + 1
    assert(line == parts[n])
  end
  assert(n == 20000)
  assert(read("a") == table.concat(parts, "\n") .. "\n")
end
assert(os.remove(name))
assert(io.open(name) == nil)
