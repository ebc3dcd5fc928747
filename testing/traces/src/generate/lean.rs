//! Values of a tag and a word in random traces: made, moved, stored, and read behind a guard on the
//! tag. A word is cast only as its tag says, and moved without a look at the tag.

use super::writer::{LEANS, Writer};
use crate::model::{LEAN_REGS, STACK_LEN};
use std::fmt::Write;

/// A value: its tag, a variable or a number; and the number of its word's variable.
#[derive(Clone)]
pub(crate) struct Lean {
    pub(crate) tag: String,
    pub(crate) word: usize,
}

impl Writer {
    /// A word.
    fn def_word(&mut self, rhs: &str) -> usize {
        let n = self.next;
        self.next += 1;
        self.line(&format!("w{n} = {rhs}"));
        n
    }

    /// A double.
    fn float(&mut self) -> String {
        if self.rng.below(3) == 0 {
            return ["1.5", "-0.0", "1e300"][self.rng.below(3)].to_owned();
        }
        let (n, x) = (self.next, self.variable());
        self.next += 1;
        self.line(&format!("f{n} = int_to_float({x})"));
        format!("f{n}")
    }

    /// A value that is made here.
    fn made_lean(&mut self) -> Lean {
        let tag = self.rng.below(6);
        let word = match tag {
            // The word is not read.
            0 if !self.leans.is_empty() && self.rng.below(2) == 0 => {
                self.leans[self.rng.below(self.leans.len())].word
            }
            0 | 1 => {
                let value = self.int();
                self.def_word(&format!("word_from_int({value})"))
            }
            3 => {
                let value = self.any_ref();
                self.def_word(&format!("word_from_ref({value})"))
            }
            2 | 4 => {
                let value = self.float();
                let word = self.def_word(&format!("word_from_float({value})"));
                // Mostly the bits are read at once: they are rare, and a wrong one shows only
                // in a guard's frame.
                if tag == 4 && self.rng.below(4) > 0 {
                    self.def_int(&format!("int_from_word(w{word})"));
                }
                word
            }
            _ => {
                let (tag, word) = (self.next, self.next + 1);
                self.next += 2;
                let argument = [0, 1, 2, 4][self.rng.below(4)];
                self.line(&format!("i{tag}, w{word} = call({argument}) lean"));
                self.guard("guard_no_panic()");
                self.ints.push(tag);
                let tag = format!("i{tag}");
                return Lean { tag, word };
            }
        };
        let tag = tag.to_string();
        Lean { tag, word }
    }

    /// Some value.
    pub(super) fn lean(&mut self) -> Lean {
        if self.leans.is_empty() || self.rng.below(3) == 0 {
            let lean = self.made_lean();
            self.leans.push(lean);
        }
        self.leans[self.rng.below(self.leans.len())].clone()
    }

    /// Where a value lies: how its parts are loaded and stored, without their names.
    fn lean_place(&mut self) -> (&'static str, String, [String; 2]) {
        let array = match self.rng.below(2) {
            0 => self.given(LEANS),
            _ => None,
        };
        let Some(p) = array else {
            let p = self.of_class("Lean");
            return ("field", p, ["tag", "word"].map(|f| format!("Lean.{f}")));
        };
        let i = match self.rng.below(2) {
            0 => self.rng.below(STACK_LEN).to_string(),
            _ => self.index(&p, LEANS),
        };
        let classes = [LEANS.to_owned(), format!("{LEANS}#1")];
        ("item", format!("{p}, {i}"), classes)
    }

    /// Values are made, loaded, stored and looked at.
    pub(super) fn lean_step(&mut self) {
        match self.rng.below(8) {
            0 | 1 => {
                let (kind, place, [tag, word]) = self.lean_place();
                let tag = self.def_int(&format!("get{kind}_i({place}) {tag}"));
                let word = self.def_word(&format!("get{kind}_w({place}) {word}"));
                let tag = format!("i{tag}");
                self.leans.push(Lean { tag, word });
            }
            2..=4 => {
                let Lean { tag, word } = self.lean();
                let (kind, place, names) = self.lean_place();
                self.line(&format!("set{kind}_i({place}, {tag}) {}", names[0]));
                self.line(&format!("set{kind}_w({place}, w{word}) {}", names[1]));
            }
            _ => self.look(),
        }
    }

    /// A look at what a word is.
    fn look(&mut self) {
        let Lean { tag, word } = self.lean();
        let known = self.tags.iter().find(|known| known.0 == tag);
        let is = match (tag.parse(), known) {
            (Ok(is), _) => is,
            (_, Some(&(_, is))) => is,
            _ => {
                let is = 1 + self.rng.below(4);
                self.guard(&format!("guard_value({tag}, {is})"));
                self.tags.push((tag, is));
                is
            }
        };
        match is {
            1 | 4 => {
                self.def_int(&format!("int_from_word(w{word})"));
            }
            2 => {
                let n = self.next;
                self.next += 1;
                self.line(&format!("f{n} = float_from_word(w{word})"));
                self.def_int(&format!("float_lt(f{n}, 1.5)"));
            }
            3 => {
                self.def_ref(&format!("ref_from_word(w{word})"));
            }
            _ => {}
        }
    }

    /// Some of the values, in the registers of a frame.
    pub(super) fn lean_registers(&mut self, frame: &mut String) {
        let mut reg = LEAN_REGS;
        for Lean { tag, word } in self.leans.clone() {
            if self.rng.below(2) == 0 {
                write!(frame, " r{reg}={tag} r{}=w{word}", reg + 1).expect("a string");
                reg += 2;
            }
        }
    }
}
