-- Three bodies that attract each other, and a pendulum on a pendulum, by the method of Runge and Kutta with everything written out: long bodies of loops
-- with dozens of local variables, some kept in arrays from turn to turn.
-- args: 12000
-- quick: 100
local sqrt, sin, cos = math.sqrt, math.sin, math.cos

local function pull(ax, ay, bx, by, m)
  local dx, dy = bx - ax, by - ay
  local d2 = dx * dx + dy * dy + 0.01
  local f = m / (d2 * sqrt(d2))
  return dx * f, dy * f
end

local function bodies(n)
  local s = { 1.0, 0.0, -0.5, 0.8, -0.5, -0.8, 0.0, 0.5, -0.4, -0.2, 0.4, -0.3 }
  local k1, k2, k3, k4, t = {}, {}, {}, {}, {}
  local m1, m2, m3 = 1.0, 0.8, 1.2
  local h = 0.002

  local function slope(from, k)
    local x1, y1, x2, y2, x3, y3 = from[1], from[2], from[3], from[4], from[5], from[6]
    k[1], k[2], k[3], k[4], k[5], k[6] = from[7], from[8], from[9], from[10], from[11], from[12]
    local ax, ay = pull(x1, y1, x2, y2, m2)
    local bx, by = pull(x1, y1, x3, y3, m3)
    k[7], k[8] = ax + bx, ay + by
    ax, ay = pull(x2, y2, x1, y1, m1)
    bx, by = pull(x2, y2, x3, y3, m3)
    k[9], k[10] = ax + bx, ay + by
    ax, ay = pull(x3, y3, x1, y1, m1)
    bx, by = pull(x3, y3, x2, y2, m2)
    k[11], k[12] = ax + bx, ay + by
  end

  for _ = 1, n do
    slope(s, k1)
    for i = 1, 12 do t[i] = s[i] + h / 2 * k1[i] end
    slope(t, k2)
    for i = 1, 12 do t[i] = s[i] + h / 2 * k2[i] end
    slope(t, k3)
    for i = 1, 12 do t[i] = s[i] + h * k3[i] end
    slope(t, k4)
    for i = 1, 12 do s[i] = s[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) end
  end
  local energy = 0.0
  for i, m in ipairs({ m1, m2, m3 }) do
    local u, v = s[5 + 2 * i], s[6 + 2 * i]
    energy = energy + m * (u * u + v * v) / 2
  end
  return energy
end

-- Both arms are one long; nothing is kept in tables.
local function pendulum(n)
  local g, h = 9.81, 0.0005
  local a, b, u, v = 0.4, 0.3, 0.0, 0.0
  local turns, lowest, highest = 0, 10.0, -10.0
  for _ = 1, n do
    local d = a - b
    local sd, cd = sin(d), cos(d)
    local den = 2 - cd * cd
    local a1, b1 = u, v
    local u1 = (-sd * cd * u * u - sd * v * v + g * sin(b) * cd - 2 * g * sin(a)) / den
    local v1 = (2 * sd * u * u + sd * cd * v * v + 2 * g * sin(a) * cd - 2 * g * sin(b)) / den
    local aa, bb, uu, vv = a + h / 2 * a1, b + h / 2 * b1, u + h / 2 * u1, v + h / 2 * v1
    d = aa - bb
    sd, cd = sin(d), cos(d)
    den = 2 - cd * cd
    local a2, b2 = uu, vv
    local u2 = (-sd * cd * uu * uu - sd * vv * vv + g * sin(bb) * cd - 2 * g * sin(aa)) / den
    local v2 = (2 * sd * uu * uu + sd * cd * vv * vv + 2 * g * sin(aa) * cd - 2 * g * sin(bb)) / den
    aa, bb, uu, vv = a + h / 2 * a2, b + h / 2 * b2, u + h / 2 * u2, v + h / 2 * v2
    d = aa - bb
    sd, cd = sin(d), cos(d)
    den = 2 - cd * cd
    local a3, b3 = uu, vv
    local u3 = (-sd * cd * uu * uu - sd * vv * vv + g * sin(bb) * cd - 2 * g * sin(aa)) / den
    local v3 = (2 * sd * uu * uu + sd * cd * vv * vv + 2 * g * sin(aa) * cd - 2 * g * sin(bb)) / den
    aa, bb, uu, vv = a + h * a3, b + h * b3, u + h * u3, v + h * v3
    d = aa - bb
    sd, cd = sin(d), cos(d)
    den = 2 - cd * cd
    local a4, b4 = uu, vv
    local u4 = (-sd * cd * uu * uu - sd * vv * vv + g * sin(bb) * cd - 2 * g * sin(aa)) / den
    local v4 = (2 * sd * uu * uu + sd * cd * vv * vv + 2 * g * sin(aa) * cd - 2 * g * sin(bb)) / den
    local before = b
    a = a + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    b = b + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    u = u + h / 6 * (u1 + 2 * u2 + 2 * u3 + u4)
    v = v + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4)
    if before < 0 and b >= 0 then turns = turns + 1 end
    local y = -cos(a) - cos(b)
    if y < lowest then lowest = y end
    if y > highest then highest = y end
  end
  local energy = u * u + v * v / 2 + u * v * cos(a - b) - 2 * g * cos(a) - g * cos(b)
  return turns, lowest, highest, energy
end

return function(n)
  local turns, lowest, highest, energy = pendulum(n * 3)
  return string.format("%.4g %d %.3g %.3g %.4g", bodies(n), turns, lowest, highest, energy)
end
