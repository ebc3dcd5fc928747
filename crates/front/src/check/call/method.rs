//! Method calls.
//!
//! In: a receiver and a name. Out: the call or operation. Invariant: `probe` says whether a method
//! is a trait's; there is no autoderef to follow, because `&self` of a heap class is the pointer
//! itself.

use crate::check::call::inherent_methods::{Takes, find};
use crate::check::call::ref_impls::Around;
use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Kind, Op};
use crate::check::std_calls::option_methods::Call;
use crate::check::terms::{CallAt, Callee, Place};
use crate::items::{Assoc, TypeKey};
use crate::source::diag::{DiagCode, Diagnostic};
use crate::tast::{BinOp, IntTy, Span};
use crate::types::infer::VarKind;
use crate::types::ty::Ty;

/// Methods of Rust's slices that walk through items.
const ITERATORS: [&str; 4] = ["iter", "iter_mut", "into_iter", "windows"];

/// Methods of `Result` that give what is in it: what that has to be says what `try_into` makes.
const UNWRAPPING: [&str; 5] = [
    "expect",
    "unwrap",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
];

impl FnCx<'_> {
    pub(in crate::check) fn method_expr(
        &mut self,
        e: &syn::ExprMethodCall,
        expect: Option<&Ty>,
        span: Span,
    ) -> Expr {
        let name = crate::source::syntax::name_of(&e.method);
        let at = self.span(&e.method);
        if let ("contains", [value], Some(range)) = (
            name.as_str(),
            crate::check::call::args_of(&e.args).as_slice(),
            range_in(&e.receiver),
        ) {
            return self.in_range(range, value, CallAt::new(span, at));
        }
        if name == "len"
            && e.args.is_empty()
            && let Some((_, ty @ Ty::Fixed(_, len))) = self.table(&e.receiver)
        {
            self.note_member(&ty, &name);
            return self.fixed_len(len, span);
        }
        if self.is_item(&e.receiver) && self.may_change(&name) {
            return self.item_method(e, expect, CallAt::new(span, at));
        }
        if self.indexed(&e.receiver).is_some() && self.may_change(&name) {
            let what = format!("the method `{name}` on an item that `index_mut` refers to");
            let help = "copy the item with `let`, call the method, and assign it back";
            return self.bad(DiagCode::UnsupportedWithHelp, at, &[&what, help]);
        }
        let place = self.find_place(&e.receiver);
        let receiver = match (&*e.receiver, expect) {
            (conversion @ syn::Expr::MethodCall(inner), Some(ok))
                if inner.method == "try_into" && UNWRAPPING.contains(&name.as_str()) =>
            {
                let whole = Ty::Result(Box::new(ok.clone()), Box::new(self.hole(span)));
                self.place(conversion, Some(&whole))
            }
            (receiver, _) => self.base(receiver),
        };
        self.method_of((receiver, place), e, expect, CallAt::new(span, at))
    }

    /// A method of an item of a local array, which goes back where it was.
    fn item_method(&mut self, e: &syn::ExprMethodCall, expect: Option<&Ty>, at: CallAt) -> Expr {
        let Some((receiver, place, back)) = self.lend_item(&e.receiver) else {
            return Expr::error(at.call);
        };
        let value = self.method_of((receiver, Some(place)), e, expect, at);
        self.and_then(value, vec![back], at.call)
    }

    /// Whether there is a method of this name that changes what it is called on.
    fn may_change(&self, name: &str) -> bool {
        let of_arrays = matches!(name, "fill" | "reverse" | "swap");
        of_arrays
            || matches!(find("Option", name), Some((Takes::Unique, _)))
            || self.cx.krate.has_changing(name)
    }

    /// A method of a checked receiver.
    fn method_of(
        &mut self,
        (receiver, place): (Expr, Option<Place>),
        e: &syn::ExprMethodCall,
        expect: Option<&Ty>,
        at: CallAt,
    ) -> Expr {
        let name = crate::source::syntax::name_of(&e.method);
        let args = crate::check::call::args_of(&e.args);
        let called = (name.as_str(), e.turbofish.as_ref());
        if let Ty::Fixed(..) = self.infer.shallow(&receiver.ty) {
            self.cx.krate.read_text("array");
        }
        if matches!(receiver.ty, Ty::Error | Ty::Never) {
            return self.own_method((receiver, place), called, &args, expect, at);
        }
        let source = &*e.receiver;
        match self.trait_method((receiver, &place), source, called, &args, expect, at) {
            Ok(call) => call,
            Err(receiver) => self.own_method((*receiver, place), called, &args, expect, at),
        }
    }

    /// A method of the receiver's type itself.
    pub(in crate::check) fn own_method(
        &mut self,
        (receiver, place): (Expr, Option<Place>),
        (name, turbofish): (&str, crate::check::terms::Turbofish<'_>),
        args: &crate::check::terms::Args<'_>,
        expect: Option<&Ty>,
        at: CallAt,
    ) -> Expr {
        let wanted = expect.map(|ty| self.infer.shallow(ty));
        let ty = self.infer.shallow(&receiver.ty);
        let key = self.key_of(&ty);
        if !key.is_some_and(|(key, _)| self.has_assoc(key, name)) {
            self.note_member(&ty, name);
        }
        match ty {
            Ty::Error | Ty::Never => {
                let known = self.cx.diags.list.len();
                self.give_up(args, at.call);
                self.cx.diags.list.truncate(known);
                Expr::error(at.call)
            }
            ty if name == "into" && args.is_empty() && !matches!(ty, Ty::Cell(_)) => match wanted {
                Some(wanted) if self.infer.hole(&wanted).is_none() => {
                    self.quietly(|fcx| fcx.convert(receiver, &wanted, at))
                }
                _ => {
                    let what = "`into()` whose result is not known";
                    let help = "write `Type::from(..)`";
                    self.bad(DiagCode::UnsupportedWithHelp, at.call, &[what, help])
                }
            },
            ty if let ("eq" | "ne", [other]) = (name, args.as_slice())
                && (ty.is_aggregate() || ty.is_ref())
                && self.infer.hole(&ty).is_none() =>
            {
                let other = self.coerced(crate::source::syntax::strip_ref(other), &ty);
                let op = if name == "eq" { BinOp::Eq } else { BinOp::Ne };
                self.quietly(|fcx| fcx.overloaded(op, (receiver, other), &Around::default(), at))
            }
            ty if name == "try_into" && args.is_empty() && !matches!(ty, Ty::Cell(_)) => {
                match wanted {
                    Some(Ty::Result(wanted, _)) if self.infer.hole(&wanted).is_none() => {
                        let wanted = self.infer.deep(&wanted);
                        self.quietly(|fcx| fcx.try_convert(receiver, &wanted, at))
                    }
                    _ => {
                        let what = "`try_into()` whose result is not known";
                        let help = "write `Type::try_from(..)`";
                        self.bad(DiagCode::UnsupportedWithHelp, at.call, &[what, help])
                    }
                }
            }
            Ty::Cell(inner) => self.cell_method(receiver, *inner, name, args, at.call),
            ty @ (Ty::Option(_) | Ty::Result(..)) => {
                let call = Call {
                    receiver,
                    place,
                    name: name.to_owned(),
                    args: args.clone(),
                    span: at.call,
                    at: at.callee,
                };
                match ty {
                    Ty::Option(_) => self.option_method(call, expect),
                    _ => self.result_method(call, expect),
                }
            }
            Ty::Array(_) if name == "len" && args.is_empty() => {
                Expr::op(Op::ArrayLen, vec![receiver], Ty::Int(IntTy::Usize), at.call)
            }
            Ty::Tuple(_) | Ty::Fixed(..) if name == "clone" && args.is_empty() => receiver,
            Ty::Fixed(_, len) if name == "len" && args.is_empty() => {
                let len = self.fixed_len(len, at.call);
                let ty = len.ty.clone();
                Expr::block(vec![receiver, len], ty, at.call)
            }
            Ty::Array(class) if self.has_array_method(class, name) => {
                self.array_method((receiver, class), name, args, at)
            }
            ty @ (Ty::Gc(_) | Ty::Object(_) | Ty::Array(_) | Ty::Adt(_)) => {
                let name = (name, turbofish);
                self.ref_method((receiver, place), &ty, name, args, expect, at)
            }
            ty @ Ty::Var(_) if self.key_of(&ty).is_some() => {
                let name = (name, turbofish);
                self.ref_method((receiver, place), &ty, name, args, expect, at)
            }
            Ty::Var(_) if self.infer.hole(&receiver.ty) != Some(VarKind::Int) => {
                let d = Diagnostic::new(DiagCode::Annotate, receiver.span, &["value"]);
                self.cx.report(d);
                self.give_up(args, at.call)
            }
            Ty::Int(_) | Ty::F64 | Ty::Bool | Ty::Char | Ty::Var(_) => {
                self.prim_method(receiver, name, args, at.call, at.callee)
            }
            Ty::Foreign(foreign) => {
                let what = format!("a method of `{}`", foreign.show());
                let help = "traced code can only hand a reference on: call the method in a function marked `#[opaque]` that takes it";
                self.give_up(args, at.call);
                self.bad(DiagCode::UnsupportedWithHelp, at.callee, &[&what, help])
            }
            ty => {
                let shown = self.show(&ty);
                self.no_method(name, &shown, None, at.callee);
                self.give_up(args, at.call)
            }
        }
    }

    /// A method of a pointer to the heap.
    fn ref_method(
        &mut self,
        (receiver, place): (Expr, Option<Place>),
        ty: &Ty,
        (name, turbofish): (&str, crate::check::terms::Turbofish<'_>),
        args: &crate::check::terms::Args<'_>,
        expect: Option<&Ty>,
        at: CallAt,
    ) -> Expr {
        let key = self.key_of(ty);
        if let Some((key, type_args)) = &key
            && let Some((Assoc::Fn(item), subst)) =
                self.find_assoc(*key, type_args, name, at.callee)
            && self.cx.krate.fns[item].sig.receiver().is_some()
        {
            let callee = Callee {
                item,
                subst,
                by: None,
                turbofish,
            };
            return self.call_inst(callee, Some((receiver, place)), args, expect, at);
        }
        let key = key.map(|k| k.0);
        match (name, args.as_slice(), ty) {
            ("kind", [], Ty::Object(object)) => {
                Expr::op(Op::Kind, vec![receiver], Ty::Kind(*object), at.call)
            }
            ("clone", [], _) => receiver,
            _ => {
                let shown = self.show(ty);
                self.no_method(name, &shown, key, at.callee);
                self.give_up(args, at.call)
            }
        }
    }

    /// Complains about a method that does not exist or cannot be traced.
    pub(in crate::check) fn no_method(
        &mut self,
        name: &str,
        ty: &str,
        key: Option<TypeKey>,
        at: Span,
    ) {
        let of_trait = key.and_then(|k| {
            self.cx
                .krate
                .trait_assoc
                .get(&(k, name.to_owned()))
                .cloned()
        });
        match of_trait {
            Some(of_trait) => self.err(DiagCode::TraitMethod, at, &[name, &of_trait]),
            None => {
                let is_walked = ty.starts_with("GcArray") && ITERATORS.contains(&name);
                let is_picked =
                    ty.starts_with("GcArray") && matches!(name, "first" | "get" | "last");
                let help = match key {
                    _ if is_picked => {
                        "an item that can be changed is a place: compare its index with `items.len()`, and write `items[i].get()`"
                    }
                    _ if is_walked => {
                        "write `for i in 0..items.len()` with `items[i]`, in a function of its own; only a `for` over plain items of a local array can have `items.iter()`"
                    }
                    Some(_) => {
                        "write it in an `impl` block of the type, or call a function marked `#[opaque]`"
                    }
                    None => {
                        "call a function marked `#[elidable]` (if it only computes) or `#[opaque]` that does it"
                    }
                };
                self.err(DiagCode::NoMethod, at, &[name, ty, help]);
            }
        }
    }

    /// A method of a `Cell` in the heap: `receiver` reads it.
    fn cell_method(
        &mut self,
        receiver: Expr,
        inner: Ty,
        name: &str,
        args: &[&syn::Expr],
        span: Span,
    ) -> Expr {
        let Kind::Op(op, mut operands) = receiver.kind else {
            self.err(DiagCode::CellByValue, receiver.span, &[]);
            return self.give_up(args, span);
        };
        match (name, args) {
            ("get", []) => Expr::op(op, operands, inner, span),
            ("set", [value]) => {
                let value = self.coerced(value, &inner);
                operands.push(value);
                let op = match op {
                    Op::GetField(field) => Op::SetField(field),
                    _ => Op::SetItem,
                };
                Expr::op(op, operands, Ty::Unit, span)
            }
            // Only slots have it in Rust.
            ("clear", []) if op == Op::GetItem => Expr::op(Op::Vacate, operands, Ty::Unit, span),
            ("replace", [value]) => {
                let value = self.coerced(value, &inner);
                self.replace(op, operands, value, inner, span)
            }
            _ => {
                self.err(DiagCode::CellByValue, span, &[]);
                self.give_up(args, span)
            }
        }
    }

    /// `cell.replace(value)`: the place is found (and its bounds checked) first, then the value,
    /// then the old one is read.
    fn replace(&mut self, op: Op, place: Vec<Expr>, value: Expr, inner: Ty, span: Span) -> Expr {
        let mut list = Vec::new();
        let mut temps = Vec::new();
        for operand in place {
            let temp = self.temp("place", operand.ty.clone(), span);
            temps.push(temp);
            list.push(Expr::bind(temp, operand));
        }
        let read = |fcx: &Self| -> Vec<Expr> { temps.iter().map(|t| fcx.read(*t, span)).collect() };
        let set = match op {
            Op::GetField(field) => Op::SetField(field),
            _ => {
                list.push(Expr::op(op.clone(), read(self), inner.clone(), span));
                Op::SetItem
            }
        };
        let (new, old) = (
            self.temp("new", inner.clone(), span),
            self.temp("old", inner.clone(), span),
        );
        list.push(Expr::bind(new, value));
        list.push(Expr::bind(
            old,
            Expr::op(op, read(self), inner.clone(), span),
        ));
        let mut operands = read(self);
        operands.push(self.read(new, span));
        list.push(Expr::op(set, operands, Ty::Unit, span));
        list.push(self.read(old, span));
        Expr::block(list, inner, span)
    }
}

/// The range that an expression is.
fn range_in(expr: &syn::Expr) -> Option<&syn::ExprRange> {
    match expr {
        syn::Expr::Paren(e) => range_in(&e.expr),
        syn::Expr::Range(e) => Some(e),
        _ => None,
    }
}
