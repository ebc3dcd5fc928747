-- args: 60
-- stress: 4
local n = tonumber((...))
local sqrt = math.sqrt
local bodies = {
    {x = 0, y = 0, vx = 0, vy = 0, mass = 39.5},
    {x = 4.8, y = -1.1, vx = 0.6, vy = 2.8, mass = 0.04},
    {x = 8.3, y = 4.1, vx = -1.0, vy = 1.8, mass = 0.01},
}
for _ = 1, n do
    for i = 1, #bodies do
        local a = bodies[i]
        for j = i + 1, #bodies do
            local b = bodies[j]
            local dx, dy = a.x - b.x, a.y - b.y
            local d2 = dx * dx + dy * dy
            local mag = 0.01 / (d2 * sqrt(d2))
            a.vx, a.vy = a.vx - dx * b.mass * mag, a.vy - dy * b.mass * mag
            b.vx, b.vy = b.vx + dx * a.mass * mag, b.vy + dy * a.mass * mag
        end
    end
    for _, body in ipairs(bodies) do
        body.x, body.y = body.x + 0.01 * body.vx, body.y + 0.01 * body.vy
    end
end
for _, b in ipairs(bodies) do print(string.format("%.9f %.9f", b.x, b.y)) end
