//! The steps of a random trace on objects, arrays and calls: an operation, or a few that belong
//! together.

use super::writer::{CLASSES, LINKS, UNIONS, Writer};

impl Writer {
    pub(super) fn step(&mut self) {
        if self.can_repeat() && self.rng.below(6) == 0 {
            return self.again();
        }
        match self.rng.below(10) {
            0..=2 => return self.integers(),
            3 => return self.variants(),
            4 => return self.lean_step(),
            5 => {
                return match self.rng.below(2) {
                    0 => self.lean_step(),
                    _ => self.links(),
                };
            }
            _ => {}
        }
        match self.rng.below(16) {
            0..=2 => {
                let op = self.rng.pick(&[
                    "int_add", "int_sub", "int_mul", "int_and", "int_lt", "int_eq", "int_xor",
                ]);
                let (a, b) = (self.int(), self.int());
                self.def_int(&format!("{op}({a}, {b})"));
            }
            3 => {
                let op = self.rng.pick(&["int_lt", "int_eq", "uint_lt", "int_ne"]);
                let (a, b) = (self.int(), self.int());
                let test = self.def_int(&format!("{op}({a}, {b})"));
                let guard = self.rng.pick(&["guard_true", "guard_false"]);
                self.guard(&format!("{guard}(i{test})"));
            }
            4 => {
                let a = self.int();
                let k = self.rng.below(3);
                self.guard(&format!("guard_value({a}, {k})"));
            }
            5 => {
                let class = match self.rng.below(4) {
                    0 => self.rng.pick(&[UNIONS, LINKS]),
                    _ => self.rng.pick(&CLASSES),
                };
                self.allocate(class);
            }
            6 | 7 => {
                let p = self.of_class("Node");
                let value = self.int();
                self.line(&format!("setfield_i({p}, {value}) Node.value"));
            }
            8 => {
                let p = self.of_class("Node");
                self.def_int(&format!("getfield_i({p}) Node.value"));
            }
            9 => {
                let p = self.of_class("Int");
                self.def_int(&format!("getfield_i({p}) Int.value"));
            }
            10 => {
                let p = self.of_class("Pair");
                let value = self.any_ref();
                let field = self.rng.pick(&["first", "second"]);
                self.line(&format!("setfield_r({p}, {value}) Pair.{field}"));
            }
            11 => {
                let p = self.of_class("Pair");
                let field = self.rng.pick(&["first", "second"]);
                self.def_ref(&format!("getfield_r({p}) Pair.{field}"));
            }
            12 => {
                let p = self.of_class("Stack");
                let i = self.index(&p, "Stack");
                let value = self.any_ref();
                self.line(&format!("setitem_r({p}, {i}, {value}) Stack"));
            }
            13 => {
                let p = self.of_class("Stack");
                let i = self.index(&p, "Stack");
                self.def_ref(&format!("getitem_r({p}, {i}) Stack"));
            }
            14 => {
                let (a, b) = (self.any_ref(), self.any_ref());
                let op = self.rng.pick(&["ptr_eq", "ptr_ne"]);
                self.def_int(&format!("{op}({a}, {b})"));
            }
            _ => match self.rng.below(5) {
                0 => {
                    let a = self.any_ref();
                    self.called(&format!("call({a}) show"));
                }
                1 | 2 => {
                    let (a, b) = (self.any_ref(), self.any_ref());
                    let call = match self.rng.below(4) {
                        0 => format!("call({a}) peek"),
                        1 => format!("call({a}) bump"),
                        2 => format!("call({a}, {b}) cut"),
                        _ => "call() log".to_owned(),
                    };
                    self.called(&call);
                }
                3 => {
                    let (a, b) = (self.any_ref(), self.int());
                    self.def_int(&format!("call({a}, {b}) find"));
                    self.guard("guard_no_panic()");
                }
                _ => {
                    let (a, b) = (self.int(), self.int());
                    self.def_int(&format!("call({a}, {b}) sum"));
                    self.guard("guard_no_panic()");
                }
            },
        }
    }

    /// A call, mostly with a load on both sides of it: what is known in front of it may be wrong
    /// behind it.
    pub(crate) fn called(&mut self, call: &str) {
        let load = (self.rng.below(3) > 0).then(|| {
            let p = self.of_class("Node");
            format!("getfield_i({p}) Node.value")
        });
        if let Some(load) = &load {
            self.def_int(load);
        }
        self.line(call);
        self.guard("guard_no_panic()");
        if let Some(load) = &load {
            self.def_int(load);
        }
    }

    /// Whether there is something to do again.
    pub(crate) fn can_repeat(&self) -> bool {
        !self.said.is_empty()
    }

    /// An operation that has been done already, also with its operands swapped: what is known of
    /// the one may be wrong for the other.
    pub(crate) fn again(&mut self) {
        let n = self.rng.below(self.said.len());
        let rhs = self.said[n].clone();
        let swaps = [
            "int_sub(", "int_add(", "int_mul(", "int_lt(", "int_le(", "uint_lt(",
        ];
        let swaps = swaps.iter().any(|op| rhs.starts_with(op)) && self.rng.below(3) == 0;
        let operands = rhs.split_once('(').and_then(|(op, rest)| {
            let (a, b) = rest.strip_suffix(')')?.split_once(", ")?;
            Some(format!("{op}({b}, {a})"))
        });
        match operands.filter(|_| swaps) {
            Some(swapped) => self.def_int(&swapped),
            None => self.def_int(&rhs),
        };
    }
}
