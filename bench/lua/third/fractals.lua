-- Immutable number objects: complex arithmetic for mandelbrot and julia pictures,
-- and 3D vectors for an n-body simulation. Every operation allocates a new object.
-- args: 70
-- quick: 6

local Complex = {}
Complex.__index = Complex

local function complex(re, im) return setmetatable({ re = re, im = im }, Complex) end

Complex.__add = function(a, b) return complex(a.re + b.re, a.im + b.im) end
Complex.__sub = function(a, b) return complex(a.re - b.re, a.im - b.im) end
Complex.__mul = function(a, b)
  if type(a) == "number" then return complex(a * b.re, a * b.im) end
  return complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re)
end
Complex.__eq = function(a, b) return a.re == b.re and a.im == b.im end
Complex.__tostring = function(c) return string.format("%.3f%+.3fi", c.re, c.im) end
function Complex:norm2() return self.re * self.re + self.im * self.im end
function Complex:conj() return complex(self.re, -self.im) end

local function escapeTime(z, c, limit)
  for i = 1, limit do
    if z:norm2() > 4 then return i end
    z = z * z + c
  end
  return 0
end

local SHADES = " .:-=+*#%@"

-- draws a picture as text lines; `kernel` turns a point into an iteration count
local function picture(size, kernel)
  local lines, total = {}, 0
  for row = 0, size - 1 do
    local chars = {}
    for col = 0, size - 1 do
      local count = kernel(complex(col / size * 3 - 2, row / size * 3 - 1.5))
      total = total + count
      local shade = count % #SHADES + 1
      chars[#chars + 1] = SHADES:sub(shade, shade)
    end
    lines[#lines + 1] = table.concat(chars)
  end
  return lines, total
end

local function mandelbrot(size, limit)
  local zero = complex(0, 0)
  return picture(size, function(p) return escapeTime(zero, p, limit) end)
end

local function julia(size, limit, c)
  local half = complex(0.5, 0)
  return picture(size, function(p) return escapeTime((p + half):conj(), c, limit) end)
end

local Vec = {}
Vec.__index = Vec

local function vec(x, y, z) return setmetatable({ x = x, y = y, z = z }, Vec) end

Vec.__add = function(a, b) return vec(a.x + b.x, a.y + b.y, a.z + b.z) end
Vec.__sub = function(a, b) return vec(a.x - b.x, a.y - b.y, a.z - b.z) end
Vec.__unm = function(a) return vec(-a.x, -a.y, -a.z) end
Vec.__mul = function(a, s) return vec(a.x * s, a.y * s, a.z * s) end
function Vec:dot(o) return self.x * o.x + self.y * o.y + self.z * o.z end
function Vec:length() return math.sqrt(self:dot(self)) end
function Vec:cross(o)
  return vec(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
end

local Body = {}
Body.__index = Body

local function body(mass, pos, vel) return setmetatable({ mass = mass, pos = pos, vel = vel }, Body) end

function Body:momentum() return self.vel * self.mass end
function Body:kinetic() return 0.5 * self.mass * self.vel:dot(self.vel) end

local function solarSystem()
  local bodies = { body(1000, vec(0, 0, 0), vec(0, 0, 0)) }
  for i = 1, 4 do
    local r = 6 + i * 4
    local angle = i * 1.3
    local speed = math.sqrt(1000 / r)
    bodies[#bodies + 1] = body(i * 0.5, vec(r * math.cos(angle), r * math.sin(angle), 0.2 * i),
      vec(-speed * math.sin(angle), speed * math.cos(angle), 0))
  end
  local drift = vec(0, 0, 0)
  for _, b in ipairs(bodies) do drift = drift + b:momentum() end
  bodies[1].vel = -drift * (1 / bodies[1].mass)
  return bodies
end

local function advance(bodies, dt)
  for i = 1, #bodies do
    local a = bodies[i]
    for j = i + 1, #bodies do
      local b = bodies[j]
      local gap = b.pos - a.pos
      local dist = gap:length()
      local pull = gap * (dt / (dist * dist * dist))
      a.vel = a.vel + pull * b.mass
      b.vel = b.vel - pull * a.mass
    end
  end
  for _, b in ipairs(bodies) do b.pos = b.pos + b.vel * dt end
end

local function energyAndSpin(bodies)
  local energy, spin = 0, vec(0, 0, 0)
  for i, a in ipairs(bodies) do
    energy = energy + a:kinetic()
    spin = spin + a.pos:cross(a:momentum())
    for j = i + 1, #bodies do
      energy = energy - a.mass * bodies[j].mass / (a.pos - bodies[j].pos):length()
    end
  end
  return energy, spin
end

return function(n)
  local lines, inside = mandelbrot(n, 60)
  local seed = complex(-0.4, 0.6)
  local jlines, jtotal = julia(n, 60, seed)
  local same = 0
  for i = 1, n do
    for k = 1, n do
      if lines[i]:sub(k, k) == jlines[i]:sub(k, k) then same = same + k end
    end
  end
  local bodies = solarSystem()
  for _ = 1, n * 40 do advance(bodies, 0.005) end
  local energy, spin = energyAndSpin(bodies)
  return string.format("%d %d %d %s %.6f %.6f", inside, jtotal, same, tostring(0.5 * seed), energy, spin:length())
end
