//! Members of traits: methods, associated functions and constants.
//!
//! In: a type, or a type parameter's type, and a member's name. Out: the call of the
//! implementation's function, or of the one that the trait provides. Invariant: what is called is
//! what rustc calls. Generic code is checked with the types that its parameters stand for, so where
//! these have members of their own by the same name, it matters whether the source has the
//! parameter or the type; where that cannot be told, the call is refused.

use crate::check::call::ref_impls::Around;
use crate::check::fcx::FnCx;
use crate::check::hir::Expr;
use crate::check::terms::{Args, CallAt, Callee, Found, Member, Pick, Place, Turbofish};
use crate::cx::sources::{Env, RefKind};
use crate::items::*;
use crate::source::diag::{DiagCode, Diagnostic};
use crate::source::syntax::name_of;
use crate::tast::Span;
use crate::types::generics::SubstId;
use crate::types::substs::Subst;
use crate::types::ty::{Head, Ty};

/// Methods of `core::cmp` that scalars have as operations.
const SCALAR_OPERATIONS: &[&str] = &["clamp", "eq", "ge", "gt", "le", "lt", "max", "min", "ne"];

impl FnCx<'_> {
    /// The member of a trait for a type, given the trait's arguments as far as they are known.
    pub(in crate::check) fn member_of(
        &mut self,
        key: &TraitKey,
        (ty, args): (&Ty, &[Ty]),
        around: &Around,
        name: &str,
        at: Span,
    ) -> Found {
        let impls = self.cx.fitting(key, (ty, args), &mut self.infer, at);
        match self.with_references(impls, ty, around).as_slice() {
            [] => Found::None,
            [id] => match self.member_by(key, *id, (ty, args), name, at) {
                Some(member) => Found::One(member),
                None => Found::None,
            },
            _ => Found::Several(vec![self.trait_name(key)]),
        }
    }

    /// The member of a trait in an implementation that fits a type.
    pub(in crate::check) fn member_by(
        &mut self,
        key: &TraitKey,
        id: ImplId,
        of: (&Ty, &[Ty]),
        name: &str,
        at: Span,
    ) -> Option<Member> {
        let subst = self.cx.take(id, of, &mut self.infer, at)?;
        self.member_in(key, (id, subst), name)
    }

    /// The member of a trait in an implementation: its own, or the one that the trait provides.
    fn member_in(
        &mut self,
        key: &TraitKey,
        (id, subst): (ImplId, SubstId),
        name: &str,
    ) -> Option<Member> {
        let members = &self.cx.krate.impls[id].members;
        if let Some((_, assoc)) = members.iter().find(|m| m.0 == name) {
            return Some(Member {
                assoc: *assoc,
                subst,
                by: Some(id),
            });
        }
        let of_trait = match key {
            TraitKey::User(id) => *id,
            TraitKey::Std(name) => self.cx.krate.std_trait(name)?,
        };
        let item = self.cx.krate.traits[of_trait].clone();
        let assoc = match item.members.get(name) {
            Some(TraitMember::Fn(id, true)) => Assoc::Fn(*id),
            Some(TraitMember::Const(Some(id))) => Assoc::Const(*id),
            _ => return None,
        };
        let given = self.cx.impl_trait_args(id, subst, &mut self.infer);
        let mut given = given.into_iter();
        let this = self.cx.interned.substs.get(subst).this.clone();
        let class = |ty: &Ty| {
            let head = self.infer.parts(ty);
            matches!(ty, Ty::Class(_)) || matches!(head, Some((Head::Class(_), _)))
        };
        let mut around = Vec::new();
        if let (refs, false) = self.cx.krate.impl_refs(id)
            && self.cx.krate.is_for_references(key)
            && !this.as_ref().is_some_and(class)
        {
            around.push(("Self".to_owned(), refs));
        }
        let mut subst = Subst {
            args: Vec::new(),
            this,
            around,
        };
        for param in &item.generics.params {
            let arg = match (given.next(), &param.default) {
                (Some(arg), _) => arg,
                (None, Some(default)) => {
                    let env = Env::with(item.module, self.cx.interned.substs.intern(subst.clone()));
                    let infer = Some(&mut self.infer);
                    self.cx.generic_arg(default, (param, env), env, infer)
                }
                (None, None) => continue,
            };
            subst.args.push((param.name.clone(), arg));
        }
        let subst = self.cx.interned.substs.intern(subst);
        Some(Member {
            assoc,
            subst,
            by: Some(id),
        })
    }

    /// A member by its name, of whichever trait has it for this type.
    pub(in crate::check) fn any_member(
        &mut self,
        ty: &Ty,
        around: &Around,
        name: &str,
        at: Span,
    ) -> Found {
        let keys = self.cx.krate.member_traits(name);
        let mut found: Vec<(TraitKey, Member)> = Vec::new();
        let mut several = Vec::new();
        for key in keys {
            match self.member_of(&key, (ty, &[]), around, name, at) {
                Found::One(member) => found.push((key, member)),
                Found::Several(names) => several.extend(names),
                Found::None => {}
            }
        }
        if found.len() > 1 {
            let bounds = self.bound_traits();
            let module = self.site.env.module;
            let krate = &self.cx.krate;
            let seen = |key: &TraitKey| bounds.contains(key) || krate.sees_trait(module, key);
            if found.iter().any(|(key, _)| seen(key)) {
                found.retain(|(key, _)| seen(key));
            }
        }
        match found.as_slice() {
            [] if several.is_empty() => Found::None,
            [(_, member)] if several.is_empty() => Found::One(*member),
            _ => {
                several.extend(found.iter().map(|(key, _)| self.trait_name(key)));
                Found::Several(several)
            }
        }
    }

    /// Whether a trait of the crate has a member for a type, and the type itself has not.
    pub(in crate::check) fn is_of_trait(&mut self, ty: &Ty, name: &str, at: Span) -> bool {
        matches!(
            self.any_member(ty, &Around::default(), name, at),
            Found::One(_) | Found::Several(_)
        )
    }

    pub(in crate::check) fn trait_name(&self, key: &TraitKey) -> String {
        match key {
            TraitKey::User(id) => self.cx.krate.traits[*id].name.clone(),
            TraitKey::Std(name) => name.clone(),
        }
    }

    /// The traits that the parameters in scope are known to implement.
    pub(in crate::check) fn bound_traits(&self) -> Vec<TraitKey> {
        let krate = &self.cx.krate;
        let mut keys: Vec<TraitKey> = Vec::new();
        let add =
            |module, generics: &crate::types::generics::Generics, keys: &mut Vec<TraitKey>| {
                let paths = generics
                    .bounds
                    .iter()
                    .map(|b| crate::source::syntax::plain(&b.1));
                keys.extend(paths.filter_map(|path| krate.trait_key(module, &path)));
            };
        if let Some(func) = self.func {
            let item = &krate.fns[self.cx.queue.func_items[func].item];
            add(item.module, &item.generics, &mut keys);
            if let Some(owner) = item.owner {
                let block = &krate.impls[owner];
                add(block.module, &block.generics, &mut keys);
            }
            keys.extend(item.of_trait.map(|id| krate.key_of_trait(id)));
        }
        let mut at = 0;
        while let Some(key) = keys.get(at).cloned() {
            at += 1;
            let TraitKey::User(id) = key else { continue };
            let item = &krate.traits[id];
            for path in &item.supers {
                let path = crate::source::syntax::plain(path);
                let found = krate.trait_key(item.module, &path);
                keys.extend(found.filter(|key| !keys.contains(key)));
            }
        }
        keys
    }

    /// Whether the source gives an expression the type of a type parameter.
    pub(in crate::check) fn is_param(&self, expr: &syn::Expr) -> bool {
        match expr {
            syn::Expr::Paren(e) => self.is_param(&e.expr),
            syn::Expr::Reference(e) => self.is_param(&e.expr),
            syn::Expr::Unary(e) if matches!(e.op, syn::UnOp::Deref(_)) => self.is_param(&e.expr),
            syn::Expr::Path(p) => {
                let local = p.path.get_ident().and_then(|i| self.lookup(&name_of(i)));
                local.is_some_and(|local| self.locals[local].param)
            }
            _ => false,
        }
    }

    /// The references around what the parameter stands for that is the type of an expression, if
    /// they are known.
    pub(in crate::check) fn around_of_param(&self, expr: &syn::Expr) -> Option<&[RefKind]> {
        match expr {
            syn::Expr::Paren(e) => self.around_of_param(&e.expr),
            syn::Expr::Reference(e) => self.around_of_param(&e.expr),
            syn::Expr::Unary(e) => self.around_of_param(&e.expr),
            syn::Expr::Path(p) => {
                let local = self.lookup(&name_of(p.path.get_ident()?))?;
                self.locals[local].around.as_deref()
            }
            _ => None,
        }
    }

    /// A method call that means a trait's method; none if it means a method of the type itself.
    pub(in crate::check) fn trait_method(
        &mut self,
        (receiver, place): (Expr, &Option<Place>),
        source: &syn::Expr,
        (name, turbofish): (&str, Turbofish<'_>),
        args: &Args<'_>,
        expect: Option<&Ty>,
        at: CallAt,
    ) -> Result<Expr, Box<Expr>> {
        let receiver = Box::new(receiver);
        if self.cx.krate.member_traits(name).is_empty() {
            return Err(receiver);
        }
        let ty = self.infer.shallow(&receiver.ty);
        let member = match self.probe((&receiver, place), source, name, at.callee) {
            Pick::Own => return Err(receiver),
            Pick::Trait(member) => member,
            Pick::Ambiguous(of) => {
                self.ambiguous(name, &of, at.callee);
                return Ok(self.give_up(args, at.call));
            }
        };
        let Assoc::Fn(item) = member.assoc else {
            return Err(receiver);
        };
        // What the standard library's trait gives for scalars is an operation.
        let scalar = match ty {
            Ty::Int(_) | Ty::F64 | Ty::Char => true,
            Ty::Bool => name != "clamp",
            Ty::Var(_) => self.infer.parts(&ty).is_none(),
            _ => false,
        };
        let operation = scalar && SCALAR_OPERATIONS.contains(&name);
        if operation && Some(self.cx.krate.fns[item].module) == self.cx.krate.text("cmp") {
            return Err(receiver);
        }
        let callee = Callee {
            item,
            subst: member.subst,
            by: member.by,
            turbofish,
        };
        let receiver = Some((*receiver, place.clone()));
        Ok(self.call_inst(callee, receiver, args, expect, at))
    }

    fn ambiguous(&mut self, name: &str, of: &[String], at: Span) {
        let of = of.join(" and ");
        let d = Diagnostic::new(DiagCode::AmbiguousMember, at, &[name, &of]);
        self.cx.report(d);
    }

    /// `T::name(..)` and `<T as Trait>::name(..)` where a trait must have the member.
    pub(in crate::check) fn call_bound(
        &mut self,
        (ty, key, trait_args, around): (Ty, Option<TraitKey>, Vec<Ty>, Around),
        (name, turbofish): (&str, Turbofish<'_>),
        args: &Args<'_>,
        expect: Option<&Ty>,
        at: CallAt,
    ) -> Expr {
        let found = match &key {
            Some(key) => self.member_of(key, (&ty, &trait_args), &around, name, at.callee),
            None => self.any_member(&ty, &around, name, at.callee),
        };
        match (found, name, args.as_slice()) {
            (Found::One(member), ..) => {
                let Assoc::Fn(item) = member.assoc else {
                    self.err(DiagCode::NotAFunction, at.callee, &[]);
                    return self.give_up(args, at.call);
                };
                let callee = Callee {
                    item,
                    subst: member.subst,
                    by: member.by,
                    turbofish,
                };
                self.call_inst(callee, None, args, expect, at)
            }
            (_, "from", [arg]) => {
                let value = self.expr(arg, None);
                self.note_member(&ty, name);
                self.quietly(|fcx| fcx.convert(value, &ty, at))
            }
            (Found::Several(traits), ..) => {
                self.ambiguous(name, &traits, at.callee);
                self.give_up(args, at.call)
            }
            (Found::None, "default", []) => {
                self.note_member(&ty, name);
                match self.default_of(&ty, at.call) {
                    Some(value) => value,
                    None => self.no_member(&ty, name, args, at),
                }
            }
            (Found::None, _, [receiver, rest @ ..]) if !matches!(ty, Ty::Error) => {
                // A method of the standard library's traits, by its path.
                let (receiver, place) = self.receiver_of(receiver);
                let receiver = self.coerce(receiver, &ty);
                self.own_method(
                    (receiver, place),
                    (name, turbofish),
                    &rest.to_vec(),
                    expect,
                    at,
                )
            }
            (Found::None, ..) => self.no_member(&ty, name, args, at),
        }
    }

    pub(in crate::check) fn no_member(
        &mut self,
        ty: &Ty,
        name: &str,
        args: &[&syn::Expr],
        at: CallAt,
    ) -> Expr {
        let shown = self.show(ty);
        let key = self.key_of(ty).map(|k| k.0);
        self.no_method(name, &shown, key, at.callee);
        self.give_up(args, at.call)
    }

    /// `Trait::name(receiver, ..)`
    pub(in crate::check) fn call_trait(
        &mut self,
        key: TraitKey,
        (name, turbofish): (&str, Turbofish<'_>),
        args: &Args<'_>,
        expect: Option<&Ty>,
        at: CallAt,
    ) -> Expr {
        let has_self = match &key {
            TraitKey::User(id) => match self.cx.krate.traits[*id].members.get(name) {
                Some(TraitMember::Fn(id, _)) => self.cx.krate.fns[*id].sig.receiver().is_some(),
                _ => false,
            },
            TraitKey::Std(_) => !matches!(name, "default" | "from"),
        };
        let (receiver, rest) = match args.split_first() {
            Some((receiver, rest)) if has_self => (receiver, rest.to_vec()),
            _ => {
                return match expect.map(|ty| self.infer.deep(ty)) {
                    Some(ty) if !ty.has_holes() => {
                        let head = (ty, Some(key), Vec::new(), Around::default());
                        self.call_bound(head, (name, turbofish), args, expect, at)
                    }
                    _ => {
                        let d = Diagnostic::new(DiagCode::Annotate, at.callee, &["call"]);
                        let help = format!("write the type, as in `Type::{name}(..)`");
                        self.cx.report(d.help(help));
                        self.give_up(args, at.call)
                    }
                };
            }
        };
        let around = Around {
            this: self.around_receiver(&key, name, receiver),
            arg: None,
        };
        let (receiver, place) = self.receiver_of(receiver);
        let ty = self.infer.shallow(&receiver.ty);
        let mut found = self.member_of(&key, (&ty, &[]), &around, name, at.callee);
        if let (Found::None, Some((Head::Gc, class))) = (&found, self.infer.parts(&ty)) {
            found = self.member_of(&key, (&class[0].clone(), &[]), &around, name, at.callee);
        }
        match found {
            Found::One(Member {
                assoc: Assoc::Fn(item),
                subst,
                by,
            }) => {
                let callee = Callee {
                    item,
                    subst,
                    by,
                    turbofish,
                };
                self.call_inst(callee, Some((receiver, place)), &rest, expect, at)
            }
            Found::Several(traits) => {
                self.ambiguous(name, &traits, at.callee);
                self.give_up(&rest, at.call)
            }
            _ if matches!(key, TraitKey::Std(_)) => {
                let receiver = (receiver, place);
                self.own_method(receiver, (name, turbofish), &rest, expect, at)
            }
            _ => self.no_member(&ty, name, &rest, at),
        }
    }

    /// `T::CONST` where a trait must have it; none if no trait does.
    pub(in crate::check) fn trait_const(
        &mut self,
        (ty, around): (&Ty, &Around),
        key: Option<&TraitKey>,
        name: &str,
        span: Span,
    ) -> Option<Expr> {
        let found = match key {
            Some(key) => self.member_of(key, (ty, &[]), around, name, span),
            None => self.any_member(ty, around, name, span),
        };
        match found {
            Found::One(Member {
                assoc: Assoc::Const(id),
                subst,
                ..
            }) => Some(self.assoc_const(id, subst, span)),
            Found::Several(traits) => {
                self.ambiguous(name, &traits, span);
                Some(Expr::error(span))
            }
            _ => None,
        }
    }
}

impl Crate {
    /// The traits with a member of this name.
    pub fn member_traits(&self, name: &str) -> Vec<TraitKey> {
        let users = self.trait_members.get(name).into_iter().flatten();
        let users = users.map(|id| TraitKey::User(*id));
        let std = self.std_members.get(name).into_iter().flatten().cloned();
        users.chain(std).collect()
    }
}
