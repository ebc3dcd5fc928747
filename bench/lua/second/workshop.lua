-- A workshop is simulated event by event. Objects are tables of closures over their own variables, without metatables; what happens later is a callback
-- in a queue that is sorted by time, and each machine is in one of several states with functions of their own.
-- args: 3000
-- quick: 30
local function new_clock()
  local self = {}
  local events, first, last = {}, 1, 0
  local now = 0

  function self.now() return now end

  -- Events of the same time stay in the order in which they were asked for.
  function self.after(delay, callback)
    local time = now + delay
    local place = last
    while place >= first and events[place].time > time do
      events[place + 1] = events[place]
      place = place - 1
    end
    events[place + 1] = { time = time, callback = callback }
    last = last + 1
  end

  function self.run(most)
    local done = 0
    while first <= last and done < most do
      local event = events[first]
      events[first] = nil
      first = first + 1
      now = event.time
      event.callback()
      done = done + 1
    end
    return done
  end

  return self
end

local function new_store(name, room)
  local self = { name = name }
  local items, waiting_to_put, waiting_to_take = {}, {}, {}
  local most = 0

  local function settle()
    while #items < room and #waiting_to_put > 0 do
      local entry = table.remove(waiting_to_put, 1)
      items[#items + 1] = entry.item
      entry.callback()
    end
    if #items > most then most = #items end
    while #items > 0 and #waiting_to_take > 0 do
      local callback = table.remove(waiting_to_take, 1)
      callback(table.remove(items, 1))
    end
  end

  self.put = function(item, callback)
    waiting_to_put[#waiting_to_put + 1] = { item = item, callback = callback }
    settle()
  end
  self.take = function(callback)
    waiting_to_take[#waiting_to_take + 1] = callback
    settle()
  end
  self.most = function() return most end
  self.size = function() return #items end
  return self
end

local function new_machine(clock, options)
  local self = { name = options.name }
  local state, work, made, broken = "idle", nil, 0, 0
  local states

  local function enter(name)
    state = name
    states[name]()
  end

  states = {
    idle = function()
      options.from.take(function(item)
        work = item
        enter("busy")
      end)
    end,
    busy = function()
      local duration = options.duration(work)
      clock.after(duration, function()
        made = made + 1
        work[options.mark] = clock.now()
        enter(options.fails and options.fails(made) and "broken" or "full")
      end)
    end,
    broken = function()
      broken = broken + 1
      clock.after(options.repair or 5, function() enter("full") end)
    end,
    full = function()
      local item = work
      work = nil
      options.to.put(item, function() enter("idle") end)
    end,
  }

  self.start = function() enter("idle") end
  self.say = function() return string.format("%s:%d/%d/%s", self.name, made, broken, state) end
  return self
end

return function(n)
  local clock = new_clock()
  local raw, cut, drilled, done = new_store("raw", 1000), new_store("cut", 4), new_store("drilled", 3), new_store("done", 1e9)
  local seed = 77
  local function random(k)
    seed = (seed * 421 + 1) % 9973
    return seed % k
  end
  local machines = {
    new_machine(clock, { name = "saw", from = raw, to = cut, mark = "cut", duration = function(p) return 2 + p.size % 3 end }),
    new_machine(clock, { name = "drill a", from = cut, to = drilled, mark = "drilled", duration = function(p) return 3 + p.size end,
      fails = function(k) return k % 17 == 0 end, repair = 12 }),
    new_machine(clock, { name = "drill b", from = cut, to = drilled, mark = "drilled", duration = function() return 5 + random(4) end }),
    new_machine(clock, { name = "paint", from = drilled, to = done, mark = "painted", duration = function(p) return p.size + 1 end,
      fails = function() return random(20) == 0 end }),
  }
  for _, machine in ipairs(machines) do machine.start() end
  local number = 0
  local function deliver()
    if number < n then
      number = number + 1
      raw.put({ number = number, size = random(5) }, function() clock.after(1 + random(6), deliver) end)
    end
  end
  deliver()
  local events = clock.run(n * 100)
  local slowest, sum, out = 0, 0, {}
  local function collect(part)
    local took = part.painted - part.cut
    if took > slowest then slowest = took end
    sum = (sum * 5 + took + part.number) % 1000003
  end
  for _ = 1, done.size() do done.take(collect) end
  for i, machine in ipairs(machines) do out[i] = machine.say() end
  return string.format("%d %d %d %d %d %s", events, clock.now(), slowest, sum, raw.most() + cut.most(), table.concat(out, " "))
end
