//! The frame of a Lua program, and what all of its parts are written with. In: a tape. Out: text:
//! helpers, a class, functions, `main`. Invariant: a variable is named only where it is visible;
//! what a program does is counted while it is written, and bounded.

use fuzz_tape::Tape;
use std::collections::BTreeSet;

/// The value of a variable or expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Want {
    Int,
    Float,
    /// Either of them.
    Num,
    Str,
    Bool,
    /// A list of integers, without holes.
    Ints,
    /// A list of anything but nil.
    Mixed,
    /// A table from strings and numbers to integers.
    Map,
    /// An object of the class.
    Obj,
    /// A function from integers to integers.
    Func,
    /// Nil, a boolean, a number or a string.
    Any,
}

/// A variable that is visible.
pub(super) struct Var {
    pub name: String,
    pub want: Want,
    pub writable: bool,
}

/// A function that can be called by its name.
pub(super) struct Callee {
    pub name: &'static str,
    pub params: Vec<Want>,
    /// The approximate work of a call.
    pub cost: u32,
}

/// The function that is being written, which decides what may be called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// A metamethod or a method, which calls nothing.
    Method,
    /// A closure, which other code may keep: it uses objects, and functions that have a name.
    Closure,
    /// A function with a name, which only later ones call.
    Function,
}

pub(super) struct Writer<'t, 'b> {
    pub tape: &'t mut Tape<'b>,
    pub out: String,
    pub vars: Vec<Var>,
    pub callees: Vec<Callee>,
    /// Metamethods that objects need, and helpers.
    pub needs: BTreeSet<&'static str>,
    /// How many expressions may still be written before they have to be small.
    pub fuel: usize,
    /// How often what is being written is done, at most.
    pub weight: u32,
    /// The approximate work of the text so far.
    pub spent: u32,
    pub rank: Rank,
    /// Whether `...` is visible.
    pub vararg: bool,
    /// Whether this function has something to close when it is left.
    pub closes: bool,
    /// Whether expressions have no errors in them.
    pub sound: bool,
    /// The loops around, in this function: their labels for `continue`, if they have one.
    pub loops: Vec<Option<String>>,
    names: usize,
}

/// The approximate work of a program: some operations of the interpreter each.
const MOST: u32 = 8_000;

/// Turns of the main loop, for the count.
const TURNS: u32 = 30;

/// Variables that a function may see: Lua allows 200 locals and 255 upvalues.
const MOST_VARS: usize = 60;

/// What programs need to print, by the text that says that they do. Those in front are used by
/// those behind.
const HELPERS: &[(&str, &str)] = &[
    (
        "plain(",
        "local function plain(v)
  if v ~= v then return 'NaN' end
  if type(v) == 'table' then return v.code or v.x or 't' end
  return type(v) == 'function' and 'f' or v
end",
    ),
    (
        "show(",
        "local shown = 0
local function show(...)
  shown = shown + 1
  if shown <= 200 then print(...) end
end",
    ),
    (
        "walk(",
        "local function walk(n)
  for level = 2, 20 do
    local info = debug.getinfo(level, 'Slt')
    if not info or info.what == 'main' then break end
    n = n * 31 + info.currentline + #info.what + (info.istailcall and 7 or 0)
  end
  return n
end",
    ),
    (
        "real(",
        "local function real(x) return x == x and x or 0.25 end",
    ),
];

impl<'t, 'b> Writer<'t, 'b> {
    /// Writes what a tape says.
    pub fn new(tape: &'t mut Tape<'b>) -> Writer<'t, 'b> {
        Writer {
            tape,
            out: String::new(),
            vars: Vec::new(),
            callees: Vec::new(),
            needs: BTreeSet::new(),
            fuel: 0,
            weight: 1,
            spent: 0,
            rank: Rank::Function,
            vararg: false,
            closes: false,
            sound: false,
            loops: Vec::new(),
            names: 0,
        }
    }

    /// The program with this main part: what the part needs is in front of it.
    pub fn program(mut self, main: impl FnOnce(&mut Self)) -> String {
        let main = self.written(main);
        let rest = self.written(Writer::functions_needed);
        let class = self.written(Writer::class);
        let text = class + &rest + &main;
        HELPERS
            .iter()
            .rev()
            .fold(text, |text, (name, helper)| match text.contains(name) {
                true => format!("{helper}\n{text}"),
                false => text,
            })
    }
}

impl Writer<'_, '_> {
    /// What `f` writes.
    pub fn written(&mut self, f: impl FnOnce(&mut Self)) -> String {
        let before = std::mem::take(&mut self.out);
        f(self);
        std::mem::replace(&mut self.out, before)
    }

    /// A line.
    pub fn line(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// A name that nothing else has.
    pub fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// Declares a variable that is visible from now on, in this block.
    pub fn declare(&mut self, name: &str, want: Want) {
        self.vars.push(Var {
            name: name.to_string(),
            want,
            writable: true,
        });
    }

    /// Whether there is room for more variables.
    pub fn has_room(&self) -> bool {
        self.vars.len() < MOST_VARS
    }

    /// A variable that holds this, the youngest if nothing is chosen.
    pub fn var(&mut self, want: Want) -> Option<String> {
        let fitting = self.vars.iter().rev().filter(|var| var.want == want);
        let names: Vec<&str> = fitting.map(|var| &var.name[..]).collect();
        (!names.is_empty()).then(|| self.tape.pick(&names).to_string())
    }

    /// The same, of those that may be assigned to.
    pub fn target(&mut self, want: Want) -> Option<String> {
        let fitting = (self.vars.iter().rev()).filter(|var| var.want == want && var.writable);
        let names: Vec<&str> = fitting.map(|var| &var.name[..]).collect();
        (!names.is_empty()).then(|| self.tape.pick(&names).to_string())
    }

    /// Whether something that does so much may be written here; if so, it is counted.
    pub fn affords(&mut self, cost: u32) -> bool {
        let spent = self.spent.saturating_add(self.weight.saturating_mul(cost));
        let can = spent <= MOST;
        if can {
            self.spent = spent;
        }
        can
    }

    /// What `f` writes, as a block: what it declares is not visible behind it.
    pub fn block(&mut self, f: impl FnOnce(&mut Self)) {
        let visible = self.vars.len();
        f(self);
        self.vars.truncate(visible);
    }

    /// A block that is done so often.
    pub fn repeated(&mut self, turns: u32, label: Option<String>, f: impl FnOnce(&mut Self)) {
        let weight = self.weight;
        self.weight = weight.saturating_mul(turns.max(1));
        self.loops.push(label);
        self.block(f);
        self.loops.pop();
        self.weight = weight;
    }

    /// The body of a function with these parameters.
    pub fn body(
        &mut self,
        rank: Rank,
        vararg: bool,
        params: &[(&str, Want)],
        f: impl FnOnce(&mut Self),
    ) {
        let loops = std::mem::take(&mut self.loops);
        let outer = (self.rank, self.vararg, self.closes, loops);
        (self.rank, self.vararg, self.closes) = (rank.min(self.rank), vararg, false);
        self.block(|w| {
            for (name, want) in params {
                w.declare(name, *want);
            }
            f(w);
        });
        (self.rank, self.vararg, self.closes, self.loops) = outer;
    }

    /// `main`, and what calls it.
    pub fn main(&mut self) {
        self.fuel = 10;
        let count = self.tape.pick(&[0, 1, 1, 2, 3]);
        for name in ["f0", "f1", "f2"].into_iter().take(count) {
            self.function(name);
        }
        let outside = self.tape.chance(1, 2);
        if outside {
            self.line("local ga, gx, gs = 1, 0.5, ''");
            self.line("local gl, gm, gh = {1, 2, 3}, {}, {}");
            self.line("function count() total = (total or 0) + 1 return total end");
            for (name, want) in [
                ("ga", Want::Int),
                ("gx", Want::Float),
                ("gs", Want::Str),
                ("gl", Want::Ints),
                ("gm", Want::Mixed),
                ("gh", Want::Map),
            ] {
                self.declare(name, want);
            }
            self.callees.push(Callee {
                name: "count",
                params: Vec::new(),
                cost: 2,
            });
        }
        self.line("local function main(n)");
        self.body(Rank::Function, false, &[], |w| w.main_body());
        self.line("end");
        let kept = match self.tape.chance(1, 3) {
            true => {
                self.line("local ok, e = pcall(main, tonumber((...)))");
                self.line("show('end', ok, plain(e))");
                true
            }
            false => {
                self.line("main(tonumber((...)))");
                false
            }
        };
        if outside && kept {
            self.line("show(ga, plain(gx), gs, total)");
            self.line("for i = 1, #gl do show(plain(gl[i])) end");
        }
    }

    fn main_body(&mut self) {
        self.line("local a, b, x, y = 1, 7, 0.5, -0.0");
        self.line("local s, l = 's', {3, 1, 2}");
        for (name, want) in [
            ("a", Want::Int),
            ("b", Want::Int),
            ("x", Want::Float),
            ("y", Want::Num),
            ("s", Want::Str),
            ("l", Want::Ints),
        ] {
            self.declare(name, want);
        }
        let registers = self.tape.pick(&[0, 0, 0, 0, 2, 4, 22]);
        self.fuel = 30;
        for n in 0..registers {
            let want = self.some_want();
            let value = self.expr(want, 0);
            self.line(&format!("local r{n} = {value}"));
            self.declare(&format!("r{n}"), want);
        }
        self.line("for i = 1, n do");
        self.fuel = self.fuel.max(24);
        let label = self.name("next");
        self.repeated(TURNS, Some(label.clone()), |w| {
            w.declare("i", Want::Int);
            let start = w.out.len();
            w.block(|w| {
                for _ in 0..1 + w.tape.below(5) {
                    w.statement(3);
                }
            });
            w.shows();
            w.continued(&label, start);
        });
        self.line("end");
        self.line("for i = 1, #l do show(plain(l[i])) end");
        self.shows();
        self.line("show(a, b, plain(x), plain(y), s)");
    }

    /// Prints some of the variables.
    pub fn shows(&mut self) {
        if !self.affords(10) {
            return;
        }
        let count = 1 + self.tape.below(3);
        let visible = self.vars.len();
        let names: Vec<String> = (0..count)
            .map(|_| {
                let back = self.tape.below(visible.max(1));
                let Some(var) = self.vars[..visible].iter().rev().nth(back) else {
                    return "0".to_string();
                };
                match var.want {
                    Want::Ints | Want::Mixed => format!("#{}", var.name),
                    Want::Int | Want::Str | Want::Bool => var.name.clone(),
                    _ => format!("plain({})", var.name),
                }
            })
            .collect();
        self.line(&format!("show({})", names.join(", ")));
    }

    /// The label of a loop behind its body, if there is a jump to it. The body, which has begun at
    /// `start`, becomes a block of its own then: Lua 5.4.4 does not close what a `goto` leaves, if
    /// a variable that was declared later is visible at the label.
    pub fn continued(&mut self, label: &str, start: usize) {
        if self.out.contains(&format!("goto {label} ")) {
            self.out.insert_str(start, "do\n");
            self.line("end");
            self.line(&format!("::{label}::"));
        }
    }

    /// A function that later ones can call.
    fn function(&mut self, name: &'static str) {
        let spent = std::mem::replace(&mut self.spent, 0);
        let count = self.tape.below(4);
        let wants: Vec<Want> = (0..count).map(|_| self.some_want()).collect();
        let params: Vec<(&str, Want)> = ["p", "q", "r"].into_iter().zip(wants.clone()).collect();
        let names: Vec<&str> = params.iter().map(|param| param.0).collect();
        self.line(&format!("local function {name}({})", names.join(", ")));
        self.body(Rank::Closure, false, &params, |w| {
            for _ in 0..w.tape.below(3) {
                w.statement(2);
            }
            w.returns();
        });
        self.line("end");
        self.fuel = self.fuel.max(8);
        let cost = std::mem::replace(&mut self.spent, spent) + 3;
        self.callees.push(Callee {
            name,
            params: wants,
            cost,
        });
    }

    /// The end of a function whose first result is an integer.
    pub fn returns(&mut self) {
        let first = self.expr(Want::Int, 2);
        match self.tape.below(4) {
            3 if self.vararg => self.line(&format!("return {first}, ...")),
            2 => {
                let second = self.expr(Want::Int, 1);
                self.line(&format!("return {first}, {second}"));
            }
            1 => match self.named_call() {
                Some(call) => self.line(&format!("return {call}")),
                None => self.line(&format!("return {first}")),
            },
            _ => self.line(&format!("return {first}")),
        }
    }

    /// Functions that recurse or take any number of arguments, if they are called.
    fn functions_needed(&mut self) {
        self.vars.clear();
        self.callees.clear();
        (self.spent, self.weight, self.fuel) = (0, 1, 6);
        let params = [("d", Want::Int), ("p", Want::Int)];
        for name in ["rec", "tail", "va", "deep"] {
            if !self.needs.contains(name) {
                continue;
            }
            match name {
                "va" => {
                    self.line("local function va(...)");
                    self.line("local p, q = ...");
                    self.line("local c = select('#', ...)");
                    let params = [("p", Want::Any), ("q", Want::Any), ("c", Want::Int)];
                    self.body(Rank::Method, true, &params, |w| {
                        w.line("for i = 1, c do c = c * 3 + (select(i, ...) or 5) end");
                        w.statement(1);
                        w.returns();
                    });
                }
                "deep" => {
                    self.line("local function deep(d)");
                    self.line("return d + deep(d + 1)");
                }
                _ => {
                    self.line(&format!("local function {name}(d, p)"));
                    self.body(Rank::Method, false, &params, |w| {
                        let end = w.expr(Want::Int, 1);
                        w.line(&format!("if d <= 0 then return {end} end"));
                        let next = w.expr(Want::Int, 2);
                        match name {
                            "tail" => w.line(&format!("return tail(d - 1, {next})")),
                            _ => {
                                let op = w.tape.pick(&["+", "-", "*", "~"]);
                                let more = w.expr(Want::Int, 1);
                                w.line(&format!("return rec(d - 1, {next}) {op} {more}"));
                            }
                        }
                    });
                }
            }
            self.line("end");
        }
    }
}
