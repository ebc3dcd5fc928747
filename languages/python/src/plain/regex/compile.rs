//! From the tree of a pattern to its program. In: a tree. Out: a program, or that what looks behind
//! is not of one width. Invariant: each part knows with which bytes what follows it can begin, and
//! choices are left out only where the next byte decides them.

use super::case::Fold;
use super::factor;
use super::failure::{Failure, Parsed};
use super::finish;
use super::first::{self, First, encoded};
use super::program::{
    Counted, Insn, Item, Look, NO_BYTES, Program, Rest, Single, Start, last_register,
};
use super::set::Set;
use super::tree::{Greed, NO_LIMIT, Node, Tree};
use super::width;

/// How often what alternatives have in common is taken out of them, one within the other.
const MAX_FACTORED: usize = 60;

/// The program of a tree.
///
/// # Errors
/// If what looks behind is not of one width.
pub fn program(tree: &Tree) -> Parsed<Program> {
    let groups = tree.widths.len() - 1;
    let mut maker = Maker {
        tree,
        depth: 0,
        program: Program {
            insns: Vec::new(),
            sets: Vec::new(),
            bytes: Vec::new(),
            literals: Vec::new(),
            singles: Vec::new(),
            loops: Vec::new(),
            looks: Vec::new(),
            start: Start::Anywhere,
            groups,
            registers: last_register(groups) + 1,
            names: tree.names.clone(),
            is_text: tree.is_text,
            flags: tree.flags,
        },
    };
    maker.node(&tree.root, First::NOTHING)?;
    maker.emit(Insn::Match);
    finish::shorten(&mut maker.program.insns);
    maker.program.start = finish::start(&maker.program, maker.first(&tree.root));
    Ok(maker.program)
}

struct Maker<'a> {
    tree: &'a Tree,
    /// How many alternatives around have been factored.
    depth: usize,
    program: Program,
}

impl Maker<'_> {
    fn emit(&mut self, insn: Insn) -> usize {
        self.program.insns.push(insn);
        self.program.insns.len() - 1
    }

    fn here(&self) -> u32 {
        self.program.insns.len() as u32
    }

    fn register(&mut self, count: usize) -> u32 {
        self.program.registers += count;
        (self.program.registers - count) as u32
    }

    fn set(&mut self, set: &Set) -> u32 {
        let sets = &mut self.program.sets;
        let known = sets.iter().position(|known| known == set);
        known.unwrap_or_else(|| {
            sets.push(set.clone());
            sets.len() - 1
        }) as u32
    }

    fn literal(&mut self, bytes: Vec<u8>) -> u32 {
        self.program.literals.push(bytes);
        self.program.literals.len() as u32 - 1
    }

    fn bytes(&mut self, first: First) -> u32 {
        if first.is_open {
            return NO_BYTES;
        }
        self.program.bytes.push(first.bits);
        self.program.bytes.len() as u32 - 1
    }

    fn first(&self, node: &Node) -> First {
        first::of(node, self.tree.is_text)
    }

    /// The instructions of a part, of which it is known with what the rest can begin.
    fn node(&mut self, node: &Node, rest: First) -> Parsed<()> {
        match node {
            Node::Char(c) => self.text(&[*c]),
            Node::Set(set) => {
                let set = self.set(set);
                self.emit(Insn::Set(set));
            }
            Node::Any { with_newline } => {
                self.emit(match with_newline {
                    true => Insn::All,
                    false => Insn::Any,
                });
            }
            Node::Assert(assert) => {
                self.emit(Insn::Assert(*assert));
            }
            Node::Seq(parts) => self.sequence(parts, rest)?,
            Node::Alt(parts) => self.alternatives(parts, rest, false)?,
            Node::Group { index, body } => {
                self.emit(Insn::Open(*index as u32));
                self.node(body, rest)?;
                self.emit(Insn::Close(*index as u32));
            }
            Node::Plain(body) => self.node(body, rest)?,
            Node::Repeat {
                body,
                least,
                most,
                greed,
            } => self.repeat(body, *least, *most, *greed, rest)?,
            Node::Look {
                is_behind,
                is_negative,
                body,
            } => self.look(*is_behind, *is_negative, body)?,
            Node::Atomic(body) => self.atomic(|maker| maker.node(body, First::ANYTHING))?,
            Node::Back { group, fold } => {
                self.emit(Insn::Back(*group as u32, *fold));
            }
            Node::Cond { group, yes, no } => {
                let group = *group as u32;
                let cond = self.emit(Insn::Cond { group, other: 0 });
                self.node(yes, rest)?;
                let end = no.as_ref().map(|_| self.emit(Insn::Jump(0)));
                let other = self.here();
                self.program.insns[cond] = Insn::Cond { group, other };
                if let (Some(no), Some(end)) = (no, end) {
                    self.node(no, rest)?;
                    self.program.insns[end] = Insn::Jump(self.here());
                }
            }
            Node::Never => {
                self.emit(Insn::Fail);
            }
        }
        Ok(())
    }

    /// Characters behind each other.
    fn text(&mut self, characters: &[u32]) {
        let is_text = self.tree.is_text;
        let parts: Vec<Vec<u8>> = characters.iter().map(|&c| encoded(c, is_text)).collect();
        let bytes = parts.concat();
        let insn = match bytes.as_slice() {
            _ if parts.iter().any(Vec::is_empty) => Insn::Fail,
            &[byte] => Insn::Byte(byte),
            _ => Insn::Literal(self.literal(bytes)),
        };
        self.emit(insn);
    }

    fn sequence(&mut self, parts: &[Node], rest: First) -> Parsed<()> {
        // With what can begin what follows each part.
        let mut behind = vec![rest; parts.len()];
        for n in (1..parts.len()).rev() {
            behind[n - 1] = self.first(&parts[n]).then(behind[n]);
        }
        let mut n = 0;
        while n < parts.len() {
            let characters: Vec<u32> = parts[n..].iter().map_while(char_of).collect();
            if characters.is_empty() {
                self.node(&parts[n], behind[n])?;
                n += 1;
            } else {
                self.text(&characters);
                n += characters.len();
            }
        }
        Ok(())
    }

    /// Alternatives; those of a loop whose end the next byte decides may take more than one of a
    /// character, where that decides for them, too.
    fn alternatives(&mut self, parts: &[Node], rest: First, in_loop: bool) -> Parsed<()> {
        if let Some(set) = set_of(parts) {
            let set = self.set(&set);
            self.emit(Insn::Set(set));
            return Ok(());
        }
        if self.depth < MAX_FACTORED
            && let Some(fewer) = factor::factored(parts)
        {
            self.depth += 1;
            let made = self.each(&fewer, rest, in_loop);
            self.depth -= 1;
            return made;
        }
        self.each(parts, rest, in_loop)
    }

    fn each(&mut self, parts: &[Node], rest: First, in_loop: bool) -> Parsed<()> {
        let firsts: Vec<First> = parts
            .iter()
            .map(|part| self.first(part).then(rest))
            .collect();
        // With what can begin one of those behind each alternative.
        let mut others = firsts.clone();
        for n in (1..others.len()).rev() {
            others[n - 1] = others[n - 1].or(others[n]);
        }
        let mut ends = Vec::new();
        for (n, part) in parts.iter().enumerate() {
            if n + 1 == parts.len() {
                self.node(part, rest)?;
                break;
            }
            let is_sure = firsts[n].excludes(others[n + 1]);
            let bytes = self.bytes(firsts[n]);
            let split = self.emit(Insn::Fail);
            match self.item(part) {
                Some(item) if in_loop && is_sure => self.single(Single {
                    item,
                    least: 1,
                    most: NO_LIMIT,
                    greed: Greed::Possessive,
                    rest: Rest::Anything,
                }),
                _ => self.node(part, rest)?,
            }
            ends.push(self.emit(Insn::Fail));
            self.program.insns[split] = Insn::Split {
                other: self.here(),
                bytes,
                is_sure,
            };
        }
        let here = self.here();
        ends.into_iter()
            .for_each(|end| self.program.insns[end] = Insn::Jump(here));
        Ok(())
    }

    /// What is matched in one way. What follows it has no say in that.
    fn atomic(&mut self, body: impl FnOnce(&mut Self) -> Parsed<()>) -> Parsed<()> {
        let register = self.register(1);
        self.emit(Insn::Atomic(register));
        body(self)?;
        self.emit(Insn::AtomicEnd(register));
        Ok(())
    }

    fn look(&mut self, is_behind: bool, is_negative: bool, body: &Node) -> Parsed<()> {
        let back = if is_behind {
            let (least, most) = width::of(body, &self.tree.widths);
            if least != most {
                return Err(Failure::Syntax {
                    message: "look-behind requires fixed-width pattern".to_string(),
                    place: None,
                });
            }
            least
        } else {
            0
        };
        let register = self.register(1);
        let number = self.program.looks.len();
        self.program.looks.push(Look {
            back,
            is_negative,
            register,
            exit: 0,
        });
        self.emit(Insn::Look(number as u32));
        self.node(body, First::ANYTHING)?;
        self.emit(Insn::LookEnd(number as u32));
        self.program.looks[number].exit = self.here();
        Ok(())
    }

    fn single(&mut self, single: Single) {
        self.program.singles.push(single);
        let number = self.program.singles.len() as u32 - 1;
        self.emit(Insn::Single(number));
    }

    fn rest(&mut self, rest: First) -> Rest {
        if rest.is_open {
            return Rest::Anything;
        }
        let mut bytes = rest.bytes();
        match (bytes.next(), bytes.next()) {
            (Some(byte), None) => Rest::Byte(byte),
            _ => Rest::Bytes(self.bytes(rest)),
        }
    }

    /// The character that is repeated, if it is one.
    fn item(&mut self, body: &Node) -> Option<Item> {
        Some(match body {
            Node::Char(c) => match encoded(*c, self.tree.is_text).as_slice() {
                [] => return None,
                &[byte] => Item::Byte(byte),
                bytes => Item::Literal(self.literal(bytes.to_vec())),
            },
            Node::Set(set) => Item::Set(self.set(set)),
            Node::Any { with_newline } => match with_newline {
                true => Item::All,
                false => Item::Any,
            },
            Node::Plain(body) => return self.item(body),
            Node::Alt(parts) => Item::Set(self.set(&set_of(parts)?)),
            _ => return None,
        })
    }

    fn repeat(
        &mut self,
        body: &Node,
        least: u32,
        most: u32,
        greed: Greed,
        rest: First,
    ) -> Parsed<()> {
        match (least, most) {
            // It is compiled all the same, for what is wrong with it.
            (_, 0) => {
                let jump = self.emit(Insn::Fail);
                self.node(body, First::ANYTHING)?;
                self.program.insns[jump] = Insn::Jump(self.here());
                return Ok(());
            }
            (1, 1) if greed != Greed::Possessive => return self.node(body, rest),
            _ => {}
        }
        let first = self.first(body);
        let is_sure = first.excludes(rest);
        if let Some(item) = self.item(body) {
            // Where one more character excludes what follows, all or nothing is to be taken.
            let greed = if is_sure { Greed::Possessive } else { greed };
            let rest = match greed {
                Greed::Possessive => Rest::Anything,
                _ => self.rest(rest),
            };
            self.single(Single {
                item,
                least,
                most,
                greed,
                rest,
            });
            return Ok(());
        }
        if greed == Greed::Possessive {
            return self.atomic(|maker| maker.counted(body, least, most, greed, First::ANYTHING));
        }
        let (width, _) = width::of(body, &self.tree.widths);
        let is_lazy = greed == Greed::Lazy;
        // Behind an iteration comes another one, or the rest.
        let behind = First {
            is_open: rest.is_open,
            ..first.or(rest)
        };
        match (least, most) {
            (0, 1) => {
                let split = self.emit(Insn::Fail);
                self.node(body, rest)?;
                self.program.insns[split] = self.split(is_lazy, first.then(rest), is_sure);
            }
            // What is never empty needs no register to see that it goes on.
            (0 | 1, NO_LIMIT) if width > 0 => {
                let enter = (least == 1).then(|| self.emit(Insn::Fail));
                let split = self.emit(Insn::Fail);
                if let Some(enter) = enter {
                    self.program.insns[enter] = Insn::Jump(self.here());
                }
                match without_parentheses(body) {
                    Node::Alt(parts) if is_sure => self.alternatives(parts, behind, true)?,
                    _ => self.node(body, behind)?,
                }
                self.emit(Insn::Jump(split as u32));
                self.program.insns[split] = self.split(is_lazy, first, is_sure);
            }
            _ => self.counted(body, least, most, greed, behind)?,
        }
        Ok(())
    }

    /// The choice between a part, which stands behind it, and what follows that, which is next.
    fn split(&mut self, is_lazy: bool, first: First, is_sure: bool) -> Insn {
        let other = self.here();
        if is_lazy && !is_sure {
            return Insn::SplitLazy(other);
        }
        Insn::Split {
            other,
            bytes: self.bytes(first),
            is_sure,
        }
    }

    fn counted(
        &mut self,
        body: &Node,
        least: u32,
        most: u32,
        greed: Greed,
        behind: First,
    ) -> Parsed<()> {
        let register = self.register(2);
        let number = self.program.loops.len();
        self.program.loops.push(Counted {
            register,
            least,
            most,
            is_lazy: greed == Greed::Lazy,
            exit: 0,
        });
        self.emit(Insn::LoopStart(number as u32));
        let start = self.here();
        self.emit(Insn::Loop(number as u32));
        match greed {
            Greed::Possessive => self.atomic(|maker| maker.node(body, First::ANYTHING))?,
            _ => self.node(body, behind)?,
        }
        self.emit(Insn::Jump(start));
        self.program.loops[number].exit = self.here();
        Ok(())
    }
}

/// What is in a group that captures nothing.
fn without_parentheses(node: &Node) -> &Node {
    match node {
        Node::Plain(body) => without_parentheses(body),
        _ => node,
    }
}

/// The character that a node is.
fn char_of(node: &Node) -> Option<u32> {
    match node {
        Node::Char(c) => Some(*c),
        _ => None,
    }
}

/// The set of alternatives that are characters.
fn set_of(parts: &[Node]) -> Option<Set> {
    let mut set = Set::default();
    for part in parts {
        let c = char_of(part)?;
        set.add_range(c, c);
    }
    Some(set.finished(false, Fold::No))
}
