//! Looking for matches. In: a program, a text, from where. Out: whether there is a match; the
//! registers say which. Invariant: places at which no match can begin are passed over by loops that
//! know nothing of the machine.

use super::first::has;
use super::machine::{Demand, Machine};
use super::program::{Program, Start};
use super::scratch::{OutOfMemory, Scratch};
use memchr::{memchr, memchr2, memchr3};

/// What is looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// A match that begins at the place.
    Here,
    /// One that ends where the text ends, too.
    Whole,
    /// The first one from there on.
    First,
    /// The same, but none that is empty and at that place.
    Next,
}

/// Whether there is a match in a text, from a place on. `is_wide` says that characters may have
/// several bytes.
///
/// # Errors
/// If there is not enough memory.
pub fn find(
    program: &Program,
    text: &[u8],
    from: usize,
    is_wide: bool,
    wanted: Wanted,
    scratch: &mut Scratch,
) -> Result<bool, OutOfMemory> {
    match is_wide {
        true => found(
            &mut Machine::<true>::new(program, text, scratch),
            from,
            wanted,
        ),
        false => found(
            &mut Machine::<false>::new(program, text, scratch),
            from,
            wanted,
        ),
    }
}

fn found<const WIDE: bool>(
    machine: &mut Machine<WIDE>,
    from: usize,
    wanted: Wanted,
) -> Result<bool, OutOfMemory> {
    let mut demand = Demand {
        is_whole: wanted == Wanted::Whole,
        is_some: wanted == Wanted::Next,
    };
    if matches!(wanted, Wanted::Here | Wanted::Whole) {
        return machine.run(from, demand);
    }
    let subject = machine.subject();
    let (text, start) = (subject.text, &subject.program.start);
    let mut at = from;
    loop {
        match candidate(start, text, at) {
            Some(place) => at = place,
            None => return Ok(false),
        }
        demand.is_some &= at == from;
        if machine.run(at, demand)? {
            return Ok(true);
        }
        if at >= text.len() {
            return Ok(false);
        }
        at = subject.next(at);
    }
}

/// The first place from one on at which a match can begin.
#[inline]
fn candidate(start: &Start, text: &[u8], at: usize) -> Option<usize> {
    let rest = text.get(at..)?;
    let found = match start {
        Start::Anywhere => Some(0),
        Start::TextStart => (at == 0).then_some(0),
        Start::Few(bytes) => match *bytes.as_slice() {
            [a] => memchr(a, rest),
            [a, b] => memchr2(a, b, rest),
            [a, b, c] => memchr3(a, b, c, rest),
            _ => Some(0),
        },
        Start::Bytes(bits) => rest.iter().position(|&byte| has(bits, byte)),
        Start::Literal(finder) => finder.find(rest),
    };
    found.map(|found| at + found)
}
