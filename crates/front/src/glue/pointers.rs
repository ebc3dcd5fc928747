//! Pointers to functions.
//!
//! In: the functions that traced code names as values, and the types of the pointers that it calls.
//! Out: a number for each function, and for each type that is called a function that calls the one
//! with a given number. Invariants: a pointer is the number of its function among those of its type
//! that are named as values, so a call is a choice between direct calls, and no address is in
//! traced code; native code has addresses instead, so no pointer gets from the one to the other
//! ([decision 11](../../../docs/book/src/decisions/0011-function-pointers-are-numbers.md)).

use crate::cx::Cx;
use crate::cx::sources::{Pointers, Table, Target};
use crate::items::FnItem;
use crate::tast::{
    Arm, Expr, ExprKind, Func, FuncId, IntTy, Local, LocalId, LocalPlace, Pat, Span, Type,
};
use crate::types::generics::Inst;
use crate::types::ty::{ByRef, Sig, Ty, final_type};
use cranelift_entity::PrimaryMap;
use std::rc::Rc;

impl Pointers {
    fn table(&mut self, sig: &Rc<Sig>) -> usize {
        let next = self.tables.len();
        let found = *self.by_type.entry(sig.clone()).or_insert(next);
        if found == next {
            self.tables.push(Table {
                sig: sig.clone(),
                members: Vec::new(),
                caller: None,
            });
        }
        found
    }
}

impl Cx {
    /// The number of a function among those of its type.
    pub fn pointer_to(&mut self, sig: &Rc<Sig>, target: Target, at: Span) -> i64 {
        let table = self.glue.pointers.table(sig);
        let members = &mut self.glue.pointers.tables[table].members;
        let found = members.iter().position(|m| m.0 == target);
        let number = found.unwrap_or_else(|| {
            members.push((target, at));
            members.len() - 1
        });
        number as i64
    }

    /// The function that calls pointers of a type: it takes the number, then what the pointers
    /// take.
    pub fn pointer_caller(&mut self, sig: &Rc<Sig>, at: Span) -> FuncId {
        let table = self.glue.pointers.table(sig);
        if let Some(caller) = self.glue.pointers.tables[table].caller {
            return caller;
        }
        let item = self.krate.fns.push(Rc::new(FnItem {
            name: self.show(&Ty::Fn(sig.clone())),
            module: self.krate.root(),
            owner: None,
            of_trait: None,
            span: at,
            attrs: Default::default(),
            reads: None,
            writes: None,
            native_only: None,
            advice: None,
            policies: Vec::new(),
            generics: Default::default(),
            sig: syn::parse_quote!(fn pointer()),
            body: syn::parse_quote!({}),
        }));
        let caller = self.queue.func_items.push(Inst::plain(item));
        self.queue.first_caller.push(None);
        self.queue.unchecked.push_back(caller);
        self.glue.pointers.tables[table].caller = Some(caller);
        self.glue.pointers.callers.insert(caller, table);
        caller
    }

    /// Whether a function is one that calls pointers.
    pub fn is_pointer_caller(&self, func: FuncId) -> bool {
        self.glue.pointers.callers.contains_key(&func)
    }

    /// Whether a value of this type is or contains a function pointer.
    pub fn holds_pointer(&self, ty: &Ty) -> bool {
        let (mut seen, mut work) = (Vec::new(), vec![ty.clone()]);
        while let Some(ty) = work.pop() {
            match &ty {
                Ty::Fn(_) => return true,
                Ty::Adt(id) if !seen.contains(id) => {
                    seen.push(*id);
                    let fields = self.interned.adt_src[*id]
                        .variants
                        .iter()
                        .flat_map(|v| &v.fields);
                    work.extend(fields.map(|f| f.1.clone()));
                }
                ty => work.extend(ty.parts().into_iter().cloned()),
            }
        }
        false
    }

    /// The typed form of a function that calls pointers, with the pointers that are known; none of
    /// other functions.
    pub fn caller_func(&self, func: FuncId) -> Option<Func> {
        let table = &self.glue.pointers.tables[*self.glue.pointers.callers.get(&func)?];
        let inst = self.queue.func_items[func];
        let span = self.krate.fns[inst.item].span;
        let mut locals = PrimaryMap::new();
        let mut local = |name: String, ty| locals.push(Local { name, ty });
        let number = local("pointer".to_owned(), Type::Int(IntTy::U32));
        let args = table.sig.params.iter().enumerate();
        let args: Vec<LocalId> = args
            .map(|(n, ty)| local(format!("p{n}"), final_type(ty)))
            .collect();
        let by_ref = args.iter().zip(&table.sig.by_ref);
        let lent = by_ref.filter(|p| *p.1 == ByRef::Mut).map(|p| *p.0);
        let lent: Vec<LocalId> = lent.collect();
        let body = choice(table, number, (&args, &lent), span);
        Some(Func {
            name: self.inst_path(inst),
            params: [number].into_iter().chain(args).collect(),
            lent,
            ret: final_type(&table.sig.ret),
            locals,
            body,
            span,
            unroll_safe: false,
        })
    }
}

/// A choice between the functions of a table.
fn choice(
    table: &Table,
    number: LocalId,
    (args, lent): (&[LocalId], &[LocalId]),
    span: Span,
) -> Expr {
    let ret = final_type(&table.sig.ret);
    let expr = |kind, ty| Expr { kind, ty, span };
    let mut arms = Vec::new();
    for (n, (target, _)) in table.members.iter().enumerate() {
        let values = args.iter().zip(&table.sig.params);
        let values = values.map(|(arg, ty)| expr(ExprKind::Local(*arg), final_type(ty)));
        let values = values.collect();
        let places = lent.iter().map(|&local| LocalPlace {
            local,
            path: Vec::new(),
        });
        let call = match target {
            Target::Traced(func) => ExprKind::Call(*func, values, places.collect()),
            Target::Called(called) => ExprKind::CallFn(*called, values),
            // Nothing points to it.
            Target::Error => continue,
        };
        let pat = match n + 1 == table.members.len() {
            true => Pat::Wild,
            false => Pat::Int(n as i64),
        };
        arms.push(Arm {
            pat,
            guard: None,
            body: expr(call, ret.clone()),
        });
    }
    if arms.is_empty() {
        let message = "internal error: entered unreachable code".to_owned();
        return expr(ExprKind::Panic(message), Type::Never);
    }
    let number = expr(ExprKind::Local(number), Type::Int(IntTy::U32));
    expr(ExprKind::Match(Box::new(number), arms), ret)
}

/// Completes the functions that call pointers, once all pointers are known: their bodies, and whom
/// they call.
pub(crate) fn complete(cx: &mut Cx, funcs: &mut PrimaryMap<FuncId, Func>) {
    for table in &cx.glue.pointers.tables {
        let Some(caller) = table.caller else { continue };
        for &(target, at) in &table.members {
            if let Target::Traced(func) = target {
                cx.queue.calls.push((caller, func, at));
            }
        }
        if let Some(complete) = cx.caller_func(caller) {
            funcs[caller] = complete;
        }
    }
}
