-- Records of many layouts, as they come from forms that people fill in: fields are there or not, in changing order. They are filtered, joined, grouped and
-- sorted by small functions that take functions.
-- args: 12000
-- quick: 20
local function seq(list)
  local q = {}

  function q.where(test)
    local out = {}
    for _, r in ipairs(list) do
      if test(r) then out[#out + 1] = r end
    end
    return seq(out)
  end

  function q.map(f)
    local out = {}
    for i, r in ipairs(list) do out[i] = f(r, i) end
    return seq(out)
  end

  function q.group(key)
    local groups, order = {}, {}
    for _, r in ipairs(list) do
      local k = key(r)
      if k ~= nil then
        if not groups[k] then
          groups[k] = { key = k, rows = {} }
          order[#order + 1] = groups[k]
        end
        table.insert(groups[k].rows, r)
      end
    end
    return seq(order)
  end

  function q.join(other, mine, theirs, both)
    local index = {}
    for _, r in ipairs(other.list) do index[theirs(r)] = r end
    local out = {}
    for _, r in ipairs(list) do
      local match = index[mine(r)]
      if match then out[#out + 1] = both(r, match) end
    end
    return seq(out)
  end

  function q.sort(before)
    local copy = {}
    for i = 1, #list do copy[i] = list[i] end
    table.sort(copy, before)
    return seq(copy)
  end

  function q.fold(start, f)
    local value = start
    for i = 1, #list do value = f(value, list[i]) end
    return value
  end

  q.list = list
  return q
end

local towns = { "Aachen", "Brno", "Cork", "Delft", "Evora", "Faro", "Graz" }

-- The bits of the number say which fields there are; a third of the records gets them in another order.
local function make(i)
  local bits = i * 2654435 % 1024
  local r
  if i % 3 == 0 then r = { id = i } elseif i % 3 == 1 then r = { town = towns[i % #towns + 1], id = i } else r = { id = i, kind = "late", town = false } end
  local function has(bit) return bits % (2 * bit) >= bit end
  if has(1) then r.age = i % 80 + 10 end
  if has(2) then r.name = "n" .. i % 50 end
  if has(4) then r.town = towns[i % 5 + 1] end
  if has(8) then r.height = 150 + i % 40 + 0.5 end
  if has(16) then r.children = { i % 3, i % 4 } end
  if has(32) then r.member = true end
  if has(64) then r.owes = i % 13 * 10 end
  if has(128) then r.phone = i * 37 end
  if has(256) then r.friend = i % 100 + 1 end
  if has(512) then r.note = "" end
  return r
end

return function(n)
  local made = {}
  for i = 1, n do made[i] = make(i) end
  local people = seq(made)
  local sum = 0
  for round = 1, 8 do
    local old = people.where(function(r) return (r.age or 30) > 20 + round * 5 end)
    sum = sum + old.fold(0, function(s, r) return s + (r.height or 100) + (r.owes or 0) + (r.member and 1 or 0) end)
    for _, r in ipairs(old.list) do
      if r.phone and r.phone % 5 == round % 5 then r.seen = (r.seen or 0) + 1 end
    end
  end
  local friends = people.where(function(r) return r.friend end)
    .join(people, function(r) return r.friend end, function(r) return r.id end, function(a, b)
      return { id = a.id, other = b.id, town = a.town or b.town, both = (a.age or 0) + (b.age or 0), seen = a.seen }
    end)
  local by_town = friends.group(function(r) return r.town or nil end).map(function(g)
    local total, seen = 0, 0
    for _, r in ipairs(g.rows) do
      total = total + r.both
      seen = seen + (r.seen or 0)
    end
    return { town = g.key, count = #g.rows, total = total, seen = seen }
  end).sort(function(a, b) return a.total > b.total or a.total == b.total and a.town < b.town end)
  local lines = by_town.map(function(r) return r.town .. " " .. r.count .. " " .. r.total .. " " .. r.seen end).list
  local ordered = people.sort(function(a, b)
    local x, y = a.age or 0, b.age or 0
    if x ~= y then return x < y end
    if (a.name or "") ~= (b.name or "") then return (a.name or "") < (b.name or "") end
    return a.id < b.id
  end)
  local place = ordered.fold(0, function(s, r) return (s * 7 + r.id) % 1000003 end)
  -- Every field of every record, by name.
  local fields = 0
  for _, r in ipairs(people.list) do
    for key, value in pairs(r) do
      if type(value) == "number" then fields = fields + #key end
      if type(value) == "table" then fields = fields + value[1] * value[2] end
    end
  end
  return string.format("%.1f %d %d %d %s", sum, #friends.list, place, fields, table.concat(lines, "; "))
end
