//! Where the program is: for each depth of calls, which code runs there, and at which instruction.
//! In: what activations note when they begin and when they call. Out: the activations that are
//! under way, as objects. Invariants: a place is a number, so that compiled code notes it by
//! storing a constant, without a write barrier; down to the depth of an activation that runs, each
//! place is that of one under way, or none: what lies deeper is left over and never read; a number
//! belongs to one code as long as that lives.

use crate::heap::function::Code;
use crate::heap::value::Value;
use crate::heap::world::{MAX_DEPTH, World};
use verdigris::{List, WeakRef, prelude::*};

/// The tag of the array of places.
pub struct InPlaces;

/// For each depth the number of the code and the instruction, or 0.
pub type Places = GcArray<Cell<usize>, InPlaces>;

/// How many bits of a place are the instruction.
const PC_BITS: usize = 24;

/// How many there are: builtin functions go a little deeper than the limit.
const DEPTHS: usize = MAX_DEPTH as usize + 64;

/// Code by its numbers, of which 0 is none.
#[gc]
pub struct Codes {
    /// What has each number.
    known: Gc<List<Gc<Numbered>>>,
    /// Numbers whose code is gone.
    free: Gc<List<usize>>,
    /// How many numbers there may be before one looks for those whose code is gone.
    enough: Cell<usize>,
}

/// What has a number.
#[gc]
pub(crate) struct Numbered {
    code: Cell<Option<Gc<WeakRef<Gc<Code>>>>>,
}

/// An activation, as a program sees it when it asks.
#[gc]
pub struct FrameView {
    /// Its code.
    pub code: Gc<Code>,
    /// Where it was when one asked.
    pub pc: usize,
    /// What has called it, if that is known.
    pub back: Option<Gc<FrameView>>,
    /// Its local variables; `Unbound` where they are not known.
    pub locals: Value,
}

/// No places.
pub fn none() -> Places {
    Places::new(DEPTHS, 0)
}

/// No code.
pub fn no_codes() -> Gc<Codes> {
    Gc::new(Codes {
        known: List::new(),
        free: List::new(),
        enough: Cell::new(1 << 12),
    })
}

/// An activation is at an instruction.
#[inline(always)]
pub fn note(world: Gc<World>, depth: i64, code: Gc<Code>, pc: usize) {
    let depth = depth as usize;
    if depth < world.places.len() {
        world.places[depth].set(code.number << PC_BITS | pc);
    }
}

/// The depth of what a builtin function or the like calls from a depth: none of it is the program's
/// own at the depth between, so the place there is taken away.
#[inline(always)]
pub fn below(world: Gc<World>, depth: i64) -> i64 {
    let next = depth as usize + 1;
    if next < world.places.len() {
        world.places[next].set(0);
    }
    depth + 1
}

/// A number for code that is about to be made.
pub fn number(codes: Gc<Codes>) -> usize {
    if codes.free.is_empty() && codes.known.len() >= codes.enough.get() {
        look_for_free(codes);
    }
    match codes.free.pop() {
        Some(number) => number,
        None => {
            let code = Cell::new(None);
            codes.known.push(Gc::new(Numbered { code }));
            codes.known.len()
        }
    }
}

/// Code has got its number.
pub fn begin(codes: Gc<Codes>, code: Gc<Code>) {
    let known = codes.known.at(code.number - 1);
    known.code.set(Some(WeakRef::new(code)));
}

fn look_for_free(codes: Gc<Codes>) {
    for n in 0..codes.known.len() {
        if let Some(weak) = codes.known.at(n).code.get()
            && weak.get().is_none()
        {
            codes.known.at(n).code.set(None);
            codes.free.push(n + 1);
        }
    }
    let live = codes.known.len() - codes.free.len();
    codes.enough.set((live * 2).max(1 << 12));
}

/// The code and the instruction at a depth, if there is an activation.
pub fn at(world: Gc<World>, depth: i64) -> Option<(Gc<Code>, usize)> {
    let place = usize::try_from(depth)
        .ok()
        .filter(|&depth| depth < DEPTHS)?;
    let place = world.places[place].get();
    let number = place >> PC_BITS;
    let code = world
        .codes
        .known
        .at(number.checked_sub(1)?)
        .code
        .get()?
        .get()?;
    Some((code, place & ((1 << PC_BITS) - 1)))
}

/// The innermost activation above a depth.
pub fn nearest(world: Gc<World>, depth: i64) -> Option<(Gc<Code>, usize)> {
    (0..=depth).rev().find_map(|depth| at(world, depth))
}

/// The innermost activation above a depth that is no part of the library.
pub fn innermost(world: Gc<World>, depth: i64) -> Option<(Gc<Code>, usize)> {
    let mut known = (0..=depth).rev().filter_map(|depth| at(world, depth));
    known.find(|(code, _)| !code.module.is_library())
}

/// The activations down to a depth, the innermost one with those that have called it; without
/// those of the library, as CPython has none of what is written in C.
pub fn frames(world: Gc<World>, depth: i64) -> Option<Gc<FrameView>> {
    let mut made: Option<Gc<FrameView>> = None;
    for depth in 0..=depth {
        if let Some((code, pc)) = at(world, depth)
            && !code.module.is_library()
        {
            made = Some(view(code, pc, made));
        }
    }
    made
}

/// An activation of code at an instruction.
pub fn view(code: Gc<Code>, pc: usize, back: Option<Gc<FrameView>>) -> Gc<FrameView> {
    Gc::new(FrameView {
        code,
        pc,
        back,
        locals: Value::Unbound,
    })
}
