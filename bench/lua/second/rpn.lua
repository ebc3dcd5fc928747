-- A calculator: lines of a text are turned to reversed notation and computed on a stack, with a table of functions for the operators, variables under
-- their names, a memo of what was turned before, and errors that are thrown and caught for each line. Nearly everything is global.
-- args: 800
-- quick: 2

stack = {}
top = 0
variables = {}

function push(value)
	top = top + 1
	stack[top] = value
end

function pop()
	if top == 0 then error({ code = "stack is empty" }) end
	local value = stack[top]
	stack[top] = nil
	top = top - 1
	return value
end

function fail(code, at)
	error({ code = code, at = at }, 0)
end

operators = {
	["+"] = { level = 1, run = function() local b, a = pop(), pop(); push(a + b) end },
	["-"] = { level = 1, run = function() local b, a = pop(), pop(); push(a - b) end },
	["*"] = { level = 2, run = function() local b, a = pop(), pop(); push(a * b) end },
	["/"] = { level = 2, run = function()
		local b, a = pop(), pop()
		if b == 0 then fail("division by zero") end
		push(a / b)
	end },
	["^"] = { level = 4, right = true, run = function()
		local b, a = pop(), pop()
		local value = 1
		for _ = 1, b do value = value * a end
		push(value)
	end },
	["~"] = { level = 3, right = true, run = function() push(-pop()) end },
}

functions = {
	max = function() local b, a = pop(), pop(); if a > b then push(a) else push(b) end end,
	abs = function() push(math.abs(pop())) end,
	sqrt = function()
		local a = pop()
		if a < 0 then fail("root of " .. string.format("%g", a)) end
		push(math.sqrt(a))
	end,
	int = function() push(math.floor(pop())) end,
}

-- A line to a list in reversed notation.
function reversed(line)
	local out, waiting = {}, {}
	local i, n = 1, #line
	local value_before = false
	while i <= n do
		local c = string.sub(line, i, i)
		if c == " " then
			i = i + 1
		elseif c >= "0" and c <= "9" then
			local value, scale = 0, 0
			while c >= "0" and c <= "9" or c == "." do
				if c == "." then
					scale = 1
				else
					value = value * 10 + (string.byte(c) - 48)
					scale = scale * 10
				end
				i = i + 1
				c = string.sub(line, i, i)
			end
			if scale > 1 then value = value / scale end
			out[#out + 1] = value
			value_before = true
		elseif c >= "a" and c <= "z" then
			local begin = i
			while c >= "a" and c <= "z" do
				i = i + 1
				c = string.sub(line, i, i)
			end
			local name = string.sub(line, begin, i - 1)
			if functions[name] then
				waiting[#waiting + 1] = name
				value_before = false
			else
				out[#out + 1] = name
				value_before = true
			end
		elseif c == "(" then
			waiting[#waiting + 1] = c
			value_before = false
			i = i + 1
		elseif c == ")" or c == "," then
			while #waiting > 0 and waiting[#waiting] ~= "(" do out[#out + 1] = table.remove(waiting) end
			if #waiting == 0 then fail("no parenthesis", i) end
			if c == ")" then
				table.remove(waiting)
				if functions[waiting[#waiting]] then out[#out + 1] = table.remove(waiting) end
			end
			value_before = c == ")"
			i = i + 1
		else
			if c == "-" and not value_before then c = "~" end
			local operator = operators[c]
			if not operator then fail("what is " .. c, i) end
			while #waiting > 0 do
				local other = operators[waiting[#waiting]]
				if not other or other.level < operator.level or other.level == operator.level and operator.right then break end
				out[#out + 1] = table.remove(waiting)
			end
			waiting[#waiting + 1] = c
			value_before = false
			i = i + 1
		end
	end
	while #waiting > 0 do
		local operator = table.remove(waiting)
		if operator == "(" then fail("parenthesis is open", n) end
		out[#out + 1] = operator
	end
	return out
end

function compute(list)
	for _, item in ipairs(list) do
		if type(item) == "number" then
			push(item)
		elseif operators[item] then
			operators[item].run()
		elseif functions[item] then
			functions[item]()
		else
			local value = variables[item]
			if value == nil then fail("no variable " .. item) end
			push(value)
		end
	end
end

memo = {}
turned = 0

function calculate(line)
	local name
	local at = string.find(line, "=", 1, true)
	if at then
		name = string.sub(line, 1, at - 1)
		line = string.sub(line, at + 1)
	end
	local list = memo[line]
	if not list then
		list = reversed(line)
		memo[line] = list
		turned = turned + 1
	end
	compute(list)
	local value = pop()
	if top > 0 then
		while top > 0 do pop() end
		fail("too many values")
	end
	if name then variables[name] = value end
	return value
end

lines = {
	"x=x*3+1", "y=max(x,100)-2^5", "x=x-int(x/977)*977", "sqrt(x^2+y*y)/(1+abs(-y))", "z=-(x-y)*-2.5", "1+", "x/(y-y)", "z=z-int(z/10)*10",
	"((x+1)*(y+2)", "sqrt(0-z-1)+3", "q+1", "3 4", "max(abs(z),max(1,2))*2^3^1-7", "2 $ 3", "0.125*x-0.5*y+z",
}

return function(n)
	variables, memo, turned = { x = 1 }, {}, 0
	local sum, mistakes, kinds = 0, {}, 0
	for round = 1, n do
		for i, line in ipairs(lines) do
			for repeated = 1, 3 do
				if i > 12 then line = line .. "+" .. round % 25 end
				local ok, result = pcall(calculate, line)
				if ok then
					sum = (sum * 2 + result) % 65536
				else
					while top > 0 do pop() end
					if not mistakes[result.code] then kinds = kinds + 1 end
					mistakes[result.code] = (mistakes[result.code] or 0) + (result.at or 1)
				end
			end
		end
	end
	return string.format("%.4f %d %d %d %d %d", sum, kinds, turned, mistakes["stack is empty"], mistakes["division by zero"], mistakes["what is $"])
end
