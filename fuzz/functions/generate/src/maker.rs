//! The state while a function is written: the tape, the names in scope, what may still be
//! spent. In: a tape. Out: names, places with a type, constants. Invariant: whatever the tape says,
//! the text that is made type checks, and what it does ends.

use crate::types::{Function, INTS, Int, Items, Param, Ty, USIZE};
use fuzz_tape::Tape;
use std::collections::BTreeSet;

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// How it is read: its name, or `(*name)`.
    pub text: String,
    /// Its type.
    pub ty: Ty,
    /// Whether it can be assigned to and lent.
    pub is_mut: bool,
    /// Whether it is a reference to the value, which closures must not take.
    pub is_lent: bool,
}

/// A loop or block that can be left.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Its label, with the apostrophe.
    pub label: String,
    /// The type of the value that it is left with; none, if without.
    pub value: Option<Ty>,
    /// Whether there is a next turn to go on with.
    pub turns: bool,
}

/// The names that can be used at a place of the text.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The variables.
    pub vars: Vec<Var>,
    /// The closures.
    pub closures: Vec<Function>,
    /// The loops and labelled blocks around.
    pub loops: Vec<Loop>,
    /// The arguments of `return`.
    pub ret: Ty,
    /// How often this place is executed, at most.
    pub turns: u32,
    /// Whether it must not panic, nor touch the heap.
    pub is_pure: bool,
}

/// A way to write an expression of a type. It answers nothing if it cannot.
pub type Rule = fn(&mut Maker<'_>, &Ty, u32) -> Option<String>;

/// Writes one function and what it needs.
pub struct Maker<'t> {
    /// Where choices come from.
    pub tape: Tape<'t>,
    /// The declarations so far.
    pub items: Items,
    /// The names in scope.
    pub scope: Scope,
    /// The operations that may still be executed.
    pub left: u32,
    /// Whether the function that is being written has a loop.
    pub has_loop: bool,
    /// The kinds of constructs that were written.
    pub kinds: BTreeSet<&'static str>,
    names: u32,
}

/// Nesting of types.
const DEEP: u32 = 2;

impl<'t> Maker<'t> {
    /// Nothing is declared yet.
    pub fn new(tape: Tape<'t>) -> Maker<'t> {
        Maker {
            tape,
            items: Items::default(),
            scope: Scope::new(Ty::I64),
            left: 0,
            has_loop: false,
            kinds: BTreeSet::new(),
            names: 0,
        }
    }

    /// Notes that a construct was written.
    pub fn note(&mut self, kind: &'static str) {
        self.kinds.insert(kind);
    }

    /// A new name.
    pub fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// Counts operations that are executed as often as this place.
    pub fn spend(&mut self, operations: u32) {
        self.left = self
            .left
            .saturating_sub(operations.saturating_mul(self.scope.turns));
    }

    /// Whether this many operations more can be afforded.
    pub fn affords(&self, operations: u32) -> bool {
        operations.saturating_mul(self.scope.turns) < self.left
    }

    /// Writes something in a scope of its own: what it declares is gone behind it.
    pub fn inside<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.scope.clone();
        let result = write(self);
        self.scope = outer;
        result
    }

    /// Declares a variable. Others with its name are hidden.
    pub fn declare(&mut self, name: &str, ty: &Ty, is_mut: bool) {
        self.scope.vars.retain(|var| var.text != name);
        self.scope.closures.retain(|closure| closure.name != name);
        self.scope.vars.push(Var {
            text: name.to_string(),
            ty: ty.clone(),
            is_mut,
            is_lent: false,
        });
    }

    /// Declares a parameter; answers its text.
    pub fn parameter(&mut self, name: &str, param: &Param) -> String {
        let ty = param.ty.text();
        if !param.is_lent {
            let is_mut = self.tape.chance(1, 3);
            self.declare(name, &param.ty, is_mut);
            return format!("{}{name}: {ty}", if is_mut { "mut " } else { "" });
        }
        self.scope.vars.push(Var {
            text: format!("(*{name})"),
            ty: param.ty.clone(),
            is_mut: true,
            is_lent: true,
        });
        format!("{name}: &mut {ty}")
    }

    /// An integer type.
    pub fn int(&mut self) -> Int {
        self.tape.pick(&INTS)
    }

    /// A type of one word that is no reference.
    pub fn scalar(&mut self) -> Ty {
        match self.tape.weighted(&[8, 2, 1, 2]) {
            0 => Ty::Int(self.int()),
            1 => Ty::Bool,
            2 => Ty::Char,
            _ => Ty::Float,
        }
    }

    /// A type.
    pub fn ty(&mut self) -> Ty {
        self.ty_of(DEEP)
    }

    fn ty_of(&mut self, depth: u32) -> Ty {
        let kind = self.tape.weighted(&[10, 2, 3, 3, 2, 2, 1, 2, 2]);
        let inner = |maker: &mut Self| match depth {
            0 => maker.scalar(),
            _ => maker.ty_of(depth - 1),
        };
        match kind {
            1 => Ty::Tuple((0..2 + self.tape.below(2)).map(|_| inner(self)).collect()),
            2 if !self.items.structs.is_empty() => {
                Ty::Struct(self.tape.below(self.items.structs.len()))
            }
            3 if !self.items.enums.is_empty() => Ty::Enum(self.tape.below(self.items.enums.len())),
            4 => Ty::Option(Box::new(inner(self))),
            5 => {
                let ok = inner(self);
                let same = self.tape.chance(1, 3);
                let err = if same { ok.clone() } else { inner(self) };
                Ty::Result(Box::new(ok), Box::new(err))
            }
            6 => Ty::Array(Box::new(inner(self)), 1 + self.tape.below(4)),
            7 if !self.items.classes.is_empty() && !self.scope.is_pure => {
                Ty::Object(self.tape.below(self.items.classes.len()))
            }
            8 if !self.scope.is_pure => match self.tape.below(3) {
                0 => Ty::Items(Box::new(self.scalar())),
                _ => Ty::Cells(Box::new(self.cell_item())),
            },
            _ => self.scalar(),
        }
    }

    /// The type of the items of an array of cells: traced code fills those of other types with one
    /// value only.
    fn cell_item(&mut self) -> Ty {
        match self.word() {
            ty @ (Ty::Option(_) | Ty::Object(_)) => ty,
            ty if ty.is_scalar() => ty,
            _ => self.scalar(),
        }
    }

    /// A type that can be in a `Cell`.
    pub fn word(&mut self) -> Ty {
        let ty = self.ty_of(1);
        match self.items.is_word(&ty) && !matches!(ty, Ty::Items(_) | Ty::Cells(_)) {
            true => ty,
            false => self.scalar(),
        }
    }

    /// A type that holds no reference, and can be given to functions that are called.
    pub fn flat_word(&mut self) -> Ty {
        let ty = self.word();
        match self.items.is_flat(&ty) {
            true => ty,
            false => self.scalar(),
        }
    }

    /// Texts of this type that can be read: variables and their parts.
    pub fn places(&self, want: &Ty) -> Vec<String> {
        let mut found = Vec::new();
        for var in &self.scope.vars {
            self.parts(&var.text, &var.ty, (2, true), &mut |text, ty| {
                if ty == want {
                    found.push(text.to_string());
                }
            });
        }
        found
    }

    /// All parts of a value, so deep; with fields of objects, if so.
    fn parts(
        &self,
        text: &str,
        ty: &Ty,
        (depth, objects): (u32, bool),
        each: &mut impl FnMut(&str, &Ty),
    ) {
        each(text, ty);
        if depth == 0 {
            return;
        }
        let deeper = (depth - 1, objects);
        match ty {
            Ty::Tuple(parts) => {
                for (n, part) in parts.iter().enumerate() {
                    self.parts(&format!("{text}.{n}"), part, deeper, each);
                }
            }
            Ty::Struct(number) => {
                let declared = &self.items.structs[*number];
                for (n, field) in declared.fields.iter().enumerate() {
                    let text = format!("{text}.{}", declared.field(n));
                    self.parts(&text, field, deeper, each);
                }
            }
            Ty::Array(item, len) => {
                self.parts(&format!("{text}[{}]", len - 1), item, deeper, each);
            }
            Ty::Object(class) if objects => {
                for (n, (field, in_cell)) in self.items.classes[*class].fields.iter().enumerate() {
                    let get = if *in_cell { ".get()" } else { "" };
                    self.parts(&format!("{text}.f{n}{get}"), field, deeper, each);
                }
            }
            _ => {}
        }
    }

    /// Assignable places: mutable variables and their parts; the index of the variable, the
    /// text, and the type.
    pub fn targets(&self) -> Vec<(usize, String, Ty)> {
        let mut found = Vec::new();
        for (index, var) in self.scope.vars.iter().enumerate() {
            if var.is_mut {
                self.parts(&var.text, &var.ty, (2, false), &mut |text, ty| {
                    found.push((index, text.to_string(), ty.clone()));
                });
            }
        }
        found
    }

    /// A value without operations: a place, or a constant.
    pub fn leaf(&mut self, ty: &Ty) -> String {
        let places = self.places(ty);
        if !places.is_empty() && self.tape.chance(5, 6) {
            return places[self.tape.below(places.len())].clone();
        }
        self.make(ty, 0)
    }

    /// A new value of parts that are made with this depth.
    pub fn make(&mut self, ty: &Ty, depth: u32) -> String {
        match ty {
            Ty::Int(int) => self.int_literal(*int),
            Ty::Bool => ["false", "true"][self.tape.below(2)].to_string(),
            Ty::Char => self.tape.pick(CHARS).to_string(),
            Ty::Float => self.tape.pick(FLOATS).to_string(),
            Ty::Tuple(parts) => format!("({})", self.exprs(parts, depth)),
            Ty::Array(item, len) => match self.tape.chance(1, 2) {
                true => {
                    let items = vec![(**item).clone(); *len];
                    format!("[{}]", self.exprs(&items, depth))
                }
                false => format!("[{}; {len}]", self.expr(item, depth)),
            },
            Ty::Struct(n) => self.make_struct(*n, depth),
            Ty::Enum(n) => self.make_variant(*n, depth),
            Ty::Option(inner) => match self.tape.chance(2, 3) {
                true => format!("Some({})", self.expr(inner, depth)),
                false => format!("None::<{}>", inner.text()),
            },
            Ty::Result(ok, err) => {
                let types = format!("{}, {}", ok.text(), err.text());
                match self.tape.chance(1, 3) {
                    true => format!("Err::<{types}>({})", self.expr(err, depth)),
                    false => format!("Ok::<{types}>({})", self.expr(ok, depth)),
                }
            }
            Ty::Object(class) => {
                let fields = self.items.classes[*class].fields.clone();
                let fields: Vec<String> = (fields.iter().enumerate())
                    .map(|(n, (ty, in_cell))| match in_cell {
                        true => format!("f{n}: Cell::new({})", self.expr(ty, depth)),
                        false => format!("f{n}: {}", self.expr(ty, depth)),
                    })
                    .collect();
                self.spend(2);
                format!("Gc::new(C{class} {{ {} }})", fields.join(", "))
            }
            Ty::Items(item) | Ty::Cells(item) => {
                let len = self.tape.within(1, 5);
                self.spend(len);
                let len = match self.tape.chance(1, 4) {
                    true => format!(
                        "(({} & 3) as usize + 1)",
                        self.expr(&Ty::Int(USIZE), depth.min(1))
                    ),
                    false => len.to_string(),
                };
                let fill = match **item {
                    Ty::Option(_) => "None".to_string(),
                    _ => self.expr(item, depth),
                };
                match ty {
                    Ty::Items(_) => format!("GcArray::<{}>::new({len}, {fill})", item.text()),
                    _ => format!("GcArray::<Cell<{}>>::new({len}, {fill})", item.text()),
                }
            }
        }
    }

    /// Values between commas.
    pub fn exprs(&mut self, types: &[Ty], depth: u32) -> String {
        let texts: Vec<String> = types.iter().map(|ty| self.expr(ty, depth)).collect();
        texts.join(", ")
    }

    fn make_struct(&mut self, n: usize, depth: u32) -> String {
        let declared = self.items.structs[n].clone();
        if declared.is_tuple {
            return format!("S{n}({})", self.exprs(&declared.fields, depth));
        }
        // The fields are computed in the order in which they stand here.
        let turned = self.tape.chance(1, 4);
        let mut order: Vec<usize> = (0..declared.fields.len()).collect();
        if turned {
            order.reverse();
        }
        let base = self.places(&Ty::Struct(n));
        let mut rest = String::new();
        if !base.is_empty() && order.len() > 1 && self.tape.chance(1, 2) {
            self.note("..base");
            order.pop();
            rest = format!(", ..{}", base[self.tape.below(base.len())]);
        }
        let fields: Vec<String> = (order.into_iter())
            .map(|n| format!("f{n}: {}", self.expr(&declared.fields[n], depth)))
            .collect();
        format!("(S{n} {{ {}{rest} }})", fields.join(", "))
    }

    fn make_variant(&mut self, n: usize, depth: u32) -> String {
        let variants = self.items.enums[n].variants.clone();
        let variant = self.tape.below(variants.len());
        let (fields, has_names) = &variants[variant];
        if fields.is_empty() {
            return format!("E{n}::V{variant}");
        }
        if !has_names {
            return format!("E{n}::V{variant}({})", self.exprs(fields, depth));
        }
        let fields: Vec<String> = (fields.iter().enumerate())
            .map(|(n, ty)| format!("f{n}: {}", self.expr(ty, depth)))
            .collect();
        format!("(E{n}::V{variant} {{ {} }})", fields.join(", "))
    }

    /// A literal of an integer type, often one at an edge.
    pub fn int_literal(&mut self, int: Int) -> String {
        let name = int.name;
        match self
            .tape
            .weighted(&[12, 2, 2, 3, if int.signed { 4 } else { 0 }])
        {
            0 => format!("{}{name}", self.tape.within(0u8, 9)),
            1 => format!("{name}::MAX"),
            2 => format!("{name}::MIN"),
            3 => format!("{}{name}", 1u64 << self.tape.within(0, int.bits - 2)),
            _ => format!("(-{}{name})", self.tape.within(1u8, 100)),
        }
    }
}

/// Literals of `char`, those at the edges included.
const CHARS: &[&str] = &[
    "'a'",
    "'Z'",
    "'0'",
    "'\\n'",
    "'\\0'",
    "'\\u{e4}'",
    "'\\u{d7ff}'",
    "'\\u{e000}'",
    "'\\u{10ffff}'",
];

/// Literals of `f64`.
const FLOATS: &[&str] = &[
    "0.0f64",
    "1.0f64",
    "0.5f64",
    "(-2.5f64)",
    "(-0.0f64)",
    "f64::NAN",
    "f64::INFINITY",
    "f64::NEG_INFINITY",
    "1e300f64",
    "5e-324f64",
    "9007199254740993.0f64",
    "f64::EPSILON",
];

impl Scope {
    /// An empty scope of a function that returns this.
    pub fn new(ret: Ty) -> Scope {
        Scope {
            vars: Vec::new(),
            closures: Vec::new(),
            loops: Vec::new(),
            ret,
            turns: 1,
            is_pure: false,
        }
    }
}
