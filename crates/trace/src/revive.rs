//! From resume data back to values: makes the objects that a guard's code had left out and does the
//! stores that it had delayed.
//!
//! First all objects, then their contents (which may refer to later objects), then the stores. This
//! order is written once and used on raw words, by the tracer, which also records each step, and by
//! the specialiser, which executes none.
//!
//! Source: RPython's `resume.py`; "Allocation Removal by Partial Evaluation in a Tracing JIT"
//! (2011), section 4.

use crate::descr::Descr;
use crate::resume::{PendingStore, Resume, Src, VirtualInfo, VirtualKind};
use crate::value::Const;
use smallvec::SmallVec;
use verdigris_ops::{DataOp, Descrs};

/// The steps, on values that the implementation chooses: words, or values of a trace.
pub trait VirtualMaker {
    /// A value.
    type Value: Copy;
    /// Why a step cannot be done.
    type Error;

    /// A value that the compiled code handed over.
    fn fail_arg(&mut self, n: u16) -> Self::Value;

    /// A constant.
    fn constant(&mut self, constant: Const) -> Self::Value;

    /// Allocates.
    ///
    /// # Errors
    /// If the system has no memory.
    fn make(
        &mut self,
        op: DataOp,
        args: &[Self::Value],
        descr: Descr,
    ) -> Result<Self::Value, Self::Error>;

    /// Stores.
    ///
    /// # Errors
    /// If the system has no memory.
    fn store(&mut self, op: DataOp, args: &[Self::Value], descr: Descr) -> Result<(), Self::Error>;

    /// The `n`-th object is there: it has to stay alive while the others are made.
    fn keep(&mut self, _n: usize, _object: Self::Value) {}
}

/// The objects of resume data.
pub struct Revived<V> {
    objects: SmallVec<[V; 8]>,
}

impl<V: Copy> Revived<V> {
    /// The value that resume data means.
    #[inline]
    pub fn value<M: VirtualMaker<Value = V>>(&self, maker: &mut M, src: Src) -> V {
        match src {
            Src::Fail(n) => maker.fail_arg(n),
            Src::Const(constant) => maker.constant(constant),
            Src::Virtual(n) => self.objects[usize::from(n)],
        }
    }

    /// The objects, by their numbers.
    #[inline]
    pub fn objects(&self) -> &[V] {
        &self.objects
    }
}

/// Makes the objects, but for those that exist already, then does the delayed stores.
///
/// # Errors
/// The first of the maker's.
pub fn revive<M: VirtualMaker>(
    descrs: &Descrs,
    resume: &Resume,
    maker: &mut M,
    existing: &[Option<M::Value>],
) -> Result<Revived<M::Value>, M::Error> {
    let revived = make_virtuals(descrs, resume, maker, existing)?;
    for &store in &resume.pending {
        delayed_store(descrs, maker, &revived, store)?;
    }
    Ok(revived)
}

/// Makes the objects, but for those that exist already.
///
/// # Errors
/// The first of the maker's.
pub fn make_virtuals<M: VirtualMaker>(
    descrs: &Descrs,
    resume: &Resume,
    maker: &mut M,
    existing: &[Option<M::Value>],
) -> Result<Revived<M::Value>, M::Error> {
    let exists = |n: usize| existing.get(n).copied().flatten();
    let mut revived = Revived {
        objects: SmallVec::with_capacity(resume.virtuals.len()),
    };
    for (n, info) in resume.virtuals.iter().enumerate() {
        let object = match exists(n) {
            Some(object) => object,
            None => make(maker, info)?,
        };
        maker.keep(n, object);
        revived.objects.push(object);
    }
    for n in (0..resume.virtuals.len()).filter(|&n| exists(n).is_none()) {
        fill(descrs, maker, &revived, resume, n)?;
    }
    Ok(revived)
}

/// Allocates an object; its contents may refer to objects that come later, so they are for
/// [`fill`].
fn make<M: VirtualMaker>(maker: &mut M, info: &VirtualInfo) -> Result<M::Value, M::Error> {
    let class = Descr::Class(info.class);
    match &info.kind {
        VirtualKind::Struct { .. } => maker.make(DataOp::New, &[], class),
        VirtualKind::Array { len, .. } => {
            let len = maker.constant(Const::Int(i64::from(*len)));
            maker.make(DataOp::NewArray, &[len], class)
        }
    }
}

fn fill<M: VirtualMaker>(
    descrs: &Descrs,
    maker: &mut M,
    revived: &Revived<M::Value>,
    resume: &Resume,
    n: usize,
) -> Result<(), M::Error> {
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

/// Whether new memory holds this value anyway.
#[inline]
fn is_zero(src: Src) -> bool {
    matches!(src, Src::Const(constant) if constant.word() == 0)
}

fn delayed_store<M: VirtualMaker>(
    descrs: &Descrs,
    maker: &mut M,
    revived: &Revived<M::Value>,
    store: PendingStore,
) -> Result<(), M::Error> {
    let (op, descr, index) = store.operation(descrs);
    let [object, value] = store.srcs();
    let (object, value) = (revived.value(maker, object), revived.value(maker, value));
    match index {
        None => maker.store(op, &[object, value], descr),
        Some(index) => {
            let index = maker.constant(Const::Int(i64::from(index)));
            maker.store(op, &[object, index, value], descr)
        }
    }
}
