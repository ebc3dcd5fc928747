-- K-means clustering, least squares by gaussian elimination, and a small neural network.
-- args: 80
-- quick: 1

local function map(list, f)
  local out = {}
  for i = 1, #list do out[i] = f(list[i], i) end
  return out
end

local function filter(list, keep)
  local out = {}
  for _, v in ipairs(list) do if keep(v) then out[#out + 1] = v end end
  return out
end

local function reduce(list, f, acc)
  for i = 1, #list do acc = f(acc, list[i]) end
  return acc
end

local function times(k, f)
  local out = {}
  for i = 1, k do out[i] = f(i) end
  return out
end

local function generator(seed)
  return function()
    seed = (seed * 16807) % 2147483647
    return seed / 2147483647
  end
end

local function samplePoints(count, rnd)
  local centres = { { 1, 1 }, { 5, 2 }, { 3, 6 }, { 7, 7 } }
  return times(count, function(i)
    local c = centres[i % #centres + 1]
    return { x = c[1] + rnd() * 3 - 1.5, y = c[2] + rnd() * 3 - 1.5 }
  end)
end

local function distance2(a, b) return (a.x - b.x) ^ 2 + (a.y - b.y) ^ 2 end

local function nearest(p, means)
  local best = 1
  for i = 2, #means do
    if distance2(p, means[i]) < distance2(p, means[best]) then best = i end
  end
  return best
end

local function kmeans(points, k, rounds)
  local means = times(k, function(i) return { x = points[i].x, y = points[i].y } end)
  for _ = 1, rounds do
    for _, p in ipairs(points) do p.cluster = nearest(p, means) end
    means = map(means, function(old, i)
      local members = filter(points, function(p) return p.cluster == i end)
      if #members == 0 then return old end
      local function mean(key) return reduce(members, function(s, p) return s + p[key] end, 0) / #members end
      return { x = mean("x"), y = mean("y") }
    end)
  end
  return means, reduce(points, function(acc, p) return acc + distance2(p, means[p.cluster]) end, 0)
end

local function solve(a, b)
  local n, x = #a, {}
  for col = 1, n do
    local pivot = col
    for r = col + 1, n do
      if math.abs(a[r][col]) > math.abs(a[pivot][col]) then pivot = r end
    end
    a[col], a[pivot], b[col], b[pivot] = a[pivot], a[col], b[pivot], b[col]
    for r = col + 1, n do
      local f = a[r][col] / a[col][col]
      for c = col, n do a[r][c] = a[r][c] - f * a[col][c] end
      b[r] = b[r] - f * b[col]
    end
  end
  for r = n, 1, -1 do
    local s = b[r]
    for c = r + 1, n do s = s - a[r][c] * x[c] end
    x[r] = s / a[r][r]
  end
  return x
end

local function fitPolynomial(points, degree)
  local function moment(power, weight)
    return reduce(points, function(s, p) return s + weight(p) * (p.x / 8) ^ power end, 0)
  end
  local function one() return 1 end
  local function height(p) return p.y end
  local function row(i) return times(degree + 1, function(j) return moment(i + j - 2, one) end) end
  return solve(times(degree + 1, row), times(degree + 1, function(i) return moment(i - 1, height) end))
end

local function layer(inputs, outputs, rnd)
  return times(outputs, function() return times(inputs + 1, function() return rnd() * 2 - 1 end) end)
end

local function forward(weights, input)
  return map(weights, function(w)
    local s = w[#w]
    for i = 1, #input do s = s + w[i] * input[i] end
    return 1 / (1 + math.exp(-s))
  end)
end

local function adjust(weights, input, delta, rate)
  for k, w in ipairs(weights) do
    for i = 1, #input do w[i] = w[i] + rate * delta[k] * input[i] end
    w[#w] = w[#w] + rate * delta[k]
  end
end

local function train(net, input, target, rate)
  local hidden, err = forward(net.hidden, input), 0
  local deltaOut = map(forward(net.output, hidden), function(o, i)
    err = err + (target[i] - o) ^ 2
    return (target[i] - o) * o * (1 - o)
  end)
  local deltaHidden = map(hidden, function(h, i)
    local s = 0
    for k = 1, #deltaOut do s = s + deltaOut[k] * net.output[k][i] end
    return s * h * (1 - h)
  end)
  adjust(net.output, hidden, deltaOut, rate)
  adjust(net.hidden, input, deltaHidden, rate)
  return err
end

return function(n)
  local rnd = generator(1234)
  local points = samplePoints(240, rnd)
  local means, spread = kmeans(points, 4, 20)
  local coef = fitPolynomial(points, 4)
  local net = { hidden = layer(2, 6, rnd), output = layer(6, 4, rnd) }
  local err
  for _ = 1, n do
    err = 0
    for _, p in ipairs(points) do
      local target = { 0, 0, 0, 0 }
      target[p.cluster] = 1
      err = err + train(net, { p.x / 8, p.y / 8 }, target, 0.4)
    end
  end
  local total = reduce(means, function(s, m) return s + m.x * 3 + m.y end, 0)
  return string.format("%.6f %.6f %.6f %.6f", total, spread, coef[1] + coef[2], err)
end
