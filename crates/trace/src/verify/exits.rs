//! Checks resume data.

use super::{Check, CheckExits, Verifier};
use crate::exits::{Exit, ExitId, Exits};
use crate::op::Operation;
use crate::resume::{PendingStore, Resume, Src, VirtualKind};
use crate::table::{OnFailure, Opcode};
use crate::value::{Const, TargetId, ValRef};
use verdigris_ops::{ClassId, Ty};

impl CheckExits for Exits {
    fn check_exit(
        verifier: &mut Verifier<'_, Exits>,
        op: Operation<'_, Exits>,
        exit: ExitId,
        n: usize,
    ) -> Check {
        match &verifier.trace.exits[exit] {
            Exit::Out { resume, .. } => {
                verifier.resume(resume)?;
                verifier.kept(op, resume, n)
            }
            Exit::Side { target, args } => verifier.side(op, *target, args),
        }
    }

    fn check_end(_: &mut Verifier<'_, Exits>, _: Opcode) -> Check {
        Ok(())
    }
}

impl Verifier<'_, Exits> {
    /// A side is a label of the same trace. What a bridge could not be told, a side cannot either,
    /// and `leave` is a jump then.
    fn side(&self, op: Operation<'_, Exits>, target: TargetId, args: &[ValRef]) -> Check {
        let name = op.opcode().name();
        let has_sides = op.opcode().failing() == Some(OnFailure::Bridge);
        if !has_sides || op.opcode() == Opcode::Leave {
            return Err(format!("{name} leads out of the trace"));
        }
        self.fail_args(args)?;
        let mut labels = self.trace.ops().iter();
        let is_it = |op: &Operation<'_, _>| op.opcode() == Opcode::Label && op.label() == target;
        let Some(label) = labels.find(is_it) else {
            return Err(format!(
                "{name} goes to {target}, which is not in this trace"
            ));
        };
        let types = |v: ValRef| self.trace.types.get(v).copied();
        if !label
            .definitions()
            .map(types)
            .eq(args.iter().map(|&v| types(v)))
        {
            return Err(format!("{name} does not fit the parameters of {target}"));
        }
        Ok(())
    }

    /// `guard_not_forced` says what is kept during its call, which cannot depend on the call's
    /// results.
    fn kept(&self, op: Operation<'_, Exits>, resume: &Resume, n: usize) -> Check {
        let keeps = op.opcode() == Opcode::GuardNotForced;
        if keeps == resume.kept.is_empty() {
            let name = op.opcode().name();
            let says = if keeps { "something" } else { "nothing" };
            return Err(format!("{name} keeps {says}"));
        }
        if !keeps {
            return Ok(());
        }
        let is_result = |value| {
            let call = self.trace.ops().at(n - 1);
            call.definitions().any(|d| d == value)
        };
        let mut args = resume.kept_args().into_iter();
        match args.find(|&n| is_result(resume.fail_args[usize::from(n)])) {
            Some(n) => Err(format!("fail argument {n} is kept before it exists")),
            None => Ok(()),
        }
    }

    fn fail_args(&self, values: &[ValRef]) -> Check {
        for (n, &value) in values.iter().enumerate() {
            self.visible(value)?;
            if values[..n].contains(&value) {
                return Err(format!("fail argument {value} is there twice"));
            }
        }
        Ok(())
    }

    fn resume(&self, resume: &Resume) -> Check {
        self.fail_args(&resume.fail_args)?;
        for info in &resume.virtuals {
            self.virtual_object(resume, info.class, &info.kind)?;
        }
        for &store in &resume.pending {
            self.pending(resume, store)?;
        }
        for &src in &resume.kept {
            self.src_ty(resume, src, Ty::Ref)?;
            if matches!(src, Src::Virtual(_)) {
                return Err("what is kept exists".to_owned());
            }
        }
        for frame in resume.frames.iter() {
            self.frame(frame.regs.iter().map(|r| r.0))?;
            for &(_, src) in frame.regs {
                self.src(resume, src)?;
            }
        }
        Ok(())
    }

    fn virtual_object(&self, resume: &Resume, class: ClassId, kind: &VirtualKind) -> Check {
        match kind {
            VirtualKind::Struct { fields } => {
                self.class(class, false)?;
                for &(field, src) in fields {
                    let Some(info) = self.descrs.fields.get(field) else {
                        return Err(format!("{field:?} is unknown"));
                    };
                    if info.class != class {
                        return Err(format!("the field {} is of another class", info.name));
                    }
                    self.src_ty(resume, src, info.ty)?;
                }
            }
            VirtualKind::Array { len, words } => {
                self.class(class, true)?;
                if self.descrs.item_part(class).1 != 0 {
                    let name = &self.descrs.classes[class].name;
                    return Err(format!("{name} is a word of items, and no array's class"));
                }
                let mut before = None;
                for word in words {
                    self.class(word.class, true)?;
                    self.item_word(class, *len, word.index, word.class)?;
                    let place = (word.index, word.class);
                    if before.is_some_and(|b| b >= place) {
                        return Err(format!("item {} is not in ascending order", word.index));
                    }
                    before = Some(place);
                    self.src_ty(resume, word.value, self.descrs.item(word.class).0)?;
                }
            }
        }
        Ok(())
    }

    /// Whether an array with this class and length has this word of an item.
    fn item_word(&self, array: ClassId, len: u32, index: u32, word: ClassId) -> Check {
        if index >= len {
            return Err(format!("an array of {len} has no item {index}"));
        }
        if self.descrs.item_part(word).0 != array {
            let name = |class| &self.descrs.classes[class].name;
            return Err(format!(
                "{} is no word of the items of {}",
                name(word),
                name(array)
            ));
        }
        Ok(())
    }

    fn pending(&self, resume: &Resume, store: PendingStore) -> Check {
        match store {
            PendingStore::Field {
                object,
                field,
                value,
            } => {
                let Some(info) = self.descrs.fields.get(field) else {
                    return Err(format!("{field:?} is unknown"));
                };
                self.src_ty(resume, object, Ty::Ref)?;
                self.src_ty(resume, value, info.ty)
            }
            PendingStore::Item {
                array,
                class,
                value,
                ..
            } => {
                self.class(class, true)?;
                self.src_ty(resume, array, Ty::Ref)?;
                self.src_ty(resume, value, self.descrs.item(class).0)
            }
        }
    }

    fn src(&self, resume: &Resume, src: Src) -> Result<Ty, String> {
        match src {
            Src::Fail(n) => match resume.fail_args.get(usize::from(n)) {
                Some(&value) => Ok(self.trace.types[value]),
                None => Err(format!("there is no fail argument {n}")),
            },
            Src::Const(constant) => Ok(Const::ty(constant)),
            Src::Virtual(n) if usize::from(n) < resume.virtuals.len() => Ok(Ty::Ref),
            Src::Virtual(n) => Err(format!("there is no virtual v{n}")),
        }
    }

    fn src_ty(&self, resume: &Resume, src: Src, ty: Ty) -> Check {
        let have = self.src(resume, src)?;
        // A word takes a value of any type: its bits.
        if have != ty && ty != Ty::Word {
            return Err(format!("a {have} stands where a {ty} belongs"));
        }
        Ok(())
    }
}
