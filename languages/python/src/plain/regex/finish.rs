//! The end of compiling. In: all instructions of a program. Out: the same with fewer jumps, and how
//! a match is looked for. Invariant: what the program matches stays the same.

use super::first::First;
use super::program::{Insn, Program, Start};
use super::tree::Assert;
use memchr::memmem::Finder;

/// Lets what leads to a jump lead to where that goes.
pub fn shorten(insns: &mut [Insn]) {
    for n in 0..insns.len() {
        let end = |mut place: u32, insns: &[Insn]| {
            // A loop without an instruction in it has none to stop at.
            for _ in 0..insns.len() {
                match insns[place as usize] {
                    Insn::Jump(next) => place = next,
                    _ => break,
                }
            }
            place
        };
        insns[n] = match insns[n] {
            Insn::Jump(place) => Insn::Jump(end(place, insns)),
            Insn::SplitLazy(place) => Insn::SplitLazy(end(place, insns)),
            Insn::Split {
                other,
                bytes,
                is_sure,
            } => Insn::Split {
                other: end(other, insns),
                bytes,
                is_sure,
            },
            insn => insn,
        };
    }
}

/// How a match of a program is looked for, of which it is known with what one can begin.
pub fn start(program: &Program, first: First) -> Start {
    let is_open = |insn: &&Insn| !matches!(insn, Insn::Open(_));
    match program.insns.iter().find(is_open) {
        Some(Insn::Assert(Assert::TextStart)) => return Start::TextStart,
        Some(Insn::Literal(n)) => {
            let finder = Finder::new(&program.literals[*n as usize]);
            return Start::Literal(Box::new(finder.into_owned()));
        }
        _ => {}
    }
    let bytes: Vec<u8> = first.bytes().take(4).collect();
    match bytes.len() {
        _ if first.is_open => Start::Anywhere,
        1..=3 => Start::Few(bytes),
        _ => Start::Bytes(first.bits),
    }
}
