-- Floats in the fields of tables: the Sun and the four large planets, with the positions and speeds that every version of this benchmark has.
-- args: 40000
-- quick: 100
local sqrt = math.sqrt
local SOLAR_MASS = 4 * math.pi * math.pi
local YEAR = 365.24

local function body(x, y, z, vx, vy, vz, mass)
  return { x = x, y = y, z = z, vx = vx * YEAR, vy = vy * YEAR, vz = vz * YEAR, mass = mass * SOLAR_MASS }
end

local function system()
  return {
    body(0, 0, 0, 0, 0, 0, 1),
    body(4.84143144246472090, -1.16032004402742839, -0.103622044471123109,
      0.00166007664274403694, 0.00769901118419740425, -0.0000690460016972063023, 0.000954791938424326609),
    body(8.34336671824457987, 4.12479856412430479, -0.403523417114321381,
      -0.00276742510726411021, 0.00499852801234917238, 0.0000230417297573763929, 0.000285885980666130812),
    body(12.8943695621391310, -15.1111514016986312, -0.223307578892655734,
      0.00296460137564761618, 0.00237847173959480950, -0.0000296589568540237556, 0.0000436624404335156298),
    body(15.3796971148509165, -25.9193146099879641, 0.179258772950371181,
      0.00268067772490389322, 0.00162824170038242295, -0.0000951592254519715870, 0.0000515138902046611451),
  }
end

local function rest(bodies)
  local px, py, pz = 0.0, 0.0, 0.0
  for i = 1, #bodies do
    local b = bodies[i]
    px, py, pz = px + b.vx * b.mass, py + b.vy * b.mass, pz + b.vz * b.mass
  end
  local sun = bodies[1]
  sun.vx, sun.vy, sun.vz = -px / SOLAR_MASS, -py / SOLAR_MASS, -pz / SOLAR_MASS
end

local function advance(bodies, count, dt)
  for i = 1, count do
    local a = bodies[i]
    local ax, ay, az, mass = a.x, a.y, a.z, a.mass
    local vx, vy, vz = a.vx, a.vy, a.vz
    for j = i + 1, count do
      local b = bodies[j]
      local dx, dy, dz = ax - b.x, ay - b.y, az - b.z
      local square = dx * dx + dy * dy + dz * dz
      local pull = dt / (square * sqrt(square))
      local pull_a, pull_b = b.mass * pull, mass * pull
      vx, vy, vz = vx - dx * pull_a, vy - dy * pull_a, vz - dz * pull_a
      b.vx, b.vy, b.vz = b.vx + dx * pull_b, b.vy + dy * pull_b, b.vz + dz * pull_b
    end
    a.vx, a.vy, a.vz = vx, vy, vz
    a.x, a.y, a.z = ax + dt * vx, ay + dt * vy, az + dt * vz
  end
end

local function energy(bodies, count)
  local e = 0.0
  for i = 1, count do
    local a = bodies[i]
    e = e + 0.5 * a.mass * (a.vx * a.vx + a.vy * a.vy + a.vz * a.vz)
    for j = i + 1, count do
      local b = bodies[j]
      local dx, dy, dz = a.x - b.x, a.y - b.y, a.z - b.z
      e = e - a.mass * b.mass / sqrt(dx * dx + dy * dy + dz * dz)
    end
  end
  return e
end

return function(n)
  local bodies = system()
  rest(bodies)
  local before = energy(bodies, #bodies)
  for _ = 1, n do advance(bodies, #bodies, 0.01) end
  return string.format("%.9f %.9f", before, energy(bodies, #bodies))
end
