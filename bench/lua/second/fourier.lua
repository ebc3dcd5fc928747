-- Fast Fourier transforms in two habits: by recursion on complex numbers that are objects with operators, and in place on two arrays of floats.
-- args: 11
-- quick: 4
local cos, sin, pi, floor = math.cos, math.sin, math.pi, math.floor

local Complex = {}

local function complex(re, im) return setmetatable({ re = re, im = im }, Complex) end

Complex.__add = function(a, b) return complex(a.re + b.re, a.im + b.im) end
Complex.__sub = function(a, b) return complex(a.re - b.re, a.im - b.im) end
Complex.__mul = function(a, b) return complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re) end
Complex.__unm = function(a) return complex(-a.re, -a.im) end
Complex.__index = {
  conjugate = function(a) return complex(a.re, -a.im) end,
  norm = function(a) return a.re * a.re + a.im * a.im end,
}

local function transform(list)
  local n = #list
  if n == 1 then return { list[1] } end
  local even, odd = {}, {}
  for i = 1, n, 2 do
    even[#even + 1] = list[i]
    odd[#odd + 1] = list[i + 1]
  end
  even, odd = transform(even), transform(odd)
  local out = {}
  for k = 1, n / 2 do
    local angle = -2 * pi * (k - 1) / n
    local turned = odd[k] * complex(cos(angle), sin(angle))
    out[k] = even[k] + turned
    out[k + n / 2] = even[k] - turned
  end
  return out
end

local function inverse(list)
  local turned = {}
  for i, z in ipairs(list) do turned[i] = z:conjugate() end
  turned = transform(turned)
  local scale = complex(1 / #list, 0)
  for i, z in ipairs(turned) do turned[i] = z:conjugate() * scale end
  return turned
end

local function in_place(re, im, n)
  local j = 0
  for i = 0, n - 2 do
    if i < j then
      re[i], re[j] = re[j], re[i]
      im[i], im[j] = im[j], im[i]
    end
    local bit = n / 2
    while bit >= 1 and j >= bit do
      j = j - bit
      bit = bit / 2
    end
    j = j + bit
  end
  local size = 1
  while size < n do
    local step_re, step_im = cos(pi / size), -sin(pi / size)
    local w_re, w_im = 1.0, 0.0
    for k = 0, size - 1 do
      for i = k, n - 1, size * 2 do
        local other = i + size
        local t_re = w_re * re[other] - w_im * im[other]
        local t_im = w_re * im[other] + w_im * re[other]
        re[other], im[other] = re[i] - t_re, im[i] - t_im
        re[i], im[i] = re[i] + t_re, im[i] + t_im
      end
      w_re, w_im = w_re * step_re - w_im * step_im, w_re * step_im + w_im * step_re
    end
    size = size * 2
  end
end

return function(n)
  local length = 2 ^ n
  local list, re, im = {}, {}, {}
  for i = 0, length - 1 do
    local value = (i * 37 + i * i % 11) % 101 / 50 - 1
    list[i + 1] = complex(value, 0.0)
    re[i], im[i] = value, 0.0
  end
  local spectrum = transform(list)
  for _ = 1, 3 do
    in_place(re, im, length)
    for i = 0, length - 1 do
      local scale = 1 / math.max(1, math.abs(re[i]), math.abs(im[i]))
      if i % 17 == 0 then re[i], im[i] = re[i] * scale, im[i] * scale end
    end
  end
  local energy, distance = 0.0, 0.0
  for _, z in ipairs(spectrum) do energy = energy + z:norm() end
  for i, z in ipairs(inverse(spectrum)) do distance = distance + (z - list[i]):norm() end
  -- A product of polynomials by their spectra.
  local a, b = {}, {}
  for i = 1, length do
    a[i] = complex(i <= length / 2 and i % 10 or 0, 0)
    b[i] = complex(i <= length / 2 and i * 3 % 10 or 0, 0)
  end
  a, b = transform(a), transform(b)
  for i = 1, length do a[i] = a[i] * b[i] end
  local sum = 0
  for i, z in ipairs(inverse(a)) do sum = (sum * 3 + floor(z.re + 0.5)) % 1000003 end
  return string.format("%.6g %s %d %.6g", energy, tostring(distance < 1e-9), sum, re[5] + im[7])
end
