//! From resume data to frames: makes the objects, does the delayed stores, fills the registers.
//!
//! New objects are on the shadow stack while further objects are allocated; so are the values of
//! the exit buffer, where the caller has put them. [`revive`] determines the order of the work.

use crate::frames::{FrameStack, Scratch};
use cranelift_entity::EntityRef;
use verdigris_heap::{
    Context, HeapExhausted, StackExhausted, exec_data_beyond, set_field, set_item,
};
use verdigris_jitcode::{CodeId, Pc, Reg, Unit};
use verdigris_ops::{DataOp, Descrs};
use verdigris_trace::{Const, Descr, Resume, Revived, VirtualMaker, make_virtuals, revive};

/// Works on raw words.
struct Words<'a> {
    ctx: *mut Context,
    descrs: &'a Descrs,
    /// The objects made so far.
    roots: Scratch,
    /// The values that the compiled code handed over.
    exit: &'a [u64],
}

impl<'a> Words<'a> {
    /// # Safety
    /// `ctx` outlives the result, and whatever takes from its shadow stack later gives back
    /// earlier. `resume` fits `descrs` and `exit`, whose objects the collector knows.
    unsafe fn new(ctx: *mut Context, descrs: &'a Descrs, resume: &Resume, exit: &'a [u64]) -> Self {
        // SAFETY: the caller's promise.
        let roots = unsafe { Scratch::new(ctx, resume.virtuals.len()) };
        Words {
            ctx,
            descrs,
            roots,
            exit,
        }
    }
}

impl VirtualMaker for Words<'_> {
    type Value = u64;
    type Error = HeapExhausted;

    fn fail_arg(&mut self, n: u16) -> u64 {
        self.exit[usize::from(n)]
    }

    fn constant(&mut self, constant: Const) -> u64 {
        constant.word()
    }

    fn make(&mut self, op: DataOp, args: &[u64], descr: Descr) -> Result<u64, HeapExhausted> {
        // SAFETY: `Words::new` was promised resume data that fits the descriptors.
        unsafe { exec_data_beyond(self.ctx, self.descrs, op, args, descr.raw()) }
    }

    #[inline]
    fn store(&mut self, _: DataOp, args: &[u64], descr: Descr) -> Result<(), HeapExhausted> {
        // SAFETY: as in `make`.
        unsafe {
            match *args {
                [object, value] => set_field(self.descrs, descr.field(), object, value),
                [array, index, value] => {
                    set_item(self.descrs, descr.class(), array, index, value);
                }
                _ => unreachable!("stores are to fields and items"),
            }
        }
        Ok(())
    }

    fn keep(&mut self, n: usize, object: u64) {
        self.roots.set(n, object);
    }
}

/// Objects of resume data that exist already, by their numbers.
pub type RebuiltObjects = Vec<Option<u64>>;

/// Whether there is room for the frames at a guard.
///
/// # Safety
/// `ctx` is alive; `resume` belongs to `unit`.
pub unsafe fn frames_fit(ctx: *mut Context, unit: &Unit, resume: &Resume) -> bool {
    let codes = resume.frames.iter().map(|f| CodeId::from_u32(f.code));
    let words = codes.map(|code| unit.codes[code].regs.len()).sum();
    // SAFETY: the caller's promise.
    unsafe { (*ctx).shadow_fits(words) }
}

/// Rebuilds the frames at a guard that has failed.
///
/// # Errors
/// If the system has no memory; then some of the delayed stores may be lost. At the heap limit
/// objects go beyond it.
///
/// # Panics
/// With [`StackExhausted`] if there is no room for the frames. The objects have been made then, and
/// the delayed stores are done.
///
/// # Safety
/// `ctx` is the current context, outlives the result, and whatever takes from its shadow stack
/// later gives back earlier. `unit` is verified and linked, `resume` belongs to it, and `exit`
/// holds the values of `resume.fail_args`.
pub unsafe fn rebuild(
    ctx: *mut Context,
    unit: &Unit,
    resume: &Resume,
    exit: &[u64],
) -> Result<FrameStack, HeapExhausted> {
    // SAFETY: the caller's promise.
    unsafe {
        rebuild_with(unit, resume, ctx, exit, |words| {
            revive(&unit.descrs, resume, words, &[])
        })
    }
}

/// Rebuilds the frames at a `guard_not_forced` that fails because [`take_kept`] has taken what was
/// kept: it has made some of the objects and done the delayed stores.
///
/// # Errors
/// If the system has no memory.
///
/// # Safety
/// As [`rebuild`]; `made` is what `take_kept` gave.
pub unsafe fn rebuild_taken(
    ctx: *mut Context,
    unit: &Unit,
    resume: &Resume,
    exit: &[u64],
    made: &RebuiltObjects,
) -> Result<FrameStack, HeapExhausted> {
    // SAFETY: the caller's promise.
    unsafe {
        rebuild_with(unit, resume, ctx, exit, |words| {
            make_virtuals(&unit.descrs, resume, words, made)
        })
    }
}

/// # Safety
/// As [`rebuild`].
unsafe fn rebuild_with<'u>(
    unit: &'u Unit,
    resume: &Resume,
    ctx: *mut Context,
    exit: &'u [u64],
    objects: impl FnOnce(&mut Words<'u>) -> Result<Revived<u64>, HeapExhausted>,
) -> Result<FrameStack, HeapExhausted> {
    // SAFETY: the caller's promise.
    if unsafe { !frames_fit(ctx, unit, resume) } {
        // SAFETY: the caller's promise.
        objects(&mut unsafe { Words::new(ctx, &unit.descrs, resume, exit) })?;
        StackExhausted::raise();
    }
    // The frames stay when everything else on the shadow stack is released, so they are taken
    // first.
    // SAFETY: the caller's promise.
    let mut frames = unsafe { FrameStack::new(ctx) };
    push_frames(unit, resume, &mut frames);
    // SAFETY: the caller's promise.
    let mut words = unsafe { Words::new(ctx, &unit.descrs, resume, exit) };
    let revived = objects(&mut words)?;
    let filled = frames.frames_mut().iter_mut();
    for (frame, from) in filled.zip(resume.frames.iter().rev()) {
        for &(reg, src) in from.regs {
            frame.set(Reg(reg), revived.value(&mut words, src));
        }
    }
    Ok(frames)
}

/// Makes the objects that delayed stores lead to, and does the stores: other code takes what
/// suspended code keeps. Returns the objects, which the caller keeps alive.
///
/// # Errors
/// If the system has no memory.
///
/// # Safety
/// As [`rebuild`], but only those of the fail arguments need to be known that `resume.kept_args`
/// names, and they may be anywhere in memory.
pub unsafe fn take_kept(
    ctx: *mut Context,
    unit: &Unit,
    resume: &Resume,
    exit: &[u64],
) -> Result<RebuiltObjects, HeapExhausted> {
    let kept = resume.kept_virtuals();
    // What is not needed counts as made.
    let others: Vec<Option<u64>> = kept.iter().map(|&kept| (!kept).then_some(0)).collect();
    // SAFETY: the caller's promise.
    unsafe {
        let exit = Scratch::holding(ctx, &exit[..resume.fail_args.len()]);
        let mut words = Words::new(ctx, &unit.descrs, resume, exit.words());
        let revived = revive(&unit.descrs, resume, &mut words, &others)?;
        let objects = revived.objects().iter().zip(kept);
        Ok(objects
            .map(|(&object, kept)| kept.then_some(object))
            .collect())
    }
}

/// Pushes the frames that resume data lists, registers still zero.
pub fn push_frames(unit: &Unit, resume: &Resume, frames: &mut FrameStack) {
    for frame in resume.frames.iter().rev() {
        let code = CodeId::new(frame.code as usize);
        frames.push(code, &unit.codes[code]).pc = Pc(frame.pc);
    }
}

/// Makes the objects and does the delayed stores, for an exit that is left by a panic, behind which
/// nothing continues.
///
/// # Errors
/// If the system has no memory.
///
/// # Safety
/// As [`rebuild`].
pub unsafe fn flush(
    ctx: *mut Context,
    unit: &Unit,
    resume: &Resume,
    exit: &[u64],
) -> Result<(), HeapExhausted> {
    // SAFETY: the caller's promise.
    unsafe {
        let mut words = Words::new(ctx, &unit.descrs, resume, exit);
        revive(&unit.descrs, resume, &mut words, &[]).map(drop)
    }
}
