"""A tiny Lisp, in the style of lispy but ours."""
import sys
import operator
import functools


class Symbol(str):
    table = {}

    def __new__(cls, s):
        try:
            return cls.table[s]
        except KeyError:
            return cls.table.setdefault(s, str.__new__(cls, s))

    def __repr__(self):
        return str(self)


class LispError(Exception):
    def __init__(self, msg, form=None):
        super().__init__(msg)
        self.form = form


class Env(dict):
    def __init__(self, names=(), vals=(), outer=None):
        super().__init__(zip(names, vals))
        self.outer = outer

    def find(self, name):
        e = self
        while e is not None:
            if name in e:
                return e
            e = e.outer
        raise LispError(f"unbound: {name}")


class Lambda:
    def __init__(self, params, body, env):
        self.params, self.body, self.env = params, body, env

    def __call__(self, *args):
        return evaluate(self.body, self.bind(args))

    def bind(self, args):
        if "." in self.params:
            at = self.params.index(".")
            return Env(self.params[:at] + self.params[at + 1:], [*args[:at], list(args[at:])], self.env)
        if len(args) != len(self.params):
            raise LispError(f"wants {len(self.params)} arguments, got {len(args)}")
        return Env(self.params, args, self.env)


def tokens(text):
    for line in text.splitlines():
        line = line.split(";")[0]
        yield from line.replace("(", " ( ").replace(")", " ) ").replace("'", " ' ").split()


def read(ts):
    t = next(ts, None)
    if t is None:
        raise EOFError
    if t == "(":
        out = []
        while True:
            try:
                x = read(ts)
            except EOFError:
                raise LispError("unclosed (") from None
            if x is CLOSE:
                return out
            out.append(x)
    if t == ")":
        return CLOSE
    if t == "'":
        return [Symbol("quote"), read(ts)]
    for conv in (int, float):
        try:
            return conv(t)
        except ValueError:
            pass
    return {"#t": True, "#f": False}.get(t, Symbol(t))


CLOSE = object()
QUOTE, IF, DEFINE, SET, LAMBDA, BEGIN, LET, COND, ELSE = map(Symbol, "quote if define set! lambda begin let cond else".split())


def evaluate(x, env):
    while True:
        if isinstance(x, Symbol):
            return env.find(x)[x]
        if not isinstance(x, list):
            return x
        match x:
            case []:
                return []
            case [s, v] if s is QUOTE:
                return v
            case [s, test, then, *rest] if s is IF:
                x = then if evaluate(test, env) is not False else (rest[0] if rest else None)
            case [s, [name, *params], *body] if s is DEFINE:
                env[name] = Lambda(params, [BEGIN, *body], env)
                return None
            case [s, name, v] if s is DEFINE:
                env[name] = evaluate(v, env)
                return None
            case [s, name, v] if s is SET:
                env.find(name)[name] = evaluate(v, env)
                return None
            case [s, params, *body] if s is LAMBDA:
                return Lambda(params, [BEGIN, *body], env)
            case [s, *body, last] if s is BEGIN:
                for b in body:
                    evaluate(b, env)
                x = last
            case [s, binds, *body] if s is LET:
                x = [[LAMBDA, [n for n, _ in binds], *body], *[v for _, v in binds]]
            case [s, *clauses] if s is COND:
                for test, *body in clauses:
                    if test is ELSE or evaluate(test, env) is not False:
                        x = [BEGIN, *body]
                        break
                else:
                    return None
            case [f, *args]:
                f, *args = [evaluate(e, env) for e in x]
                if isinstance(f, Lambda):
                    x, env = f.body, f.bind(args)
                    continue
                if not callable(f):
                    raise LispError(f"not a function: {show(f)}", x)
                return f(*args)


def show(x):
    if isinstance(x, bool): return "#t" if x else "#f"
    if isinstance(x, list): return "(" + " ".join(map(show, x)) + ")"
    return str(x)


G = Env()
G.update({Symbol(n): f for n, f in {
    "+": lambda *a: sum(a), "*": lambda *a: functools.reduce(operator.mul, a, 1), "-": lambda a, *r: -a if not r else a - sum(r),
    "<": operator.lt, "=": operator.eq, "car": lambda l: l[0], "cdr": lambda l: l[1:], "cons": lambda a, l: [a] + l,
    "null?": lambda l: l == [], "list": lambda *a: list(a), "display": lambda v: print(show(v)), "mod": operator.mod,
}.items()})
PROGRAM = """
(define (fact n) (if (< n 2) 1 (* n (fact (- n 1)))))
(display (fact 30))
(define (loop n acc) (if (= n 0) acc (loop (- n 1) (+ acc n))))
(display (loop 5000 0)) ; tail calls
(define (map f l) (if (null? l) '() (cons (f (car l)) (map f (cdr l)))))
(display (map (lambda (x) (* x x)) '(1 2 3 4)))
(define (counter) (let ((n 0)) (lambda () (set! n (+ n 1)) n)))
(define c (counter)) (c) (c)
(display (c))
(define (all . xs) xs) (display (all 1 2.5 'a #t))
(display (cond ((< 3 2) 'no) (else 'yes)))
(display (let ((x 2) (y 3)) (* x y)))
(define (fib n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(display (fib 15))
"""


def run(text):
    ts = tokens(text)
    while True:
        try:
            form = read(ts)
        except EOFError:
            return
        try:
            evaluate(form, G)
        except LispError as e:
            print("error:", e, show(e.form) if e.form else "")
        except (TypeError, IndexError) as e:
            print(type(e).__name__)


run(PROGRAM)
for bad in ("(display zzz)", "(1 2)", "(fact)", "(car '())", "(< 1 'a)"):
    run(bad)
try:
    run("(display (+ 1 2")
except LispError as e:
    print(e, e.__cause__, e.__suppress_context__)
