//! Instances of generic items: their arguments are holes until uses say what they are.
//!
//! In: a generic function or method and what its `impl` block's parameters stand for. Out: the call
//! of an instance; one whose arguments are not known yet is *pending*, and gets its callee at the
//! end. Invariant: a pending call has the types of its parameters and result already, with holes,
//! so that inference does not depend on when it is settled.

use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Kind, Op};
use crate::check::terms::{Args, CallAt, Callee, Pending, Place};
use crate::cx::sources::{Env, RefKind, Target};
use crate::items::*;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::tast::{self, Span};
use crate::types::generics::{Inst, SubstId};
use crate::types::ty::{ByRef, Head, Sig, Ty};
use std::rc::Rc;

/// What instances of a type of the crate are instances of.
pub(in crate::check) fn key_head(krate: &Crate, key: TypeKey) -> Head {
    match key {
        TypeKey::Struct(s) if krate.structs[s].gc => Head::Class(s),
        key => Head::Adt(key),
    }
}

impl FnCx<'_> {
    /// Gives holes a meaning that is known by now.
    pub(in crate::check) fn settle(&mut self) {
        self.cx.settle(&mut self.infer);
    }

    /// A member of the inherent `impl`s of a type with these arguments, and what the block's
    /// parameters stand for.
    pub(in crate::check) fn find_assoc(
        &mut self,
        key: TypeKey,
        args: &[Ty],
        name: &str,
        at: Span,
    ) -> Option<(Assoc, SubstId)> {
        let members = self.cx.krate.assoc.get(&(key, name.to_owned()))?.clone();
        if self.cx.krate.key_generics(key).is_empty() {
            return Some((members[0], SubstId::EMPTY));
        }
        let head = key_head(&self.cx.krate, key);
        let infer = Some(&mut self.infer);
        let ty = self.cx.instance_with(head, args.to_vec(), infer, at);
        let mut found = None;
        for member in members {
            let owner = match member {
                Assoc::Fn(id) => self.cx.krate.fns[id].owner,
                Assoc::Const(id) => self.cx.krate.consts[id].owner,
            };
            let subst = self.cx.impl_subst(owner?, &mut self.infer, at);
            let this = self.cx.interned.substs.get(subst).this.clone()?;
            if self.infer.try_unify(&this, &ty) {
                found = Some((member, subst));
                break;
            }
        }
        self.settle();
        found
    }

    /// The struct, enum or object type of the crate that a type is, with its arguments.
    pub(in crate::check) fn key_of(&self, ty: &Ty) -> Option<(TypeKey, Vec<Ty>)> {
        match self.infer.shallow(ty) {
            Ty::Object(object) => Some((
                TypeKey::Object(self.cx.interned.object_src[object]),
                Vec::new(),
            )),
            Ty::Adt(id) => {
                let src = &self.cx.interned.adt_src[id];
                Some((src.key, src.args.to_vec()))
            }
            Ty::Class(class) => self.cx.class_key(class),
            Ty::Gc(class) => self.cx.class_key(class),
            ty => match self.infer.parts(&ty)? {
                (Head::Gc, args) => self.key_of(&args[0]),
                (Head::Class(id), args) => Some((TypeKey::Struct(id), args.to_vec())),
                (Head::Adt(key), args) => Some((key, args.to_vec())),
                (Head::Array(..) | Head::Fixed, _) => None,
            },
        }
    }

    /// What `Self` is, if that is a type of the crate.
    pub(in crate::check) fn self_key(&mut self) -> Option<(TypeKey, Vec<Ty>)> {
        match self
            .cx
            .interned
            .substs
            .get(self.site.env.subst)
            .this
            .clone()
        {
            Some(this) => self.key_of(&this),
            None => {
                let owner = self.site.env.owner?;
                let key = self.cx.krate.impls[owner].target?;
                Some((key, Vec::new()))
            }
        }
    }

    /// The substitution of a call: the block's and the function's own.
    fn call_subst(
        &mut self,
        callee: Callee<'_>,
        around: Vec<(String, Vec<RefKind>)>,
        at: Span,
    ) -> Option<SubstId> {
        let item = self.cx.krate.fns[callee.item].clone();
        if item.generics.is_empty() {
            return Some(callee.subst);
        }
        let segment = callee.turbofish.map(|args| syn::PathSegment {
            ident: item.sig.ident.clone(),
            arguments: syn::PathArguments::AngleBracketed(args.clone()),
        });
        let path = format!("`{}`", self.cx.krate.fn_path(callee.item));
        let (env, of) = (self.site.env, Env::of(item.module));
        let infer = Some(&mut self.infer);
        let what = (path.as_str(), &item.generics);
        let own = self
            .cx
            .generic_args(what, segment.as_ref(), (env, of), infer, (true, at))?;
        let mut subst = (**self.cx.interned.substs.get(callee.subst)).clone();
        let names = item.generics.params.iter().map(|p| p.name.clone());
        subst.args.extend(names.zip(own));
        subst.around.extend(around);
        Some(self.cx.interned.substs.intern(subst))
    }

    /// A call of a function of the crate; `receiver` is what stands before the dot.
    pub(in crate::check) fn call_inst(
        &mut self,
        callee: Callee<'_>,
        receiver: Option<(Expr, Option<Place>)>,
        args: &Args<'_>,
        expect: Option<&Ty>,
        at: CallAt,
    ) -> Expr {
        let skip = usize::from(receiver.is_some());
        let around = self.around_params(callee.item, callee.turbofish, (skip, args));
        let Some((inst, sig)) = self.open_call_with((callee, around), expect, at.callee) else {
            return self.give_up(args, at.call);
        };
        let name = self.cx.krate.fns[inst.item].name.clone();
        // An implementation may lack the receiver that its trait has.
        let (wanted, given) = match sig.params.len().checked_sub(skip) {
            Some(wanted) => (wanted, args.len()),
            None => (0, args.len() + skip),
        };
        if !self.arity(&name, wanted, given, at.call) {
            self.give_up(args, at.call);
            return Expr::new(Kind::Error, sig.ret.clone(), at.call);
        }
        self.note_function(Callee {
            subst: inst.subst,
            ..callee
        });
        let closures = self.closures_of(inst.item);
        if !closures.is_empty() {
            return self.call_inlined((inst, &sig), &closures, receiver, args, at);
        }
        let outer = std::mem::take(&mut self.after);
        let (operands, lent) = self.operands(&sig, receiver, args);
        let after = std::mem::replace(&mut self.after, outer);
        let call = self.close_call((inst, lent), &sig, operands, at);
        self.and_then(call, after, at.call)
    }

    /// The same with arguments that have been checked already.
    pub(in crate::check) fn call_operands(
        &mut self,
        callee: Callee<'_>,
        operands: Vec<Expr>,
        at: CallAt,
    ) -> Expr {
        self.call_lending(callee, operands, None, at)
    }

    /// The same where the first argument is the value of a place, if there is one, which is lent to
    /// the function.
    pub(in crate::check) fn call_lending(
        &mut self,
        callee: Callee<'_>,
        operands: Vec<Expr>,
        lent: Option<Place>,
        at: CallAt,
    ) -> Expr {
        let Some((inst, sig)) = self.open_call(callee, None, at.callee) else {
            return Expr::error(at.call);
        };
        let name = self.cx.krate.fns[inst.item].name.clone();
        if !self.arity(&name, sig.params.len(), operands.len(), at.call) {
            return Expr::new(Kind::Error, sig.ret.clone(), at.call);
        }
        self.note_function(Callee {
            subst: inst.subst,
            ..callee
        });
        let mut others = sig.by_ref.iter().skip(usize::from(lent.is_some()));
        if others.any(|by_ref| *by_ref == ByRef::Mut) {
            let what = format!("`{name}` with a `&mut` that is not written out");
            let help = "call the method by its name";
            return self.bad(DiagCode::UnsupportedWithHelp, at.call, &[&what, help]);
        }
        let operands = operands.into_iter().zip(&sig.params);
        let operands: Vec<Expr> = operands.map(|(o, ty)| self.coerce(o, ty)).collect();
        let lent = lent.filter(|_| sig.by_ref.first() == Some(&ByRef::Mut));
        let lent = lent.iter().map(Place::finish).collect();
        self.close_call((inst, lent), &sig, operands, at)
    }

    /// The instance that is called as far as it is known, and its types; none after a complaint.
    pub(in crate::check) fn open_call(
        &mut self,
        callee: Callee<'_>,
        expect: Option<&Ty>,
        at: Span,
    ) -> Option<(Inst, Rc<Sig>)> {
        self.open_call_with((callee, Vec::new()), expect, at)
    }

    /// The same, with the references around what the function's own parameters stand for.
    fn open_call_with(
        &mut self,
        (callee, around): (Callee<'_>, Vec<(String, Vec<RefKind>)>),
        expect: Option<&Ty>,
        at: Span,
    ) -> Option<(Inst, Rc<Sig>)> {
        if self.refuse_native(callee.item, at) {
            return None;
        }
        let mut inst = Inst {
            item: callee.item,
            subst: self.call_subst(callee, around, at)?,
        };
        if let Some(closed) = self.closed(inst) {
            inst = closed;
            if let Target::Error = self.cx.target(inst, self.func, at) {
                return None;
            }
            return Some((inst, self.cx.signature(inst)));
        }
        let sig = self.cx.open_signature(inst, Some(&mut self.infer));
        if let Some(expect) = expect {
            self.infer.try_unify(&sig.ret, expect);
            self.settle();
        }
        Some((inst, Rc::new(sig)))
    }

    /// Complains about a call of a function of the library that is for native code only.
    fn refuse_native(&mut self, callee: FnItemId, at: Span) -> bool {
        let item = &self.cx.krate.fns[callee];
        let Some(instead) = item.native_only.clone() else {
            return false;
        };
        if self.cx.native || !self.cx.krate.is_library(item.module) {
            return false;
        }
        let path = self.cx.krate.fn_path(callee);
        let mut names = path.rsplit("::");
        let (name, of) = (names.next().unwrap_or(&path), names.next());
        let name = of.map_or(name.to_owned(), |of| format!("{of}::{name}"));
        self.cx.err(DiagCode::NativeOnly, at, &[&name, &instead]);
        true
    }

    fn close_call(
        &mut self,
        (inst, lent): (Inst, Vec<tast::LocalPlace>),
        sig: &Sig,
        operands: Vec<Expr>,
        at: CallAt,
    ) -> Expr {
        let Some(op) = self.callee_op(inst, lent, at.callee) else {
            return Expr::error(at.call);
        };
        self.returned(op, sig, operands, at.call)
    }

    /// The value of a call.
    pub(in crate::check) fn returned(
        &mut self,
        op: Op,
        sig: &Sig,
        operands: Vec<Expr>,
        span: Span,
    ) -> Expr {
        let ret = self.infer.shallow(&sig.ret);
        if ret == Ty::Never {
            // The callee does not return; saying so explicitly spares later stages the knowledge.
            let call = Expr::op(op, operands, Ty::Unit, span);
            let end = Expr::panic("internal error: entered unreachable code", span);
            return Expr::block(vec![call, end], Ty::Never, span);
        }
        Expr::op(op, operands, ret, span)
    }

    /// The arguments, and what is lent.
    pub(in crate::check) fn operands(
        &mut self,
        sig: &Sig,
        receiver: Option<(Expr, Option<Place>)>,
        args: &[&syn::Expr],
    ) -> (Vec<Expr>, Vec<tast::LocalPlace>) {
        let skip = usize::from(receiver.is_some());
        let (mut operands, mut lent) = (Vec::new(), Vec::new());
        if let Some((receiver, place)) = receiver {
            let mut receiver = self.coerce(receiver, &sig.params[0]);
            if sig.by_ref[0] == ByRef::Mut {
                let (value, place) = self.lend_receiver(receiver, place);
                lent.push(place.finish());
                receiver = value;
            }
            operands.push(receiver);
        }
        for (i, arg) in args.iter().enumerate() {
            let ty = &sig.params[i + skip];
            let known = self.cx.diags.list.len();
            let (operand, place) = self.argument(arg, ty, sig.by_ref[i + skip]);
            lent.extend(place.map(|p| p.finish()));
            operands.push(operand);
            if *ty == Ty::Error {
                // The parameter's type has been complained about; of course the argument has it
                // too.
                self.cx.diags.list.truncate(known);
            }
        }
        (operands, lent)
    }

    /// One argument, and what is lent by it.
    pub(in crate::check) fn argument(
        &mut self,
        arg: &syn::Expr,
        ty: &Ty,
        by_ref: ByRef,
    ) -> (Expr, Option<Place>) {
        match by_ref {
            ByRef::Mut => self.lend(arg, ty),
            // A `&mut` is as good as a `&`.
            ByRef::Shared if self.named(arg).is_some() => {
                let value = self.base(arg);
                (self.coerce(value, ty), None)
            }
            _ => (self.coerced(arg, ty), None),
        }
    }

    /// The instance, if all that its parameters stand for is known.
    pub(in crate::check) fn closed(&mut self, inst: Inst) -> Option<Inst> {
        if inst.subst == SubstId::EMPTY {
            return Some(inst);
        }
        self.settle();
        let subst = self.cx.interned.substs.get(inst.subst).deep(&self.infer);
        subst.is_closed().then(|| Inst {
            subst: self.cx.interned.substs.intern(subst),
            ..inst
        })
    }

    /// The operation that calls an instance, pending if it must be.
    fn callee_op(&mut self, inst: Inst, lent: Vec<tast::LocalPlace>, at: Span) -> Option<Op> {
        match self.closed(inst) {
            Some(inst) => self.target_op(inst, lent, at),
            None => {
                self.pending.push(Pending {
                    callee: inst,
                    at,
                    lent,
                    op: None,
                });
                Some(Op::Pending(self.pending.len() - 1))
            }
        }
    }

    /// The operation that calls an instance; none after a complaint.
    pub(in crate::check) fn target_op(
        &mut self,
        inst: Inst,
        lent: Vec<tast::LocalPlace>,
        at: Span,
    ) -> Option<Op> {
        match self.cx.target(inst, self.func, at) {
            Target::Traced(func) => {
                if let Some(caller) = self.func {
                    self.cx.queue.calls.push((caller, func, at));
                }
                Some(Op::Call(func, lent))
            }
            Target::Called(called) => Some(Op::CallFn(called)),
            Target::Error => None,
        }
    }

    /// Finds the callees of pending calls, at the end; complains about those that are still not
    /// known.
    pub(in crate::check) fn solve_pending(&mut self) {
        self.settle();
        for n in 0..self.pending.len() {
            let (callee, at) = (self.pending[n].callee, self.pending[n].at);
            let lent = std::mem::take(&mut self.pending[n].lent);
            match self.closed(callee) {
                Some(inst) => self.pending[n].op = self.target_op(inst, lent, at),
                None => {
                    let name = &self.cx.krate.fns[callee.item].name;
                    let help = format!("write the types, as in `{name}::<i64>(..)`");
                    let d = Diagnostic::new(DiagCode::Annotate, at, &["call"]);
                    self.cx.report(d.help(help));
                }
            }
        }
    }

    /// An instance without an identity, as messages show it.
    pub(in crate::check) fn show_open(&self, head: &Head, args: &[Ty]) -> String {
        let args: Vec<String> = args.iter().map(|a| self.show(a)).collect();
        let name = match head {
            Head::Gc => "Gc".to_owned(),
            Head::Class(id) => self.cx.krate.structs[*id].name.clone(),
            Head::Adt(key) => {
                let path = self.cx.krate.key_path(*key);
                path.rsplit("::").next().unwrap_or(&path).to_owned()
            }
            Head::Array(true, _) => return format!("GcArray<Cell<{}>>", args.join(", ")),
            Head::Array(false, _) => "GcArray".to_owned(),
            Head::Fixed => return format!("[{}]", args.join("; ")),
        };
        format!("{name}<{}>", args.join(", "))
    }
}
