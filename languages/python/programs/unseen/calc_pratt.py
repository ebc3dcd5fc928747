# Tokenizer, Pratt parser, simplifier, differentiator and evaluator for random formulas. args: formulas.
# args: 2200
# quick: 12
import sys
import math
import random
import operator


class ParseError(Exception):
    def __init__(self, message, position):
        super().__init__(f"{message} at {position}")
        self.position = position


def tokenize(text):
    i, n = 0, len(text)
    while i < n:
        c = text[i]
        if c.isspace():
            i += 1
        elif c.isdigit() or c == '.':
            j = i
            while j < n and (text[j].isdigit() or text[j] == '.'):
                j += 1
            lit = text[i:j]
            yield ('num', float(lit) if '.' in lit else int(lit), i)
            i = j
        elif c.isalpha() or c == '_':
            j = i + 1
            while j < n and (text[j].isalnum() or text[j] == '_'):
                j += 1
            yield ('name', text[i:j], i)
            i = j
        elif text.startswith('**', i):
            yield ('op', '^', i)
            i += 2
        elif c in '+-*/^(),':
            yield ('op', c, i)
            i += 1
        else:
            raise ParseError(f"unexpected {c!r}", i)
    yield ('end', None, n)


class Num:
    def __init__(self, value): self.value = value
    def eval(self, env): return self.value
    def diff(self, var): return Num(0)
    def simplify(self): return self
    def size(self): return 1
    def __str__(self): return repr(self.value)


class Var:
    def __init__(self, name): self.name = name

    def eval(self, env):
        try:
            return env[self.name]
        except KeyError:
            raise NameError("unbound " + self.name) from None

    def diff(self, var): return Num(1 if var == self.name else 0)
    def simplify(self): return self
    def size(self): return 1
    def __str__(self): return self.name


class Bin:
    FUNCS = {'+': operator.add, '-': operator.sub, '*': operator.mul,
             '/': operator.truediv, '^': operator.pow}

    def __init__(self, op, left, right):
        self.op, self.left, self.right = op, left, right

    def eval(self, env):
        return self.FUNCS[self.op](self.left.eval(env), self.right.eval(env))

    def diff(self, var):
        l, r = self.left, self.right
        if self.op in '+-':
            return Bin(self.op, l.diff(var), r.diff(var))
        if self.op == '*':
            return Bin('+', Bin('*', l.diff(var), r), Bin('*', l, r.diff(var)))
        if self.op == '/':
            top = Bin('-', Bin('*', l.diff(var), r), Bin('*', l, r.diff(var)))
            return Bin('/', top, Bin('*', r, r))
        # powers have constant exponents here
        return Bin('*', Bin('*', r, Bin('^', l, Num(r.value - 1))), l.diff(var))

    def simplify(self):
        l, r, op = self.left.simplify(), self.right.simplify(), self.op
        lc = l.value if isinstance(l, Num) else None
        rc = r.value if isinstance(r, Num) else None
        if lc is not None and rc is not None and op != '/' and op != '^':
            return Num(self.FUNCS[op](lc, rc))
        if op == '+' and lc == 0:
            return r
        if op in '+-' and rc == 0:
            return l
        if op == '*':
            if lc == 0 or rc == 0:
                return Num(0)
            if lc == 1:
                return r
            if rc == 1:
                return l
        if op in '/^' and rc == 1:
            return l
        if op == '^' and rc == 0:
            return Num(1)
        return Bin(op, l, r)

    def size(self): return 1 + self.left.size() + self.right.size()
    def __str__(self): return f"({self.left} {self.op} {self.right})"


class Call:
    TABLE = {'sin': math.sin, 'cos': math.cos, 'sqrt': lambda v: math.sqrt(abs(v)), 'neg': operator.neg}

    def __init__(self, fn, arg): self.fn, self.arg = fn, arg
    def eval(self, env): return self.TABLE[self.fn](self.arg.eval(env))

    def diff(self, var):
        inner = self.arg.diff(var)
        if self.fn == 'neg':
            return Call('neg', inner)
        if self.fn == 'sin':
            return Bin('*', Call('cos', self.arg), inner)
        if self.fn == 'cos':
            return Bin('*', Call('neg', Call('sin', self.arg)), inner)
        return Bin('/', inner, Bin('*', Num(2), self))

    def simplify(self):
        arg = self.arg.simplify()
        if self.fn == 'neg' and isinstance(arg, Num):
            return Num(-arg.value)
        return Call(self.fn, arg)

    def size(self): return 1 + self.arg.size()
    def __str__(self): return f"{self.fn}({self.arg})"


class Parser:
    BINDING = {'+': 10, '-': 10, '*': 20, '/': 20, '^': 40}

    def __init__(self, text):
        self.tokens = list(tokenize(text))
        self.pos = 0

    @property
    def current(self):
        return self.tokens[self.pos]

    def advance(self):
        token = self.tokens[self.pos]
        self.pos += 1
        return token

    def expect(self, op):
        kind, value, where = self.advance()
        if kind != 'op' or value != op:
            raise ParseError(f"expected {op!r}", where)

    def prefix(self):
        kind, value, where = self.advance()
        if kind == 'num':
            return Num(value)
        if kind == 'name':
            if self.current[1] == '(':
                if value not in Call.TABLE:
                    raise ParseError(f"no function {value}", where)
                self.advance()
                arg = self.expression(0)
                self.expect(')')
                return Call(value, arg)
            return Var(value)
        if value == '(':
            inner = self.expression(0)
            self.expect(')')
            return inner
        if value == '-':
            return Call('neg', self.expression(30))
        raise ParseError("expected an operand", where)

    def expression(self, min_power):
        left = self.prefix()
        while True:
            kind, value, _ = self.current
            power = self.BINDING.get(value, -1) if kind == 'op' else -1
            if power <= min_power:
                return left
            self.advance()
            right = self.expression(power - 1 if value == '^' else power)
            left = Bin(value, left, right)

    def parse(self):
        tree = self.expression(0)
        if self.current[0] != 'end':
            raise ParseError("trailing input", self.current[2])
        return tree


def random_formula(rng, depth):
    pick = rng.randrange(9) if depth > 0 else 0
    if pick < 2:
        return rng.choice(['x', 'y', str(rng.randint(1, 9)), '%.2f' % rng.uniform(0.1, 3)])
    if pick == 2:
        return '-' + random_formula(rng, depth - 1)
    if pick == 3:
        return rng.choice(['sin', 'cos', 'sqrt']) + '(' + random_formula(rng, depth - 1) + ')'
    if pick == 4:
        return '(' + random_formula(rng, depth - 1) + ')' + rng.choice(['^', ' ** ']) + str(rng.randint(2, 3))
    op = rng.choice(['+', '-', ' * ', ' / '])
    return '(' + random_formula(rng, depth - 1) + op + random_formula(rng, depth - 1) + ')'


def main(n):
    rng = random.Random(9)
    total, slope, nodes, before, errors = 0.0, 0.0, 0, 0, 0
    longest = ""
    for k in range(n):
        text = random_formula(rng, 5)
        if k % 7 == 3:
            text = text[:-1] + rng.choice(['$', ')', '+'])
        try:
            tree = Parser(text).parse()
        except ParseError as e:
            errors += 1
            if errors <= 2:
                print("error:", e, "| position", e.position)
            continue
        derived = tree.diff('x')
        simple = derived.simplify()
        before += derived.size()
        nodes += simple.size()
        shown = str(simple)
        if len(shown) > len(longest):
            longest = shown
        for x in (0.5, 1.25, 2.0):
            env = {'x': x, 'y': 3 - x}
            try:
                a, b = tree.eval(env), simple.eval(env)
            except (ZeroDivisionError, OverflowError, ValueError):
                errors += 1
                continue
            total += a / (1 + abs(a))
            slope += b / (1 + abs(b))
    print("2 + 3 * 4 ^ 2 ^ 0.5 - -1 =", round(Parser("2 + 3 * 4 ^ 2 ^ 0.5 - -1").parse().eval({}), 9))
    print("nodes before", before, "after", nodes, "errors", errors)
    print(f"values {total:.6f} slopes {slope:.6f}")
    print("longest derivative", len(longest), longest[:60])


if __name__ == '__main__':
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 12)
