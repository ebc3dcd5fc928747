//! The way from native code into compiled code: what `#[portal]` generates calls these at the merge
//! point.
//!
//! A pass that does not reach the engine costs a load of the context, a hash and a decrement, and
//! writes nothing to memory, unless calls are noted for a profile
//! ([`Activations`](crate::Activations)). The engine must be that of the portal: its variables have
//! the types `G`, `R` and `T`.

use crate::context::Context;
use crate::context::signals::{COUNTER_SLOTS, Signals};
use crate::context::state::{Entered, EntryKind, State, StateShape};
use crate::layout::parts::{MAX_PARTS, Parts};
use std::mem::MaybeUninit;

/// The most words of a merge point's variables.
const MAX_STATE: usize = 64;

/// The place in the native frame of a portal where the reds lie while the engine is asked. Its
/// address tells the activation from all others that run at the same time; for that there is a byte
/// of it even if there are no reds.
#[repr(C)]
pub struct PortalFrame<R>(MaybeUninit<R>, MaybeUninit<u8>);

impl<R> PortalFrame<R> {
    /// Belongs to the function that calls this, and stays there.
    #[inline(always)]
    #[expect(clippy::new_without_default, reason = "it is no value, but a place")]
    pub const fn new() -> PortalFrame<R> {
        PortalFrame(MaybeUninit::uninit(), MaybeUninit::uninit())
    }
}

/// A pass through a back edge of the guest program.
#[inline(always)]
pub fn can_enter<G: State, R: State, T: Parts>(
    frame: &mut PortalFrame<R>,
    greens: G,
    reds: R,
) -> Entered<G, R, T> {
    pass(EntryKind::BackEdge, frame, greens, reds)
}

/// The merge point is reached for the first time since the portal was called.
#[inline(always)]
pub fn enter_function<G: State, R: State, T: Parts>(
    frame: &mut PortalFrame<R>,
    greens: G,
    reds: R,
) -> Entered<G, R, T> {
    pass(EntryKind::Function, frame, greens, reds)
}

#[inline(always)]
fn pass<G: State, R: State, T: Parts>(
    pass: EntryKind,
    frame: &mut PortalFrame<R>,
    greens: G,
    reds: R,
) -> Entered<G, R, T> {
    let cx = Context::current();
    if cx.is_null() {
        return Entered::Interpret;
    }
    // SAFETY: a current context is alive, and nothing of it is borrowed now.
    let counters = unsafe { (*cx).signals().counters_of(pass) };
    if counters.is_null() {
        return Entered::Interpret;
    }
    let mut hash = NOTED;
    if pass == EntryKind::BackEdge || !Signals::is_noted(counters) {
        hash = greens.hash(0);
        // SAFETY: this is a table.
        if unsafe { count(counters, hash) } {
            return Entered::Interpret;
        }
    }
    // Only now, so that passes which end above write nothing.
    let reds = frame.0.write(reds);
    // SAFETY: the context is current, and its engine's portal has these variables.
    unsafe {
        match pass {
            EntryKind::BackEdge => enter(cx, pass, hash, greens, reds),
            EntryKind::Function => enter_call(cx, hash, greens, reds),
        }
    }
}

/// Instead of a hash: the call is to be noted, and counted then. No hash is so large.
const NOTED: u64 = u64::MAX;

/// Counts a pass. False if the counter has run out.
///
/// # Safety
/// The table has [`COUNTER_SLOTS`] slots. The one that other threads see is never written: its
/// counters have run out.
#[inline(always)]
unsafe fn count(counters: *mut u16, hash: u64) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let slot = counters.add(hash as usize & (COUNTER_SLOTS - 1));
        let left = *slot;
        let is_left = left > 1;
        if is_left {
            *slot = left - 1;
        }
        is_left
    }
}

/// A call whose counter has run out, or which is to be noted for the profile of the guest program:
/// every call is, then. What is rarely done is in [`enter_hot`], so that nothing has to be kept for
/// it here.
///
/// # Safety
/// As for [`enter`].
#[cold]
#[inline(never)]
unsafe fn enter_call<G: State, R: State, T: Parts>(
    cx: *mut Context,
    hash: u64,
    greens: G,
    reds: &R,
) -> Entered<G, R, T> {
    // SAFETY: the caller's promise.
    unsafe {
        if hash == NOTED
            && let Some(counters) = note(cx, greens, reds)
            && (counters.is_null() || count(counters, greens.hash(0)))
        {
            return Entered::Interpret;
        }
        enter_hot(cx, hash, greens, reds)
    }
}

/// A call whose counter has run out, or which there is no room to note.
///
/// # Safety
/// As for [`enter`].
#[cold]
#[inline(never)]
unsafe fn enter_hot<G: State, R: State, T: Parts>(
    cx: *mut Context,
    mut hash: u64,
    greens: G,
    reds: &R,
) -> Entered<G, R, T> {
    // SAFETY: the caller's promise.
    unsafe {
        if hash == NOTED {
            hash = greens.hash(0);
            if note(cx, greens, reds).is_none()
                && let Some(activations) = &(*cx).activations
            {
                activations.grow();
                return enter_call(cx, NOTED, greens, reds);
            }
        }
        enter(cx, EntryKind::Function, hash, greens, reds)
    }
}

/// Notes a call. Returns where to count it, if there is room.
///
/// # Safety
/// As for [`enter`].
#[inline(always)]
unsafe fn note<G: State, R: State>(cx: *mut Context, greens: G, reds: &R) -> Option<*mut u16> {
    // SAFETY: the caller's promise; the list was made for this number of greens.
    unsafe {
        let activations = (*cx).activations.as_deref()?;
        activations.note(address(reds), G::LEN, |words| {
            greens.store(std::slice::from_raw_parts_mut(words, G::LEN));
        })
    }
}

/// The address of the [`PortalFrame`] with these reds: of the byte behind them, since the search
/// for return addresses from there on must not find what was left over where they lie.
#[inline(always)]
fn address<R>(reds: &R) -> usize {
    (&raw const *reds).addr() + size_of::<R>()
}

/// The counter has run out: asks the engine.
///
/// # Safety
/// `cx` is the current context, and its engine's portal has the variables `G` and `R` and the
/// result `T`. `reds` lies in the frame of the portal.
#[cold]
#[inline(never)]
unsafe fn enter<G: State, R: State, T: Parts>(
    cx: *mut Context,
    pass: EntryKind,
    hash: u64,
    greens: G,
    reds: &R,
) -> Entered<G, R, T> {
    const { assert!(G::LEN + R::LEN <= MAX_STATE && MAX_PARTS <= MAX_STATE) };
    // SAFETY: as in `can_enter`.
    let Some(can_enter) = (unsafe { (*cx).can_enter }) else {
        return Entered::Interpret;
    };
    // The array stays on the stack while the engine runs, where the collector finds what it refers
    // to. Only the words that are used are written: the rest would cost more than all that follows.
    let mut room = [const { MaybeUninit::<u64>::uninit() }; MAX_STATE];
    let len = G::LEN + R::LEN;
    let used = &mut room[..len.max(T::KINDS.len())];
    used.fill(MaybeUninit::new(0));
    // SAFETY: these words have just been written.
    let state = unsafe { used.assume_init_mut() };
    greens.store(state);
    reds.store(&mut state[G::LEN..]);
    // SAFETY: the engine has set the function for this context. It leaves words of the right types
    // in `state`.
    unsafe {
        let shape = const { &StateShape::of::<G, R, T>() };
        match can_enter(cx, pass, hash, address(reds), state.as_mut_ptr(), shape) {
            0 => Entered::Interpret,
            1 => Entered::Resume(G::load(state), R::load(&state[G::LEN..])),
            _ => Entered::Return(T::load(state)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collector::options::HeapOptions;
    use crate::context::activations::Activations;
    use crate::context::state::{Words, hash_greens};
    use std::rc::Rc;
    use verdigris_ops::Ty;

    #[test]
    fn the_hash_is_the_one_of_the_greens_as_words() {
        let greens = (7u32, (-1i8, (true, ())));
        assert_eq!(greens.hash(0), hash_greens(&[7, u64::MAX, 1]));
    }

    #[test]
    fn states_go_to_words_and_back() {
        let state = (-3i64, (2.5f64, ('x', ())));
        let mut words = [0; 4];
        State::store(state, &mut words);
        assert_eq!(words, [-3i64 as u64, 2.5f64.to_bits(), 120, 0]);
        // SAFETY: the words were just stored.
        let loaded = unsafe { <(i64, (f64, (char, ()))) as State>::load(&words) };
        assert_eq!(loaded, state);
        // SAFETY: as above; what is asked for is the start of the state.
        let greens: (i64, (f64, ())) = unsafe { Words::new(words.as_ptr()) }.greens();
        assert_eq!(greens, (-3, (2.5, ())));
    }

    /// Adds one to the green, doubles the red; returns if the red gets too large.
    unsafe fn engine(
        _: *mut Context,
        _: EntryKind,
        hash: u64,
        _: usize,
        state: *mut u64,
        shape: &'static StateShape,
    ) -> u32 {
        let types = [vec![Ty::Int], vec![Ty::Int], vec![Ty::Int]];
        assert_eq!((shape.types)(), types);
        let len = shape.len;
        // SAFETY: `enter` passes an array of that length.
        let state = unsafe { std::slice::from_raw_parts_mut(state, len) };
        assert_eq!(hash, hash_greens(&state[..1]));
        assert_eq!(len, 2);
        match state[1] {
            0 => 0,
            100.. => {
                state[0] = 77;
                2
            }
            _ => {
                state[0] += 1;
                state[1] *= 2;
                1
            }
        }
    }

    fn pass(pc: u64, red: i64) -> Entered<(u64, ()), (i64, ()), i32> {
        can_enter(&mut PortalFrame::new(), (pc, ()), (red, ()))
    }

    /// A portal's call; a function of its own, whose frame is always at the same place.
    #[inline(never)]
    fn call(pc: u64) -> Entered<(u64, ()), (i64, ()), i32> {
        enter_function(&mut PortalFrame::new(), (pc, ()), (1, ()))
    }

    #[test]
    fn calls_are_noted_before_they_are_counted() {
        let mut cx = Context::new(HeapOptions::default());
        let cx: *mut Context = &mut *cx;
        let mut counters = [3u16; COUNTER_SLOTS];
        let activations = Rc::new(Activations::new(1, counters.as_mut_ptr()));
        // SAFETY: the context outlives the calls, and the table is large enough.
        unsafe {
            (*cx).activations = Some(Rc::clone(&activations));
            (*cx).signals().take([Signals::noted(); 2]);
            (*cx).can_enter = Some(engine);
            Context::enter(cx, || {
                assert_eq!(call(5), Entered::Interpret);
                assert_eq!(call(5), Entered::Interpret);
                assert_eq!(call(5), Entered::Resume((6, ()), (2, ())));
            });
            (*cx).signals().take([std::ptr::null_mut(); 2]);
        }
        let mut words = Vec::new();
        activations.take(&mut words);
        assert_eq!((words.len(), words[1]), (2, 5), "one runs at a time");
    }

    #[test]
    fn activations_without_reds_are_told_apart() {
        let (mut outer, mut inner) = (PortalFrame::<()>::new(), PortalFrame::<()>::new());
        assert_ne!(address(outer.0.write(())), address(inner.0.write(())));
    }

    #[test]
    fn the_engine_is_asked_when_a_counter_has_run_out() {
        assert_eq!(pass(5, 1), Entered::Interpret, "no context");
        let mut cx = Context::new(HeapOptions::default());
        let cx: *mut Context = &mut *cx;
        // SAFETY: the context outlives the calls, and the table is large enough.
        unsafe {
            Context::enter(cx, || assert_eq!(pass(5, 1), Entered::Interpret));
            let mut counters = [3u16; COUNTER_SLOTS];
            (*cx).signals().take([counters.as_mut_ptr(); 2]);
            (*cx).can_enter = Some(engine);
            Context::enter(cx, || {
                assert_eq!(pass(5, 1), Entered::Interpret);
                assert_eq!(pass(5, 1), Entered::Interpret);
                assert_eq!(pass(5, 1), Entered::Resume((6, ()), (2, ())));
                assert_eq!(pass(5, 0), Entered::Interpret);
                assert_eq!(pass(5, 100), Entered::Return(77));
            });
            (*cx).signals().take([std::ptr::null_mut(); 2]);
        }
    }
}
