-- Base64 encoding and decoding of pseudo random binary blobs and of text,
-- checked with CRC-32 and Adler-32. The CRC keeps its register as four bytes
-- so that no bitwise operator is needed.
-- args: 40
-- quick: 1

alphabet64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
enc64, dec64 = {}, {}
for i = 1, #alphabet64 do
  local ch = alphabet64:sub(i, i)
  enc64[i - 1] = ch
  dec64[ch] = i - 1
end

-- xor of two bytes as a 256 x 256 table
bytexor = {}
for a = 0, 255 do
  local row = {}
  for b = 0, 255 do
    local x, y, r, p = a, b, 0, 1
    while x > 0 or y > 0 do
      local xb, yb = x % 2, y % 2
      if xb ~= yb then r = r + p end
      x = math.floor(x / 2)
      y = math.floor(y / 2)
      p = p * 2
    end
    row[b] = r
  end
  bytexor[a] = row
end

function step_crc_bits(c0, c1, c2, c3)
  -- shift the whole register right by one, return the bit which fell off
  local out = c0 % 2
  c0 = math.floor(c0 / 2) + (c1 % 2) * 128
  c1 = math.floor(c1 / 2) + (c2 % 2) * 128
  c2 = math.floor(c2 / 2) + (c3 % 2) * 128
  c3 = math.floor(c3 / 2)
  if out == 1 then
    c0, c1 = bytexor[c0][0x20], bytexor[c1][0x83]
    c2, c3 = bytexor[c2][0xB8], bytexor[c3][0xED]
  end
  return c0, c1, c2, c3
end

crcrows = {}
for i = 0, 255 do
  local c0, c1, c2, c3 = i, 0, 0, 0
  for _ = 1, 8 do c0, c1, c2, c3 = step_crc_bits(c0, c1, c2, c3) end
  crcrows[i] = { c0, c1, c2, c3 }
end

function crc32(s)
  local c0, c1, c2, c3 = 255, 255, 255, 255
  local bx = bytexor
  for i = 1, #s do
    local row = crcrows[bx[c0][s:byte(i)]]
    c0, c1, c2, c3 = bx[row[1]][c1], bx[row[2]][c2], bx[row[3]][c3], row[4]
  end
  return 4294967295 - (((c3 * 256 + c2) * 256 + c1) * 256 + c0)
end

function adler32(s)
  local a, b = 1, 0
  for i = 1, #s do
    a = (a + string.byte(s, i)) % 65521
    b = (b + a) % 65521
  end
  return b * 65536 + a
end

function encode(s)
  local out = {}
  for i = 1, #s, 3 do
    local a, b, c = string.byte(s, i, i + 2)
    local v = a * 65536 + (b or 0) * 256 + (c or 0)
    local q4 = v % 64
    v = (v - q4) / 64
    local q3 = v % 64
    v = (v - q3) / 64
    local q2 = v % 64
    local q1 = (v - q2) / 64
    out[#out + 1] = enc64[q1] .. enc64[q2] .. (b and enc64[q3] or "=") .. (c and enc64[q4] or "=")
  end
  return table.concat(out)
end

function decode(s)
  local out = {}
  for a, b, c, d in s:gmatch("(.)(.)(.)(.)") do
    local v = dec64[a] * 262144 + dec64[b] * 4096 + (dec64[c] or 0) * 64 + (dec64[d] or 0)
    local chars = string.char(math.floor(v / 65536), math.floor(v / 256) % 256, v % 256)
    if c == "=" then
      chars = chars:sub(1, 1)
    elseif d == "=" then
      chars = chars:sub(1, 2)
    end
    table.insert(out, chars)
  end
  return table.concat(out)
end

function wrap(s, width)
  local lines = {}
  for i = 1, #s, width do lines[#lines + 1] = s:sub(i, i + width - 1) end
  return table.concat(lines, "\n")
end

function make_blob(seed, len)
  local bytes = {}
  for i = 1, len do
    seed = seed * 16807 % 2147483647
    bytes[i] = string.char(math.floor(seed / 128) % 256)
  end
  return table.concat(bytes)
end

return function(n)
  assert(crc32("123456789") == 0xCBF43926)
  assert(encode("light w") == "bGlnaHQgdw==")
  local sum = 0
  for round = 1, n do
    local blob = make_blob(round * 7919, 4000 + round * 11)
    local text = wrap(encode(blob), 76)
    local back = decode((text:gsub("\n", "")))
    if back ~= blob then error("round trip failed in round " .. round) end
    sum = (sum * 31 + crc32(text) + crc32(back) + adler32(text)) % 1000000007
  end
  return string.format("%d", sum)
end
