//! The frame of a Python program, and what all of its parts are written with. In: a tape. Out:
//! text: helpers, classes, functions, `main`. Invariant: a variable is named only where it is
//! visible; what a program does is counted while it is written, and bounded.

use fuzz_tape::Tape;

/// The value of a variable or expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Want {
    /// An integer of any size.
    Int,
    Float,
    Str,
    Bool,
    /// A list of integers.
    Ints,
    /// A dict from scalars to integers.
    Dict,
    /// A set of integers.
    Set,
    /// A tuple of three integers.
    Tuple,
    /// An object of one of the classes.
    Obj,
    /// A function from integers to integers.
    Func,
}

/// A variable that is visible.
pub(super) struct Var {
    pub name: String,
    pub want: Want,
    pub writable: bool,
    pub global: bool,
}

/// A function that can be called by its name.
#[derive(Clone)]
pub(super) struct Callee {
    pub name: String,
    pub params: Vec<Want>,
    /// The approximate work of a call.
    pub cost: u32,
}

/// The function that is being written, which decides what may be called.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// A method, which calls nothing.
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
    /// How many expressions may still be written before they have to be small.
    pub fuel: usize,
    /// How often what is being written is done, at most.
    pub weight: u32,
    /// The approximate work of the text so far.
    pub spent: u32,
    pub rank: Rank,
    /// Whether the integer that is being written may be much longer than its operands.
    pub grew: bool,
    /// The number of loops around, in this function.
    pub loops: usize,
    indent: usize,
    names: usize,
}

/// The approximate work of a program: some operations of the interpreter each.
const MOST: u32 = 8_000;

/// Turns of the main loop, for the count.
const TURNS: u32 = 30;

/// Variables that a function may see.
const MOST_VARS: usize = 60;

/// What programs need, by the text that says that they do. Those in front are used by those behind.
const HELPERS: &[(&str, &str)] = &[
    ("sys.", "import sys\n"),
    ("math.", "import math\n"),
    // The name is one that no other text has in it.
    ("regex.", "import re as regex\n"),
    (
        "show(",
        "shown = 0\n\n\ndef show(*values):\n    global shown\n    shown += 1\n    if shown <= 150:\n        print(*values)\n",
    ),
    (
        "cut(",
        "def cut(n):\n    return n if -10 ** 40 < n < 10 ** 40 else n % 1000000007\n",
    ),
    (
        "whole(",
        "def whole(x):\n    return int(x) if -1e15 < x < 1e15 else 7\n",
    ),
    (
        "Oops(",
        "class Oops(Exception):\n    def __init__(self, code):\n        super().__init__('oops', code)\n        self.code = code\n",
    ),
    (
        "down(",
        "def down(n, k):\n    return k if n <= 0 else cut(down(n - 1, k + n) - (n & 3))\n",
    ),
    (
        "fork(",
        "def fork(n):\n    return n if n < 2 else fork(n - 1) + fork(n - 2)\n",
    ),
    (
        "forever(",
        "def forever(n):\n    return 1 + forever(n + 1)\n",
    ),
    (
        "count(",
        "def count(n):\n    k = 0\n    while k < n:\n        step = yield k\n        k += step or 1\n    return k\n",
    ),
    (
        "chain(",
        "def chain(*parts):\n    total = 0\n    for part in parts:\n        total += yield from count(part)\n    yield total\n",
    ),
    (
        "safe(",
        "def safe(n):\n    try:\n        for k in range(n):\n            yield k * k\n    except KeyError as e:\n        yield e.args[0]\n    finally:\n        show('closed', n)\n",
    ),
    (
        "drive(",
        "def drive(c):\n    total = 0\n    while True:\n        try:\n            total += c.send(None)\n        except StopIteration as e:\n            return cut(total + e.value)\n",
    ),
    (
        "Ask(",
        "class Ask:\n    def __init__(self, n):\n        self.n = n\n\n    def __await__(self):\n        got = yield self.n & 7\n        return self.n if got is None else got\n",
    ),
    (
        "later(",
        "async def later(n, k):\n    if n <= 0:\n        return await Ask(k)\n    return cut(await later(n - 1, k + n) + n)\n",
    ),
    (
        "ticks(",
        "async def ticks(n):\n    try:\n        for k in range(n):\n            if k & 1:\n                await Ask(k)\n            yield k\n    finally:\n        show('ticked', n)\n",
    ),
    (
        "over(",
        "async def over(*parts):\n    total = 0\n    for part in parts:\n        async for v in ticks(part):\n            if v == 2:\n                continue\n            total += v\n        else:\n            total += await later(1, part)\n    return total + sum([v async for v in ticks(2)])\n",
    ),
    (
        "AGuard(",
        "class AGuard:\n    def __init__(self, n):\n        self.n = n\n\n    async def __aenter__(self):\n        return await Ask(self.n)\n\n    async def __aexit__(self, kind, value, trace):\n        show('leave', await Ask(self.n), kind and kind.__name__)\n        return kind is KeyError\n",
    ),
    (
        "inside(",
        "async def inside(n):\n    async with AGuard(n) as v:\n        if n & 1:\n            raise KeyError(n)\n        return await later(n & 3, v)\n    return -n\n",
    ),
    (
        "spread(",
        "def spread(a, *rest, k=1, **more):\n    return a + k * len(rest) + sum(rest) - sum(more.values())\n",
    ),
    (
        "poly(",
        "def poly(v, w):\n    try:\n        return v + w\n    except TypeError as e:\n        return str(e)\n",
    ),
    (
        "size(",
        "def size(v):\n    if isinstance(v, int):\n        return v & 1023\n    if isinstance(v, (str, list, tuple)):\n        return len(v)\n    return 1 if v else 0\n",
    ),
    (
        "Guard(",
        "class Guard:\n    def __init__(self, n):\n        self.n = n\n\n    def __enter__(self):\n        show('enter', self.n)\n        return self.n\n\n    def __exit__(self, kind, value, trace):\n        show('exit', self.n, kind and kind.__name__)\n        return kind is not None and issubclass(kind, KeyError)\n",
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
            fuel: 0,
            weight: 1,
            spent: 0,
            rank: Rank::Function,
            grew: false,
            loops: 0,
            indent: 0,
            names: 0,
        }
    }

    /// The program: what its parts need is in front of them.
    pub fn program(mut self) -> String {
        let main = self.written(Writer::main);
        let classes = match main.contains("C0") {
            true => self.written(Writer::classes),
            false => String::new(),
        };
        let text = classes + &main;
        let helped = HELPERS.iter().rev();
        helped.fold(text, |text, (mark, helper)| match text.contains(mark) {
            true => format!("{helper}\n\n{text}"),
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

    /// A line, or several.
    pub fn line(&mut self, text: &str) {
        for line in text.split('\n') {
            let indent = if line.is_empty() { 0 } else { self.indent };
            self.out.push_str(&"    ".repeat(indent));
            self.out.push_str(line);
            self.out.push('\n');
        }
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
            global: false,
        });
    }

    /// The same for one that nothing else assigns to.
    pub fn declare_constant(&mut self, name: &str, want: Want) {
        self.declare(name, want);
        if let Some(var) = self.vars.last_mut() {
            var.writable = false;
        }
    }

    /// Whether there is room for more variables.
    pub fn has_room(&self) -> bool {
        self.vars.len() < MOST_VARS
    }

    /// Whether a variable holds this.
    pub fn sees(&self, want: Want) -> bool {
        self.vars.iter().any(|var| var.want == want)
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

    /// A block behind this line: what it declares is not visible behind it.
    pub fn block(&mut self, head: &str, f: impl FnOnce(&mut Self)) {
        self.line(head);
        let visible = self.vars.len();
        self.indent += 1;
        f(self);
        self.indent -= 1;
        self.vars.truncate(visible);
    }

    /// A loop behind this line, which goes around so often.
    pub fn repeated(&mut self, head: &str, turns: u32, f: impl FnOnce(&mut Self)) {
        self.loops += 1;
        self.times(turns, |w| w.block(head, f));
        self.loops -= 1;
    }

    /// What is done so often.
    pub fn times<R>(&mut self, turns: u32, f: impl FnOnce(&mut Self) -> R) -> R {
        let weight = self.weight;
        self.weight = weight.saturating_mul(turns.max(1));
        let result = f(self);
        self.weight = weight;
        result
    }

    /// The function that this line begins, with these parameters.
    pub fn function(
        &mut self,
        head: &str,
        rank: Rank,
        params: &[(&str, Want)],
        f: impl FnOnce(&mut Self),
    ) {
        let rank = rank.min(self.rank);
        let outer = (self.rank, self.loops);
        let writable: Vec<bool> = self.vars.iter().map(|var| var.writable).collect();
        (self.rank, self.loops) = (rank, 0);
        for var in &mut self.vars {
            var.writable &= var.global;
        }
        let globals: Vec<&str> = (self.vars.iter())
            .filter(|var| var.global)
            .map(|var| &var.name[..])
            .collect();
        let globals = globals.join(", ");
        self.block(head, |w| {
            if !globals.is_empty() && rank > Rank::Method {
                w.line(&format!("global {globals}"));
            }
            for (name, want) in params {
                w.declare(name, *want);
            }
            f(w);
        });
        (self.rank, self.loops) = outer;
        for (var, writable) in self.vars.iter_mut().zip(writable) {
            var.writable = writable;
        }
    }

    /// `main`, and what calls it.
    fn main(&mut self) {
        self.fuel = 10;
        if self.tape.chance(1, 2) {
            self.line("ga, gs = 1, 'g'\ngl, gd = [1, 2, 3], {1: 2}\n\n");
            for (name, want) in [
                ("ga", Want::Int),
                ("gs", Want::Str),
                ("gl", Want::Ints),
                ("gd", Want::Dict),
            ] {
                self.declare(name, want);
                self.vars.iter_mut().for_each(|var| var.global = true);
            }
        }
        let count = self.tape.pick(&[0, 1, 1, 2, 3]);
        for number in 0..count {
            self.named_function(&format!("f{number}"));
        }
        self.function("def main(n):", Rank::Function, &[], Writer::main_body);
        self.line("\n");
        if self.tape.chance(1, 3) {
            self.line("try:\n    main(int(sys.argv[1]))\nexcept Exception as e:\n    show('end', type(e).__name__, e)");
        } else {
            self.line("main(int(sys.argv[1]))");
        }
        if self.vars.iter().any(|var| var.global) {
            self.line("show(ga, gs, gl, gd)");
        }
    }

    fn main_body(&mut self) {
        self.line("a, b, x, s = 1, 7, 0.5, 's'\nl, d, u, t = [3, 1, 2], {1: 10, 'k': 20}, {1, 5}, (1, 2, 3)");
        for (name, want) in [
            ("b", Want::Int),
            ("x", Want::Float),
            ("s", Want::Str),
            ("l", Want::Ints),
            ("d", Want::Dict),
            ("u", Want::Set),
            ("t", Want::Tuple),
            ("a", Want::Int),
        ] {
            self.declare(name, want);
        }
        if self.tape.chance(2, 3) {
            self.line("o = C0(3, 4)\npool = [C0(1, 2), C1(2, 3), C2(3), C3(4, 1)]");
            self.declare("o", Want::Obj);
            self.declare_constant("pool[a & 3]", Want::Obj);
        }
        self.fuel = 30;
        let registers = self.tape.pick(&[0, 0, 0, 0, 2, 5]);
        for number in 0..registers {
            let name = format!("r{number}");
            self.define(&name);
        }
        self.fuel = self.fuel.max(24);
        self.repeated("for i in range(1, n + 1):", TURNS, |w| {
            w.declare_constant("i", Want::Int);
            for _ in 0..1 + w.tape.below(5) {
                w.statement(3);
            }
            w.shows();
        });
        self.shows();
        self.line("show(a, b, x, s)\nshow(l, d, sorted(u), t)");
    }

    /// A new variable of any kind but an object or a function.
    pub fn define(&mut self, name: &str) {
        let want = self.some_want();
        let value = self.kept(want, 2);
        self.line(&format!("{name} = {value}"));
        self.declare(name, want);
    }

    /// Any kind of value but an object or a function.
    pub fn some_want(&mut self) -> Want {
        self.tape.pick(&[
            Want::Int,
            Want::Int,
            Want::Float,
            Want::Str,
            Want::Bool,
            Want::Ints,
            Want::Dict,
            Want::Set,
            Want::Tuple,
        ])
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
                match self.vars.iter().rev().nth(back) {
                    None => "0".to_string(),
                    Some(var) => match var.want {
                        Want::Set => format!("sorted({})", var.name),
                        Want::Func => "'f'".to_string(),
                        _ => var.name.clone(),
                    },
                }
            })
            .collect();
        self.line(&format!("show({})", names.join(", ")));
    }
}
