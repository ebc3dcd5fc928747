//! `check_hints`: hints that turn out not to be true. In: a `guard_same` that has failed, with the
//! words that compiled code handed over. Out: a panic that names the hint, where it stands, where
//! it was relied on, and the two values. Invariant: nothing is reported that may be true: a guard
//! that was made to fail compares equal words, and an elidable function may give another object
//! with the same content.

#![allow(unsafe_code)]

use crate::code::guard_info::{Compared, GuardInfo};
use crate::engine::Engine;
use verdigris_jitcode::{CallTarget, CodeId, Insn};
use verdigris_ops::{ClassId, ClassKind, DataOp, FieldId, FnKind, Ty};

/// How many words of two objects are compared, with the objects that they refer to.
const DEPTH: u32 = 10_000;

impl Engine {
    /// What to say of a hint, if it is not true.
    pub(crate) fn broken_promise(&self, info: &GuardInfo, exit: &[u64]) -> Option<String> {
        let (places, ty) = info.same?;
        let [now, before] = places.map(|word| match word {
            Compared::Fail(n) => exit[usize::from(n)],
            Compared::Const(constant) => constant.word(),
        });
        let alike = match ty {
            // SAFETY: both objects are alive: one is in the exit buffer, the other there too or
            // pinned by the trace.
            Ty::Ref => unsafe { self.alike(now, before) },
            Ty::Int | Ty::Float | Ty::Word => now == before,
        };
        if alike {
            return None;
        }
        let frame = info.resume.frames.innermost()?;
        let code = &self.program.unit.codes[CodeId::from_u32(frame.code)];
        // The guard stands behind the operation.
        let pc = frame.pc.checked_sub(1)? as usize;
        let line = code.lines.get(pc).copied().unwrap_or(0);
        let what = self.promise(&code.insns[pc]);
        let (before, now) = (show_word(ty, before), show_word(ty, now));
        Some(format!(
            "check_hints: {what}; it was {before} and is {now}, in `{}` ({}:{line})",
            code.name, code.file
        ))
    }

    /// Whether two objects cannot be told apart by their parts that never change.
    ///
    /// # Safety
    /// Each is null or the address of a live object.
    unsafe fn alike(&self, one: u64, other: u64) -> bool {
        let mut left = DEPTH;
        // A list, not recursion: a chain of objects is as long as the guest program makes it.
        let mut todo = vec![(one, other)];
        while let Some((one, other)) = todo.pop() {
            if one == other || left == 0 {
                continue;
            }
            // SAFETY: the caller's promise; what has been loaded from a live object is alive.
            if one == 0 || other == 0 || unsafe { !self.equal(one, other, &mut left, &mut todo) } {
                return false;
            }
        }
        true
    }

    /// Whether two objects hold the same, but for what they refer to, which is still to be
    /// compared.
    ///
    /// # Safety
    /// Both are live objects.
    unsafe fn equal(
        &self,
        one: u64,
        other: u64,
        left: &mut u32,
        todo: &mut Vec<(u64, u64)>,
    ) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            let classes = (self.program.class_of(one), self.program.class_of(other));
            let class = match classes {
                (Some(class), Some(also)) if class == also => class,
                // Traced code does not know these.
                (None, None) => return true,
                _ => return false,
            };
            let mut words = |ty, args: [u64; 2], also: [u64; 2], descr, of: fn(Ty) -> DataOp| {
                let op = of(ty);
                let len = op.params().len();
                *left = left.saturating_sub(1);
                let one = self.peek(op, &args[..len], descr);
                let other = self.peek(op, &also[..len], descr);
                match ty {
                    Ty::Ref => {
                        todo.push((one, other));
                        true
                    }
                    Ty::Int | Ty::Float => one == other,
                    // What it means is for the tag beside it to say, which is compared, too.
                    Ty::Word => true,
                }
            };
            let descrs = &self.program.unit.descrs;
            match &descrs.classes[class].kind {
                ClassKind::Struct { fields } => {
                    let fixed = fields.iter().filter(|&&f| descrs.fields[f].immutable);
                    fixed.into_iter().all(|&field| {
                        let ty = descrs.fields[field].ty;
                        words(ty, [one, 0], [other, 0], field.as_u32(), DataOp::get_field)
                    })
                }
                &ClassKind::Array {
                    item, immutable, ..
                } => {
                    let len = |array| self.peek(DataOp::ArrayLen, &[array], class.as_u32());
                    let items = len(one).min(u64::from(DEPTH));
                    let mut same_items = || {
                        (0..items).all(|n| {
                            words(item, [one, n], [other, n], class.as_u32(), DataOp::get_item)
                        })
                    };
                    len(one) == len(other) && (!immutable || same_items())
                }
            }
        }
    }

    /// What an operation relies on.
    fn promise(&self, insn: &Insn) -> String {
        let descrs = &self.program.unit.descrs;
        match insn {
            Insn::Call {
                target: CallTarget::Fn(callee),
                ..
            } => {
                let info = &descrs.fns[*callee];
                if info.name.starts_with("__vd_support_") {
                    let what = self.program.said_of(&info.name);
                    return format!(
                        "{} is not a `Cell`, and changed",
                        what.unwrap_or("a constant")
                    );
                }
                let place = self.program.place(&info.name);
                let promise = match info.kind {
                    FnKind::Readonly => {
                        "is marked `#[readonly]` or `#[loop_invariant]`, and its result changed though nothing that it reads was written"
                    }
                    _ => "is marked `#[elidable]`, and its result changed for the same arguments",
                };
                format!("`{}`{place} {promise}", info.name)
            }
            Insn::Data {
                op: DataOp::HasClass,
                descr,
                ..
            } => {
                let name = &descrs.classes[ClassId::from_u32(*descr)].name;
                format!("`record_exact_class` says that an object is a `{name}`")
            }
            Insn::Data { op, descr, .. } if op.params().len() == 1 => {
                let field = FieldId::from_u32(*descr);
                let name = descrs.field_name(field);
                let place = self.program.place(&name);
                let promise = match descrs.fields[field].quasi {
                    true => "is a `Quasi`, and changed without `set`",
                    false => "is not a `Cell`, and changed",
                };
                format!("the field `{name}`{place} {promise}")
            }
            Insn::Data { descr, .. } => {
                let name = &descrs.classes[ClassId::from_u32(*descr)].name;
                format!("an item of a `{name}`, which has no `Cell`s, changed")
            }
            _ => "something that was promised not to change did".to_owned(),
        }
    }
}

/// A word for people.
fn show_word(ty: Ty, word: u64) -> String {
    match ty {
        Ty::Int => (word as i64).to_string(),
        Ty::Float => format!("{:?}", f64::from_bits(word)),
        Ty::Ref if word == 0 => "null".to_owned(),
        Ty::Ref => format!("the object at {word:#x}"),
        Ty::Word => format!("{word:#x}"),
    }
}
