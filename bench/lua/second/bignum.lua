-- Integers of any length: arrays of digits to the base of ten thousand, with operators by metamethods. Factorials, Fibonacci numbers, powers modulo a
-- number, and digits of e by a series.
-- args: 600
-- quick: 12
BASE = 10000

Big = {}
Big.__index = Big

function Big.new(value)
    local self = setmetatable({ n = 0 }, Big)
    while value > 0 do
        self.n = self.n + 1
        self[self.n] = value % BASE
        value = (value - value % BASE) / BASE
    end
    return self
end

function trim(a)
    while a.n > 0 and a[a.n] == 0 do
        a[a.n] = nil
        a.n = a.n - 1
    end
    return a
end

function Big.__add(a, b)
    if a.n < b.n then a, b = b, a end
    local sum, carry = Big.new(0), 0
    for i = 1, a.n do
        local digit = a[i] + (b[i] or 0) + carry
        if digit >= BASE then
            sum[i] = digit - BASE
            carry = 1
        else
            sum[i] = digit
            carry = 0
        end
    end
    sum.n = a.n
    if carry > 0 then
        sum.n = sum.n + 1
        sum[sum.n] = carry
    end
    return sum
end

-- The first is not less than the second.
function Big.__sub(a, b)
    local difference, borrow = Big.new(0), 0
    for i = 1, a.n do
        local digit = a[i] - (b[i] or 0) - borrow
        borrow = 0
        if digit < 0 then
            digit = digit + BASE
            borrow = 1
        end
        difference[i] = digit
    end
    difference.n = a.n
    return trim(difference)
end

function Big.__mul(a, b)
    local product = Big.new(0)
    for i = 1, a.n + b.n do product[i] = 0 end
    product.n = a.n + b.n
    for i = 1, a.n do
        local carry, factor = 0, a[i]
        if factor ~= 0 then
            for j = 1, b.n do
                local digit = product[i + j - 1] + factor * b[j] + carry
                local low = digit % BASE
                product[i + j - 1] = low
                carry = (digit - low) / BASE
            end
            product[i + b.n] = product[i + b.n] + carry
        end
    end
    return trim(product)
end

function Big.__eq(a, b)
    if a.n ~= b.n then return false end
    for i = 1, a.n do
        if a[i] ~= b[i] then return false end
    end
    return true
end

function Big.__lt(a, b)
    if a.n ~= b.n then return a.n < b.n end
    for i = a.n, 1, -1 do
        if a[i] ~= b[i] then return a[i] < b[i] end
    end
    return false
end

-- Quotient and remainder by a number below the base.
function Big:divide(small)
    local quotient, rest = Big.new(0), 0
    for i = self.n, 1, -1 do
        local part = rest * BASE + self[i]
        rest = part % small
        quotient[i] = (part - rest) / small
    end
    quotient.n = self.n
    return trim(quotient), rest
end

-- By subtraction of multiples that are twice as large each time.
function Big.__mod(a, m)
    local multiples, multiple = {}, m
    while not (a < multiple) do
        table.insert(multiples, multiple)
        multiple = multiple + multiple
    end
    for i = #multiples, 1, -1 do
        if not (a < multiples[i]) then a = a - multiples[i] end
    end
    return a
end

function Big.__tostring(a)
    if a.n == 0 then return "0" end
    local parts = { string.format("%d", a[a.n]) }
    for i = a.n - 1, 1, -1 do parts[#parts + 1] = string.format("%04d", a[i]) end
    return table.concat(parts)
end

function factorial(n)
    local product = Big.new(1)
    for i = 2, n do product = product * Big.new(i) end
    return product
end

function fibonacci(n)
    local a, b = Big.new(0), Big.new(1)
    for _ = 1, n do a, b = b, a + b end
    return a
end

function power(base, exponent, modulus)
    local result = Big.new(1)
    while exponent > 0 do
        if exponent % 2 == 1 then result = result * base % modulus end
        base = base * base % modulus
        exponent = math.floor(exponent / 2)
    end
    return result
end

function euler(digits)
    local one = Big.new(1)
    for _ = 1, digits do one = one * Big.new(10) end
    local sum, term, k = one, one, 0
    while term.n > 0 do
        k = k + 1
        term = term:divide(k)
        sum = sum + term
    end
    return tostring(sum)
end

return function(n)
    local f = tostring(factorial(n))
    local g = tostring(fibonacci(10 * n))
    local modulus = fibonacci(60)
    local h = power(Big.new(12345), 4 * n + 1, modulus)
    local same = h == power(Big.new(12345) * Big.new(12345), 2 * n, modulus) * Big.new(12345) % modulus
    local e = euler(2 * n)
    local sum = 0
    for _, text in ipairs({ f, g, e }) do
        for i = 1, #text do sum = (sum * 10 + string.byte(text, i) - 48) % 999983 end
    end
    return string.format("%d %d %s %s %s %d", #f, #g, tostring(h), tostring(same), string.sub(e, 1, 10), sum)
end
