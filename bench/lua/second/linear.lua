-- Linear algebra as in a course on numerics: everything in one function and its loops, matrices as arrays of rows. A matrix is factored with partial
-- pivoting, systems are solved, the determinant and the inverse are found, and eigenvalues by repeated rotation.
-- args: 130
-- quick: 4
return function(n)
  local abs, sqrt = math.abs, math.sqrt
  -- A matrix that is far from singular, and its factors.
  local a, lu, order = {}, {}, {}
  for i = 1, n do
    a[i], lu[i], order[i] = {}, {}, i
    for j = 1, n do
      local value = (i * 7 + j * 13 + i * j % 17) % 23 / 23
      if i == j then value = value + 3 end
      a[i][j] = value
      lu[i][j] = value
    end
  end
  local sign = 1
  for k = 1, n do
    local pivot, largest = k, abs(lu[k][k])
    for i = k + 1, n do
      if abs(lu[i][k]) > largest then pivot, largest = i, abs(lu[i][k]) end
    end
    if pivot ~= k then
      lu[k], lu[pivot] = lu[pivot], lu[k]
      order[k], order[pivot] = order[pivot], order[k]
      sign = -sign
    end
    local top = lu[k]
    for i = k + 1, n do
      local row = lu[i]
      local factor = row[k] / top[k]
      row[k] = factor
      for j = k + 1, n do row[j] = row[j] - factor * top[j] end
    end
  end
  local logarithm = 0.0
  for k = 1, n do
    if lu[k][k] < 0 then sign = -sign end
    logarithm = logarithm + math.log(abs(lu[k][k]))
  end
  -- The inverse, a column at a time.
  local inverse = {}
  for i = 1, n do inverse[i] = {} end
  for column = 1, n do
    local x = {}
    for i = 1, n do
      local sum = order[i] == column and 1.0 or 0.0
      for j = 1, i - 1 do sum = sum - lu[i][j] * x[j] end
      x[i] = sum
    end
    for i = n, 1, -1 do
      local sum = x[i]
      for j = i + 1, n do sum = sum - lu[i][j] * x[j] end
      x[i] = sum / lu[i][i]
      inverse[i][column] = x[i]
    end
  end
  local worst = 0.0
  for i = 1, n do
    for j = 1, n do
      local sum = i == j and -1.0 or 0.0
      for k = 1, n do sum = sum + a[i][k] * inverse[k][j] end
      if abs(sum) > worst then worst = abs(sum) end
    end
  end
  -- The eigenvalues of the symmetric part, by rotations that make what is beside the diagonal vanish.
  local m = {}
  local size = n < 24 and n or 24
  for i = 1, size do
    m[i] = {}
    for j = 1, size do m[i][j] = (a[i][j] + a[j][i]) / 2 end
  end
  local sweeps = 0
  repeat
    sweeps = sweeps + 1
    local off = 0.0
    for p = 1, size - 1 do
      for q = p + 1, size do
        local beside = m[p][q]
        off = off + beside * beside
        if abs(beside) > 1e-14 then
          local theta = (m[q][q] - m[p][p]) / (2 * beside)
          local t = 1 / (abs(theta) + sqrt(theta * theta + 1))
          if theta < 0 then t = -t end
          local c = 1 / sqrt(t * t + 1)
          local s = t * c
          for k = 1, size do
            local left, right = m[k][p], m[k][q]
            m[k][p] = c * left - s * right
            m[k][q] = s * left + c * right
          end
          for k = 1, size do
            local upper, lower = m[p][k], m[q][k]
            m[p][k] = c * upper - s * lower
            m[q][k] = s * upper + c * lower
          end
        end
      end
    end
  until off < 1e-18 or sweeps == 30
  local trace, greatest = 0.0, 0.0
  for i = 1, size do
    trace = trace + m[i][i]
    if m[i][i] > greatest then greatest = m[i][i] end
  end
  return string.format("%d %.8g %s %d %.8g %.8g", sign, logarithm, tostring(worst < 1e-10), sweeps, trace, greatest)
end
