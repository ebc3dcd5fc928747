-- An event loop with timers, ticks and emitters: clients ask a server, which answers by callbacks, with timeouts, retries and once-only listeners.
-- Abilities are mixed in by copying functions into the objects.
-- args: 580
-- quick: 1
local function mixin(target, ...)
  for i = 1, select("#", ...) do
    for k, v in pairs((select(i, ...))) do target[k] = v end
  end
  return target
end

local Emitter = {
  on = function(self, event, fn)
    self.listeners = self.listeners or {}
    local list = self.listeners[event]
    if not list then
      list = {}
      self.listeners[event] = list
    end
    list[#list + 1] = fn
    return self
  end,
  off = function(self, event, fn)
    local list = self.listeners and self.listeners[event] or {}
    for i = #list, 1, -1 do
      if list[i] == fn then table.remove(list, i) end
    end
  end,
  once = function(self, event, fn)
    local function wrapper(...)
      self:off(event, wrapper)
      return fn(...)
    end
    return self:on(event, wrapper)
  end,
  emit = function(self, event, ...)
    local list = self.listeners and self.listeners[event]
    if not list then return 0 end
    local copy = {}
    for i, fn in ipairs(list) do copy[i] = fn end
    for i = 1, #copy do copy[i](...) end
    return #copy
  end,
}

local Named = {
  label = function(self) return self.kind .. "#" .. self.number end,
  log = function(self, fmt, ...)
    local lines = self.loop.lines
    lines[#lines + 1] = ("%05d %s "):format(self.loop.now, self:label()) .. fmt:format(...)
  end,
}

local function new_loop()
  local loop = { now = 0, timers = {}, ticks = {}, handled = 0, lines = {}, serial = 0 }

  -- timers are a list sorted by time, the latest first; equal times go by their number
  function loop.after(delay, fn, ...)
    loop.serial = loop.serial + 1
    local t = { at = loop.now + delay, id = loop.serial, fn = fn, n = select("#", ...), ... }
    local list = loop.timers
    local i = #list
    while i > 0 and (list[i].at < t.at or list[i].at == t.at and list[i].id < t.id) do i = i - 1 end
    table.insert(list, i + 1, t)
    return t
  end

  function loop.every(delay, times, fn)
    local count = 0
    local function again()
      count = count + 1
      if fn(count) ~= "stop" and count < times then loop.after(delay, again) end
    end
    loop.after(delay, again)
  end

  function loop.cancel(timer)
    if timer then timer.cancelled = true end
  end

  function loop.soon(fn, ...)
    local args = { ... }
    loop.ticks[#loop.ticks + 1] = function() return fn((table.unpack or unpack)(args)) end
  end

  function loop.run(limit)
    while true do
      while #loop.ticks > 0 do
        local ticks = loop.ticks
        loop.ticks = {}
        for _, f in ipairs(ticks) do
          f()
          loop.handled = loop.handled + 1
        end
      end
      local t = table.remove(loop.timers)
      if not t then return "idle" end
      if t.at > limit then return "limit" end
      if not t.cancelled then
        loop.now = t.at
        loop.handled = loop.handled + 1
        t.fn((table.unpack or unpack)(t, 1, t.n))
      end
    end
  end

  return loop
end

local function new_server(loop, seed)
  local server = mixin({ kind = "server", number = 1, loop = loop, busy = 0, queue = {}, served = 0, lost = 0 }, Emitter, Named)

  local function random(k)
    seed = (seed * 1366 + 150889) % 714025
    return seed % k
  end

  local function start(job)
    server.busy = server.busy + 1
    loop.after(5 + random(30), function()
      server.busy = server.busy - 1
      local kind = random(10)
      if kind == 0 then
        server.lost = server.lost + 1               -- never answers
        server:emit("lost", job)
      elseif kind == 1 then
        loop.soon(job.reply, "server error " .. random(5))
      else
        server.served = server.served + 1
        loop.soon(job.reply, nil, job.question:upper(), random(100))
      end
      local waiting = table.remove(server.queue, 1)
      if waiting then start(waiting) else server:emit("free", server.busy) end
    end)
  end

  function server.ask(question, reply)
    local job = { question = question, reply = reply }
    if server.busy < 4 then start(job)
    elseif #server.queue < 6 then server.queue[#server.queue + 1] = job
    else loop.soon(reply, "full") end
  end
  return server
end

local function new_client(loop, server, number)
  local client = mixin({ kind = "client", number = number, loop = loop, score = 0, retries = 0, failed = 0 }, Named, Emitter)
  function client:request(text, tries)
    local timer
    local done = false
    local function finish(err, answer, points)
      if done then return end
      done = true
      loop.cancel(timer)
      if err then
        if tries > 0 then
          self.retries = self.retries + 1
          loop.after(10 * (4 - tries), self.request, self, text, tries - 1)
        else
          self.failed = self.failed + 1
          self:log("gave up on %s: %s", text, err)
        end
      else
        self.score = self.score + points
        self:emit("answer", answer, points)
      end
    end
    timer = loop.after(60, finish, "timeout")
    server.ask(text, finish)
  end
  return client
end

return function(n)
  local loop = new_loop()
  local server = new_server(loop, 99)
  local clients, answers, firsts, frees = {}, 0, 0, 0
  server:on("lost", function(job) server:log("lost %q", job.question) end)
  server:on("free", function(busy) frees = frees + busy + 1 end)
  for i = 1, 8 do
    local c = new_client(loop, server, i)
    clients[i] = c
    c:once("answer", function(_, points) firsts = firsts + points end)
    c:on("answer", function(answer, points) answers = (answers * 3 + #answer + points) % 1000003 end)
    loop.every(17 + i * 3, n, function(count)
      c:request("q" .. i .. "." .. count, 3)
      if c.failed > 20 + n then return "stop" end
    end)
  end
  local why = loop.run(n * 60 + 500)
  local parts, sum = {}, 0
  for i, c in ipairs(clients) do parts[i] = c.score .. "/" .. c.retries .. "/" .. c.failed end
  for i, line in ipairs(loop.lines) do
    for k = 1, #line, 2 do sum = (sum * 31 + line:byte(k) + i) % 1000003 end
  end
  return string.format("%s %d %d %d %d %d %d %d %s %s", why, loop.now, loop.handled, server.served, server.lost, answers, firsts + frees, sum,
    table.concat(parts, " "), loop.lines[#loop.lines] or "-")
end
