//! Statements of Lua programs. In: how deep they may nest. Out: their lines. Invariant: a loop ends
//! whatever its body does; lists get no holes and stay short.

use super::writer::{Rank, Want, Writer};

/// Items of a list, at most.
const ITEMS: u32 = 24;

impl Writer<'_, '_> {
    pub fn statement(&mut self, depth: usize) {
        let weights: &[u16] = match depth {
            0 => &[10, 4, 4, 2, 2, 2, 2, 2, 1],
            _ => &[10, 4, 4, 2, 2, 2, 2, 3, 1, 6, 7, 4, 2, 3, 2],
        };
        match self.tape.weighted(weights) {
            0 => self.assignment(),
            1 => self.local(),
            2 => self.list(),
            3 => self.change_object(),
            4 => self.change_map(),
            5 => self.shows(),
            6 => self.several(),
            7 => self.exit(),
            8 => self.closure_pair(),
            9 => self.conditional(depth - 1),
            10 => self.counted(depth - 1),
            11 => self.other_loop(depth - 1),
            12 => self.each_pair(),
            13 => self.protected(depth - 1),
            _ => self.closed(depth - 1),
        }
    }

    /// A variable gets another value.
    pub fn assignment(&mut self) {
        let want = match self.tape.below(8) {
            0..=2 => Want::Int,
            3 => Want::Float,
            4 => Want::Num,
            5 => Want::Any,
            _ => self.some_want(),
        };
        match self.target(want) {
            Some(name) => {
                let value = self.expr(want, 3);
                self.line(&format!("{name} = {value}"));
            }
            None => self.local_of(want),
        }
    }

    fn local(&mut self) {
        let want = self.some_want();
        self.local_of(want);
    }

    fn local_of(&mut self, want: Want) {
        if !self.has_room() {
            return;
        }
        let value = self.expr(want, 2);
        let name = self.name("v");
        self.line(&format!("local {name} = {value}"));
        self.declare(&name, want);
    }

    /// Several variables at once.
    fn several(&mut self) {
        let (Some(a), Some(b)) = (self.target(Want::Int), self.target(Want::Int)) else {
            return self.local();
        };
        // Which of two assignments to one variable is the last, the language leaves open.
        if a == b {
            return self.local();
        }
        match self.tape.below(4) {
            0 => self.line(&format!("{a}, {b} = {b}, {a}")),
            1 if self.rank > Rank::Method && self.affords(16) => {
                self.needs.insert("va");
                let (p, q) = (self.expr(Want::Int, 1), self.expr(Want::Int, 1));
                self.line(&format!("{a}, {b} = va({p}, {q})"));
                self.line(&format!("{b} = {b} or 0"));
            }
            _ => {
                let (p, q) = (self.expr(Want::Int, 2), self.expr(Want::Int, 2));
                self.line(&format!("{a}, {b} = {p}, {q}"));
            }
        }
    }

    /// A list changes.
    fn list(&mut self) {
        let want = self.tape.pick(&[Want::Ints, Want::Ints, Want::Mixed]);
        let Some(l) = self.var(want) else {
            return self.local_of(want);
        };
        let value = match want {
            Want::Ints => self.expr(Want::Int, 2),
            _ => self.item(2),
        };
        let index = self.expr(Want::Int, 1);
        match self.tape.below(8) {
            0 | 1 => self.line(&format!(
                "if #{l} < {ITEMS} then {l}[#{l} + 1] = {value} end"
            )),
            2 => self.line(&format!(
                "if #{l} > 0 then {l}[{index} % #{l} + 1] = {value} end"
            )),
            3 => self.line(&format!(
                "if #{l} < {ITEMS} then table.insert({l}, {index} % (#{l} + 1) + 1, {value}) end"
            )),
            4 => self.line(&format!(
                "if #{l} < {ITEMS} then table.insert({l}, {value}) end"
            )),
            5 => self.line(&format!("show(plain(table.remove({l})))")),
            6 => self.line(&format!(
                "if #{l} > 0 then show(plain(table.remove({l}, {index} % #{l} + 1))) end"
            )),
            _ if want == Want::Ints && self.affords(150) => {
                let modulus = self.tape.pick(&["1", "3", "7"]);
                match self.tape.below(3) {
                    0 => self.line(&format!("table.sort({l})")),
                    1 => self.line(&format!("table.sort({l}, function(p, q) return p > q end)")),
                    _ => self.line(&format!(
                        "table.sort({l}, function(p, q)\nlocal d = p % {modulus} - q % {modulus}\nif d ~= 0 then return d < 0 end\nreturn p < q\nend)"
                    )),
                }
            }
            _ => self.line(&format!("{l}[#{l}] = nil")),
        }
    }

    fn change_object(&mut self) {
        let Some(o) = self.var(Want::Obj).filter(|_| self.rank > Rank::Method) else {
            return self.local_of(Want::Obj);
        };
        match self.tape.below(5) {
            0 | 1 => {
                let value = self.expr(Want::Int, 2);
                self.line(&format!("{o}.x = {value}"));
            }
            2 => {
                let value = self.expr(Want::Num, 2);
                self.line(&format!("{o}.y = {value}"));
            }
            3 => {
                self.needs.insert("__newindex");
                let value = self.expr(Want::Int, 1);
                let value = self.tape.pick(&["nil", &value]);
                let field = self.tape.pick(&["z", "k1"]);
                self.line(&format!("{o}.{field} = {value}"));
            }
            _ => {
                let value = self.expr(Want::Int, 1);
                self.line(&format!("{o}:inc({value}):inc(2)"));
            }
        }
    }

    fn change_map(&mut self) {
        let Some(h) = self.var(Want::Map) else {
            return self.local_of(Want::Map);
        };
        let (key, value) = (self.key(2), self.expr(Want::Int, 2));
        let value = match self.tape.chance(1, 4) {
            true => "nil",
            false => &value,
        };
        self.line(&format!("{h}[{key}] = {value}"));
    }

    /// Leaves a loop or a turn of it, or the function, with an error.
    fn exit(&mut self) {
        if self.tape.chance(1, 2) {
            return self.fault();
        }
        let label = match self.loops.last() {
            None => return self.assignment(),
            Some(label) => label.clone(),
        };
        let c = self.expr(Want::Bool, 2);
        match label {
            Some(label) if self.tape.chance(2, 3) => {
                self.line(&format!("if {c} then goto {label} end"));
            }
            // The main loop goes on, mostly.
            _ if self.loops.len() > 1 || self.tape.chance(1, 4) => {
                self.line(&format!("if {c} then break end"));
            }
            _ => self.assignment(),
        }
    }

    /// Two functions that share a variable.
    fn closure_pair(&mut self) {
        if !self.has_room() || self.rank < Rank::Function {
            return self.assignment();
        }
        let (cell, put, get) = (self.name("c"), self.name("f"), self.name("f"));
        let want = self.tape.pick(&[Want::Int, Want::Num]);
        let first = self.expr(want, 1);
        self.line(&format!("local {cell} = {first}"));
        self.declare(&cell, want);
        let value = self.expr(want, 1);
        self.line(&format!(
            "local function {put}(p) {cell} = {value} return p end"
        ));
        self.line(&format!(
            "local function {get}(p) if {cell} == p then {cell} = 1 end return p + 1, {cell} end"
        ));
        self.declare(&put, Want::Func);
        self.declare(&get, Want::Func);
    }

    fn conditional(&mut self, depth: usize) {
        let c = self.expr(Want::Bool, 2);
        self.line(&format!("if {c} then"));
        self.block(|w| {
            for _ in 0..1 + w.tape.below(2) {
                w.statement(depth);
            }
        });
        if self.tape.chance(1, 4) {
            let c = self.expr(Want::Bool, 1);
            self.line(&format!("elseif {c} then"));
            self.block(|w| w.statement(depth));
        }
        if self.tape.chance(1, 2) {
            self.line("else");
            self.block(|w| w.statement(depth));
        }
        self.line("end");
    }

    /// The body of a loop that goes around so often, whose label is behind it.
    fn turns(&mut self, depth: usize, turns: u32, variables: &[(&str, Want)]) {
        let label = self.name("next");
        self.repeated(turns, Some(label.clone()), |w| {
            for (name, want) in variables {
                w.declare(name, *want);
            }
            let start = w.out.len();
            w.block(|w| {
                for _ in 0..1 + w.tape.below(2) {
                    w.statement(depth);
                }
            });
            w.continued(&label, start);
        });
        self.line("end");
    }

    /// A loop with a number.
    fn counted(&mut self, depth: usize) {
        const RANGES: &[(&str, u32, Want)] = &[
            ("1, 3", 3, Want::Int),
            ("3, 1, -1", 3, Want::Int),
            ("1, 12", 12, Want::Int),
            ("1.0, 2, 0.25", 5, Want::Float),
            ("0.5, -1, -0.5", 4, Want::Float),
            ("1, 2.7", 2, Want::Int),
            ("math.maxinteger - 2, math.maxinteger", 3, Want::Int),
            ("math.mininteger + 1, math.mininteger, -1", 2, Want::Int),
            ("2, 1", 0, Want::Int),
            ("1, math.huge, 1 << 62", 2, Want::Int),
        ];
        let (range, turns, want) = self.tape.pick(RANGES);
        if !self.affords(turns * 3) {
            return self.assignment();
        }
        let name = self.name("j");
        self.line(&format!("for {name} = {range} do"));
        self.turns(depth, turns, &[(&name, want)]);
    }

    fn other_loop(&mut self, depth: usize) {
        if !self.affords(12) {
            return self.assignment();
        }
        let (count, turns) = (self.name("w"), self.tape.pick(&[2u32, 3, 6]));
        match self.tape.below(7) {
            6 if self.rank >= Rank::Function && self.affords(40) => {
                let given = self.name("g");
                self.line(&format!("for {given} in coroutine.wrap(function()"));
                self.body(Rank::Function, false, &[], |w| {
                    w.line(&format!("for {count} = 1, {turns} do"));
                    w.repeated(turns, None, |w| {
                        w.declare(&count, Want::Int);
                        if w.tape.chance(1, 2) {
                            w.statement(depth);
                        }
                        let value = w.expr(Want::Int, 1);
                        w.line(&format!("coroutine.yield({value})"));
                    });
                    w.line("end");
                });
                self.line("end) do");
                self.turns(depth, turns, &[(&given, Want::Int)]);
            }
            0 | 1 => {
                self.line(&format!("local {count} = {turns}"));
                self.line(&format!("while {count} > 0 do"));
                self.line(&format!("{count} = {count} - 1"));
                self.turns(depth, turns, &[]);
            }
            2 => {
                self.line(&format!("local {count} = 0"));
                self.line("repeat");
                self.line(&format!("{count} = {count} + 1"));
                self.repeated(turns, None, |w| {
                    w.statement(depth);
                    let c = w.expr(Want::Bool, 1);
                    w.line(&format!("until {count} >= {turns} or {c}"));
                });
            }
            3 => {
                let label = self.name("again");
                self.line("do");
                self.line(&format!("local {count} = 0"));
                self.line(&format!("::{label}::"));
                self.line(&format!("{count} = {count} + 1"));
                let loops = std::mem::take(&mut self.loops);
                self.repeated(turns, None, |w| {
                    w.line("do");
                    w.loops.clear();
                    w.statement(depth);
                    w.line("end");
                });
                self.loops = loops;
                self.line(&format!("if {count} < {turns} then goto {label} end"));
                self.line("end");
            }
            _ => {
                let want = self.tape.pick(&[Want::Ints, Want::Mixed]);
                if !self.affords(ITEMS * 3) {
                    return self.assignment();
                }
                let l = self.expr(want, 1);
                let (k, v) = (self.name("k"), self.name("e"));
                let of = match want {
                    Want::Ints => Want::Int,
                    _ => Want::Any,
                };
                self.line(&format!("for {k}, {v} in ipairs({l}) do"));
                self.turns(depth, ITEMS, &[(&k, Want::Int), (&v, of)]);
            }
        }
    }

    /// The sum over a map, which does not depend on the order.
    fn each_pair(&mut self) {
        let (Some(h), Some(a)) = (self.var(Want::Map), self.target(Want::Int)) else {
            return self.local_of(Want::Map);
        };
        if !self.affords(60) {
            return;
        }
        let key = self
            .tape
            .pick(&["1", "#tostring(k)", "(type(k) == 'string' and #k or 3)"]);
        let over = match self.tape.chance(1, 4) {
            true => format!("next, {h}"),
            false => format!("pairs({h})"),
        };
        self.line(&format!("for k, v in {over} do {a} = {a} + v * {key} end"));
    }

    /// A variable that is closed when its block is left.
    fn closed(&mut self, depth: usize) {
        if !self.has_room() || !self.affords(12) {
            return self.assignment();
        }
        let name = self.name("x");
        self.line("do");
        self.block(|w| {
            w.line(&format!(
                "local {name} <close> = setmetatable({{}}, {{__close = function(_, e)"
            ));
            w.body(Rank::Closure, false, &[("e", Want::Any)], |w| {
                w.assignment();
                w.line("show('close', plain(e))");
            });
            w.line("end})");
            let outer = std::mem::replace(&mut w.closes, true);
            for _ in 0..1 + w.tape.below(2) {
                w.statement(depth);
            }
            w.closes = outer;
        });
        self.line("end");
    }
}
