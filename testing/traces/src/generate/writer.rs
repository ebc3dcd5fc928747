//! The text of a random trace and the values known so far. Values are defined before they are used,
//! and every reference is guarded before it is followed.

use super::{Lean, Rng};
use crate::model::{LEAN_REGS, STACK_LEN};
use std::fmt::Write;
use verdigris_ops::Ty;

/// Where a guard resumes that was put in front of the jump to a loop: at the loop's merge point.
pub const ARRIVAL: u32 = 5000;

/// The classes of objects that loops look into.
pub const CLASSES: [&str; 7] = ["Int", "Pair", "Node", "Stack", "Small", "Union", "Lean"];

/// Arrays whose items have three words: a tag, and an integer and a reference that it says the
/// meaning of.
pub(super) const UNIONS: &str = "Unions";
/// Such arrays of values with words.
pub(super) const LEANS: &str = "Leans";

/// Arrays whose items have two words: an integer and a reference.
pub(crate) const LINKS: &str = "Links";

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

/// Writes a loop. Values are named by type and number; `classes` says what guards have shown of
/// references.
pub(crate) struct Writer {
    pub(crate) rng: Rng,
    pub(crate) text: String,
    pub(super) ints: Vec<usize>,
    pub(super) refs: Vec<usize>,
    pub(crate) classes: Vec<(usize, &'static str)>,
    /// The lengths of arrays that the trace makes.
    pub(super) lens: Vec<(usize, usize)>,
    /// Values of variants: tag, integer, reference.
    pub(super) unions: Vec<[usize; 3]>,
    /// Values with words.
    pub(crate) leans: Vec<Lean>,
    /// Tags of such values that guards have shown.
    pub(super) tags: Vec<(String, usize)>,
    /// Operations that can be done again: their texts.
    pub(super) said: Vec<String>,
    pub(super) next: usize,
    pub(super) pc: usize,
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
        if !rhs.starts_with("call(") && !rhs.contains("Union") && !rhs.contains("Lean") {
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

    pub(super) fn variable(&mut self) -> String {
        let n = self.rng.below(self.ints.len());
        format!("i{}", self.ints[n])
    }

    /// A variable that is not this one, if there is another.
    pub(super) fn other_than(&mut self, x: &str) -> String {
        let other = self.variable();
        if other == x { self.variable() } else { other }
    }

    /// A comparison and a guard on it.
    pub(super) fn guarded(&mut self, test: &str) {
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
        self.lean_registers(&mut frame);
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
                let n = self.def_ref(&format!("new_array({STACK_LEN}) Stack"));
                self.line(&format!("fill_items_r(p{n}, {fill}) Stack"));
                n
            }
            UNIONS | LINKS => {
                let len = [STACK_LEN, 5, 65, 130][self.rng.below(4)];
                let n = self.def_ref(&format!("new_array({len}) {class}"));
                self.lens.push((n, len));
                n
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
            let made = self
                .lens
                .iter()
                .find(|made| array == format!("p{}", made.0));
            let len = match self.rng.below(3) {
                0 => made.map_or(STACK_LEN, |made| made.1),
                _ => STACK_LEN,
            };
            return self.rng.below(len).to_string();
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
}

impl Writer {
    pub(crate) fn new(seed: u64, inputs: &[Ty]) -> Writer {
        let mut w = Writer {
            rng: Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            text: String::new(),
            ints: Vec::new(),
            refs: Vec::new(),
            classes: Vec::new(),
            lens: Vec::new(),
            unions: Vec::new(),
            leans: Vec::new(),
            tags: Vec::new(),
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
                Ty::Int => {
                    w.ints.push(n);
                    names.push(format!("i{n}"));
                }
                ty => names.push(format!("{}{n}", ty.letter())),
            }
        }
        w.line(&format!("[{}]", names.join(", ")));
        w
    }

    /// What the loop passes on as its second integer: anything, or a step from what it was, within
    /// limits or not.
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

    /// Ends the trace (`close`, or `jump` with a label) and passes the inputs of a loop.
    pub(super) fn end(mut self, end: &str, count: &str) -> String {
        let int = self.passed_on();
        let refs: Vec<String> = (0..3).map(|_| self.any_ref()).collect();
        let Lean { tag, word } = self.lean();
        let frame = match end {
            "close" => String::new(),
            _ => format!(
                "@ 0:{ARRIVAL} r0={count} r1={int} r2={} r3={} r4={} r{LEAN_REGS}={tag} r{}=w{word}",
                refs[0],
                refs[1],
                refs[2],
                LEAN_REGS + 1
            ),
        };
        self.line(&format!(
            "{end}({count}, {int}, {}, {tag}, w{word}) {frame}",
            refs.join(", ")
        ));
        self.text
    }
}
