//! Keeps objects alive that only the engine refers to: for a call ([`rooted`]), or as long as code
//! ([`Pins`]).
//!
//! Invariant: no word that may be an object lives in ordinary memory across an allocation.

use verdigris_heap::Context;
use verdigris_trace::{Arg, Const, Exit, OptimisedTrace, RecordedTrace, Resume, Src};

/// Runs `f` with a copy of `words` that the collector sees.
///
/// # Safety
/// `ctx` is the current context of this thread; the words can be read.
pub(crate) unsafe fn rooted<R>(
    ctx: *mut Context,
    words: *const [u64],
    f: impl FnOnce(&[u64]) -> R,
) -> R {
    struct Release(*mut Context, usize);
    impl Drop for Release {
        fn drop(&mut self) {
            // SAFETY: the context outlives the call, and whatever was allocated behind the mark is
            // gone.
            unsafe { (*self.0).shadow_release(self.1) };
        }
    }
    // SAFETY: the caller's promise; the memory is released after the last use.
    unsafe {
        let _release = Release(ctx, (*ctx).shadow_mark());
        let copy = (*ctx).shadow_alloc(words.len());
        copy.copy_from_nonoverlapping(words.cast(), words.len());
        f(std::slice::from_raw_parts(copy, words.len()))
    }
}

/// Keeps objects alive until it is dropped.
pub(crate) struct Pins {
    ctx: *mut Context,
    words: Vec<u64>,
}

impl Pins {
    /// No objects yet.
    ///
    /// # Safety
    /// `ctx` outlives the result.
    pub(crate) unsafe fn new(ctx: *mut Context) -> Pins {
        Pins {
            ctx,
            words: Vec::new(),
        }
    }

    /// The objects; some occur several times.
    pub(crate) fn objects(&self) -> impl Iterator<Item = u64> + '_ {
        self.words.iter().copied()
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// Keeps an object alive, unless it is null.
    pub(crate) fn add(&mut self, object: u64) {
        // Objects added in a row are often the same few.
        let is_known = self.words.iter().rev().take(8).any(|&word| word == object);
        if object != 0 && !is_known {
            // SAFETY: the context outlives us.
            unsafe { (*self.ctx).pin(object) };
            self.words.push(object);
        }
    }

    /// Keeps the constants of a recorded trace alive.
    pub(crate) fn add_recorded(&mut self, trace: &RecordedTrace) {
        self.add_objects(trace.constants());
    }

    /// Keeps the constants of an optimised trace alive.
    pub(crate) fn add_optimised(&mut self, trace: &OptimisedTrace) {
        let mut objects: Vec<u64> = Vec::new();
        for resume in trace.exits.values().filter_map(Exit::resume) {
            sources(resume, |src| {
                // Neighbours mention the same objects in the same order; the rest are mostly the
                // same few.
                if let Src::Const(Const::Ref(object)) = src
                    && objects.iter().rev().take(8).all(|&known| known != object)
                {
                    objects.push(object);
                }
            });
        }
        let args = trace.ops().iter().flat_map(|op| op.args().iter());
        let constants = args.filter_map(Arg::as_const);
        self.add_objects(constants.chain(objects.into_iter().map(Const::Ref)));
    }

    fn add_objects(&mut self, constants: impl Iterator<Item = Const>) {
        let objects = constants.filter_map(|c| match c {
            Const::Ref(object) => Some(object),
            Const::Int(_) | Const::Float(_) => None,
        });
        let mut objects: Vec<u64> = objects.collect();
        objects.sort_unstable();
        objects.dedup();
        objects.into_iter().for_each(|object| self.add(object));
    }
}

impl Drop for Pins {
    fn drop(&mut self) {
        for &word in &self.words {
            // SAFETY: the context outlives us, and each word was pinned once for us.
            unsafe { (*self.ctx).unpin(word) };
        }
    }
}

/// Visits every value that resume data mentions.
fn sources(resume: &Resume, mut visit: impl FnMut(Src)) {
    resume.frames.srcs().for_each(&mut visit);
    for info in &resume.virtuals {
        info.kind.srcs().for_each(&mut visit);
    }
    let stores = resume.pending.iter().flat_map(|store| store.srcs());
    stores.chain(resume.kept.iter().copied()).for_each(visit);
}
