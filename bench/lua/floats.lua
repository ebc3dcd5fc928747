-- Float loops: a series for pi, the logistic map, Newton's square roots, and a loop whose variable is a float.
-- args: 800000
-- quick: 1000
return function(n)
  local pi, sign = 0.0, 4.0
  for i = 1, 2 * n, 2 do
    pi = pi + sign / i
    sign = -sign
  end
  local x, mean = 0.3, 0.0
  for _ = 1, n do
    x = 3.9 * x * (1.0 - x)
    mean = mean + x
  end
  local roots = 0.0
  for i = 1, n / 4 do
    local a = i + 0.5
    local root = a
    while root * root - a > 1e-9 * a do
      root = 0.5 * (root + a / root)
    end
    roots = roots + root
  end
  local area, width = 0.0, 1.0 / n
  for at = 0.5 * width, 1.0, width do
    area = area + width / (1.0 + at * at)
  end
  return string.format("%.9f %.9f %.9g %.9f", pi, mean / n, roots, area)
end
