//! Instances of generic types.
//!
//! In: what a type is an instance of, and its arguments. Out: the type, with an identity; or a
//! hole, as long as an argument is not known. Invariant: an instance without holes exists once.

use crate::cx::Cx;
use crate::source::diag::DiagCode;
use crate::tast::Span;
use crate::types::infer::Infer;
use crate::types::ty::{Head, Ty};

impl Cx {
    /// The instance of a generic type; complains at `at` if there is none.
    pub fn instance(&mut self, head: &Head, args: Vec<Ty>, at: Span) -> Ty {
        match (head, args.as_slice()) {
            (_, args) if args.contains(&Ty::Error) => Ty::Error,
            (Head::Gc, [Ty::Class(class)]) => Ty::Gc(*class),
            (Head::Gc, _) => {
                let shown = self.show(&args[0]);
                self.err(DiagCode::NotGcStruct, at, &[&shown]);
                Ty::Error
            }
            (Head::Class(id), _) => {
                let class = self.struct_class(*id, args.into(), at);
                class.map_or(Ty::Error, Ty::Class)
            }
            (Head::Fixed, [item, Ty::Const(_, len)]) => match u32::try_from(*len) {
                Ok(len) => Ty::Fixed(Box::new(item.clone()), len),
                Err(_) => {
                    let len = (*len as u64).to_string();
                    self.err(DiagCode::LargeArray, at, &[&len, "fewer"]);
                    Ty::Error
                }
            },
            (Head::Fixed, _) => Ty::Error,
            (Head::Adt(key), _) => self.adt_ty(*key, args.into(), at),
            (Head::Array(cell, tag), _) => match self.stored_ty(args[0].clone(), *cell, at) {
                Ty::Error => Ty::Error,
                item => Ty::Array(self.array_class(item, *cell, tag.clone())),
            },
        }
    }

    /// The same where the arguments may have holes.
    pub fn instance_with(
        &mut self,
        head: Head,
        args: Vec<Ty>,
        infer: Option<&mut Infer>,
        at: Span,
    ) -> Ty {
        match infer {
            Some(infer) if args.iter().any(|a| infer.deep(a).has_holes()) => {
                infer.open(head, args, at)
            }
            Some(infer) => {
                let args = args.iter().map(|a| infer.deep(a)).collect();
                self.instance(&head, args, at)
            }
            None => self.instance(&head, args, at),
        }
    }
}
