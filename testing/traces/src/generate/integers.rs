//! Integer operations and guards in random traces, whose bounds and bits the optimiser reasons
//! about across several of them.

use super::writer::Writer;

impl Writer {
    /// Integers, for their bounds and bits.
    pub(crate) fn integers(&mut self) {
        match self.rng.below(12) {
            9 => self.two_signs(),
            10 | 11 => self.neighbours(),
            0 | 1 => {
                let op = self.rng.pick(&[
                    "int_add", "int_sub", "int_mul", "int_div", "int_rem", "uint_div", "uint_rem",
                    "int_or", "int_and", "int_xor",
                ]);
                let (a, b) = (self.int(), self.int());
                self.def_int(&format!("{op}({a}, {b})"));
            }
            2 => {
                let op = self.rng.pick(&["int_shl", "int_shr", "uint_shr"]);
                let a = self.int();
                let b = match self.rng.below(4) {
                    0 => self.variable(),
                    _ => [1, 3, 31, 56, 63][self.rng.below(5)].to_string(),
                };
                self.def_int(&format!("{op}({a}, {b})"));
            }
            3 => {
                let op = self.rng.pick(&[
                    "int_neg",
                    "int_not",
                    "int_sext8",
                    "int_sext16",
                    "int_sext32",
                    "int_is_zero",
                    "int_is_true",
                ]);
                let a = self.int();
                self.def_int(&format!("{op}({a})"));
            }
            4 => {
                let mask = [1, 3, 7, 12, 127, 255][self.rng.below(6)];
                let (a, op) = (self.variable(), self.rng.pick(&["int_and", "uint_rem"]));
                self.def_int(&format!("{op}({a}, {mask})"));
            }
            5 => {
                let op = self.rng.pick(&["int_add", "int_sub", "int_mul"]);
                let (a, b) = (self.variable(), self.int());
                let check = self.rng.below(2) == 0;
                if check {
                    self.def_int(&format!("{op}({a}, {b})"));
                }
                let test = self.def_int(&format!("{op}_overflows({a}, {b})"));
                let guard = self.rng.pick(&["guard_false", "guard_false", "guard_true"]);
                self.guard(&format!("{guard}(i{test})"));
                if !check {
                    self.def_int(&format!("{op}({a}, {b})"));
                }
            }
            6 => {
                // Guards on one value, each telling more than the last (or less).
                let (x, from) = (self.variable(), self.rng.below(12) as i64 - 2);
                for _ in 0..1 + self.rng.below(3) {
                    let op = self.rng.pick(&[
                        "int_lt", "int_le", "int_gt", "int_ge", "uint_lt", "uint_le", "uint_gt",
                        "uint_ge",
                    ]);
                    let limit = from + self.rng.below(5) as i64 - 2;
                    let (a, b) = (x.clone(), limit.to_string());
                    let (a, b) = if self.rng.below(4) == 0 {
                        (b, a)
                    } else {
                        (a, b)
                    };
                    self.guarded(&format!("{op}({a}, {b})"));
                }
            }
            7 => {
                let op = self.rng.pick(&[
                    "int_lt", "int_le", "int_gt", "int_ge", "int_eq", "int_ne", "uint_lt",
                    "uint_le", "uint_gt", "uint_ge",
                ]);
                let (a, b) = (self.variable(), self.variable());
                if self.rng.below(2) == 0 {
                    self.guarded(&format!("{op}({a}, {b})"));
                } else {
                    self.def_int(&format!("{op}({a}, {b})"));
                }
            }
            _ => {
                let p = self.of_class("Small");
                let (field, narrow) = match self.rng.below(2) {
                    0 => ("tiny", "int_and(X, 255)"),
                    _ => ("short", "int_sext16(X)"),
                };
                if self.rng.below(2) == 0 {
                    self.def_int(&format!("getfield_i({p}) Small.{field}"));
                } else {
                    let x = self.variable();
                    let value = self.def_int(&narrow.replace('X', &x));
                    self.line(&format!("setfield_i({p}, i{value}) Small.{field}"));
                }
            }
        }
    }

    /// Guards that together bound one variable by another, in any order.
    pub(super) fn two_signs(&mut self) {
        let x = self.variable();
        let y = self.other_than(&x);
        let mut checks = vec![
            format!("int_ge({x}, 0)"),
            format!("int_ge({y}, 0)"),
            format!("int_lt({x}, {y})"),
        ];
        while !checks.is_empty() {
            let check = checks.swap_remove(self.rng.below(checks.len()));
            let test = self.def_int(&check);
            self.guard(&format!("guard_true(i{test})"));
        }
    }

    /// A check against a limit, and checks of what lies next to the variable.
    pub(super) fn neighbours(&mut self) {
        let x = self.variable();
        let limit = match self.rng.below(2) {
            0 => self.other_than(&x),
            _ => {
                let p = self.of_class("Stack");
                format!("i{}", self.def_int(&format!("arraylen({p}) Stack")))
            }
        };
        let op = self.rng.pick(&["int_lt", "int_le", "uint_lt"]);
        let test = self.def_int(&format!("{op}({x}, {limit})"));
        self.guard(&format!("guard_true(i{test})"));
        for _ in 0..1 + self.rng.below(2) {
            let by = self.rng.below(4) as i64 - 2;
            let next = self.def_int(&format!("int_add({x}, {by})"));
            let op = self.rng.pick(&["int_lt", "uint_lt", "int_ge", "int_ne"]);
            let test = self.def_int(&format!("{op}(i{next}, {limit})"));
            if self.rng.below(2) == 0 {
                self.guard(&format!("guard_true(i{test})"));
            }
        }
    }
}
