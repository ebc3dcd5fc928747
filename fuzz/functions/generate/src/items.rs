//! Declarations: types, functions that others call, tables of them, and the function that is
//! tested. In: a tape. Out: the text of a module. Invariant: a declaration uses only those in front
//! of it, so nothing recurses.

use crate::maker::{Maker, Scope};
use crate::types::{Class, Enum, Function, Param, Struct, Table, Ty, texts};

/// Operations of the tested function, about, and of one that it calls.
const OPERATIONS: u32 = 700;
pub const HELPER: u32 = 70;

/// How deep expressions go.
const DEPTH: u32 = 4;

/// Kinds of functions that are called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Traced.
    Plain,
    /// Traced, of a struct or enum.
    Method,
    /// Called, not traced.
    Opaque,
    /// Called, and without effects.
    Elidable,
    /// Called; it reads what it gets, and writes nothing.
    Readonly,
}

impl Maker<'_> {
    /// The text of a module with a function `f`.
    pub fn module(&mut self) -> String {
        let mut text = String::from("use super::*;\n");
        for _ in 0..self.tape.below(3) {
            text += &self.new_struct();
        }
        for _ in 0..self.tape.below(3) {
            text += &self.new_enum();
        }
        for _ in 0..self.tape.below(3) {
            text += &self.new_class();
        }
        for _ in 0..self.tape.below(5) {
            text += &self.new_function();
        }
        if self.tape.chance(1, 3) {
            text += &self.new_trait();
        }
        if self.tape.chance(1, 3) {
            text += &self.new_table();
        }
        if self.tape.chance(1, 3) {
            text += &self.new_names();
        }
        if self.tape.chance(1, 4) {
            text += &self.new_operators();
        }
        if self.tape.chance(1, 4) {
            text += &self.new_macros();
        }
        text + &self.tested()
    }

    fn new_struct(&mut self) -> String {
        let is_value = self.tape.chance(1, 2);
        let fields = (0..1 + self.tape.below(4))
            .map(|_| self.field(is_value))
            .collect();
        let is_tuple = self.tape.chance(1, 3);
        let n = self.items.structs.len();
        let declared = Struct {
            fields,
            is_tuple,
            is_value,
        };
        self.items.structs.push(declared.clone());
        let parts: Vec<String> = (declared.fields.iter().enumerate())
            .map(|(n, ty)| match is_tuple {
                true => format!("pub {}", ty.text()),
                false => format!("pub f{n}: {}", ty.text()),
            })
            .collect();
        let parts = parts.join(", ");
        self.note("struct");
        let body = match is_tuple {
            true => format!("({parts});"),
            false => format!("{{ {parts} }}"),
        };
        let digests = (declared.fields.iter().enumerate())
            .map(|(n, ty)| self.digest(&format!("self.{}", declared.field(n)), ty));
        let digest = mixed(digests.collect());
        format!(
            "{}pub struct S{n} {body}\nimpl S{n} {{ fn digest(self) -> i64 {{ {digest} }} }}\n",
            self.attributes(is_value, &Ty::Struct(n))
        )
    }

    /// The type of a field of a value.
    fn field(&mut self, is_value: bool) -> Ty {
        match is_value {
            true => self.flat_word(),
            false => self.ty(),
        }
    }

    fn attributes(&mut self, is_value: bool, ty: &Ty) -> String {
        let compared = if self.items.is_flat(ty) {
            ", PartialEq, PartialOrd"
        } else {
            ""
        };
        let value = if is_value { "#[value]\n" } else { "" };
        if is_value {
            self.note("#[value]");
        }
        format!("{value}#[derive(Clone, Copy{compared})]\n")
    }

    fn new_enum(&mut self) -> String {
        let is_value = self.tape.chance(1, 2);
        let mut variants = Vec::new();
        for _ in 0..2 + self.tape.below(3) {
            let fields: Vec<Ty> = (0..self.tape.below(3))
                .map(|_| self.field(is_value))
                .collect();
            variants.push((fields, self.tape.chance(1, 3)));
        }
        let n = self.items.enums.len();
        self.items.enums.push(Enum {
            variants: variants.clone(),
            is_value,
        });
        self.note("enum");
        let (mut body, mut arms) = (String::new(), String::new());
        for (v, (fields, has_names)) in variants.iter().enumerate() {
            let digests =
                (fields.iter().enumerate()).map(|(f, ty)| self.digest(&format!("f{f}"), ty));
            let digests = [format!("{v}i64")].into_iter().chain(digests).collect();
            let parts = |of: &dyn Fn(usize) -> String| {
                let parts: Vec<String> = (0..fields.len()).map(of).collect();
                match (fields.is_empty(), has_names) {
                    (true, _) => String::new(),
                    (_, true) => format!(" {{ {} }}", parts.join(", ")),
                    _ => format!("({})", parts.join(", ")),
                }
            };
            let types = |f: usize| match has_names {
                true => format!("f{f}: {}", fields[f].text()),
                false => fields[f].text(),
            };
            body += &format!("V{v}{}, ", parts(&types));
            arms += &format!(
                "E{n}::V{v}{} => {}, ",
                parts(&|f| format!("f{f}")),
                mixed(digests)
            );
        }
        format!(
            "{}pub enum E{n} {{ {body} }}\nimpl E{n} {{ fn digest(self) -> i64 {{ match self {{ {arms} }} }} }}\n",
            self.attributes(is_value, &Ty::Enum(n))
        )
    }

    fn new_class(&mut self) -> String {
        let mut fields = Vec::new();
        for _ in 0..1 + self.tape.below(4) {
            let in_cell = self.tape.chance(2, 3);
            let ty = match in_cell {
                true => self.word(),
                false => self.scalar(),
            };
            fields.push((ty, in_cell));
        }
        let n = self.items.classes.len();
        self.items.classes.push(Class {
            fields: fields.clone(),
        });
        self.note("class");
        let parts: Vec<String> = (fields.iter().enumerate())
            .map(|(n, (ty, in_cell))| match in_cell {
                true => format!("pub f{n}: Cell<{}>", ty.text()),
                false => format!("pub f{n}: {}", ty.text()),
            })
            .collect();
        format!("#[gc]\npub struct C{n} {{ {} }}\n", parts.join(", "))
    }

    fn new_function(&mut self) -> String {
        let kind = match self.tape.weighted(&[5, 3, 2, 1, 1]) {
            1 if !self.items.structs.is_empty() => Kind::Method,
            2 => Kind::Opaque,
            3 => Kind::Elidable,
            4 => Kind::Readonly,
            _ => Kind::Plain,
        };
        let is_called = matches!(kind, Kind::Opaque | Kind::Elidable | Kind::Readonly);
        let mut params = Vec::new();
        if kind == Kind::Method {
            let ty = Ty::Struct(self.tape.below(self.items.structs.len()));
            params.push(Param {
                ty,
                is_lent: self.tape.chance(1, 2),
            });
        }
        for _ in 0..1 + self.tape.below(3) {
            let ty = match kind {
                Kind::Elidable => self.flat_word(),
                Kind::Opaque | Kind::Readonly => self.word(),
                _ => self.ty(),
            };
            let is_lent = !is_called && self.tape.chance(1, 3);
            params.push(Param { ty, is_lent });
        }
        let ret = if is_called {
            self.flat_word()
        } else {
            self.result()
        };
        self.written(kind, params, ret)
    }

    /// The type of a result: often one that `?` can leave with.
    fn result(&mut self) -> Ty {
        let ty = self.ty();
        match self.tape.below(6) {
            4 => Ty::Option(Box::new(ty)),
            5 => Ty::Result(Box::new(ty), Box::new(self.scalar())),
            _ => ty,
        }
    }

    /// A function with a body.
    fn written(&mut self, kind: Kind, params: Vec<Param>, ret: Ty) -> String {
        let name = self.name(if kind == Kind::Method { "m" } else { "h" });
        let is_pure = matches!(kind, Kind::Elidable | Kind::Readonly);
        self.scope = Scope {
            is_pure,
            ..Scope::new(ret.clone())
        };
        self.left = HELPER;
        self.has_loop = false;
        let mut texts = Vec::new();
        for (n, param) in params.iter().enumerate() {
            texts.push(match (kind, n) {
                (Kind::Method, 0) => {
                    self.parameter("self", param);
                    match (param.is_lent, self.scope.vars[0].is_mut) {
                        (true, _) => "&mut self".to_string(),
                        (_, true) => "mut self".to_string(),
                        _ => "self".to_string(),
                    }
                }
                _ => self.parameter(&format!("a{n}"), param),
            });
        }
        let body = self.function_body(&ret, 2);
        let attribute = match kind {
            Kind::Opaque => "#[opaque]\npub ",
            Kind::Elidable => "#[elidable]\npub ",
            Kind::Readonly => "#[readonly]\npub ",
            _ if self.has_loop => "#[unroll_safe]\n",
            _ => "",
        };
        self.note(match kind {
            Kind::Plain => "function",
            Kind::Method => "method of a struct",
            Kind::Opaque => "#[opaque]",
            Kind::Elidable => "#[elidable]",
            Kind::Readonly => "#[readonly]",
        });
        let text = format!(
            "{attribute}fn {name}({}) -> {} {{ {body} }}\n",
            texts.join(", "),
            ret.text()
        );
        let method = kind == Kind::Method;
        let owner = params.first().map(|param| param.ty.text());
        self.items.functions.push(Function {
            name: if method { format!(".{name}") } else { name },
            params,
            ret,
            cost: HELPER - self.left + 2,
            is_pure,
        });
        match (method, owner) {
            (true, Some(owner)) => format!("impl {owner} {{ {text} }}\n"),
            _ => text,
        }
    }

    /// Statements, and a value.
    pub fn function_body(&mut self, ret: &Ty, count: usize) -> String {
        let count = self.tape.below(count + 2);
        let body = self.statements(count, DEPTH - 1);
        format!("{body}{}", self.expr(ret, DEPTH))
    }

    /// Functions of one type, and an array of pointers to them.
    fn new_table(&mut self) -> String {
        let params: Vec<Ty> = (0..1 + self.tape.below(2)).map(|_| self.scalar()).collect();
        let ret = self.ty();
        let (mut text, mut names) = (String::new(), Vec::new());
        let mut cost = 0;
        for _ in 0..2 + self.tape.below(3) {
            let params = params.iter().map(|ty| Param {
                ty: ty.clone(),
                is_lent: false,
            });
            text += &self.written(Kind::Plain, params.collect(), ret.clone());
            let function = self.items.functions.last().expect("it has been written");
            names.push(function.name.clone());
            cost = cost.max(function.cost);
        }
        self.note("table of functions");
        let name = self.name("T");
        let ty = format!("fn({}) -> {}", texts(&params), ret.text());
        let len = names.len();
        text += &format!("static {name}: [{ty}; {len}] = [{}];\n", names.join(", "));
        self.items.tables.push(Table {
            name,
            params,
            ret,
            len,
            cost: cost + 3,
        });
        text
    }

    /// The function that is tested.
    fn tested(&mut self) -> String {
        self.scope = Scope::new(Ty::I64);
        self.left = OPERATIONS;
        self.has_loop = false;
        self.declare("a", &Ty::I64, false);
        self.declare("b", &Ty::I64, true);
        let mut body = String::new();
        let count = 2 + self.tape.below(8);
        for _ in 0..count {
            if self.tape.is_empty() && !body.is_empty() {
                break;
            }
            body += &self.statements(1, DEPTH);
        }
        let value = self.expr(&Ty::I64, DEPTH);
        let vars = self.scope.vars.clone();
        let digests = vars
            .iter()
            .rev()
            .take(8)
            .map(|var| self.digest(&var.text, &var.ty));
        let digests = [value].into_iter().chain(digests).collect();
        let attribute = if self.has_loop {
            "#[unroll_safe]\n"
        } else {
            ""
        };
        format!(
            "{attribute}pub fn f(a: i64, mut b: i64) -> i64 {{ {body} {} }}\n",
            mixed(digests)
        )
    }

    /// An integer that tells about a value.
    fn digest(&self, text: &str, ty: &Ty) -> String {
        match ty {
            Ty::Int(_) | Ty::Bool | Ty::Char => format!("({text} as i64)"),
            Ty::Float => format!("super::bits({text})"),
            Ty::Tuple(parts) => {
                let parts = parts.iter().enumerate();
                mixed(
                    parts
                        .map(|(n, ty)| self.digest(&format!("{text}.{n}"), ty))
                        .collect(),
                )
            }
            Ty::Array(item, len) => {
                let items = (0..*len).map(|n| self.digest(&format!("{text}[{n}]"), item));
                mixed(items.collect())
            }
            Ty::Struct(_) | Ty::Enum(_) => format!("{text}.digest()"),
            Ty::Option(inner) => format!(
                "(match {text} {{ Some(x) => {}, None => 77 }})",
                self.digest("x", inner)
            ),
            Ty::Result(ok, err) => format!(
                "(match {text} {{ Ok(x) => {}, Err(x) => !{} }})",
                self.digest("x", ok),
                self.digest("x", err)
            ),
            Ty::Object(class) => {
                let fields = self.items.classes[*class].fields.iter().enumerate();
                let flat = fields.filter(|(_, (ty, _))| self.items.is_flat(ty));
                let digests = flat.map(|(n, (ty, in_cell))| {
                    let get = if *in_cell { ".get()" } else { "" };
                    self.digest(&format!("{text}.f{n}{get}"), ty)
                });
                mixed(["3i64".to_string()].into_iter().chain(digests).collect())
            }
            Ty::Items(item) => mixed(vec![
                format!("({text}.len() as i64)"),
                self.digest(&format!("{text}[0]"), item),
            ]),
            Ty::Cells(item) if self.items.is_flat(item) => mixed(vec![
                format!("({text}.len() as i64)"),
                self.digest(&format!("{text}[0].get()"), item),
            ]),
            Ty::Cells(_) => format!("({text}.len() as i64)"),
        }
    }
}

/// One number for several.
fn mixed(digests: Vec<String>) -> String {
    let mut digests = digests.into_iter();
    let first = digests.next().unwrap_or_else(|| "0i64".to_string());
    digests.fold(first, |sum, next| format!("super::mix({sum}, {next})"))
}
