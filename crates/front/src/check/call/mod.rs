//! Calls: functions of the crate, the prelude's, and associated functions.
//!
//! In: a call. Out: a traced call, a residual call, or the operation that the function stands for.
//! Invariant: the arguments are checked whatever is wrong with the callee, so that their own
//! mistakes are found too.

mod array_method;
pub(crate) mod generic;
pub(crate) mod inherent_methods;
mod inlined;
pub(crate) mod method;
pub(crate) mod probe;
pub(crate) mod ref_impls;
pub(crate) mod source_type;
pub(crate) mod traits;

use crate::check::call::generic::key_head;
use crate::check::call::ref_impls::Around;
use crate::check::expr::aggregate::{ERR, OK};
use crate::check::expr::path::{Head, Val};
use crate::check::fcx::FnCx;
use crate::check::hir::{Expr, Kind, Op};
use crate::check::terms::{Args, CallAt, Callee, Name, Turbofish};
use crate::items::*;
use crate::names::written::{prim_name, prim_ty};
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::syntax::{plain, strip_ref, turbofish};
use crate::tast::{BinOp, IntTy, Intrinsic, Span};
use crate::types::ty::Ty;
use verdigris_ops::DataOp;

impl FnCx<'_> {
    pub(super) fn call_expr(&mut self, e: &syn::ExprCall, expect: Option<&Ty>, span: Span) -> Expr {
        let args = args_of(&e.args);
        let mut callee = &*e.func;
        while let syn::Expr::Paren(inner) = callee {
            callee = &inner.expr;
        }
        let at = self.span(callee);
        let syn::Expr::Path(path) = callee else {
            if let syn::Expr::Closure(_) = callee {
                self.err(DiagCode::NotAFunction, at, &[]);
                return self.give_up(&args, span);
            }
            let value = self.expr(callee, None);
            return self.call_value(value, &args, CallAt::new(span, at));
        };
        let plain = plain(&path.path);
        if let Some(size) = self.size_of(path, &args, span) {
            return size;
        }
        let of_param = plain
            .segs
            .first()
            .is_some_and(|first| self.is_type_name(first));
        if path.qself.is_none()
            && !of_param
            && self.cx.krate.is_foreign(self.site.env.module, &plain)
        {
            return self.extern_call(&plain.segs.join("::"), &args, span, at);
        }
        match self.value(path) {
            Val::Error => self.give_up(&args, span),
            Val::Assoc(head, name) => {
                let name = (name.as_str(), turbofish(&path.path));
                let head = (head, self.around_head(path));
                self.call_assoc(head, name, &args, expect, CallAt::new(span, at))
            }
            Val::Def(Def::Fn(id)) => {
                let callee = Callee {
                    turbofish: turbofish(&path.path),
                    ..Callee::plain(id)
                };
                self.call_inst(callee, None, &args, expect, CallAt::new(span, at))
            }
            Val::Make(ty, variant) => self.construct((ty, variant), &args, expect, span),
            Val::Def(Def::Builtin(Builtin::RecordExactClass)) => {
                self.record_exact_class(turbofish(&path.path), &args, CallAt::new(span, at))
            }
            Val::Def(Def::Builtin(builtin)) => match self.written_variant(builtin, &path.path) {
                Some(ty) => {
                    let made = self.call_builtin(builtin, &args, Some(&ty), CallAt::new(span, at));
                    self.coerce(made, &ty)
                }
                None => self.call_builtin(builtin, &args, expect, CallAt::new(span, at)),
            },
            Val::Def(Def::Extern(called)) => match std_trait(&called) {
                Some((key, name)) => {
                    let name = (name, turbofish(&path.path));
                    self.call_trait(key, name, &args, expect, CallAt::new(span, at))
                }
                None => self.extern_call(&called, &args, span, at),
            },
            Val::Def(Def::Struct(s)) => {
                let name = self.cx.krate.structs[s].name.clone();
                let what = format!("the tuple struct `{name}`");
                let help = "make it a `#[gc] struct` with named fields";
                self.err(DiagCode::UnsupportedWithHelp, at, &[&what, help]);
                self.give_up(&args, span)
            }
            Val::Def(Def::Variant(e, _)) => {
                let item = &self.cx.krate.enums[e];
                let what = format!("a value of the enum `{}`", item.name);
                let help = match &item.object {
                    Some(object) => format!("write `{object}::from(gc)`"),
                    None => "represent it as an integer, or as a `#[gc]` struct".to_owned(),
                };
                self.err(DiagCode::UnsupportedWithHelp, at, &[&what, &help]);
                self.give_up(&args, span)
            }
            Val::Local(local) if let Name::Closure(named) = self.locals[local].name_is.clone() => {
                self.call_closure(&named, &args, span)
            }
            value @ (Val::Local(_) | Val::Def(Def::Const(_) | Def::Static(_))) => {
                let value = self.val_expr(value, at);
                self.call_value(value, &args, CallAt::new(span, at))
            }
            Val::Number(..) | Val::Def(_) => {
                self.err(DiagCode::NotAFunction, at, &[]);
                self.give_up(&args, span)
            }
        }
    }

    /// The type of `Some::<T>`, `Ok::<T, E>` or `Err::<T, E>`, whose arguments may be behind the
    /// type's name instead.
    pub(super) fn written_variant(&mut self, builtin: Builtin, path: &syn::Path) -> Option<Ty> {
        let mut segments = path.segments.iter().rev().take(2);
        let segment = segments.find(|segment| !segment.arguments.is_none())?;
        let mut lower = |ty| self.cx.lower(ty, self.site.env, Some(&mut self.infer));
        match (
            builtin,
            crate::source::syntax::type_args(segment).as_slice(),
        ) {
            (Builtin::Some | Builtin::None, [inner]) => Some(lower(inner).option()),
            (Builtin::Ok | Builtin::Err, [ok, err]) => {
                Some(Ty::Result(Box::new(lower(ok)), Box::new(lower(err))))
            }
            _ => None,
        }
    }

    /// `size_of::<T>()` of a type whose size Rust guarantees.
    fn size_of(&mut self, path: &syn::ExprPath, args: &[&syn::Expr], span: Span) -> Option<Expr> {
        let segs = plain(&path.path);
        let names: Vec<&str> = segs.segs.iter().map(String::as_str).collect();
        let ([] | ["mem"] | ["std" | "core", "mem"], "size_of") =
            (&names[..names.len() - 1], *names.last()?)
        else {
            return None;
        };
        let found =
            self.cx
                .krate
                .resolve(self.site.env.module, segs.global, &segs.segs, Ns::Values);
        if !args.is_empty() || !matches!(found, None | Some((Def::Extern(_), _))) {
            return None;
        }
        let generics = turbofish(&path.path)?;
        let syn::GenericArgument::Type(ty) = generics.args.first()? else {
            return None;
        };
        let ty = self.cx.lower(ty, self.site.env, None);
        self.note_path(("core::mem", "size_of"));
        Some(match guaranteed_size(&ty) {
            Some(size) => Expr::new(Kind::Value(size), Ty::Int(IntTy::Usize), span),
            None if ty == Ty::Error => Expr::error(span),
            None => {
                let what = format!("the size of `{}`", self.cx.show(&ty));
                let help = "only rustc knows how it lays the type out: call `size_of` in a function marked `#[elidable]`";
                self.bad(DiagCode::UnsupportedWithHelp, span, &[&what, help])
            }
        })
    }

    /// Checks arguments although the call cannot be.
    pub(super) fn give_up(&mut self, args: &[&syn::Expr], span: Span) -> Expr {
        for arg in args {
            let named = self.named(arg);
            let is_closure = |local| matches!(self.locals[local].name_is, Name::Closure(_));
            if !matches!(arg, syn::Expr::Closure(_) | syn::Expr::Reference(_))
                && !named.is_some_and(is_closure)
            {
                self.place(arg, None);
            }
        }
        Expr::error(span)
    }

    pub(super) fn extern_call(
        &mut self,
        path: &str,
        args: &[&syn::Expr],
        span: Span,
        at: Span,
    ) -> Expr {
        if let Some(name) = path.strip_prefix("op::")
            && self.cx.is_scalars(self.site.env.module)
        {
            return self.data_op(name, args, span);
        }
        self.err(DiagCode::ExternCall, at, &[path]);
        // What would be passed is often as foreign as the callee; only its own calls are worth a
        // look.
        let known = self.cx.diags.list.len();
        self.give_up(args, span);
        self.cx.diags.list.truncate(known);
        Expr::error(span)
    }

    /// Complains if a call has the wrong number of arguments.
    pub(super) fn arity(&mut self, name: &str, wanted: usize, given: usize, span: Span) -> bool {
        if wanted == given {
            return true;
        }
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        let wants = format!("{wanted} argument{}", plural(wanted));
        let gets = format!("{given} {}", if given == 1 { "is" } else { "are" });
        self.err(DiagCode::ArgCount, span, &[name, &wants, &gets]);
        false
    }

    /// A `bool` that may be either.
    pub(super) fn anything(&mut self, span: Span) -> Expr {
        let something = Expr::new(Kind::Value(0), Ty::Int(IntTy::I64), span);
        Expr::op(Op::Ask(false), vec![something], Ty::Bool, span)
    }

    fn call_builtin(
        &mut self,
        builtin: Builtin,
        args: &[&syn::Expr],
        expect: Option<&Ty>,
        at: CallAt,
    ) -> Expr {
        match builtin {
            Builtin::Promote => self.note_path(("verdigris", "promote")),
            Builtin::Concrete => self.note_path(("verdigris", "concrete")),
            Builtin::IsConstant => self.note_path(("verdigris", "is_constant")),
            Builtin::IsVirtual => self.note_path(("verdigris", "is_virtual")),
            Builtin::WeAreJitted => self.note_path(("verdigris", "we_are_jitted")),
            Builtin::AtMost => self.note_path(("verdigris", "at_most")),
            _ => {}
        }
        match (builtin, args) {
            (Builtin::Some, [arg]) => {
                let expect = expect.map(|t| self.infer.shallow(t));
                let hint = match &expect {
                    Some(Ty::Option(inner)) => Some(&**inner),
                    _ => None,
                };
                let value = self.expr(arg, hint);
                match expect {
                    Some(Ty::Error) => Expr::error(at.call),
                    _ => self.some(value, at.call),
                }
            }
            (Builtin::Ok | Builtin::Err, [arg]) => {
                let variant = if builtin == Builtin::Ok { OK } else { ERR };
                let expect = expect.map(|t| self.infer.shallow(t));
                let hint = match &expect {
                    Some(Ty::Result(ok, err)) => Some(if variant == OK { &**ok } else { &**err }),
                    _ => None,
                };
                let value = self.expr(arg, hint);
                self.result(variant, value, at.call)
            }
            (Builtin::Promote | Builtin::Concrete, [arg]) => {
                let value = self.expr(arg, expect);
                let ty = self.infer.shallow(&value.ty);
                if matches!(ty, Ty::Foreign(_)) {
                    let help = "the address is another in every run: leave the hint out";
                    let what = "a reference as a constant";
                    return self.bad(DiagCode::UnsupportedWithHelp, at.call, &[what, help]);
                }
                let op = match builtin {
                    Builtin::Promote => Op::Promote,
                    _ => Op::Concrete,
                };
                Expr::op(op, vec![value], ty, at.call)
            }
            (Builtin::IsConstant | Builtin::IsVirtual, [arg]) => {
                let value = self.base(arg);
                let is_virtual = builtin == Builtin::IsVirtual;
                Expr::op(Op::Ask(is_virtual), vec![value], Ty::Bool, at.call)
            }
            // The promise is not checked, so it is not for users.
            (Builtin::AtMost, _) if !self.cx.krate.is_library(self.site.env.module) => {
                self.extern_call("verdigris::rt::at_most", args, at.call, at.callee)
            }
            (Builtin::AtMost, [word, most]) => {
                let usize = Ty::Int(IntTy::Usize);
                let args = [word, most].map(|arg| self.coerced(arg, &usize));
                let op = Op::Intrinsic(Intrinsic::Data(DataOp::UintAtMost));
                Expr::op(op, args.into(), usize, at.call)
            }
            (Builtin::WeAreJitted, []) if self.cx.native => self.anything(at.call),
            (Builtin::WeAreJitted, []) => Expr::new(Kind::Value(1), Ty::Bool, at.call),
            _ => {
                let (name, wanted) = match builtin {
                    Builtin::Some => ("Some", 1),
                    Builtin::Ok => ("Ok", 1),
                    Builtin::Err => ("Err", 1),
                    Builtin::Promote => ("promote", 1),
                    Builtin::Concrete => ("concrete", 1),
                    Builtin::AtMost => ("at_most", 2),
                    Builtin::WeAreJitted => ("we_are_jitted", 0),
                    Builtin::IsConstant => ("is_constant", 1),
                    Builtin::IsVirtual => ("is_virtual", 1),
                    _ => {
                        self.err(DiagCode::NotAFunction, at.callee, &[]);
                        return self.give_up(args, at.call);
                    }
                };
                self.arity(name, wanted, args.len(), at.call);
                self.give_up(args, at.call)
            }
        }
    }

    /// `T::name(args)`
    fn call_assoc(
        &mut self,
        (head, around): (Head, Around),
        (name, turbofish): (&str, Turbofish<'_>),
        args: &Args<'_>,
        expect: Option<&Ty>,
        at: CallAt,
    ) -> Expr {
        match &head {
            Head::Gc => self.note_path(("Gc", name)),
            Head::GcArray => self.note_path(("GcArray", name)),
            Head::Ty(ty @ Ty::Array(_)) => self.note_member(ty, name),
            _ => {}
        }
        match (head, name) {
            (Head::Gc, "new") => self.gc_new(args, expect, at.call),
            (Head::Gc | Head::GcArray | Head::Ty(Ty::Array(_)), "ptr_eq") => {
                self.ptr_eq(args, at.call)
            }
            (Head::Key(TypeKey::Object(e), _), "from" | "ptr_eq" | "kind")
                if !self.has_assoc(TypeKey::Object(e), name) =>
            {
                self.call_object(e, name, args, at.call, at.callee)
            }
            (Head::Key(key, type_args), name) => {
                let name = (name, turbofish);
                self.call_member((key, type_args, around), name, args, expect, at)
            }
            (Head::GcArray, "new") => self.array_new(None, args, expect, at.call),
            (Head::Ty(ty @ Ty::Array(_)), "new") => self.array_new(Some(ty), args, expect, at.call),
            (Head::GcArray, "vacant") => self.vacant(None, args, expect, at.call),
            (Head::Ty(ty @ (Ty::Array(_) | Ty::Var(_))), "vacant") => {
                self.vacant(Some(ty), args, expect, at.call)
            }
            (Head::Ty(ty @ Ty::Var(_)), "new")
                if matches!(
                    self.infer.parts(&ty),
                    Some((crate::types::ty::Head::Array(..), _))
                ) =>
            {
                self.array_new(Some(ty), args, expect, at.call)
            }
            (Head::GcArray | Head::Ty(Ty::Array(_)), "from_slice") => {
                let what = "`GcArray::from_slice`";
                let help =
                    "use `GcArray::new(len, fill)`, or call it in a function marked `#[opaque]`";
                self.bad(DiagCode::UnsupportedWithHelp, at.call, &[what, help])
            }
            (Head::Gc | Head::GcArray | Head::Ty(Ty::Array(_)), "try_new") => {
                let what = "`try_new` in traced code, which learns of the heap limit at.callee its guards alone";
                let help = "use `new`, whose panic `protect` catches, or call it in a function marked `#[opaque]`";
                self.bad(DiagCode::UnsupportedWithHelp, at.call, &[what, help])
            }
            (Head::Cell, "new") => {
                let help = "a `Cell` is a field of a `#[gc]` struct or an item of a `GcArray`; a local is a `let mut`";
                self.bad(
                    DiagCode::UnsupportedWithHelp,
                    at.call,
                    &["a `Cell` outside of a field", help],
                )
            }
            (Head::Prim(prim), name) => match prim_ty(prim) {
                Some(ty)
                    if self.is_of_trait(&ty, name, at.callee) && !self.is_own_member(&ty, name) =>
                {
                    let head = (ty, None, Vec::new(), around);
                    self.call_bound(head, (name, turbofish), args, expect, at)
                }
                Some(ty) => self.call_prim(&ty, name, args, at.call, at.callee),
                None => self.bad(DiagCode::BadType, at.callee, &[prim]),
            },
            (Head::Bound(ty), _) => {
                let head = (ty, None, Vec::new(), around);
                self.call_bound(head, (name, turbofish), args, expect, at)
            }
            (Head::As(ty, key, trait_args), _) => {
                let head = (ty, Some(key), trait_args, around);
                self.call_bound(head, (name, turbofish), args, expect, at)
            }
            (Head::Trait(key), _) => self.call_trait(key, (name, turbofish), args, expect, at),
            (Head::Extern(path), name) => {
                self.extern_call(&format!("{path}::{name}"), args, at.call, at.callee)
            }
            (Head::Ty(ty), _)
                if prim_name(&ty).is_some()
                    && (!self.is_of_trait(&ty, name, at.callee)
                        || self.is_own_member(&ty, name)) =>
            {
                self.call_prim(&ty, name, args, at.call, at.callee)
            }
            (Head::Ty(ty), _) => {
                let head = (ty, None, Vec::new(), around);
                self.call_bound(head, (name, turbofish), args, expect, at)
            }
            (Head::Gc | Head::GcArray | Head::Cell | Head::Option, name) => {
                let text = self.cx.text(at.callee);
                let ty = text.rsplit_once("::").map_or("_", |t| t.0).to_owned();
                self.no_method(name, &ty, None, at.callee);
                self.give_up(args, at.call)
            }
        }
    }

    fn call_object(
        &mut self,
        e: EnumId,
        name: &str,
        args: &Args<'_>,
        span: Span,
        at: Span,
    ) -> Expr {
        match (name, args.as_slice()) {
            ("from", [arg]) => {
                let value = self.expr(arg, None);
                let object = self.cx.object(e);
                self.note_member(&Ty::Object(object), name);
                self.object_of(value, object, span)
            }
            ("ptr_eq", _) => {
                let object = self.cx.object(e);
                self.note_member(&Ty::Object(object), name);
                self.ptr_eq(args, span)
            }
            ("kind", [arg]) => {
                let object = self.cx.object(e);
                self.note_member(&Ty::Object(object), name);
                let value = self.coerced(strip_ref(arg), &Ty::Object(object));
                Expr::op(Op::Kind, vec![value], Ty::Kind(object), span)
            }
            _ => {
                let key = (TypeKey::Object(e), Vec::new(), Around::default());
                self.call_member(key, (name, None), args, None, CallAt::new(span, at))
            }
        }
    }

    /// `Class::function(args)`
    fn call_member(
        &mut self,
        (key, type_args, around): (TypeKey, Vec<Ty>, Around),
        (name, turbofish): (&str, Turbofish<'_>),
        args: &Args<'_>,
        expect: Option<&Ty>,
        at: CallAt,
    ) -> Expr {
        match self.find_assoc(key, &type_args, name, at.callee) {
            Some((Assoc::Fn(item), subst)) => {
                let callee = Callee {
                    item,
                    subst,
                    by: None,
                    turbofish,
                };
                self.call_inst(callee, None, args, expect, at)
            }
            Some((Assoc::Const(_), _)) => {
                self.err(DiagCode::NotAFunction, at.callee, &[]);
                self.give_up(args, at.call)
            }
            None if !self.cx.krate.member_traits(name).is_empty() || name == "default" => {
                let infer = Some(&mut self.infer);
                let ty = self.cx.instance_with(
                    key_head(&self.cx.krate, key),
                    type_args,
                    infer,
                    at.callee,
                );
                let head = (ty, None, Vec::new(), around);
                self.call_bound(head, (name, turbofish), args, expect, at)
            }
            None => {
                let path = self.cx.krate.key_path(key);
                let short = path.rsplit("::").next().unwrap_or("_").to_owned();
                self.no_method(name, &short, Some(key), at.callee);
                self.give_up(args, at.call)
            }
        }
    }

    /// `Gc::ptr_eq(a, b)`
    fn ptr_eq(&mut self, args: &[&syn::Expr], span: Span) -> Expr {
        let [left, right] = args else {
            self.arity("ptr_eq", 2, args.len(), span);
            return self.give_up(args, span);
        };
        let left = self.expr(strip_ref(left), None);
        let hint = left.ty.clone();
        let right = self.expr(strip_ref(right), Some(&hint));
        for side in [&left, &right] {
            let ty = self.infer.shallow(&side.ty);
            if !ty.is_ref() && !matches!(ty, Ty::Error | Ty::Never | Ty::Var(_)) {
                self.mismatch(&ty, "Gc<_>", side.span);
                return Expr::new(Kind::Error, Ty::Bool, span);
            }
        }
        let right = self.coerce(right, &hint);
        Expr::op(Op::Binary(BinOp::Eq), vec![left, right], Ty::Bool, span)
    }

    /// A `Gc` of one of its classes, or an object, as an object.
    pub(super) fn object_of(
        &mut self,
        value: Expr,
        object: crate::tast::ObjectId,
        span: Span,
    ) -> Expr {
        let to = Ty::Object(object);
        match self.infer.shallow(&value.ty) {
            Ty::Gc(class)
                if self.cx.interned.objects[object]
                    .variants
                    .iter()
                    .any(|v| v.1 == class) =>
            {
                Expr::op(Op::Coerce, vec![value], to, span)
            }
            ty if ty == to => value,
            Ty::Error | Ty::Never => Expr::new(Kind::Error, to, span),
            ty => {
                let shown = self.show(&ty);
                let name = self.cx.interned.objects[object].name.clone();
                let d = Diagnostic::new(DiagCode::Mismatch, value.span, &[&name, &shown]);
                self.cx.report(d.help(format!(
                    "add a variant for `{shown}` to the `#[object({name})]` enum"
                )));
                Expr::new(Kind::Error, to, span)
            }
        }
    }
}

/// A trait of the standard library whose methods mean what operators and conversions do, and the
/// method.
fn std_trait(path: &str) -> Option<(TraitKey, &str)> {
    const TRAITS: &[&str] = &[
        "Add",
        "BitAnd",
        "BitOr",
        "BitXor",
        "Clone",
        "Default",
        "Div",
        "From",
        "Into",
        "Mul",
        "Neg",
        "Not",
        "Ord",
        "PartialEq",
        "PartialOrd",
        "Rem",
        "Shl",
        "Shr",
        "Sub",
    ];
    let (path, name) = path.rsplit_once("::")?;
    let segs: Vec<&str> = path.split("::").collect();
    let standard = segs.len() == 1 || matches!(segs[0], "std" | "core");
    let of_trait = segs.last().filter(|t| standard && TRAITS.contains(t))?;
    Some((TraitKey::Std((*of_trait).to_owned()), name))
}

/// The arguments that are there in this configuration.
pub(super) fn args_of(args: &syn::punctuated::Punctuated<syn::Expr, syn::Token![,]>) -> Args<'_> {
    args.iter()
        .filter(|a| crate::source::cfg::keeps(a))
        .collect()
}

/// The size of a type, if it does not depend on how rustc lays types out.
fn guaranteed_size(ty: &Ty) -> Option<i64> {
    Some(match ty {
        Ty::Unit => 0,
        Ty::Bool => 1,
        Ty::Char => 4,
        Ty::Int(int) => i64::from(int.bits() / 8),
        Ty::F64 | Ty::Gc(_) | Ty::Array(_) | Ty::Object(_) => 8,
        // A reference is never null.
        Ty::Option(inner) if inner.is_ref() => 8,
        Ty::Fixed(item, len) => guaranteed_size(item)?.checked_mul(i64::from(*len))?,
        _ => return None,
    })
}
