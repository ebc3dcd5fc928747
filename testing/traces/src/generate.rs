//! Random loops and bridges over a small heap.
//!
//! In: a seed. Out: the text of a recorded trace that a verifier accepts: references are guarded before they are looked into, and
//! indices before they are used. Whether its guards contradict each other is left to chance.

use crate::FUEL;
use crate::model::{Machine, STACK_LEN};
use std::fmt::Write;
use verdigris_ops::{Descrs, Ty};

/// A small generator of pseudo-random numbers (xorshift), so that failures repeat.
pub struct Rng(pub u64);

impl Rng {
    /// A number less than this one.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % n
    }

    /// One of these.
    pub fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// The classes of objects that loops look into.
pub const CLASSES: [&str; 6] = ["Int", "Pair", "Node", "Stack", "Small", "Union"];

/// Arrays that are only there at the start.
const UNIONS: &str = "Unions";

/// Where integers end, and near it.
pub const EDGES: [i64; 9] = [
    i64::MIN,
    i64::MIN + 1,
    i64::MAX,
    i64::MAX - 1,
    1 << 31,
    -(1 << 31),
    127,
    -128,
    255,
];

/// Writes a loop. Values are named by type and number; `classes` says what guards have shown of references.
pub(crate) struct Writer {
    pub(crate) rng: Rng,
    pub(crate) text: String,
    ints: Vec<usize>,
    refs: Vec<usize>,
    classes: Vec<(usize, &'static str)>,
    /// Values of variants: tag, integer, reference.
    unions: Vec<[usize; 3]>,
    /// Operations that can be done again: their texts.
    said: Vec<String>,
    next: usize,
    pc: usize,
}

impl Writer {
    pub(crate) fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("a string");
    }

    pub(crate) fn def_int(&mut self, rhs: &str) -> usize {
        let n = self.next;
        self.next += 1;
        self.line(&format!("i{n} = {rhs}"));
        self.ints.push(n);
        if !rhs.starts_with("call(") && !rhs.contains("Union") {
            self.said.push(rhs.to_string());
        }
        n
    }

    pub(crate) fn def_ref(&mut self, rhs: &str) -> usize {
        let n = self.next;
        self.next += 1;
        self.line(&format!("p{n} = {rhs}"));
        self.refs.push(n);
        n
    }

    pub(crate) fn int(&mut self) -> String {
        match self.rng.below(20) {
            0 => EDGES[self.rng.below(EDGES.len())].to_string(),
            1..=4 => (self.rng.below(6) as i64 - 2).to_string(),
            _ => self.variable(),
        }
    }

    fn variable(&mut self) -> String {
        let n = self.rng.below(self.ints.len());
        format!("i{}", self.ints[n])
    }

    /// A variable that is not this one, if there is another.
    fn other_than(&mut self, x: &str) -> String {
        let other = self.variable();
        if other == x { self.variable() } else { other }
    }

    /// A comparison and a guard on it.
    fn guarded(&mut self, test: &str) {
        let test = self.def_int(test);
        let guard = self.rng.pick(&["guard_true", "guard_true", "guard_false"]);
        self.guard(&format!("{guard}(i{test})"));
    }

    pub(crate) fn any_ref(&mut self) -> String {
        if self.rng.below(12) == 0 {
            return "null".to_string();
        }
        let n = self.rng.below(self.refs.len());
        format!("p{}", self.refs[n])
    }

    pub(crate) fn guard(&mut self, guard: &str) {
        self.pc += 1;
        let mut frame = format!("{guard} @ 0:{}", self.pc);
        let mut reg = 0;
        for n in self.ints.clone() {
            if self.rng.below(2) == 0 {
                write!(frame, " r{reg}=i{n}").expect("a string");
                reg += 1;
            }
        }
        for n in self.refs.clone() {
            if self.rng.below(2) == 0 {
                write!(frame, " r{reg}=p{n}").expect("a string");
                reg += 1;
            }
        }
        self.line(&frame);
    }

    /// A reference of this class: one that is known to be, or one that is guarded to be.
    pub(crate) fn of_class(&mut self, class: &'static str) -> String {
        let known: Vec<usize> = self
            .classes
            .iter()
            .filter(|(_, c)| *c == class)
            .map(|(n, _)| *n)
            .collect();
        if !known.is_empty() && self.rng.below(4) != 0 {
            let n = self.rng.below(known.len());
            return format!("p{}", known[n]);
        }
        let i = self.rng.below(self.refs.len());
        let n = self.refs[i];
        if !self.classes.iter().any(|(m, _)| *m == n) {
            return self.guarded_class(n, class);
        }
        self.allocate(class)
    }

    /// An array of values with variants, if there may be one: none is ever made.
    fn unions(&mut self) -> Option<String> {
        let is_known = |w: &Writer, n: usize| w.classes.iter().any(|&(m, _)| m == n);
        let unknown = self.refs.iter().any(|&n| !is_known(self, n));
        let known = self.classes.iter().any(|&(_, c)| c == UNIONS);
        if !known && !unknown {
            return None;
        }
        loop {
            let i = self.rng.below(self.refs.len());
            let n = self.refs[i];
            if self.classes.contains(&(n, UNIONS)) {
                return Some(format!("p{n}"));
            }
            if !is_known(self, n) {
                return Some(self.guarded_class(n, UNIONS));
            }
        }
    }

    pub(crate) fn guarded_class(&mut self, n: usize, class: &'static str) -> String {
        let test = self.def_int(&format!("ptr_ne(p{n}, null)"));
        self.guard(&format!("guard_true(i{test})"));
        self.guard(&format!("guard_class(p{n}) {class}"));
        self.classes.push((n, class));
        format!("p{n}")
    }

    pub(crate) fn allocate(&mut self, class: &'static str) -> String {
        let n = match class {
            "Stack" => {
                let fill = self.any_ref();
                self.def_ref(&format!("new_array_fill_r({STACK_LEN}, {fill}) Stack"))
            }
            _ => self.def_ref(&format!("new() {class}")),
        };
        if class == "Int" {
            // A plain field is written once, right behind the allocation.
            let value = self.int();
            self.line(&format!("setfield_i(p{n}, {value}) Int.value"));
        }
        self.classes.push((n, class));
        format!("p{n}")
    }

    /// An index that the array is known to have.
    pub(crate) fn index(&mut self, array: &str, class: &str) -> String {
        if self.rng.below(3) != 0 {
            return self.rng.below(STACK_LEN).to_string();
        }
        let i = match self.rng.below(4) {
            0 => self.int(),
            1 => {
                let (x, mask) = (self.variable(), self.rng.below(STACK_LEN));
                format!("i{}", self.def_int(&format!("int_and({x}, {mask})")))
            }
            _ => {
                // Next to another value, which may have been checked.
                let (x, by) = (self.variable(), self.rng.below(5) as i64 - 2);
                format!("i{}", self.def_int(&format!("int_add({x}, {by})")))
            }
        };
        let len = match self.rng.below(3) {
            0 => STACK_LEN.to_string(),
            _ => format!("i{}", self.def_int(&format!("arraylen({array}) {class}"))),
        };
        let checks = match self.rng.below(3) {
            0 => vec![format!("int_ge({i}, 0)"), format!("int_lt({i}, {len})")],
            1 => vec![format!("int_gt({len}, {i})"), format!("int_le(0, {i})")],
            _ => vec![format!("uint_lt({i}, {len})")],
        };
        for check in checks {
            let test = self.def_int(&check);
            self.guard(&format!("guard_true(i{test})"));
        }
        i
    }

    /// Guards that together bound one variable by another, in any order.
    fn two_signs(&mut self) {
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
    fn neighbours(&mut self) {
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

    /// Where a value of variants lies: how its components are loaded and stored, without their names.
    fn union_place(&mut self) -> (&'static str, String, [String; 3]) {
        let array = match self.rng.below(2) {
            0 => self.unions(),
            _ => None,
        };
        let Some(p) = array else {
            let p = self.of_class("Union");
            let fields = ["tag", "whole", "object"].map(|f| format!("Union.{f}"));
            return ("field", p, fields);
        };
        let i = self.index(&p, UNIONS);
        let classes = [
            UNIONS.to_owned(),
            format!("{UNIONS}#1"),
            format!("{UNIONS}#2"),
        ];
        ("item", format!("{p}, {i}"), classes)
    }

    /// Values of variants, whose components are moved together, and their tags.
    fn variants(&mut self) {
        match self.rng.below(7) {
            0..=2 => {
                let (kind, place, [tag, whole, object]) = self.union_place();
                let tag = self.def_int(&format!("get{kind}_i({place}) {tag}"));
                let whole = self.def_int(&format!("get{kind}_i({place}) {whole}"));
                let object = self.def_ref(&format!("get{kind}_r({place}) {object}"));
                self.unions.push([tag, whole, object]);
            }
            3 | 4 => {
                let known = self.unions.len();
                let (tag, whole, object) = match self.rng.below(5) {
                    n @ 0..4 => {
                        let whole = if [1, 2].contains(&n) {
                            self.int()
                        } else {
                            "0".to_owned()
                        };
                        let object = match n {
                            2 | 3 => self.any_ref(),
                            _ => "null".to_owned(),
                        };
                        (n.to_string(), whole, object)
                    }
                    _ if known == 0 => return,
                    _ => {
                        let [tag, whole, object] = self.unions[self.rng.below(known)];
                        (format!("i{tag}"), format!("i{whole}"), format!("p{object}"))
                    }
                };
                let (kind, place, names) = self.union_place();
                self.line(&format!("set{kind}_i({place}, {tag}) {}", names[0]));
                self.line(&format!("set{kind}_i({place}, {whole}) {}", names[1]));
                self.line(&format!("set{kind}_r({place}, {object}) {}", names[2]));
            }
            _ if self.unions.is_empty() => {}
            _ => {
                let n = self.rng.below(self.unions.len());
                let ([tag, ..], is) = (self.unions[n], self.rng.below(4));
                if self.rng.below(3) == 0 {
                    return self.guarded(&format!("int_eq(i{tag}, {is})"));
                }
                self.guard(&format!("guard_value(i{tag}, {is})"));
            }
        }
    }

    /// A call, mostly with a load on both sides of it: what is known in front of it may be wrong behind it.
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

    /// An operation that has been done already, also with its operands swapped: what is known of the one may be wrong for the other.
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

    fn step(&mut self) {
        if self.can_repeat() && self.rng.below(6) == 0 {
            return self.again();
        }
        match self.rng.below(10) {
            0..=2 => return self.integers(),
            3 | 4 => return self.variants(),
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
                let class = self.rng.pick(&CLASSES);
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
}

impl Writer {
    pub(crate) fn new(seed: u64, inputs: &[Ty]) -> Writer {
        let mut w = Writer {
            rng: Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            text: String::new(),
            ints: Vec::new(),
            refs: Vec::new(),
            classes: Vec::new(),
            unions: Vec::new(),
            said: Vec::new(),
            next: inputs.len(),
            pc: 0,
        };
        let mut names = Vec::new();
        for (n, ty) in inputs.iter().enumerate() {
            match ty {
                Ty::Ref => {
                    w.refs.push(n);
                    names.push(format!("p{n}"));
                }
                _ => {
                    w.ints.push(n);
                    names.push(format!("i{n}"));
                }
            }
        }
        w.line(&format!("[{}]", names.join(", ")));
        w
    }

    /// What the loop passes on as its second integer: anything, or a step from what it was, within limits or not.
    pub(crate) fn passed_on(&mut self) -> String {
        let n = self.ints[1 % self.ints.len()];
        let rhs = match self.rng.below(8) {
            // A loop may be specialised to a constant, and a bridge come with another.
            5..=7 => return self.rng.below(3).to_string(),
            0 | 1 => return self.int(),
            2 => format!("int_add(i{n}, {})", self.rng.below(5) as i64 - 1),
            3 => format!("int_and(i{n}, {})", [1, 7, 255, -4][self.rng.below(4)]),
            _ => {
                let (by, mask) = (self.rng.below(5), [7, 31, 255][self.rng.below(3)]);
                let next = self.def_int(&format!("int_add(i{n}, {by})"));
                format!("int_and(i{next}, {mask})")
            }
        };
        format!("i{}", self.def_int(&rhs))
    }

    /// Ends the trace with a jump that passes the inputs of a loop.
    fn jump(mut self, label: &str, count: &str) -> String {
        let int = self.passed_on();
        let refs: Vec<String> = (0..3).map(|_| self.any_ref()).collect();
        let frame = match label {
            "own" => String::new(),
            _ => format!(
                "@ 0:{ARRIVAL} r0={count} r1={int} r2={} r3={} r4={}",
                refs[0], refs[1], refs[2]
            ),
        };
        self.line(&format!(
            "jump {label}({count}, {int}, {}) {frame}",
            refs.join(", ")
        ));
        self.text
    }
}

/// Where a guard resumes that was put in front of the jump to a loop: at the loop's merge point.
pub const ARRIVAL: u32 = 5000;

/// A loop with inputs of the types int, int, ref, ref, ref.
pub fn random_loop(seed: u64) -> String {
    let mut w = Writer::new(seed, &[Ty::Int, Ty::Int, Ty::Ref, Ty::Ref, Ty::Ref]);
    let test = w.def_int("int_gt(i0, 0)");
    w.guard(&format!("guard_true(i{test})"));
    for _ in 0..3 + w.rng.below(24) {
        w.step();
    }
    let count = w.def_int("int_sub(i0, 1)");
    w.jump("own", &format!("i{count}"))
}

/// A bridge with these inputs (at least one of each type) to a loop.
pub fn random_bridge(seed: u64, inputs: &[Ty], label: u32) -> String {
    let mut w = Writer::new(seed ^ 0x5555, inputs);
    w.pc = 1000;
    // What may be wrongly known of what the guard hands over.
    for _ in 0..w.rng.below(4) {
        let x = w.variable();
        let limit = w.rng.below(12) as i64 - 3;
        let op = w.rng.pick(&["int_lt", "int_ge", "int_eq", "uint_le"]);
        w.def_int(&format!("{op}({x}, {limit})"));
    }
    // Every other bridge gets to the loop for sure.
    let steps = match w.rng.below(2) {
        0 => 0,
        _ => w.rng.below(10),
    };
    for _ in 0..steps {
        w.step();
    }
    let count = w.rng.below(4).to_string();
    w.jump(&format!("L{label}"), &count)
}

/// A heap and the inputs of a loop.
pub fn machine(descrs: &Descrs, seed: u64) -> (Machine, Vec<u64>) {
    let mut rng = Rng(seed.wrapping_mul(0xD134_2543_DE82_EF95) | 1);
    let mut m = Machine {
        fuel: FUEL,
        ..Machine::default()
    };
    let objects = 2 + rng.below(5);
    for _ in 0..objects {
        let class = match rng.below(5) {
            0 => UNIONS,
            _ => rng.pick(&CLASSES),
        };
        let class = descrs.class_by_name(class).expect("declared");
        m.add(descrs, class, STACK_LEN);
    }
    m.initial = objects;
    for i in 0..objects {
        let is_ref: Vec<bool> = match descrs.classes[m.objects[i].class].name.as_str() {
            "Int" => vec![false],
            "Pair" => vec![true, true],
            "Node" => vec![true, false],
            "Small" => vec![false, false],
            "Union" | "Unions" => {
                for value in m.objects[i].words.chunks_exact_mut(3) {
                    let (tag, whole, object) = (rng.below(4), rng.below(9), rng.below(objects + 1));
                    let whole = if [1, 2].contains(&tag) { whole } else { 0 };
                    let object = if [2, 3].contains(&tag) { object } else { 0 };
                    value.copy_from_slice(&[tag, whole, object].map(|word| word as u64));
                }
                continue;
            }
            _ => vec![true; STACK_LEN],
        };
        for (j, is_ref) in is_ref.into_iter().enumerate() {
            let n = rng.below(objects + 1) as u64;
            m.objects[i].words[j] = if is_ref { n } else { n % 4 };
        }
    }
    let mut inputs = vec![rng.below(9) as u64, (rng.below(8) as i64 - 2) as u64];
    for input in &mut inputs {
        if rng.below(10) == 0 {
            *input = EDGES[rng.below(EDGES.len())] as u64;
        }
    }
    for _ in 0..3 {
        inputs.push(1 + rng.below(objects) as u64);
    }
    (m, inputs)
}
