//! The types of random functions, and what a function declares. Types, with their
//! text. Invariant: all types are `Copy`, and a declared type mentions only types that were
//! declared before it.

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int {
    /// Its name.
    pub name: &'static str,
    /// How many bits it has.
    pub bits: u32,
    /// Whether there are negative numbers.
    pub signed: bool,
}

const fn int(name: &'static str, bits: u32, signed: bool) -> Int {
    Int { name, bits, signed }
}

/// The type that functions take and return.
pub const I64: Int = int("i64", 64, true);
/// The type of indices.
pub const USIZE: Int = int("usize", 64, false);
/// The type of shift counts.
pub const U32: Int = int("u32", 32, false);

/// All of them; those that are used most come more than once.
pub const INTS: [Int; 12] = [
    I64,
    int("u8", 8, false),
    int("i32", 32, true),
    int("u64", 64, false),
    I64,
    int("i8", 8, true),
    USIZE,
    int("u16", 16, false),
    int("i16", 16, true),
    U32,
    int("isize", 64, true),
    int("i32", 32, true),
];

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    /// An integer.
    Int(Int),
    /// `bool`.
    Bool,
    /// `char`.
    Char,
    /// `f64`.
    Float,
    /// A tuple of two parts or more.
    Tuple(Vec<Ty>),
    /// An array of this length, which is not 0.
    Array(Box<Ty>, usize),
    /// The struct with this number.
    Struct(usize),
    /// The enum with this number.
    Enum(usize),
    /// An option.
    Option(Box<Ty>),
    /// A result.
    Result(Box<Ty>, Box<Ty>),
    /// A reference to an object of the class with this number.
    Object(usize),
    /// A heap array of items that do not change.
    Items(Box<Ty>),
    /// A heap array of cells.
    Cells(Box<Ty>),
}

impl Ty {
    /// The type that functions take and return.
    pub const I64: Ty = Ty::Int(I64);

    /// Its text.
    pub fn text(&self) -> String {
        match self {
            Ty::Int(int) => int.name.to_string(),
            Ty::Bool => "bool".to_string(),
            Ty::Char => "char".to_string(),
            Ty::Float => "f64".to_string(),
            Ty::Tuple(parts) => format!("({})", texts(parts)),
            Ty::Array(item, len) => format!("[{}; {len}]", item.text()),
            Ty::Struct(n) => format!("S{n}"),
            Ty::Enum(n) => format!("E{n}"),
            Ty::Option(ty) => format!("Option<{}>", ty.text()),
            Ty::Result(ok, err) => format!("Result<{}, {}>", ok.text(), err.text()),
            Ty::Object(n) => format!("Gc<C{n}>"),
            Ty::Items(item) => format!("GcArray<{}>", item.text()),
            Ty::Cells(item) => format!("GcArray<Cell<{}>>", item.text()),
        }
    }

    /// An integer, `bool`, `char` or `f64`.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Ty::Int(_) | Ty::Bool | Ty::Char | Ty::Float)
    }

    /// Whether values can be compared with `==` and `<`.
    pub fn has_order(&self) -> bool {
        match self {
            Ty::Tuple(parts) => parts.iter().all(Ty::has_order),
            Ty::Option(ty) => ty.has_order(),
            Ty::Result(ok, err) => ok.has_order() && err.has_order(),
            Ty::Object(_) | Ty::Items(_) | Ty::Cells(_) | Ty::Array(..) => false,
            _ => true,
        }
    }
}

/// Types between commas.
pub fn texts(types: &[Ty]) -> String {
    let texts: Vec<String> = types.iter().map(Ty::text).collect();
    texts.join(", ")
}

/// A struct. Its fields are called `f0`, `f1`, or have numbers.
#[derive(Clone, Debug)]
pub struct Struct {
    /// The types of its fields.
    pub fields: Vec<Ty>,
    /// Whether the fields have numbers instead of names.
    pub is_tuple: bool,
    /// Whether it is marked `#[value]`.
    pub is_value: bool,
}

impl Struct {
    /// The name of a field.
    pub fn field(&self, n: usize) -> String {
        match self.is_tuple {
            true => n.to_string(),
            false => format!("f{n}"),
        }
    }
}

/// An enum. Its variants are called `V0`, `V1`.
#[derive(Clone, Debug)]
pub struct Enum {
    /// The types of each variant's fields, and whether they have names.
    pub variants: Vec<(Vec<Ty>, bool)>,
    /// Whether it is marked `#[value]`.
    pub is_value: bool,
}

/// A class. Its fields are called `f0`, `f1`.
#[derive(Clone, Debug)]
pub struct Class {
    /// The types of its fields, and whether they are in a `Cell`.
    pub fields: Vec<(Ty, bool)>,
}

/// How a parameter is passed.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// The type of the value.
    pub ty: Ty,
    /// Whether it is lent with `&mut`.
    pub is_lent: bool,
}

/// A function that others can call.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name, with a `.` in front if it is a method of its first parameter.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its result.
    pub ret: Ty,
    /// About how many operations a call takes.
    pub cost: u32,
    /// Whether a call can panic, or do something to the heap.
    pub is_pure: bool,
}

/// The other declarations of one random function.
#[derive(Clone, Debug, Default)]
pub struct Items {
    /// The structs.
    pub structs: Vec<Struct>,
    /// The enums.
    pub enums: Vec<Enum>,
    /// The classes.
    pub classes: Vec<Class>,
    /// The functions.
    pub functions: Vec<Function>,
    /// The tables of functions: name, parameters, result, length, cost of a call.
    pub tables: Vec<Table>,
}

/// A table of functions with the same type.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name.
    pub name: String,
    /// The types of the parameters.
    pub params: Vec<Ty>,
    /// The type of the result.
    pub ret: Ty,
    /// How many functions there are.
    pub len: usize,
    /// About how many operations a call takes.
    pub cost: u32,
}

impl Items {
    /// Whether a value can be in a `Cell`, and be given to functions that are called.
    pub fn is_word(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Struct(n) => self.structs[*n].is_value,
            Ty::Enum(n) => self.enums[*n].is_value,
            Ty::Tuple(parts) => parts.len() <= 4 && parts.iter().all(Ty::is_scalar),
            Ty::Option(ty) => ty.is_scalar() || matches!(**ty, Ty::Object(_)),
            Ty::Result(ok, err) => ok.is_scalar() && err.is_scalar(),
            Ty::Array(..) => false,
            _ => true,
        }
    }

    /// Whether a value holds no reference.
    pub fn is_flat(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Struct(n) => self.structs[*n].fields.iter().all(|ty| self.is_flat(ty)),
            Ty::Enum(n) => {
                let mut all = self.enums[*n].variants.iter().flat_map(|v| &v.0);
                all.all(|ty| self.is_flat(ty))
            }
            Ty::Tuple(parts) => parts.iter().all(|ty| self.is_flat(ty)),
            Ty::Array(ty, _) | Ty::Option(ty) => self.is_flat(ty),
            Ty::Result(ok, err) => self.is_flat(ok) && self.is_flat(err),
            Ty::Object(_) | Ty::Items(_) | Ty::Cells(_) => false,
            _ => true,
        }
    }

    /// Whether values can be compared with `==` and `<`.
    pub fn has_order(&self, ty: &Ty) -> bool {
        ty.has_order() && self.is_flat(ty)
    }
}
