//! Programs for the machine, and their text. In, out: the types. Invariant: every place that an
//! instruction names is in the program, which ends in [`Insn::Match`].

use super::case::Fold;
use super::set::Set;
use super::tree::{Assert, Greed, NO_LIMIT};
use memchr::memmem::Finder;
use std::fmt::Write;

/// No set of bytes.
pub const NO_BYTES: u32 = u32::MAX;

/// An instruction. What one byte cannot say is in the tables of the program.
#[derive(Clone, Copy, Debug)]
pub enum Insn {
    /// This byte.
    Byte(u8),
    /// Bytes of the table `literals`.
    Literal(u32),
    /// A character of a set.
    Set(u32),
    /// Any character but the end of a line.
    Any,
    /// Any character.
    All,
    /// Something about the place.
    Assert(Assert),
    /// A character several times.
    Single(u32),
    /// Goes on behind it, and at another place if that fails.
    Split {
        /// The other place.
        other: u32,
        /// With which bytes the next instruction can begin, or [`NO_BYTES`].
        bytes: u32,
        /// Whether the other place cannot match where the next instruction can.
        is_sure: bool,
    },
    /// Goes on at a place, and behind it if that fails.
    SplitLazy(u32),
    /// Goes on at a place.
    Jump(u32),
    /// A group opens.
    Open(u32),
    /// A group closes.
    Close(u32),
    /// A loop that counts begins.
    LoopStart(u32),
    /// An iteration of such a loop may begin.
    Loop(u32),
    /// What is ahead or behind begins.
    Look(u32),
    /// It ends.
    LookEnd(u32),
    /// What is matched in one way begins; the register keeps how many choices there were.
    Atomic(u32),
    /// It ends.
    AtomicEnd(u32),
    /// What a group has captured.
    Back(u32, Fold),
    /// Goes on elsewhere if a group has captured nothing.
    Cond {
        /// The group.
        group: u32,
        /// The other place.
        other: u32,
    },
    /// Never matches.
    Fail,
    /// The end.
    Match,
}

/// A character that is repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Item {
    /// This byte.
    Byte(u8),
    /// A character of several bytes, in the table `literals`.
    Literal(u32),
    /// A character of a set.
    Set(u32),
    /// Any character but the end of a line.
    Any,
    /// Any character.
    All,
}

/// With which bytes what follows can begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rest {
    /// Nothing is known of it.
    Anything,
    /// This byte.
    Byte(u8),
    /// A byte of a set.
    Bytes(u32),
}

/// A repeated character.
#[derive(Clone, Copy, Debug)]
pub struct Single {
    /// What it is.
    pub item: Item,
    /// How often at least.
    pub least: u32,
    /// How often at most.
    pub most: u32,
    /// How many are wanted.
    pub greed: Greed,
    /// What follows.
    pub rest: Rest,
}

/// A loop that counts.
#[derive(Clone, Copy, Debug)]
pub struct Counted {
    /// The register of the number of iterations. The one behind it has the place where the last
    /// one began that did not have to be.
    pub register: u32,
    /// How often at least.
    pub least: u32,
    /// How often at most.
    pub most: u32,
    /// Whether few iterations are wanted.
    pub is_lazy: bool,
    /// Where it goes on behind the loop.
    pub exit: u32,
}

/// What looks ahead or behind.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// How many characters back it begins.
    pub back: usize,
    /// Whether it must not be there.
    pub is_negative: bool,
    /// The register of how many choices there were.
    pub register: u32,
    /// Where it goes on.
    pub exit: u32,
}

/// How places are found where a match can begin.
#[derive(Debug)]
pub enum Start {
    /// Any place.
    Anywhere,
    /// The beginning of the text.
    TextStart,
    /// One of up to three bytes.
    Few(Vec<u8>),
    /// A byte of a set.
    Bytes([u64; 4]),
    /// These bytes.
    Literal(Box<Finder<'static>>),
}

/// A program.
#[derive(Debug)]
pub struct Program {
    /// The instructions.
    pub insns: Vec<Insn>,
    /// Sets of characters.
    pub sets: Vec<Set>,
    /// Sets of bytes.
    pub bytes: Vec<[u64; 4]>,
    /// Literals.
    pub literals: Vec<Vec<u8>>,
    /// Repeated characters.
    pub singles: Vec<Single>,
    /// Loops that count.
    pub loops: Vec<Counted>,
    /// What looks ahead and behind.
    pub looks: Vec<Look>,
    /// How a match is looked for.
    pub start: Start,
    /// How many groups it has.
    pub groups: usize,
    /// How many registers it has: two for the whole and each group, one for the group that has
    /// closed last, and those that instructions name.
    pub registers: usize,
    /// The names of groups with their numbers.
    pub names: Vec<(String, usize)>,
    /// Whether it is for texts.
    pub is_text: bool,
    /// The flags that hold for all of it.
    pub flags: u32,
}

/// The register of the group that has closed last.
pub fn last_register(groups: usize) -> usize {
    2 * (groups + 1)
}

impl Program {
    /// The program as text, an instruction on each line.
    pub fn written(&self) -> String {
        let mut made = format!("start {}\n", self.start_written());
        for (place, insn) in self.insns.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = writeln!(made, "{place:>3} {}", self.insn_written(*insn));
        }
        made
    }

    fn start_written(&self) -> String {
        match &self.start {
            Start::Anywhere => "anywhere".to_string(),
            Start::TextStart => "of the text".to_string(),
            Start::Few(bytes) => format!("at {}", bytes.escape_ascii()),
            Start::Bytes(bits) => format!("at {}", bytes_written(bits)),
            Start::Literal(finder) => format!("at {}", finder.needle().escape_ascii()),
        }
    }

    fn insn_written(&self, insn: Insn) -> String {
        match insn {
            Insn::Byte(byte) => format!("byte {}", byte.escape_ascii()),
            Insn::Literal(n) => format!("literal {}", self.literals[n as usize].escape_ascii()),
            Insn::Set(n) => format!("set {}", self.sets[n as usize].written()),
            Insn::Any => "any".to_string(),
            Insn::All => "all".to_string(),
            Insn::Assert(assert) => format!("assert {assert:?}"),
            Insn::Single(n) => {
                let single = self.singles[n as usize];
                let item = match single.item {
                    Item::Byte(byte) => byte.escape_ascii().to_string(),
                    Item::Literal(n) => self.literals[n as usize].escape_ascii().to_string(),
                    Item::Set(n) => self.sets[n as usize].written(),
                    Item::Any => "any".to_string(),
                    Item::All => "all".to_string(),
                };
                let counts = counts_written(single.least, single.most);
                let rest = match single.rest {
                    _ if single.greed == Greed::Possessive => String::new(),
                    Rest::Anything => String::new(),
                    Rest::Byte(byte) => format!(" before {}", byte.escape_ascii()),
                    Rest::Bytes(n) => format!(" before {}", bytes_written(&self.bytes[n as usize])),
                };
                format!("single {item} {counts} {:?}{rest}", single.greed)
            }
            Insn::Split {
                other,
                bytes,
                is_sure,
            } => {
                let sure = if is_sure { "sure " } else { "" };
                let at = match self.bytes.get(bytes as usize) {
                    Some(bits) => format!(" at {}", bytes_written(bits)),
                    None => String::new(),
                };
                format!("{sure}split {other}{at}")
            }
            Insn::SplitLazy(other) => format!("split-lazy {other}"),
            Insn::Jump(place) => format!("jump {place}"),
            Insn::Open(group) => format!("open {group}"),
            Insn::Close(group) => format!("close {group}"),
            Insn::LoopStart(n) => format!("loop-start r{}", self.loops[n as usize].register),
            Insn::Loop(n) => {
                let counted = self.loops[n as usize];
                let counts = counts_written(counted.least, counted.most);
                let lazy = if counted.is_lazy { " lazy" } else { "" };
                format!(
                    "loop r{} {counts}{lazy} exit {}",
                    counted.register, counted.exit
                )
            }
            Insn::Look(n) => {
                let look = self.looks[n as usize];
                let not = if look.is_negative { "not " } else { "" };
                format!("look {not}back {} exit {}", look.back, look.exit)
            }
            Insn::LookEnd(_) => "look-end".to_string(),
            Insn::Atomic(register) => format!("atomic r{register}"),
            Insn::AtomicEnd(register) => format!("atomic-end r{register}"),
            Insn::Back(group, fold) => format!("back {group} {fold:?}"),
            Insn::Cond { group, other } => format!("cond {group} else {other}"),
            Insn::Fail => "fail".to_string(),
            Insn::Match => "match".to_string(),
        }
    }
}

fn counts_written(least: u32, most: u32) -> String {
    match most {
        NO_LIMIT => format!("{{{least},}}"),
        _ => format!("{{{least},{most}}}"),
    }
}

fn bytes_written(bits: &[u64; 4]) -> String {
    let mut set = Set::default();
    for byte in 0..=255u8 {
        if super::first::has(bits, byte) {
            set.add_range(byte.into(), byte.into());
        }
    }
    set.finished(false, Fold::No).written()
}
