//! What the source says of the references around a value.
//!
//! In: expressions and types as they are written. Out: how many references there are around a value
//! in Rust, which the translator's types do not say. Invariant: what is said is what rustc would
//! infer; where the source does not say it, nothing is.

use crate::check::call::inherent_methods as own;
use crate::check::fcx::FnCx;
use crate::check::terms::Place;
use crate::cx::sources::RefKind::{Shared, Unique};
use crate::cx::sources::{SourceType, refs_of};
use crate::items::*;
use crate::source::syntax::{name_of, plain};
use crate::types::ty::{Head, Ty};

/// What says whether a name is a type parameter.
type Names<'n> = &'n dyn Fn(&str) -> bool;

impl FnCx<'_> {
    /// What the type of a receiver may be in Rust if the source does not say it.
    pub(in crate::check) fn possible_source_types(
        &self,
        ty: &Ty,
        place: &Option<Place>,
    ) -> Vec<SourceType> {
        let value = SourceType::value();
        let mut forms = vec![
            value.clone(),
            value.clone().behind(Shared),
            value.clone().behind(Shared).behind(Shared),
        ];
        if place
            .as_ref()
            .is_some_and(|place| self.is_lent(place.local))
        {
            forms.push(value.behind(Unique));
        }
        if let Some(Head::Gc) = self.infer_head(ty) {
            let class = true;
            let object = SourceType {
                class,
                ..SourceType::value()
            }
            .behind(Shared);
            forms.extend([object.clone(), object.behind(Shared)]);
        }
        forms
    }

    /// The type of an expression in Rust, if the source says it.
    pub(in crate::check) fn source_type(&self, expr: &syn::Expr) -> Option<SourceType> {
        match expr {
            syn::Expr::Paren(e) => self.source_type(&e.expr),
            syn::Expr::Group(e) => self.source_type(&e.expr),
            syn::Expr::Block(e) if e.label.is_none() => self.source_type_of_block(&e.block),
            syn::Expr::If(e) => {
                let (_, other) = e.else_branch.as_ref()?;
                let form = self.source_type_of_block(&e.then_branch)?;
                (!declares(&e.cond) && self.source_type(other)? == form).then_some(form)
            }
            syn::Expr::Reference(e) => {
                let kind = if e.mutability.is_some() {
                    Unique
                } else {
                    Shared
                };
                Some(self.source_type(&e.expr)?.behind(kind))
            }
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(_) | syn::Lit::ByteStr(_),
                ..
            }) => Some(SourceType::value().behind(Shared)),
            syn::Expr::Lit(_) => Some(SourceType::value()),
            syn::Expr::Cast(e) => self.source_type_of_type(&e.ty),
            syn::Expr::Struct(e) if e.qself.is_none() => self.source_type_of_struct(e),
            syn::Expr::Binary(e) => self.source_type_of_binary(e),
            syn::Expr::Unary(e) => self.source_type_of_unary(e),
            syn::Expr::Path(e) if e.qself.is_none() => self.source_type_of_path(e),
            syn::Expr::Field(e) => self.source_type_of_field(e),
            syn::Expr::Call(e) => self.source_type_of_call(e),
            syn::Expr::MethodCall(e) => self.source_type_of_method_call(e),
            _ => None,
        }
    }

    fn source_type_of_struct(&self, e: &syn::ExprStruct) -> Option<SourceType> {
        let krate = &self.cx.krate;
        let (ty, module) = (&e.path, self.site.env.module);
        let form = self.source_type_of_type(&syn::parse_quote!(#ty));
        let path = plain(ty);
        let of_variant = || match krate.resolve(module, path.global, &path.segs, Ns::Types) {
            Some((Def::Variant(id, _), _)) => Some(SourceType::of(TypeKey::Enum(id))),
            _ => None,
        };
        form.or_else(of_variant)
    }

    fn source_type_of_binary(&self, e: &syn::ExprBinary) -> Option<SourceType> {
        match e.op {
            syn::BinOp::And(_) | syn::BinOp::Or(_) => Some(SourceType::value()),
            syn::BinOp::Eq(_)
            | syn::BinOp::Ne(_)
            | syn::BinOp::Lt(_)
            | syn::BinOp::Le(_)
            | syn::BinOp::Gt(_)
            | syn::BinOp::Ge(_) => Some(SourceType::value()),
            op => {
                let sides = [self.source_type(&e.left)?, self.source_type(&e.right)?];
                let (op, _) = crate::check::binary::bin_op(&op)?;
                self.source_type_of_operator(&sides, crate::check::binary::binary_method(op).1)
            }
        }
    }

    fn source_type_of_unary(&self, e: &syn::ExprUnary) -> Option<SourceType> {
        if matches!(e.op, syn::UnOp::Deref(_)) {
            let mut form = self.source_type(&e.expr)?;
            let inside = form.refs.len() > usize::from(form.class);
            inside.then(|| form.refs.remove(0))?;
            return Some(form);
        }
        let side = self.source_type(&e.expr)?;
        let method = match e.op {
            syn::UnOp::Neg(_) => "neg",
            syn::UnOp::Not(_) => "not",
            _ => return None,
        };
        self.source_type_of_operator(&[side], method)
    }

    fn source_type_of_path(&self, e: &syn::ExprPath) -> Option<SourceType> {
        let krate = &self.cx.krate;
        let name = e.path.get_ident().map(name_of);
        if let Some(local) = name.and_then(|name| self.lookup(&name)) {
            return self.locals[local].form.clone();
        }
        let (module, path) = (self.site.env.module, plain(&e.path));
        match krate.resolve(module, path.global, &path.segs, Ns::Values)? {
            (Def::Const(id) | Def::Static(id), used) if used == path.segs.len() => {
                let item = &krate.consts[id];
                krate.source_type_of(item.module, &item.ty, (item.owner, &|_| false))
            }
            (Def::Variant(id, _), _) => Some(SourceType::of(TypeKey::Enum(id))),
            _ => None,
        }
    }

    fn source_type_of_field(&self, e: &syn::ExprField) -> Option<SourceType> {
        let krate = &self.cx.krate;
        let TypeKey::Struct(id) = self.source_type(&e.base)?.key? else {
            return None;
        };
        let item = &krate.structs[id];
        let named = |(n, f): (usize, &syn::Field)| match (&e.member, &f.ident) {
            (syn::Member::Named(name), Some(ident)) => name == ident,
            (syn::Member::Unnamed(index), None) => index.index as usize == n,
            _ => false,
        };
        let fields = item
            .fields
            .iter()
            .filter(|f| crate::source::cfg::enabled(&f.attrs));
        let field = fields.enumerate().find(|f| named((f.0, f.1)))?.1;
        let generics = krate.key_generics(TypeKey::Struct(id));
        krate.source_type_of(item.module, &field.ty, (None, &|name| generics.names(name)))
    }

    fn source_type_of_call(&self, e: &syn::ExprCall) -> Option<SourceType> {
        let krate = &self.cx.krate;
        let syn::Expr::Path(path) = &*e.func else {
            return None;
        };
        let segs = plain(&path.path);
        let name = segs.segs.last()?;
        if segs.segs.len() == 1 && self.lookup(name).is_some() {
            return None;
        }
        match krate.resolve(self.site.env.module, segs.global, &segs.segs, Ns::Values) {
            Some((Def::Fn(id), used)) if used == segs.segs.len() => self.source_type_of_result(id),
            Some((Def::Variant(id, _), used)) if used == segs.segs.len() => {
                Some(SourceType::of(TypeKey::Enum(id)))
            }
            Some((Def::Struct(id), used)) if used == segs.segs.len() => {
                Some(SourceType::of(TypeKey::Struct(id)))
            }
            // It gives what it is given.
            Some((Def::Builtin(Builtin::Promote), _)) => self.source_type(e.args.first()?),
            Some((Def::Builtin(Builtin::Gc | Builtin::GcArray), _)) if name == "new" => {
                Some(SourceType::value())
            }
            _ => match krate.resolve(self.site.env.module, false, &segs.segs, Ns::Types) {
                Some((Def::Struct(id), used)) if used == segs.segs.len() => {
                    Some(SourceType::of(TypeKey::Struct(id)))
                }
                _ => self.source_type_of_named(name),
            },
        }
    }

    fn source_type_of_method_call(&self, e: &syn::ExprMethodCall) -> Option<SourceType> {
        let name = name_of(&e.method);
        match self.source_type_of_std(&name, &e.receiver) {
            Some(std) => {
                let forms = self.source_types_of_members(&name, &[std.key]);
                let all = forms.iter().all(|form| form.as_ref() == Some(&std));
                all.then_some(std)
            }
            None => self.source_type_of_named(&name),
        }
    }

    /// What a block gives that declares nothing, so that names mean in it what they mean around it.
    fn source_type_of_block(&self, block: &syn::Block) -> Option<SourceType> {
        let (last, before) = block.stmts.split_last()?;
        let is_plain = |stmt: &syn::Stmt| matches!(stmt, syn::Stmt::Expr(..));
        match last {
            syn::Stmt::Expr(value, None) if before.iter().all(is_plain) => self.source_type(value),
            _ => None,
        }
    }

    /// What an operator gives: of numbers a number; of types of the crate what its functions with
    /// the name of the operator's method give, if that is the same.
    fn source_type_of_operator(&self, sides: &[SourceType], method: &str) -> Option<SourceType> {
        if sides.iter().all(|side| *side == SourceType::value()) {
            return Some(SourceType::value());
        }
        match sides
            .iter()
            .all(|side| side.key.is_some() || *side == SourceType::value())
        {
            true => {
                let keys: Vec<Option<TypeKey>> = sides.iter().map(|side| side.key).collect();
                let forms = self.source_types_of_members(method, &keys);
                let first = forms.first()?.clone()?;
                let same = forms.iter().all(|form| form.as_ref() == Some(&first));
                same.then_some(first)
            }
            false => None,
        }
    }

    /// What the methods of the crate with this name give that types of these kinds, or references
    /// to them, may have; none is the kind of numbers.
    fn source_types_of_members(
        &self,
        name: &str,
        keys: &[Option<TypeKey>],
    ) -> Vec<Option<SourceType>> {
        let krate = &self.cx.krate;
        let fits = |id: &FnItemId| match (krate.fns[*id].owner, krate.fns[*id].of_trait) {
            (Some(owner), _) => {
                let block = &krate.impls[owner];
                let (_, inner) = refs_of(&block.ty);
                let is_param = matches!(inner, syn::Type::Path(p)
                    if p.path.get_ident().is_some_and(|i| block.generics.names(&name_of(i))));
                is_param || keys.contains(&krate.type_key(block.module, inner))
            }
            // One that the trait provides.
            (None, Some(of_trait)) => matches!(
                krate.traits[of_trait].members.get(name),
                Some(TraitMember::Fn(provided, true)) if provided == id
            ),
            (None, None) => false,
        };
        // Our texts have what the standard library has.
        let written = |id: &FnItemId| !krate.is_text(krate.fns[*id].module);
        let named = krate.fns_named(name).into_iter();
        let named = named.filter(|id| written(id) && fits(id));
        named.map(|id| self.source_type_of_result(id)).collect()
    }

    /// What a method gives if it is the standard library's, and what it is called on is known to be
    /// no reference: a method that only scalars have, or one of a trait that gives a value of the
    /// same type.
    fn source_type_of_std(&self, name: &str, receiver: &syn::Expr) -> Option<SourceType> {
        let of_trait = matches!(name, "clamp" | "clone" | "max" | "min");
        if !of_trait && !own::is_scalars(name) {
            return None;
        }
        let form = self.source_type(receiver)?;
        let is_value = form.refs.is_empty() && !form.class;
        (is_value && (of_trait || form == SourceType::value())).then_some(form)
    }

    /// What the functions of the crate with this name give, if that is the same; they are methods,
    /// so that no other crate's is meant unless the standard library has one by that name.
    fn source_type_of_named(&self, name: &str) -> Option<SourceType> {
        if own::is_anywhere(name) || own::PROVIDED.iter().any(|p| p.0 == name) {
            return None;
        }
        let count = self.cx.krate.count_named(name);
        if let Some(known) = self.cx.source_types.borrow().get(name, count) {
            return known;
        }
        let named = self.cx.krate.fns_named(name).into_iter();
        let mut forms = named.map(|id| self.source_type_of_result(id));
        let form = forms.next().flatten();
        let form = form.filter(|first| forms.all(|form| form.as_ref() == Some(first)));
        self.cx
            .source_types
            .borrow_mut()
            .insert(name, count, form.clone());
        form
    }

    fn source_type_of_result(&self, id: FnItemId) -> Option<SourceType> {
        let krate = &self.cx.krate;
        let item = &krate.fns[id];
        let of_block = |name: &str| {
            item.owner
                .is_some_and(|o| krate.impls[o].generics.names(name))
        };
        let names = |name: &str| item.generics.names(name) || of_block(name);
        match &item.sig.output {
            syn::ReturnType::Type(_, ty) => {
                krate.source_type_of(item.module, ty, (item.owner, &names))
            }
            syn::ReturnType::Default => Some(SourceType::value()),
        }
    }

    /// What the source says of a type that is written here.
    pub(in crate::check) fn source_type_of_type(&self, ty: &syn::Type) -> Option<SourceType> {
        let (refs, inner) = refs_of(ty);
        if let syn::Type::Path(path) = inner
            && let (None, Some(name)) = (&path.qself, path.path.get_ident())
            && let Some(around) = self.around_param(&name_of(name))
        {
            let refs = refs.into_iter().chain(around).collect();
            return Some(SourceType {
                refs,
                of_param: true,
                ..SourceType::value()
            });
        }
        let subst = self.cx.interned.substs.get(self.site.env.subst);
        let names = |name: &str| subst.get(name).is_some();
        self.cx
            .krate
            .source_type_of(self.site.env.module, ty, (self.site.env.owner, &names))
    }

    /// The forms of the names that a `let` declares, before it declares them: those in its value
    /// mean others.
    pub(in crate::check) fn let_forms(
        &self,
        pat: &syn::Pat,
        value: &syn::Expr,
    ) -> Vec<(String, SourceType)> {
        let mut list = Vec::new();
        self.collect_forms(pat, value, &mut list);
        list
    }

    fn collect_forms(
        &self,
        pat: &syn::Pat,
        value: &syn::Expr,
        list: &mut Vec<(String, SourceType)>,
    ) {
        match (pat, value) {
            (syn::Pat::Paren(p), _) => self.collect_forms(&p.pat, value, list),
            (pat, syn::Expr::Paren(e)) => self.collect_forms(pat, &e.expr, list),
            (syn::Pat::Type(p), _) => {
                if let syn::Pat::Ident(ident) = &*p.pat
                    && let Some(form) = self.source_type_of_type(&p.ty)
                {
                    list.push((name_of(&ident.ident), form));
                }
            }
            (syn::Pat::Ident(p), _) if p.by_ref.is_none() => {
                if let Some(form) = self.source_type(value) {
                    list.push((name_of(&p.ident), form));
                }
            }
            (syn::Pat::Tuple(p), syn::Expr::Tuple(e)) if p.elems.len() == e.elems.len() => {
                let rest = |pat: &syn::Pat| matches!(pat, syn::Pat::Rest(_));
                if !p.elems.iter().any(rest) {
                    for (pat, value) in p.elems.iter().zip(&e.elems) {
                        self.collect_forms(pat, value, list);
                    }
                }
            }
            _ => {}
        }
    }

    /// Makes the names mean this.
    pub(in crate::check) fn set_forms(&mut self, forms: Vec<(String, SourceType)>) {
        for (name, form) in forms {
            if let Some(local) = self.lookup(&name) {
                self.locals[local].form = Some(form);
            }
        }
    }
}

/// Whether a condition declares names.
fn declares(condition: &syn::Expr) -> bool {
    match condition {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(e) => declares(&e.left) || declares(&e.right),
        syn::Expr::Paren(e) => declares(&e.expr),
        syn::Expr::Group(e) => declares(&e.expr),
        _ => false,
    }
}

impl Crate {
    /// What a type is that is written as one of the crate or a scalar, maybe behind references.
    /// `Self` is what the block is for; what is one of the `names` is a parameter.
    fn source_type_of(
        &self,
        module: ModId,
        ty: &syn::Type,
        (owner, names): (Option<ImplId>, Names<'_>),
    ) -> Option<SourceType> {
        let (refs, inner) = refs_of(ty);
        let around = |mut form: SourceType| {
            form.refs.splice(0..0, refs.iter().copied());
            form
        };
        let syn::Type::Path(p) = inner else {
            return None;
        };
        if p.qself.is_some() {
            return None;
        }
        let path = plain(&p.path);
        let by_name = |ty: &syn::Type, module| self.source_type_of(module, ty, (None, names));
        if path.segs.len() == 1 && names(&path.segs[0]) {
            return None;
        }
        // A class by itself is no value.
        let of_class = |key| {
            let form = SourceType {
                class: true,
                ..SourceType::of(key)
            };
            (!refs.is_empty()).then(|| around(form))
        };
        if p.path.is_ident("Self") {
            let block = &self.impls[owner?];
            return match self.type_key(block.module, &block.ty) {
                Some(key @ TypeKey::Struct(s)) if self.structs[s].gc => of_class(key),
                _ => Some(around(by_name(&block.ty, block.module)?)),
            };
        }
        let (def, used) = self.resolve(module, path.global, &path.segs, Ns::Types)?;
        if used != path.segs.len() {
            return None;
        }
        match def {
            Def::Struct(id) if self.structs[id].gc => of_class(TypeKey::Struct(id)),
            Def::Struct(id) => Some(around(SourceType::of(TypeKey::Struct(id)))),
            Def::Enum(id) => Some(around(SourceType::of(TypeKey::Enum(id)))),
            Def::Object(id) => Some(around(SourceType::of(TypeKey::Object(id)))),
            Def::Builtin(Builtin::Gc) => {
                let args = crate::source::syntax::type_args(p.path.segments.last()?);
                let key = args.first().and_then(|ty| self.type_key(module, ty));
                Some(around(SourceType {
                    key,
                    ..SourceType::value()
                }))
            }
            Def::Prim(_) | Def::Builtin(Builtin::GcArray | Builtin::Option | Builtin::Result) => {
                Some(around(SourceType::value()))
            }
            Def::Alias(id) => {
                let alias = &self.aliases[id];
                Some(around(by_name(&alias.ty, alias.module)?))
            }
            _ => None,
        }
    }
}
