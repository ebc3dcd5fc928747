-- Writes a sales table as CSV (with quoted fields, commas and doubled quotes),
-- parses it back, groups and sums the rows and formats a text report.
-- args: 15000
-- quick: 60

local regions = { "North", "South", "East", "West", "Overseas, misc" }
local products = { 'Lamp "Aurora"', "Chair", "Desk, large", "Shelf", "Rug", 'Vase 12"', "Clock" }
local clerks = { "Ann", "Bo", "Carla", "Dmitri", "Eve" }

local seed
local function pick(limit)
  seed = (seed * 3877 + 29573) % 139968
  return math.floor(limit * seed / 139968) + 1
end

local function quote(field)
  field = tostring(field)
  if field:find('[,"\n]') then
    return '"' .. field:gsub('"', '""') .. '"'
  end
  return field
end

local function build_csv(rows)
  local lines = { "id,date,region,product,clerk,units,price" }
  for id = 1, rows do
    local date = string.format("%04d-%02d-%02d", 2018 + pick(5), pick(12), pick(28))
    local price = string.format("%d.%02d", pick(90) + 9, pick(100) - 1)
    local row = {
      id, date, regions[pick(#regions)], products[pick(#products)],
      clerks[pick(#clerks)], pick(20), price,
    }
    for i, v in ipairs(row) do row[i] = quote(v) end
    lines[#lines + 1] = table.concat(row, ",")
  end
  return table.concat(lines, "\n") .. "\n"
end

local function parse_line(line)
  local fields, at = {}, 1
  local len = #line
  while at <= len + 1 do
    if line:sub(at, at) == '"' then
      local text, i = "", at + 1
      while true do
        local j = line:find('"', i, true)
        if not j then error("unfinished quote: " .. line) end
        text = text .. line:sub(i, j - 1)
        if line:sub(j + 1, j + 1) == '"' then
          text = text .. '"'
          i = j + 2
        else
          at = j + 2
          break
        end
      end
      fields[#fields + 1] = text
    else
      local stop = line:find(",", at, true) or len + 1
      fields[#fields + 1] = line:sub(at, stop - 1)
      at = stop + 1
    end
  end
  return fields
end

local function parse_csv(text)
  local header, records = nil, {}
  for line in text:gmatch("([^\n]*)\n") do
    local fields = parse_line(line)
    if not header then
      header = fields
    else
      local rec = {}
      for i, name in ipairs(header) do rec[name] = fields[i] end
      records[#records + 1] = rec
    end
  end
  return records
end

local function cents(price)
  local whole, part = price:match("^(%d+)%.(%d%d)$")
  return tonumber(whole) * 100 + tonumber(part)
end

local function group_by(records, keyfn)
  local groups, order = {}, {}
  for _, r in ipairs(records) do
    local key = keyfn(r)
    local g = groups[key]
    if not g then
      g = { key = key, rows = 0, units = 0, money = 0, best = 0 }
      groups[key] = g
      table.insert(order, g)
    end
    local units = tonumber(r.units)
    local value = units * cents(r.price)
    g.rows = g.rows + 1
    g.units = g.units + units
    g.money = g.money + value
    g.best = math.max(g.best, value)
  end
  table.sort(order, function(a, b)
    if a.money == b.money then return a.key < b.key end
    return a.money > b.money
  end)
  return order
end

local function report(title, groups)
  local out = { string.format("== %s (%d) ==", title, #groups) }
  for i, g in ipairs(groups) do
    out[#out + 1] = string.format("%3d %-28s %6d %7d %12.2f %9.2f %8.3f", i, g.key,
      g.rows, g.units, g.money / 100, g.best / 100, g.money / g.units / 100)
  end
  return table.concat(out, "\n")
end

return function(n)
  seed = 42
  local records = parse_csv(build_csv(n))
  local text = table.concat({
    report("by region", group_by(records, function(r) return r.region end)),
    report("by product", group_by(records, function(r) return r.product end)),
    report("by clerk and year", group_by(records, function(r)
      return r.clerk .. " " .. r.date:sub(1, 4)
    end)),
    report("by month", group_by(records, function(r) return (r.date:match("^(%d+%-%d+)")) end)),
  }, "\n\n")
  local sum = 0
  for word in text:gmatch("%S+") do
    for i = 1, #word do sum = (sum * 131 + word:byte(i)) % 1000003 end
  end
  return string.format("%d records, %d chars, %d", #records, #text, sum)
end
