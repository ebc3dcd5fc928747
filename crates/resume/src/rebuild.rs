//! From resume data to frames. In: [`Resume`] and the exit buffer. Out: the objects made, the delayed stores done, the
//! frames filled. Invariant: new objects and the values of the exit buffer are on the shadow stack while further objects are
//! allocated. The order of work is written once ([`revive`]) and used twice: here, on raw words, and by the tracer,
//! which also records each step when it starts a bridge.

use crate::frames::{FrameStack, Scratch};
use cranelift_entity::EntityRef;
use verdigris_heap::{
    Context, HeapExhausted, StackExhausted, exec_data_beyond, set_field, set_item,
};
use verdigris_jitcode::{CodeId, Pc, Reg, Unit};
use verdigris_ops::{DataOp, Descrs};
use verdigris_trace::{Const, Descr, PendingStore, Resume, Src, VirtualInfo, VirtualKind};

/// The steps of [`revive`], on values that the implementation chooses: raw words, or values of the tracer.
pub trait Maker {
    /// A value: a word, or a word and what is known of it.
    type Value: Copy;
    /// A value that the compiled code handed over.
    fn fail_arg(&mut self, n: u16) -> Self::Value;
    /// A constant.
    fn constant(&mut self, constant: Const) -> Self::Value;
    /// The word of a value.
    fn word(value: Self::Value) -> u64;
    /// Allocates.
    ///
    /// # Errors
    /// If the system has no memory.
    fn make(
        &mut self,
        op: DataOp,
        args: &[Self::Value],
        descr: Descr,
    ) -> Result<Self::Value, HeapExhausted>;
    /// Stores.
    ///
    /// # Errors
    /// If the system has no memory.
    fn store(
        &mut self,
        op: DataOp,
        args: &[Self::Value],
        descr: Descr,
    ) -> Result<(), HeapExhausted>;
}

/// The objects made from resume data.
pub struct Revived<M: Maker> {
    objects: Vec<M::Value>,
    /// Keeps the objects alive.
    roots: Scratch,
}

impl<M: Maker> Revived<M> {
    /// The value that resume data means.
    pub fn value(&self, maker: &mut M, src: Src) -> M::Value {
        match src {
            Src::Fail(n) => maker.fail_arg(n),
            Src::Const(constant) => maker.constant(constant),
            Src::Virtual(n) => self.objects[usize::from(n)],
        }
    }
}

/// Makes the objects, then does the delayed stores.
///
/// # Errors
/// If the system has no memory.
///
/// # Safety
/// `ctx` outlives the result, and whatever takes from its shadow stack later gives back earlier. `resume` fits
/// `descrs` and what `maker` answers.
pub unsafe fn revive<M: Maker>(
    ctx: *mut Context,
    descrs: &Descrs,
    resume: &Resume,
    maker: &mut M,
) -> Result<Revived<M>, HeapExhausted> {
    // SAFETY: the caller's promise.
    let mut revived = unsafe { make_all(ctx, resume, maker, &[]) }?;
    for n in 0..resume.virtuals.len() {
        fill(descrs, maker, &mut revived, resume, n)?;
    }
    for &store in &resume.pending {
        delayed_store(descrs, maker, &revived, store)?;
    }
    Ok(revived)
}

/// Allocates the objects, but for those that exist already.
///
/// # Safety
/// As [`revive`].
unsafe fn make_all<M: Maker>(
    ctx: *mut Context,
    resume: &Resume,
    maker: &mut M,
    made: &[Option<M::Value>],
) -> Result<Revived<M>, HeapExhausted> {
    let count = resume.virtuals.len();
    let mut revived = Revived {
        objects: Vec::with_capacity(count),
        // SAFETY: the caller's promise.
        roots: unsafe { Scratch::new(ctx, count) },
    };
    for (n, info) in resume.virtuals.iter().enumerate() {
        let object = match made.get(n).copied().flatten() {
            Some(object) => object,
            None => make(maker, info)?,
        };
        revived.roots.set(revived.objects.len(), M::word(object));
        revived.objects.push(object);
    }
    Ok(revived)
}

/// Allocates an object; its contents may refer to objects that come later, so they are for [`fill`].
fn make<M: Maker>(maker: &mut M, info: &VirtualInfo) -> Result<M::Value, HeapExhausted> {
    let class = Descr::Class(info.class);
    match &info.kind {
        VirtualKind::Struct { .. } => maker.make(DataOp::New, &[], class),
        VirtualKind::Array { len, .. } => {
            let len = maker.constant(Const::Int(i64::from(*len)));
            maker.make(DataOp::NewArray, &[len], class)
        }
    }
}

fn fill<M: Maker>(
    descrs: &Descrs,
    maker: &mut M,
    revived: &mut Revived<M>,
    resume: &Resume,
    n: usize,
) -> Result<(), HeapExhausted> {
    let info = &resume.virtuals[n];
    let object = revived.objects[n];
    match &info.kind {
        VirtualKind::Struct { fields } => {
            for &(field, src) in fields.iter().filter(|(_, src)| !is_zero(*src)) {
                let value = revived.value(maker, src);
                let op = DataOp::set_field(descrs.fields[field].ty);
                maker.store(op, &[object, value], field.into())?;
            }
        }
        VirtualKind::Array { words, .. } => {
            for word in words.iter().filter(|word| !is_zero(word.value)) {
                let index = maker.constant(Const::Int(i64::from(word.index)));
                let value = revived.value(maker, word.value);
                let op = DataOp::set_item(descrs.item(word.class).0);
                maker.store(op, &[object, index, value], word.class.into())?;
            }
        }
    }
    Ok(())
}

/// What new memory holds anyway.
fn is_zero(src: Src) -> bool {
    matches!(src, Src::Const(constant) if constant.word() == 0)
}

fn delayed_store<M: Maker>(
    descrs: &Descrs,
    maker: &mut M,
    revived: &Revived<M>,
    store: PendingStore,
) -> Result<(), HeapExhausted> {
    let (op, descr, index) = store.operation(descrs);
    let [object, value] = store.srcs().map(|src| revived.value(maker, src));
    match index {
        None => maker.store(op, &[object, value], descr),
        Some(index) => {
            let index = maker.constant(Const::Int(i64::from(index)));
            maker.store(op, &[object, index, value], descr)
        }
    }
}

/// Works on raw words.
struct Words<'a> {
    ctx: *mut Context,
    descrs: &'a Descrs,
    /// The exit buffer.
    exit: Scratch,
}

impl<'a> Words<'a> {
    /// # Safety
    /// As [`revive`].
    unsafe fn new(ctx: *mut Context, descrs: &'a Descrs, resume: &Resume, exit: &[u64]) -> Self {
        // SAFETY: the caller's promise. The values are copied because the caller's slice may be anywhere in memory.
        let exit = unsafe { Scratch::holding(ctx, &exit[..resume.fail_args.len()]) };
        Words { ctx, descrs, exit }
    }
}

impl Maker for Words<'_> {
    type Value = u64;

    fn fail_arg(&mut self, n: u16) -> u64 {
        self.exit.get(usize::from(n))
    }

    fn constant(&mut self, constant: Const) -> u64 {
        constant.word()
    }

    fn word(value: u64) -> u64 {
        value
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
}

/// Objects of resume data that exist already, by their numbers.
pub type Made = Vec<Option<u64>>;

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
/// If the system has no memory; then some of the delayed stores may be lost. At the heap limit objects go beyond it.
///
/// # Panics
/// With [`StackExhausted`] if there is no room for the frames. The objects have been made then, and the delayed stores are done.
///
/// # Safety
/// `ctx` is the current context, outlives the result, and whatever takes from its shadow stack later gives back
/// earlier. `unit` is verified and linked, `resume` belongs to it, and `exit` holds the values of `resume.fail_args`.
pub unsafe fn rebuild(
    ctx: *mut Context,
    unit: &Unit,
    resume: &Resume,
    exit: &[u64],
) -> Result<FrameStack, HeapExhausted> {
    // SAFETY: the caller's promise.
    unsafe {
        rebuild_with(unit, resume, ctx, exit, |words| {
            revive(ctx, &unit.descrs, resume, words)
        })
    }
}

/// Rebuilds the frames at a `guard_not_forced` that fails because [`take_kept`] has taken what was kept: it has made some of
/// the objects and done the delayed stores.
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
    made: &Made,
) -> Result<FrameStack, HeapExhausted> {
    // SAFETY: the caller's promise.
    unsafe {
        rebuild_with(unit, resume, ctx, exit, |words| {
            let mut revived = make_all(ctx, resume, words, made)?;
            for n in (0..made.len()).filter(|&n| made[n].is_none()) {
                fill(&unit.descrs, words, &mut revived, resume, n)?;
            }
            Ok(revived)
        })
    }
}

/// # Safety
/// As [`rebuild`].
unsafe fn rebuild_with<'u>(
    unit: &'u Unit,
    resume: &Resume,
    ctx: *mut Context,
    exit: &[u64],
    objects: impl FnOnce(&mut Words<'u>) -> Result<Revived<Words<'u>>, HeapExhausted>,
) -> Result<FrameStack, HeapExhausted> {
    // SAFETY: the caller's promise.
    if unsafe { !frames_fit(ctx, unit, resume) } {
        // SAFETY: the caller's promise.
        objects(&mut unsafe { Words::new(ctx, &unit.descrs, resume, exit) })?;
        StackExhausted::raise();
    }
    // The frames stay when everything else on the shadow stack is released, so they are taken first.
    // SAFETY: the caller's promise.
    let mut frames = unsafe { FrameStack::new(ctx) };
    push_frames(unit, resume, &mut frames);
    // SAFETY: the caller's promise.
    let mut words = unsafe { Words::new(ctx, &unit.descrs, resume, exit) };
    let revived = objects(&mut words)?;
    for (depth, frame) in resume.frames.iter().rev().enumerate() {
        for &(reg, src) in frame.regs {
            let word = revived.value(&mut words, src);
            frames.frame_mut(depth).set(Reg(reg), word);
        }
    }
    Ok(frames)
}

/// Makes the objects that delayed stores lead to, and does the stores: other code takes what suspended code keeps. Answers the
/// objects, which the caller keeps alive.
///
/// # Errors
/// If the system has no memory.
///
/// # Safety
/// As [`rebuild`], but only those of the fail arguments need to be known that `resume.kept_args` names.
pub unsafe fn take_kept(
    ctx: *mut Context,
    unit: &Unit,
    resume: &Resume,
    exit: &[u64],
) -> Result<Made, HeapExhausted> {
    let kept = resume.kept_virtuals();
    // What is not needed counts as made.
    let others: Vec<Option<u64>> = kept.iter().map(|&kept| (!kept).then_some(0)).collect();
    // SAFETY: the caller's promise.
    unsafe {
        let mut words = Words::new(ctx, &unit.descrs, resume, exit);
        let mut revived = make_all(ctx, resume, &mut words, &others)?;
        for n in (0..kept.len()).filter(|&n| kept[n]) {
            fill(&unit.descrs, &mut words, &mut revived, resume, n)?;
        }
        for &store in &resume.pending {
            delayed_store(&unit.descrs, &mut words, &revived, store)?;
        }
        let objects = revived.objects.iter().zip(kept);
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

/// Makes the objects and does the delayed stores, for an exit that is left by a panic, behind which nothing continues.
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
        revive(ctx, &unit.descrs, resume, &mut words).map(drop)
    }
}
