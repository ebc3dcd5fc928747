//! The typed program as text, for tests and for reading.
//!
//! In: [`TypedProgram`]. Out: text, one statement per line, with types where locals are declared.
//! Invariant: the same program gives the same text; names of locals are made unique within a
//! function.

use crate::tast::*;
use std::fmt::Write;
use verdigris_ops::{ClassKind, Held, Ty};

/// The whole program.
pub fn print(program: &TypedProgram) -> String {
    let mut out = String::new();
    let descrs = &program.descrs;
    for ((_, class), glue) in descrs.classes.iter().zip(&program.class_glue) {
        let parts: Vec<String> = match &class.kind {
            ClassKind::Struct { fields } => fields
                .iter()
                .map(|f| {
                    let field = &descrs.fields[*f];
                    format!("{}: {}", field.name, slot(field.ty, field.held()))
                })
                .collect(),
            ClassKind::Array {
                item,
                immutable,
                virtualizable,
                ..
            } => vec![slot(*item, Held::of(*immutable, false, *virtualizable))],
        };
        let _ = writeln!(
            out,
            "class {} {{ {} }} = {glue}",
            class.name,
            parts.join(", ")
        );
    }
    for object in program.objects.values() {
        let variants: Vec<String> = object
            .variants
            .iter()
            .map(|(name, class)| format!("{name}({})", descrs.classes[*class].name))
            .collect();
        let _ = writeln!(out, "object {} {{ {} }}", object.name, variants.join(", "));
    }
    for ((id, info), glue) in descrs.fns.iter().zip(&program.fn_glue) {
        let params: String = info.params.iter().map(|t| t.letter()).collect();
        let ret: String = match info.ret[..] {
            [] => "_".to_owned(),
            _ => info.ret.iter().copied().map(Ty::letter).collect(),
        };
        let kind = format!("{:?}", info.kind).to_lowercase();
        let effects = info.effects.print(info.kind, descrs);
        let why = &program.unknown_effects[id.as_u32() as usize];
        let why = why
            .as_ref()
            .map_or(String::new(), |why| format!(" // {why}"));
        let name = &info.name;
        let _ = writeln!(
            out,
            "{kind} {name}({params}) -> {ret} = {glue}{effects}{why}"
        );
    }
    for (id, func) in &program.funcs {
        out.push_str(if id == program.portal {
            "portal "
        } else {
            "func "
        });
        Printer {
            program,
            func,
            out: &mut out,
            depth: 0,
        }
        .func();
    }
    out
}

fn slot(ty: Ty, held: Held) -> String {
    let change = match held {
        Held::Immutable => "",
        Held::Mutable => " mut",
        Held::Quasi => " quasi",
        Held::Virtualizable => " virtualizable",
    };
    format!("{}{change}", ty.letter())
}

struct Printer<'a> {
    program: &'a TypedProgram,
    func: &'a Func,
    out: &'a mut String,
    depth: usize,
}

impl<'a> Printer<'a> {
    fn func(&mut self) {
        let param = |p: &LocalId| match self.func.lent.contains(p) {
            true => format!("&mut {}", self.declared(*p)),
            false => self.declared(*p),
        };
        let params: Vec<String> = self.func.params.iter().map(param).collect();
        let hint = if self.func.unroll_safe {
            " unroll_safe"
        } else {
            ""
        };
        let ret = self.ty(&self.func.ret);
        let _ = write!(
            self.out,
            "{}({}) -> {ret}{hint} ",
            self.func.name,
            params.join(", ")
        );
        let body = self.braced(&self.func.body);
        let _ = writeln!(self.out, "{body}");
    }

    /// The name of a local, with a number if others have the same name.
    fn local(&self, id: LocalId) -> String {
        let name = &self.func.locals[id].name;
        let before = self
            .func
            .locals
            .iter()
            .take_while(|(other, _)| *other != id);
        match before.filter(|(_, l)| l.name == *name).count() {
            0 => name.clone(),
            n => format!("{name}#{}", n + 1),
        }
    }

    fn declared(&self, id: LocalId) -> String {
        format!("{}: {}", self.local(id), self.ty(&self.func.locals[id].ty))
    }

    fn locals(&self, ids: &[LocalId]) -> String {
        let names: Vec<String> = ids.iter().map(|l| self.local(*l)).collect();
        names.join(", ")
    }

    fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Unit => "()".to_owned(),
            Type::Never => "!".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Char => "char".to_owned(),
            Type::Int(int) => crate::names::written::int_name(*int).to_owned(),
            Type::F64 => "f64".to_owned(),
            Type::Gc(c) => format!("Gc<{}>", self.class(*c)),
            Type::Array(c) => self.class(*c).to_owned(),
            Type::Object(o) => self.program.objects[*o].name.clone(),
            Type::Kind(o) => format!("{}::Kind", self.program.objects[*o].name),
            Type::Option(inner) => format!("Option<{}>", self.ty(inner)),
            Type::Result(ok, err) => format!("Result<{}, {}>", self.ty(ok), self.ty(err)),
            Type::Tuple(parts) => {
                crate::names::written::tuple_name(parts.iter().map(|p| self.ty(p)))
            }
            Type::Fixed(item, len) => format!("[{}; {len}]", self.ty(item)),
            Type::Adt(id) => self.program.adts[*id].name.clone(),
            Type::Fn => "fn".to_owned(),
            Type::Foreign { fat: false } => "&_".to_owned(),
            Type::Foreign { fat: true } => "&[_]".to_owned(),
        }
    }

    fn class(&self, id: verdigris_ops::ClassId) -> &'a str {
        &self.program.descrs.classes[id].name
    }

    fn indent(&self) -> String {
        "    ".repeat(self.depth)
    }

    /// The statements of an expression in braces.
    fn braced(&mut self, e: &Expr) -> String {
        let list = match &e.kind {
            ExprKind::Block(list) => list.as_slice(),
            _ => std::slice::from_ref(e),
        };
        if list.is_empty()
            || matches!(
                list,
                [Expr {
                    kind: ExprKind::Unit,
                    ..
                }]
            )
        {
            return "{}".to_owned();
        }
        self.depth += 1;
        let mut text = String::from("{\n");
        for (i, stmt) in list.iter().enumerate() {
            if i + 1 == list.len() && i > 0 && matches!(stmt.kind, ExprKind::Unit) {
                continue;
            }
            let line = self.expr(stmt);
            let _ = writeln!(text, "{}{line}", self.indent());
        }
        self.depth -= 1;
        let _ = write!(text, "{}}}", self.indent());
        text
    }

    fn list(&mut self, list: &[Expr]) -> String {
        let texts: Vec<String> = list.iter().map(|e| self.expr(e)).collect();
        texts.join(", ")
    }

    fn expr(&mut self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Int(v) => match &e.ty {
                Type::Bool => (*v != 0).to_string(),
                Type::Char => crate::names::written::char_of(*v),
                Type::Int(int) if !int.signed() => format!("{}{}", *v as u64, self.ty(&e.ty)),
                ty => format!("{v}{}", self.ty(ty)),
            },
            ExprKind::Float(v) => format!("{v:?}"),
            ExprKind::Unit => "()".to_owned(),
            ExprKind::Local(l) => self.local(*l),
            ExprKind::Let(l, v) => format!("let {} = {}", self.declared(*l), self.expr(v)),
            ExprKind::Declare(l) => format!("let {}", self.declared(*l)),
            ExprKind::Assign(l, v) => format!("{} = {}", self.local(*l), self.expr(v)),
            ExprKind::AssignPart(place, v) => format!("{} = {}", self.place(place), self.expr(v)),
            ExprKind::Block(_) => self.braced(e),
            ExprKind::If(c, a, b) => self.if_expr(c, a, b),
            ExprKind::Match(v, arms) => self.match_expr(v, arms),
            ExprKind::Loop { id, body, once } => {
                let word = if *once { "block" } else { "loop" };
                format!("{id}: {word} {}", self.braced(body))
            }
            ExprKind::Break(id, None) => format!("break {id}"),
            ExprKind::Break(id, Some(v)) => format!("break {id} {}", self.expr(v)),
            ExprKind::Continue(id) => format!("continue {id}"),
            ExprKind::Return(None) => "return".to_owned(),
            ExprKind::Return(Some(v)) => format!("return {}", self.expr(v)),
            ExprKind::Panic(message) => format!("panic {message:?}"),
            ExprKind::MergePoint { greens, reds } => {
                format!(
                    "merge_point [{}] [{}]",
                    self.locals(greens),
                    self.locals(reds)
                )
            }
            ExprKind::CanEnterJit(id) => format!("can_enter_jit {id}"),
            _ => self.op(e),
        }
    }

    fn if_expr(&mut self, c: &Expr, a: &Expr, b: &Expr) -> String {
        let head = format!("if {} {}", self.expr(c), self.braced(a));
        match b.kind {
            ExprKind::Unit => head,
            ExprKind::If(..) => format!("{head} else {}", self.expr(b)),
            _ => format!("{head} else {}", self.braced(b)),
        }
    }

    fn match_expr(&mut self, value: &Expr, arms: &[Arm]) -> String {
        let mut text = format!("match {} {{\n", self.expr(value));
        self.depth += 1;
        for arm in arms {
            let pat = self.pat(&arm.pat);
            let guard = arm
                .guard
                .as_ref()
                .map_or(String::new(), |g| format!(" if {}", self.expr(g)));
            let body = self.expr(&arm.body);
            let _ = writeln!(text, "{}{pat}{guard} => {body}", self.indent());
        }
        self.depth -= 1;
        let _ = write!(text, "{}}}", self.indent());
        text
    }

    fn pat(&self, pat: &Pat) -> String {
        match pat {
            Pat::Wild => "_".to_owned(),
            Pat::Bind(l, None) => self.declared(*l),
            Pat::Bind(l, Some(inner)) => format!("{} @ {}", self.declared(*l), self.pat(inner)),
            Pat::Int(v) => v.to_string(),
            Pat::Range(lo, hi) => format!("{lo}..={hi}"),
            Pat::Or(cases) => {
                let cases: Vec<String> = cases.iter().map(|c| self.pat(c)).collect();
                cases.join(" | ")
            }
            Pat::Class(c, None) => format!("class {}", self.class(*c)),
            Pat::Class(c, Some(l)) => format!("class {} {}", self.class(*c), self.local(*l)),
            Pat::Variant(ty, index, fields) => {
                let fields = fields.iter().map(|f| self.pat(f)).collect();
                self.variant(ty, *index, fields)
            }
        }
    }

    fn op(&mut self, e: &Expr) -> String {
        match &e.kind {
            ExprKind::Binary(op, a, b) => {
                format!(
                    "({} {} {})",
                    self.expr(a),
                    crate::tast::symbol(*op),
                    self.expr(b)
                )
            }
            ExprKind::Unary(UnOp::Neg, x) => format!("-{}", self.expr(x)),
            ExprKind::Unary(UnOp::Not, x) => format!("!{}", self.expr(x)),
            ExprKind::AndAlso(a, b) => format!("({} && {})", self.expr(a), self.expr(b)),
            ExprKind::OrElse(a, b) => format!("({} || {})", self.expr(a), self.expr(b)),
            ExprKind::Cast(x) => format!("({} as {})", self.expr(x), self.ty(&e.ty)),
            ExprKind::Coerce(x) => format!("({} : {})", self.expr(x), self.ty(&e.ty)),
            ExprKind::Make(variant, fields) => {
                let ordered = fields.iter().enumerate().all(|(n, f)| f.0 as usize == n);
                let mut texts = Vec::new();
                for (index, value) in fields {
                    let value = self.expr(value);
                    texts.push(match ordered {
                        true => value,
                        false => format!("{index}: {value}"),
                    });
                }
                self.variant(&e.ty, *variant, texts)
            }
            ExprKind::Part(x, index) => format!("{}.{index}", self.expr(x)),
            ExprKind::Tag(x) => format!("tag({})", self.expr(x)),
            ExprKind::Intrinsic(Intrinsic::Data(op), args) => {
                format!("{op}({})", self.list(args))
            }
            ExprKind::Intrinsic(op, args) => format!("{op:?}({})", self.list(args)),
            ExprKind::GetField(x, f) => format!("{}.{}", self.expr(x), self.field(*f)),
            ExprKind::SetField(x, f, v) => {
                format!("{}.{} := {}", self.expr(x), self.field(*f), self.expr(v))
            }
            ExprKind::GetItem(x, i) => format!("{}[{}]", self.expr(x), self.expr(i)),
            ExprKind::SetItem(x, i, v) => {
                format!("{}[{}] := {}", self.expr(x), self.expr(i), self.expr(v))
            }
            ExprKind::ArrayLen(x) => format!("len({})", self.expr(x)),
            ExprKind::New(class, fields) => {
                let mut texts = Vec::new();
                for (field, value) in fields {
                    texts.push(format!("{}: {}", self.field(*field), self.expr(value)));
                }
                format!("new {} {{ {} }}", self.class(*class), texts.join(", "))
            }
            ExprKind::NewArray(class, len, fill) => {
                let (len, fill) = (self.expr(len), self.expr(fill));
                format!("new {}({len}, {fill})", self.class(*class))
            }
            ExprKind::Call(f, args, lent) => {
                let name = match self.program.funcs.get(*f) {
                    Some(func) => func.name.clone(),
                    None => f.to_string(),
                };
                let call = format!("{name}({})", self.list(args));
                let lent: Vec<String> = lent.iter().map(|p| self.place(p)).collect();
                match lent.is_empty() {
                    true => call,
                    false => format!("{call} lends [{}]", lent.join(", ")),
                }
            }
            ExprKind::CallFn(f, args) => {
                format!(
                    "call {}({})",
                    self.program.descrs.fns[*f].name,
                    self.list(args)
                )
            }
            ExprKind::Concrete(x) => format!("concrete({})", self.expr(x)),
            ExprKind::Promote(x) => format!("promote({})", self.expr(x)),
            ExprKind::IsConstant(x) => format!("is_constant({})", self.expr(x)),
            ExprKind::IsVirtual(x) => format!("is_virtual({})", self.expr(x)),
            ExprKind::Kind(x) => format!("kind({})", self.expr(x)),
            _ => String::new(),
        }
    }

    fn place(&self, place: &LocalPlace) -> String {
        let step = |&(variant, field): &(u32, u32)| match variant {
            0 => format!(".{field}"),
            _ => format!(".{variant}.{field}"),
        };
        let path: Vec<String> = place.path.iter().map(step).collect();
        format!("{}{}", self.local(place.local), path.concat())
    }

    /// A variant with its fields.
    fn variant(&self, ty: &Type, index: u32, fields: Vec<String>) -> String {
        let name = match (ty, index) {
            (Type::Tuple(_), _) => return crate::names::written::tuple_name(fields.into_iter()),
            (Type::Option(_), 0) => "None",
            (Type::Option(_), _) => "Some",
            (Type::Result(..), 0) => "Ok",
            (Type::Result(..), _) => "Err",
            (Type::Adt(id), _) => &self.program.adts[*id].variants[index as usize].name,
            (Type::Fixed(..), _) => return format!("[{}]", fields.join(", ")),
            _ => "_",
        };
        match fields.is_empty() {
            true => name.to_owned(),
            false => format!("{name}({})", fields.join(", ")),
        }
    }

    fn field(&self, id: verdigris_ops::FieldId) -> &'a str {
        &self.program.descrs.fields[id].name
    }
}
