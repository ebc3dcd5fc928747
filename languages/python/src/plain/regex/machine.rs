//! The machine that runs programs at a place. In: a program, a text, where a match is to begin.
//! Out: registers with the places of groups, if there is a match. Invariant: what can be tried
//! otherwise is on the stack of [`super::scratch`], and the native stack does not grow.

use super::case::{Fold, lower};
use super::first::has;
use super::program::{Counted, Insn, NO_BYTES, Program, Single, last_register};
use super::scratch::{Entry, NOWHERE, OutOfMemory, Scratch};
use super::set::is_word;
use super::single::Subject;
use super::tree::{Assert, Greed, NO_LIMIT};

/// What a match has to be beside what the pattern says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Demand {
    /// It ends where the text ends.
    pub is_whole: bool,
    /// It is not empty.
    pub is_some: bool,
}

/// A program on a text.
pub struct Machine<'a, const WIDE: bool> {
    subject: Subject<'a, WIDE>,
    scratch: &'a mut Scratch,
}

impl<'a, const WIDE: bool> Machine<'a, WIDE> {
    /// A machine for a program and a text.
    pub fn new(program: &'a Program, text: &'a [u8], scratch: &'a mut Scratch) -> Self {
        scratch.begin(program.registers);
        Machine {
            subject: Subject { program, text },
            scratch,
        }
    }

    /// The text and the program.
    pub fn subject(&self) -> Subject<'a, WIDE> {
        self.subject
    }

    /// Whether there is a match that begins at a place. If so, the registers say what it is.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn run(&mut self, start: usize, demand: Demand) -> Result<bool, OutOfMemory> {
        self.scratch.clean();
        let program = self.subject.program;
        let text = self.subject.text;
        let (mut pc, mut at) = (0, start);
        loop {
            // Where the match goes on, or nothing if it does not.
            let next = match program.insns[pc] {
                Insn::Byte(byte) => (text.get(at) == Some(&byte)).then_some((pc + 1, at + 1)),
                Insn::Literal(literal) => {
                    let behind = self.subject.behind_literal(literal, at);
                    behind.map(|at| (pc + 1, at))
                }
                Insn::Set(set) => self.subject.behind_set(set, at).map(|at| (pc + 1, at)),
                Insn::Any => self.subject.behind_any(at, false).map(|at| (pc + 1, at)),
                Insn::All => self.subject.behind_any(at, true).map(|at| (pc + 1, at)),
                Insn::Assert(assert) => self.holds(assert, at).then_some((pc + 1, at)),
                Insn::Single(number) => {
                    let single = program.singles[number as usize];
                    self.single(single, pc, at)?.map(|at| (pc + 1, at))
                }
                Insn::Split {
                    other,
                    bytes,
                    is_sure,
                } => {
                    let can_begin = bytes == NO_BYTES
                        || text
                            .get(at)
                            .is_some_and(|&byte| has(&program.bytes[bytes as usize], byte));
                    if can_begin {
                        if !is_sure {
                            self.scratch.push(Entry::Branch { pc: other, at })?;
                        }
                        Some((pc + 1, at))
                    } else {
                        Some((other as usize, at))
                    }
                }
                Insn::SplitLazy(other) => {
                    let pc = pc as u32 + 1;
                    self.scratch.push(Entry::Branch { pc, at })?;
                    Some((other as usize, at))
                }
                Insn::Jump(place) => Some((place as usize, at)),
                Insn::Open(group) => {
                    self.scratch.write(2 * group as usize, at)?;
                    Some((pc + 1, at))
                }
                Insn::Close(group) => {
                    self.scratch.write(2 * group as usize + 1, at)?;
                    self.scratch
                        .write(last_register(program.groups), group as usize)?;
                    Some((pc + 1, at))
                }
                Insn::LoopStart(number) => {
                    let register = program.loops[number as usize].register as usize;
                    self.scratch.write(register, 0)?;
                    self.scratch.write(register + 1, NOWHERE)?;
                    Some((pc + 1, at))
                }
                Insn::Loop(number) => {
                    let counted = program.loops[number as usize];
                    self.iterate(counted, pc, at, false)?.map(|pc| (pc, at))
                }
                Insn::Look(number) => {
                    let look = program.looks[number as usize];
                    match self.subject.back(at, look.back) {
                        Some(back) => {
                            let depth = self.scratch.stack.len();
                            self.scratch.push(Entry::Look { look: number, at })?;
                            self.scratch.registers[look.register as usize] = depth;
                            Some((pc + 1, back))
                        }
                        None => look.is_negative.then_some((look.exit as usize, at)),
                    }
                }
                Insn::LookEnd(number) => {
                    let look = program.looks[number as usize];
                    let depth = self.scratch.registers[look.register as usize];
                    match self.scratch.stack.get(depth) {
                        Some(&Entry::Look { at, .. }) if !look.is_negative => {
                            self.scratch.forget(depth);
                            Some((pc + 1, at))
                        }
                        _ => {
                            self.scratch.undo(depth);
                            None
                        }
                    }
                }
                Insn::Atomic(register) => {
                    self.scratch.is_dirty = true;
                    self.scratch.registers[register as usize] = self.scratch.stack.len();
                    Some((pc + 1, at))
                }
                Insn::AtomicEnd(register) => {
                    let depth = self.scratch.registers[register as usize];
                    self.scratch.forget(depth);
                    Some((pc + 1, at))
                }
                Insn::Back(group, fold) => {
                    self.back(group as usize, fold, at).map(|at| (pc + 1, at))
                }
                Insn::Cond { group, other } => match self.captured(group as usize) {
                    Some(_) => Some((pc + 1, at)),
                    None => Some((other as usize, at)),
                },
                Insn::Fail => None,
                Insn::Match => {
                    let is_match =
                        !(demand.is_whole && at != text.len() || demand.is_some && at == start);
                    if is_match {
                        self.scratch.registers[0] = start;
                        self.scratch.registers[1] = at;
                        self.scratch.is_dirty = true;
                        self.scratch.stack.clear();
                        return Ok(true);
                    }
                    None
                }
            };
            match next {
                Some((next, place)) => (pc, at) = (next, place),
                None => match self.other_way()? {
                    Some((next, place)) => (pc, at) = (next, place),
                    None => return Ok(false),
                },
            }
        }
    }

    /// What can be tried otherwise.
    #[inline]
    fn other_way(&mut self) -> Result<Option<(usize, usize)>, OutOfMemory> {
        let program = self.subject.program;
        while let Some(entry) = self.scratch.stack.pop() {
            match entry {
                Entry::Restore { register, old } => {
                    self.scratch.registers[register as usize] = old;
                }
                Entry::Branch { pc, at } => return Ok(Some((pc as usize, at))),
                Entry::Fewer { pc, least, at } => {
                    let Insn::Single(number) = program.insns[pc as usize] else {
                        continue;
                    };
                    let rest = program.singles[number as usize].rest;
                    let at = self.subject.before(at);
                    if let Some(at) = self.subject.last_before(rest, least, at) {
                        if at > least {
                            self.scratch.push(Entry::Fewer { pc, least, at })?;
                        }
                        return Ok(Some((pc as usize + 1, at)));
                    }
                }
                Entry::More { pc, left, at } => {
                    let Insn::Single(number) = program.insns[pc as usize] else {
                        continue;
                    };
                    let single = program.singles[number as usize];
                    if let Some(at) = self.subject.behind_exactly(single.item, at, 1) {
                        let left = if left == NO_LIMIT { left } else { left - 1 };
                        if let Some(at) = self.few(single, pc as usize, at, left)? {
                            return Ok(Some((pc as usize + 1, at)));
                        }
                    }
                }
                Entry::Iterate { pc, at } => {
                    let Insn::Loop(number) = program.insns[pc as usize] else {
                        continue;
                    };
                    let counted = program.loops[number as usize];
                    if let Some(pc) = self.iterate(counted, pc as usize, at, true)? {
                        return Ok(Some((pc, at)));
                    }
                }
                Entry::Look { look, at } => {
                    let look = program.looks[look as usize];
                    if look.is_negative {
                        return Ok(Some((look.exit as usize, at)));
                    }
                }
            }
        }
        Ok(None)
    }

    /// A repeated character of which few are wanted, from a place on, and at most so many: where
    /// the match can go on first.
    #[inline]
    fn few(
        &mut self,
        single: Single,
        pc: usize,
        at: usize,
        left: u32,
    ) -> Result<Option<usize>, OutOfMemory> {
        let Some((at, left)) = self
            .subject
            .first_before(single.item, single.rest, at, left)
        else {
            return Ok(None);
        };
        if left > 0 {
            let pc = pc as u32;
            self.scratch.push(Entry::More { pc, left, at })?;
        }
        Ok(Some(at))
    }

    /// A repeated character: where the match goes on first.
    #[inline]
    fn single(
        &mut self,
        single: Single,
        pc: usize,
        at: usize,
    ) -> Result<Option<usize>, OutOfMemory> {
        let item = single.item;
        let Some(least) = self.subject.behind_exactly(item, at, single.least) else {
            return Ok(None);
        };
        let left = match single.most {
            NO_LIMIT => NO_LIMIT,
            most => most - single.least,
        };
        if left == 0 {
            return Ok(Some(least));
        }
        if single.greed == Greed::Lazy {
            return self.few(single, pc, least, left);
        }
        let most = if left == NO_LIMIT {
            usize::MAX
        } else {
            left as usize
        };
        let end = self.subject.behind_most(item, least, most);
        if single.greed == Greed::Possessive || end == least {
            return Ok(Some(end));
        }
        let Some(at) = self.subject.last_before(single.rest, least, end) else {
            return Ok(None);
        };
        if at > least {
            let pc = pc as u32;
            self.scratch.push(Entry::Fewer { pc, least, at })?;
        }
        Ok(Some(at))
    }

    /// An iteration of a loop, or its end: at which instruction the match goes on.
    fn iterate(
        &mut self,
        counted: Counted,
        pc: usize,
        at: usize,
        is_other: bool,
    ) -> Result<Option<usize>, OutOfMemory> {
        let register = counted.register as usize;
        let count = self.scratch.registers[register];
        if count < counted.least as usize {
            self.scratch.write(register, count + 1)?;
            return Ok(Some(pc + 1));
        }
        let may = (counted.most == NO_LIMIT || count < counted.most as usize)
            && self.scratch.registers[register + 1] != at;
        if counted.is_lazy && !is_other {
            if may {
                let pc = pc as u32;
                self.scratch.push(Entry::Iterate { pc, at })?;
            }
            return Ok(Some(counted.exit as usize));
        }
        if !may {
            return Ok((!is_other).then_some(counted.exit as usize));
        }
        if !counted.is_lazy {
            let pc = counted.exit;
            self.scratch.push(Entry::Branch { pc, at })?;
        }
        self.scratch.write(register, count + 1)?;
        self.scratch.write(register + 1, at)?;
        Ok(Some(pc + 1))
    }

    fn captured(&self, group: usize) -> Option<(usize, usize)> {
        let (start, end) = self.scratch.group(group)?;
        (start <= end).then_some((start, end))
    }

    /// What a group has captured, once more.
    fn back(&self, group: usize, fold: Fold, at: usize) -> Option<usize> {
        let (start, end) = self.captured(group)?;
        let text = self.subject.text;
        if fold == Fold::No {
            let rest = text.get(at..)?;
            return rest
                .starts_with(&text[start..end])
                .then(|| at + end - start);
        }
        let (mut known, mut at) = (start, at);
        while known < end {
            let (a, b) = (self.subject.at(known)?, self.subject.at(at)?);
            if lower(a, fold) != lower(b, fold) {
                return None;
            }
            (known, at) = (self.subject.next(known), self.subject.next(at));
        }
        Some(at)
    }

    #[inline]
    fn holds(&self, assert: Assert, at: usize) -> bool {
        let text = self.subject.text;
        match assert {
            Assert::TextStart => at == 0,
            Assert::LineStart => at == 0 || text[at - 1] == b'\n',
            Assert::TextEnd => at == text.len(),
            Assert::LastLineEnd => at == text.len() || at + 1 == text.len() && text[at] == b'\n',
            Assert::LineEnd => at == text.len() || text[at] == b'\n',
            Assert::Boundary {
                is_negative,
                is_ascii,
            } => {
                // A text that is empty has no boundary, and not the contrary either.
                !text.is_empty() && self.is_boundary(at, is_ascii) != is_negative
            }
        }
    }

    #[inline]
    fn is_boundary(&self, at: usize, is_ascii: bool) -> bool {
        let is_word_at = |at: usize| self.subject.at(at).is_some_and(|c| is_word(c, is_ascii));
        let before = at > 0 && is_word_at(self.subject.before(at));
        before != is_word_at(at)
    }
}
