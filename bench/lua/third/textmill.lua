-- Text processing: a template engine on gsub callbacks, word statistics, boxes and
-- banners, caesar / vigenere / rail-fence ciphers and run-length coding.
-- args: 250
-- quick: 2

WORDS = { "river", "stone", "lantern", "quiet", "market", "silver", "wander", "bridge", "copper",
  "meadow", "thunder", "paper", "winter", "garden", "signal", "harbour", "violet", "engine" }

function next_random(limit)
  random_state = (random_state * 48271) % 2147483647
  return random_state % limit + 1
end

function random_sentence(length)
  local parts = {}
  for i = 1, length do parts[i] = WORDS[next_random(#WORDS)] end
  local s = table.concat(parts, " ")
  return s:sub(1, 1):upper() .. s:sub(2) .. "."
end

-- templating: {{name}}, {{name|filter|filter}} and {% each list %}...{% end %}
filters = {
  upper = string.upper,
  lower = string.lower,
  reverse = string.reverse,
  title = function(s) return (s:gsub("(%a)(%w*)", function(a, b) return a:upper() .. b:lower() end)) end,
  quote = function(s) return '"' .. s:gsub('"', '\\"') .. '"' end,
  squeeze = function(s) return (s:gsub("%s+", "_")) end,
}

function fill(template, values)
  return (template:gsub("{{%s*([%w_]+)([|%w]*)%s*}}", function(name, chain)
    local v = values[name]
    if v == nil then return "<" .. name .. "?>" end
    v = tostring(v)
    for f in chain:gmatch("|(%w+)") do v = filters[f](v) end
    return v
  end))
end

function render(template, values)
  template = template:gsub("{%% each (%w+) %%}(.-){%% end %%}", function(list, body)
    local out = {}
    for i, item in ipairs(values[list]) do
      item.index = string.format("%03d", i)
      out[#out + 1] = fill(body, item)
    end
    return table.concat(out)
  end)
  return fill(template, values)
end

PAGE = [[
<h1>{{title|title}}</h1>
<p class={{class|quote}}>{{intro}} {{missing}}</p>
<ul>{% each rows %}
  <li id="r{{index}}">{{name|reverse|upper}} costs {{price}} ({{note|squeeze|title}})</li>{% end %}
</ul>
<footer>{{title|lower|reverse}}</footer>
]]

-- ciphers
function caesar(text, shift)
  return (text:gsub("%a", function(c)
    local base = c:find("%u") and 65 or 97
    return string.char((c:byte() - base + shift) % 26 + base)
  end))
end

function vigenere(text, key, direction)
  local out, k = {}, 0
  for i = 1, #text do
    local b = text:byte(i)
    if b >= 97 and b <= 122 then
      local shift = key:byte(k % #key + 1) - 97
      b = (b - 97 + direction * shift) % 26 + 97
      k = k + 1
    end
    out[i] = string.char(b)
  end
  return table.concat(out)
end

function rail_fence(text, rails)
  local rows = {}
  for r = 1, rails do rows[r] = "" end
  local r, step = 1, 1
  for c in text:gmatch(".") do
    rows[r] = rows[r] .. c
    if r == rails then step = -1 elseif r == 1 then step = 1 end
    r = r + step
  end
  return table.concat(rows)
end

function run_lengths(text)
  local out, i = "", 1
  while i <= #text do
    local c = text:sub(i, i)
    local j = i
    while text:sub(j + 1, j + 1) == c do j = j + 1 end
    out = out .. c .. (j > i and string.format("%d", j - i + 1) or "")
    i = j + 1
  end
  return out
end

function box(text, width)
  local lines, line = { "+" .. ("-"):rep(width) .. "+" }, ""
  for word in text:gmatch("%S+") do
    if #line + #word + 1 > width then
      lines[#lines + 1] = "|" .. line .. (" "):rep(width - #line) .. "|"
      line = ""
    end
    line = line == "" and word or line .. " " .. word
  end
  lines[#lines + 1] = "|" .. line .. (" "):rep(width - #line) .. "|"
  lines[#lines + 1] = lines[1]
  return table.concat(lines, "\n")
end

function checksum(sum, text)
  for i = 1, #text do sum = (sum * 31 + text:byte(i)) % 1000000007 end
  return sum
end

return function(n)
  random_state = 555
  local sum, longest = 7, 0
  for round = 1, n do
    local rows = {}
    for i = 1, 8 do
      rows[i] = { name = WORDS[next_random(#WORDS)], price = next_random(90), note = random_sentence(3) }
    end
    local page = render(PAGE, { title = random_sentence(4), class = 'big "' .. WORDS[round % 18 + 1] .. '"',
      intro = random_sentence(12), rows = rows })
    local secret = vigenere(page, WORDS[next_random(#WORDS)], 1)
    local letter = caesar(random_sentence(30), round)
    if caesar(letter, -round):sub(-1) ~= "." then error("caesar broke the text") end
    local fence = rail_fence(letter, 3 + round % 3)
    local framed = box(random_sentence(40), 40)
    sum = checksum(checksum(sum, secret), fence)
    sum = checksum(sum, run_lengths(framed))
    longest = math.max(longest, #page)
  end
  return string.format("%d-%d", sum, longest)
end
