//! Expressions of Lua programs. In: the kind that is wanted. Out: its text. Invariant: it gives
//! what is wanted, or an error: an operand may now and then be of a wrong type, but what is kept in
//! lists of integers are integers, so that sorting them has one result.

use super::writer::{Rank, Want, Writer};

/// Metamethods by the operators that look for them, both operands of which may be objects.
const ARITHMETIC: &[(&str, &str)] = &[
    ("+", "__add"),
    ("-", "__sub"),
    ("*", "__mul"),
    ("//", "__idiv"),
];

impl Writer<'_, '_> {
    /// A kind of which variables are made.
    pub fn some_want(&mut self) -> Want {
        const KINDS: &[Want] = &[
            Want::Int,
            Want::Num,
            Want::Float,
            Want::Any,
            Want::Ints,
            Want::Obj,
            Want::Str,
            Want::Mixed,
            Want::Map,
            Want::Func,
            Want::Bool,
        ];
        KINDS[self.tape.weighted(&[8, 5, 4, 4, 3, 4, 3, 2, 2, 3, 1])]
    }

    /// An expression of this kind.
    pub fn expr(&mut self, want: Want, depth: usize) -> String {
        self.fuel = self.fuel.saturating_sub(1);
        let small = depth == 0 || self.fuel == 0;
        match want {
            Want::Int if small => self.small_int(),
            Want::Int => self.int(depth - 1),
            Want::Float if small => self.small_float(),
            Want::Float => self.float(depth - 1),
            Want::Num => match self.tape.below(4) {
                0 => self.expr(Want::Int, depth),
                1 => self.expr(Want::Float, depth),
                2 => self.var(Want::Num).unwrap_or_else(|| "2".to_string()),
                _ => self.num(depth.saturating_sub(1)),
            },
            Want::Str if small => self.small_str(),
            Want::Str => self.str(depth - 1),
            Want::Bool if small => self.tape.pick(&["true", "false"]).to_string(),
            Want::Bool => self.bool(depth - 1),
            Want::Ints => self.ints(depth),
            Want::Mixed => self.mixed(depth),
            Want::Map => self.map(depth),
            Want::Obj => self.obj(depth),
            Want::Func => self.func(depth),
            Want::Any => self.any(depth),
        }
    }

    fn small_int(&mut self) -> String {
        match self.tape.below(4) {
            0 | 1 => self.var(Want::Int).unwrap_or_else(|| "1".to_string()),
            2 => self.tape.within(0u8, 9).to_string(),
            _ => match self.tape.integer() {
                i64::MIN => "math.mininteger".to_string(),
                value => format!("({value})"),
            },
        }
    }

    fn int(&mut self, depth: usize) -> String {
        let choice = self
            .tape
            .weighted(&[6, 10, 4, 3, 3, 5, 3, 4, 4, 3, 2, 3, 2, 2]);
        match choice {
            0 => self.small_int(),
            1 => {
                let (a, b) = (self.operand(depth), self.operand(depth));
                let op = self
                    .tape
                    .pick(&["+", "-", "*", "+", "-", "&", "|", "~", "<<", ">>"]);
                format!("({a} {op} {b})")
            }
            2 => {
                let (a, b) = (self.expr(Want::Int, depth), self.expr(Want::Int, depth));
                let op = self.tape.pick(&["%", "//"]);
                match !self.sound && self.tape.chance(1, 30) {
                    true => format!("({a} {op} {b})"),
                    false => format!("({a} {op} ({b} | 1))"),
                }
            }
            3 => {
                let a = self.expr(Want::Int, depth);
                let op = self.tape.pick(&["-", "~", "- -"]);
                format!("({op} {a})")
            }
            4 => {
                let of = self.tape.pick(&[Want::Ints, Want::Str, Want::Mixed]);
                let of = self.expr(of, depth.min(1));
                format!("(#({of}))")
            }
            5 => {
                let l = self.expr(Want::Ints, 0);
                let i = self.expr(Want::Int, depth);
                match self.var(Want::Ints) {
                    Some(l) => format!("({l}[{i} % (#{l} + 1)] or {i})"),
                    None => format!("(({l})[1] or {i})"),
                }
            }
            6 => {
                let o = self.expr(Want::Obj, depth.min(1));
                self.field(&o)
            }
            7 => self.obj_call(depth),
            8 => self.named_call().unwrap_or_else(|| self.small_int()),
            9 => self.held_call(depth),
            10 => self.various(depth),
            11 => self.recursion(depth),
            12 => self.choice(Want::Int, depth),
            _ => {
                let (h, key) = (self.var(Want::Map), self.key(depth));
                h.map_or_else(|| "4".to_string(), |h| format!("({h}[{key}] or 4)"))
            }
        }
    }

    /// An operand of integer arithmetic, which may be something else now and then: an error, or a
    /// string that is a number.
    fn operand(&mut self, depth: usize) -> String {
        match !self.sound && self.tape.chance(1, 30) {
            true => {
                let wrong = ["'10'", "nil", "true", "'x'", "{}", "nothing", "'0x10'"];
                self.tape.pick(&wrong).to_string()
            }
            false => self.expr(Want::Int, depth),
        }
    }

    /// A field of an object that is an integer.
    fn field(&mut self, o: &str) -> String {
        match self.tape.below(4) {
            0 | 1 => format!("({o}).x"),
            2 => format!("(({o}).z or 6)"),
            _ => {
                self.needs.insert("__index");
                let key = self.tape.pick(&["k1", "k2"]);
                format!("(({o}).{key} or 8)")
            }
        }
    }

    fn obj_call(&mut self, depth: usize) -> String {
        if self.rank == Rank::Method || !self.affords(6) {
            return self.small_int();
        }
        let o = self.expr(Want::Obj, depth.min(1));
        let i = self.expr(Want::Int, depth.min(1));
        match self.tape.below(6) {
            0 | 1 => format!("({o}):get({i})"),
            2 => format!("({o}):inc({i}).x"),
            3 => {
                self.needs.insert("__call");
                format!("({o})({i})")
            }
            4 => {
                self.needs.insert("__len");
                format!("(#({o}))")
            }
            _ => {
                let (op, name) = self.tape.pick(ARITHMETIC);
                self.needs.insert(name);
                let o = self.expr(Want::Obj, 0);
                match self.tape.chance(1, 2) {
                    true => format!("({i} {op} {o}).x"),
                    false => format!("({o} {op} {i}).x"),
                }
            }
        }
    }

    /// A call of a function by its name.
    pub fn named_call(&mut self) -> Option<String> {
        if self.rank == Rank::Method || self.callees.is_empty() {
            return None;
        }
        let n = self.tape.below(self.callees.len());
        let callee = &self.callees[n];
        let (name, params, cost) = (callee.name, callee.params.clone(), callee.cost);
        // What other code may keep is cheap.
        if self.rank == Rank::Closure && cost > 12 || !self.affords(cost) {
            return None;
        }
        let args: Vec<String> = params.iter().map(|&want| self.expr(want, 1)).collect();
        Some(format!("{name}({})", args.join(", ")))
    }

    /// A call of a function that a variable or a list of functions holds.
    fn held_call(&mut self, depth: usize) -> String {
        if self.rank < Rank::Function || !self.affords(12) {
            return self.small_int();
        }
        let f = self.expr(Want::Func, 0);
        let i = self.expr(Want::Int, depth.min(1));
        match self.tape.chance(1, 4) {
            true => format!("select(-1, ({f})({i}))"),
            false => format!("({f})({i})"),
        }
    }

    fn recursion(&mut self, depth: usize) -> String {
        if self.rank == Rank::Method || !self.affords(16) {
            return self.small_int();
        }
        let name = self.tape.pick(&["tail", "rec", "va"]);
        self.needs.insert(name);
        let p = self.expr(Want::Int, depth);
        let q = self.expr(Want::Int, depth.min(1));
        match name {
            "va" => self
                .tape
                .pick(&[
                    "va(P, Q)",
                    "va(P)",
                    "va()",
                    "va(P, nil, Q)",
                    "select('#', va(P, Q, nil))",
                    "(select(2, va(Q, P)) or 1)",
                ])
                .replace('P', &p)
                .replace('Q', &q),
            name => format!("{name}({}, {p})", self.tape.pick(&[2, 0, 1, 5, 9])),
        }
    }

    fn various(&mut self, depth: usize) -> String {
        let i = self.expr(Want::Int, depth);
        match self.tape.below(10) {
            0 => format!("math.abs({i})"),
            1 => {
                let j = self.expr(Want::Int, depth);
                let f = self.tape.pick(&["max", "min"]);
                format!("math.{f}({i}, {j})")
            }
            2 => {
                let x = self.expr(Want::Num, depth);
                format!("(math.tointeger({x}) or 3)")
            }
            3 => format!("tonumber('{}')", self.tape.pick(&["12", "0x1F", " 7 "])),
            4 => {
                let s = self.expr(Want::Str, depth);
                format!("(string.byte({s}, {}) or 2)", self.tape.pick(&[1, -1, 3]))
            }
            5 => format!("math.fmod({i}, 13)"),
            6 if self.vararg => format!("(select('#', ...) + {i})"),
            7 => {
                let x = self.expr(Want::Num, depth);
                format!("(math.type({x}) == 'integer' and 1 or {i})")
            }
            8 if self.affords(40) => format!("walk({i})"),
            _ => format!("(math.ult({i}, 5) and 1 or 0)"),
        }
    }

    /// One of two, by a condition.
    fn choice(&mut self, want: Want, depth: usize) -> String {
        let c = self.expr(Want::Bool, depth);
        let (a, b) = (self.expr(want, depth), self.expr(want, depth));
        format!("({c} and {a} or {b})")
    }

    fn small_float(&mut self) -> String {
        const FLOATS: &[&str] = &[
            "0.5", "-0.0", "1.0", "2.5", "1e300", "1e15", "0.1", "-3.0", "(1/0)", "2^53",
        ];
        match self.tape.below(3) {
            0 | 1 => self.var(Want::Float).unwrap_or_else(|| "1.5".to_string()),
            _ => self.tape.pick(FLOATS).to_string(),
        }
    }

    fn float(&mut self, depth: usize) -> String {
        match self.tape.weighted(&[4, 8, 5, 3, 2, 2, 2, 1]) {
            0 => self.small_float(),
            1 => {
                let (a, b) = (self.expr(Want::Float, depth), self.expr(Want::Num, depth));
                let op = self.tape.pick(&["+", "-", "*", "/", "%", "//"]);
                match self.tape.chance(1, 2) {
                    true => format!("({a} {op} {b})"),
                    false => format!("({b} {op} {a})"),
                }
            }
            2 => {
                let (a, b) = (self.expr(Want::Num, depth), self.expr(Want::Num, depth));
                format!("({a} / {b})")
            }
            3 => format!("(- {})", self.expr(Want::Float, depth)),
            4 => {
                let a = self.expr(Want::Num, depth);
                format!("({a} ^ {})", self.tape.pick(&["2", "0.5", "-1", "3"]))
            }
            5 => format!("math.sqrt({})", self.expr(Want::Num, depth)),
            6 => format!("({} + 0.0)", self.expr(Want::Int, depth)),
            _ => self.choice(Want::Float, depth),
        }
    }

    fn num(&mut self, depth: usize) -> String {
        let x = self.expr(Want::Num, depth);
        match self.tape.below(5) {
            0 => {
                let y = self.expr(Want::Num, depth);
                let op = self.tape.pick(&["+", "-", "*"]);
                format!("({x} {op} {y})")
            }
            1 => {
                let o = self.expr(Want::Obj, depth.min(1));
                format!("({o}).y")
            }
            2 => {
                let f = self.tape.pick(&["floor", "ceil", "abs"]);
                format!("math.{f}({x})")
            }
            3 => self.choice(Want::Num, depth),
            _ => format!("math.max({x}, 2, {})", self.expr(Want::Float, depth)),
        }
    }

    fn small_str(&mut self) -> String {
        const STRINGS: &[&str] = &["'a'", "''", "'b\\n'", "'10'", "'k1'", "'x'"];
        match self.tape.below(3) {
            0 | 1 => self.var(Want::Str).unwrap_or_else(|| "'t'".to_string()),
            _ => self.tape.pick(STRINGS).to_string(),
        }
    }

    fn str(&mut self, depth: usize) -> String {
        let s = match self.tape.weighted(&[3, 6, 4, 3, 3, 3, 2, 2, 1]) {
            0 => return self.small_str(),
            1 => {
                let (s, i) = (self.expr(Want::Str, depth), self.expr(Want::Int, depth));
                format!("{s} .. {i}")
            }
            2 => {
                let (s, t) = (self.expr(Want::Str, depth), self.expr(Want::Str, depth));
                format!("{t} .. {s} .. {t}")
            }
            3 => {
                let i = self.expr(Want::Int, depth);
                let f = self.tape.pick(&["%d", "%5d|", "%x", "%s", "%-4d|", "%03d"]);
                format!("string.format('{f}', {i})")
            }
            4 => {
                let x = self.expr(Want::Float, depth);
                match self.tape.below(3) {
                    0 => format!("real({x}) .. 'f'"),
                    1 => format!("string.format('%.3f', real({x}))"),
                    _ => format!("tostring(real({x}))"),
                }
            }
            5 => {
                let (s, i) = (self.expr(Want::Str, depth), self.expr(Want::Int, 0));
                let f = [
                    "sub(I, -2)",
                    "upper()",
                    "reverse()",
                    "rep(2, '-')",
                    "sub(-3)",
                ];
                format!("({s}):{}", self.tape.pick(&f).replace('I', &i))
            }
            6 => {
                let a = self.expr(Want::Any, depth);
                let f = self.tape.pick(&["type", "math.type", "type"]);
                match f {
                    "type" => format!("type({a})"),
                    _ => format!("tostring(math.type({a} or 1))"),
                }
            }
            7 if self.affords(30) => {
                let l = self.expr(Want::Ints, depth.min(1));
                format!("table.concat({l}, ',')")
            }
            _ if self.rank > Rank::Method && self.affords(6) => {
                self.needs.insert("__concat");
                let o = self.expr(Want::Obj, 0);
                match self.tape.chance(1, 2) {
                    true => format!("1 .. {o}"),
                    false => format!("{o} .. 's'"),
                }
            }
            _ => return self.small_str(),
        };
        // Strings that are kept stay short.
        format!("string.sub({s}, 1, 24)")
    }

    fn bool(&mut self, depth: usize) -> String {
        match self.tape.weighted(&[8, 4, 3, 3, 3, 2, 3]) {
            0 => {
                let (a, b) = (self.operand(depth), self.operand(depth));
                let op = self.tape.pick(&["<", "==", ">", "<=", "~=", ">="]);
                format!("({a} {op} {b})")
            }
            1 => {
                let (a, b) = (self.expr(Want::Num, depth), self.expr(Want::Num, depth));
                let op = self.tape.pick(&["<", "<=", "==", ">="]);
                format!("({a} {op} {b})")
            }
            2 => {
                let (a, b) = (self.expr(Want::Str, depth), self.expr(Want::Str, depth));
                let op = self.tape.pick(&["<", "==", "<="]);
                format!("({a} {op} {b})")
            }
            3 => {
                let (a, b) = (self.expr(Want::Bool, depth), self.expr(Want::Bool, depth));
                let op = self.tape.pick(&["and", "or", "== not"]);
                format!("({a} {op} {b})")
            }
            4 => {
                let (a, b) = (self.expr(Want::Any, depth), self.expr(Want::Any, depth));
                match self.tape.below(3) {
                    0 => format!("({a} == {b})"),
                    1 => format!("not {a}"),
                    _ => format!("rawequal({a}, {b})"),
                }
            }
            5 => format!("(i or 1) % {} == 0", self.tape.pick(&[2, 3, 7, 16])),
            _ if self.rank > Rank::Method && self.affords(6) => {
                let ops = [
                    ("==", "__eq"),
                    ("<", "__lt"),
                    ("<=", "__le"),
                    ("~=", "__eq"),
                ];
                let (op, name) = self.tape.pick(&ops);
                self.needs.insert(name);
                let (a, b) = (self.expr(Want::Obj, 1), self.expr(Want::Obj, 0));
                format!("({a} {op} {b})")
            }
            _ => "true".to_string(),
        }
    }
}
