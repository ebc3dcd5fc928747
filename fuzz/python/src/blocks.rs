//! Statements with blocks: conditions, loops, handlers, `with`, `match`. In: how deep what is in
//! them may be. Out: lines. Invariant: loops end, whatever is done in them: the variable that
//! counts is assigned to by nothing else, and lists that are gone through do not grow without end.

use super::writer::{Rank, Want, Writer};

/// What handlers catch.
const CAUGHT: &[&str] = &[
    "Exception as e",
    "(ValueError, KeyError) as e",
    "ZeroDivisionError",
    "LookupError as e",
    "Oops as e",
    "ArithmeticError as e",
    "TypeError as e",
];

impl Writer<'_, '_> {
    fn statements(&mut self, depth: usize) {
        for _ in 0..1 + self.tape.below(3) {
            self.statement(depth);
        }
    }

    /// `if`, with `elif` and `else`; or `match`.
    pub fn condition(&mut self, depth: usize) {
        if self.tape.chance(1, 8) {
            return self.matched(depth);
        }
        let condition = self.expr(Want::Bool, 2);
        self.block(&format!("if {condition}:"), |w| w.statements(depth));
        if self.tape.chance(1, 4) {
            let condition = self.expr(Want::Bool, 1);
            self.block(&format!("elif {condition}:"), |w| w.statements(depth));
        }
        if self.tape.chance(1, 2) {
            self.block("else:", |w| w.statements(depth));
        }
    }

    fn matched(&mut self, depth: usize) {
        let subject = self.tape.pick(&["I", "S", "L", "T", "(I & 3, S)", "D"]);
        let subject = self.fill(subject, 1);
        self.block(&format!("match {subject}:"), |w| {
            let cases = [
                "0 | 1 | 2:",
                "int():",
                "'s' | '':",
                "str():",
                "[]:",
                "[1, *_]:",
                "(1, str()):",
                "[_, _, _]:",
                "{1: _}:",
                "{}:",
            ];
            for _ in 0..1 + w.tape.below(3) {
                let case = w.tape.pick(&cases);
                w.block(&format!("case {case}"), |w| w.statements(depth));
            }
            w.block("case _:", |w| w.statement(depth));
        });
    }

    /// `for` over a range.
    pub fn counted(&mut self, depth: usize) {
        if !self.affords(20) {
            return self.assignment();
        }
        let name = self.name("k");
        let turns = self.tape.pick(&[3, 2, 5, 9, 17]);
        let small = self.expr(Want::Int, 1);
        let range = match self.tape.below(5) {
            0 | 1 => format!("range({turns})"),
            2 => format!("range({small} % {turns})"),
            3 => format!("range({turns}, 0, -1)"),
            _ => format!("range(2, 3 * {turns}, 3)"),
        };
        self.repeated(&format!("for {name} in {range}:"), turns, |w| {
            w.declare_constant(&name, Want::Int);
            w.statements(depth);
            w.leave_sometimes();
        });
        self.otherwise(depth);
    }

    /// `while`, with a variable that counts.
    pub fn bounded(&mut self, depth: usize) {
        if !self.affords(20) {
            return self.assignment();
        }
        let name = self.name("w");
        let turns = self.tape.pick(&[3, 2, 5, 9]);
        self.line(&format!("{name} = 0"));
        self.declare_constant(&name, Want::Int);
        let condition = match self.tape.chance(1, 2) {
            true => self.expr(Want::Bool, 1),
            false => "True".to_string(),
        };
        let head = format!("while {name} < {turns} and ({condition}):");
        self.repeated(&head, turns, |w| {
            w.line(&format!("{name} += 1"));
            w.statements(depth);
            w.leave_sometimes();
        });
        self.otherwise(depth);
    }

    /// `for` over something else.
    pub fn each(&mut self, depth: usize) {
        if !self.affords(60) {
            return self.assignment();
        }
        let (k, v) = (self.name("k"), self.name("v"));
        let forms = [
            ("L", Want::Int),
            ("T", Want::Int),
            ("S", Want::Str),
            ("count(I & 7)", Want::Int),
            ("sorted(U)", Want::Int),
            ("list(D.values())", Want::Int),
            ("reversed(L)", Want::Int),
            ("map(lambda v: I, T)", Want::Int),
            ("(I for v in L)", Want::Int),
            ("[I, 2 ** 65, 3]", Want::Int),
            ("pool", Want::Obj),
        ];
        let (form, want) = self.tape.pick(&forms);
        if self.rank < Rank::Closure && form.contains("count") {
            return self.assignment();
        }
        let form = match want == Want::Obj && !self.sees(Want::Obj) {
            true => "[]",
            false => form,
        };
        let outer = std::mem::take(&mut self.grew);
        let filled = self.fill(form, 1);
        let grew = std::mem::replace(&mut self.grew, outer);
        let over = if grew { "L" } else { form };
        let over = if grew { self.fill(over, 0) } else { filled };
        let pair = self.tape.chance(1, 5);
        let head = match pair {
            true => format!("for {k}, {v} in enumerate({over}):"),
            false => format!("for {v} in {over}:"),
        };
        self.repeated(&head, 10, |w| {
            if pair {
                w.declare_constant(&k, Want::Int);
            }
            w.declare_constant(&v, want);
            w.statements(depth);
            w.leave_sometimes();
        });
        self.otherwise(depth);
    }

    /// The `else` of a loop, sometimes.
    fn otherwise(&mut self, depth: usize) {
        if self.tape.chance(1, 5) {
            self.block("else:", |w| w.statement(depth));
        }
    }

    /// A way out of a loop or a function, in some turns.
    pub fn leave(&mut self) {
        let condition = self.expr(Want::Bool, 1);
        let way = match self.loops {
            0 => "pass",
            _ => self.tape.pick(&["break", "continue"]),
        };
        self.line(&format!("if {condition}:\n    {way}"));
    }

    fn leave_sometimes(&mut self) {
        if self.tape.chance(1, 4) {
            self.leave();
        }
    }

    /// `try` in all its forms.
    pub fn guarded(&mut self, depth: usize) {
        if !self.affords(10) {
            return self.assignment();
        }
        self.block("try:", |w| {
            w.statements(depth);
            match w.tape.below(3) {
                0 => w.fault(),
                1 => w.leave_sometimes(),
                _ => {}
            }
        });
        let caught = self.tape.below(3);
        for _ in 0..caught {
            let class = self.tape.pick(CAUGHT);
            self.block(&format!("except {class}:"), |w| {
                match class.ends_with("as e") {
                    true => w.line("show(type(e).__name__, e)"),
                    false => w.line("show('caught')"),
                }
                if w.tape.chance(1, 2) {
                    w.statement(depth);
                }
                if w.tape.chance(1, 10) {
                    let again = [
                        "raise",
                        "raise ValueError('again')",
                        "raise Oops(3) from None",
                    ];
                    let again = w.tape.pick(&again);
                    w.line(again);
                }
            });
        }
        if caught > 0 && self.tape.chance(1, 5) {
            self.block("else:", |w| w.statement(depth));
        }
        if caught == 0 || self.tape.chance(1, 4) {
            self.block("finally:", |w| {
                w.statement(depth);
                w.leave_sometimes();
            });
        }
    }

    /// `with`, which swallows a `KeyError`.
    pub fn with(&mut self, depth: usize) {
        if self.rank < Rank::Closure || !self.affords(20) {
            return self.assignment();
        }
        let name = self.name("n");
        let number = self.expr(Want::Int, 0);
        self.block(&format!("with Guard({number}) as {name}:"), |w| {
            w.declare(&name, Want::Int);
            w.statements(depth);
            if w.tape.chance(1, 3) {
                w.fault();
            }
        });
    }
}
