//! The typed program: what the front end hands to the graph builder.
//!
//! In: checked source. Out: every function reachable from the portal, monomorphic, with each
//! expression typed and each name resolved, and the descriptor tables. Invariant: nothing in here
//! is outside the subset; the graph builder needs no error path. Sugar is gone: `while`,
//! `while let`, `for` are [`ExprKind::Loop`]s, `if let` is a [`ExprKind::Match`], compound
//! assignments are assignments.

use cranelift_entity::{PrimaryMap, SecondaryMap, entity_impl};
use verdigris_ops::{ClassId, DataOp, Descrs, FieldId, FnId};

/// A traced function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FuncId(u32);
entity_impl!(FuncId, "func");

/// A local variable or parameter of one function (shadowing makes new ones).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(u32);
entity_impl!(LocalId, "local");

/// A loop or labelled block of one function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LoopId(u32);
entity_impl!(LoopId, "loop");

/// The fields of one variant of such a type, found without a look at the others: an enum may have
/// thousands.
pub fn fields_of(ty: &Type, variant: u32, adts: &PrimaryMap<AdtId, Adt>) -> Option<Vec<Type>> {
    match ty {
        Type::Adt(id) => {
            let variant = adts[*id].variants.get(variant as usize)?;
            Some(variant.fields.iter().map(|f| f.1.clone()).collect())
        }
        ty => shape(ty, adts)?.get(variant as usize).cloned(),
    }
}

/// An `#[object]` enum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(u32);
entity_impl!(ObjectId, "object");

/// A struct or enum that is held by value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AdtId(u32);
entity_impl!(AdtId, "adt");

/// A source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(u32);
entity_impl!(FileId, "file");

/// A piece of source: byte offsets in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub lo: u32,
    /// Behind the last byte.
    pub hi: u32,
}

/// A file of the interpreter crate.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Path as shown in messages, relative to the crate.
    pub path: String,
    /// The text.
    pub text: String,
}

impl SourceFile {
    /// Whether the text is part of the front end, so that there is no such file.
    pub fn is_ours(&self) -> bool {
        self.path
            .starts_with(crate::source::known_names::TEXTS_FOLDER)
    }
}

/// The integer types.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IntTy {
    /// `i8`
    I8,
    /// `i16`
    I16,
    /// `i32`
    I32,
    /// `i64`
    I64,
    /// `isize`
    Isize,
    /// `u8`
    U8,
    /// `u16`
    U16,
    /// `u32`
    U32,
    /// `u64`
    U64,
    /// `usize`
    Usize,
}

impl IntTy {
    /// Bits of a value.
    pub fn bits(self) -> u32 {
        match self {
            IntTy::I8 | IntTy::U8 => 8,
            IntTy::I16 | IntTy::U16 => 16,
            IntTy::I32 | IntTy::U32 => 32,
            IntTy::I64 | IntTy::U64 | IntTy::Isize | IntTy::Usize => 64,
        }
    }

    /// Whether values are signed.
    pub fn signed(self) -> bool {
        matches!(
            self,
            IntTy::I8 | IntTy::I16 | IntTy::I32 | IntTy::I64 | IntTy::Isize
        )
    }
}

/// The types of the subset.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `()`
    Unit,
    /// `!`
    Never,
    /// `bool`
    Bool,
    /// An integer.
    Int(IntTy),
    /// `char`
    Char,
    /// `f64`
    F64,
    /// `Gc<T>`
    Gc(ClassId),
    /// `GcArray<T, K>`
    Array(ClassId),
    /// The thin pointer of an `#[object]` enum.
    Object(ObjectId),
    /// The enum itself, as `kind()` gives it: only as the scrutinee of a `match`.
    Kind(ObjectId),
    /// `Option`. Of `Gc`, `GcArray` and objects it is the reference, null for `None`.
    Option(Box<Type>),
    /// `Result`
    Result(Box<Type>, Box<Type>),
    /// A tuple with at least one part.
    Tuple(Vec<Type>),
    /// A struct or enum held by value.
    Adt(AdtId),
    /// A reference to Rust data that is handed on: the address, and a length if it is to a `str` or
    /// slice.
    Foreign {
        /// Whether there is a length.
        fat: bool,
    },
    /// An array of this length, held by value: as a tuple of its items.
    Fixed(Box<Type>, u32),
    /// A pointer to a function: its number among those of its type.
    Fn,
}

impl Type {
    /// Whether values are pointers that are never null.
    pub fn is_ref(&self) -> bool {
        matches!(self, Type::Gc(_) | Type::Array(_) | Type::Object(_))
    }
}

/// A struct or enum that is held by value.
#[derive(Clone, Debug)]
pub struct Adt {
    /// Its path in the crate.
    pub name: String,
    /// Whether it is an enum.
    pub is_enum: bool,
    /// Whether it is marked `#[value]`.
    pub is_value: bool,
    /// Whether Rust lays it out as `#[value]` says, if it does so with its fields.
    pub is_sound: bool,
    /// Its variants in declaration order; a struct has one, with the struct's name.
    pub variants: Vec<Variant>,
}

/// A variant of an [`Adt`].
#[derive(Clone, Debug)]
pub struct Variant {
    /// Its name.
    pub name: String,
    /// The names (`0`, `1`, .. in parentheses) and types of its fields, in declaration order.
    pub fields: Vec<(String, Type)>,
}

/// What a type that is held by value in several words is made of: variants, each with the types of
/// its fields.
pub type VariantTypes = Vec<Vec<Type>>;

/// The shape of tuples, structs, enums, `Result`s, and `Option`s that are not references; none for
/// other types. Variants of `Option` are `None`, `Some`; those of `Result` are `Ok`, `Err`.
pub fn shape(ty: &Type, adts: &PrimaryMap<AdtId, Adt>) -> Option<VariantTypes> {
    match ty {
        Type::Tuple(parts) => Some(vec![parts.clone()]),
        Type::Fixed(item, len) => Some(vec![vec![(**item).clone(); *len as usize]]),
        Type::Option(inner) if !inner.is_ref() => Some(vec![Vec::new(), vec![(**inner).clone()]]),
        Type::Result(ok, err) => Some(vec![vec![(**ok).clone()], vec![(**err).clone()]]),
        Type::Adt(id) => {
            let fields = |v: &Variant| v.fields.iter().map(|f| f.1.clone()).collect();
            Some(adts[*id].variants.iter().map(fields).collect())
        }
        _ => None,
    }
}

/// An `#[object]` enum.
#[derive(Clone, Debug)]
pub struct Object {
    /// The thin pointer's name.
    pub name: String,
    /// Variant names and classes, in declaration order.
    pub variants: Vec<(String, ClassId)>,
}

/// The checked program.
pub struct TypedProgram {
    /// The source files.
    pub files: PrimaryMap<FileId, SourceFile>,
    /// Classes, fields and called functions (unlinked).
    pub descrs: Descrs,
    /// For each class, the Rust expression of type `fn() -> &'static ClassDescr` that the generated
    /// glue names, as seen from the crate root: `crate::object::__vd_class_IntObj` or
    /// `::verdigris::rt::array_class::<::verdigris::Cell<crate::object::Obj>, crate::interp::OnStack>`.
    pub class_glue: Vec<String>,
    /// For each called function, the Rust path of type `fn() -> FnDescr`:
    /// `crate::interp::__vd_fn_fail`.
    pub fn_glue: Vec<String>,
    /// The path of what tells the portal from others: `crate::interp::__vd_portal_run`.
    pub portal_glue: String,
    /// The types that the attribute macros describe: the path of what they say of what rustc
    /// compiles, and the same of what was read here.
    pub types: Vec<(String, String)>,
    /// Where called functions and fields are declared, as `src/main.rs:12`, by their names in the
    /// tables.
    pub places: Vec<(String, String)>,
    /// What `#[advice("..")]` says of traced and called functions, by their names in the tables.
    pub advice: Vec<(String, String)>,
    /// Functions that the generated glue declares.
    pub supports: Vec<Support>,
    /// Types of the standard library, and names of methods that they must not have themselves: a
    /// trait's were taken. The glue makes sure of it.
    pub own_probes: Vec<(String, String)>,
    /// For each called function, why nothing is known of what it reads and writes, if so.
    pub unknown_effects: Vec<Option<String>>,
    /// The `#[object]` enums.
    pub objects: PrimaryMap<ObjectId, Object>,
    /// The structs and enums that are held by value.
    pub adts: PrimaryMap<AdtId, Adt>,
    /// For fields of several components, these: fields of the same class, the field itself first.
    pub field_parts: SecondaryMap<FieldId, Vec<FieldId>>,
    /// For array classes with items of several components, the classes that accesses to each of
    /// them name, the class itself first.
    pub item_parts: SecondaryMap<ClassId, Vec<ClassId>>,
    /// The array classes whose items may be vacant.
    pub has_slots: SecondaryMap<ClassId, bool>,
    /// The traced functions reachable from the portal, the portal included.
    pub funcs: PrimaryMap<FuncId, Func>,
    /// The portal.
    pub portal: FuncId,
}

/// A function that the generated glue declares, beside `<name>_descr` of type `fn() -> FnDescr`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Support {
    /// Its name.
    pub name: String,
    /// The Rust types of its parameters, which are called `p0`, `p1`, ..
    pub params: Vec<String>,
    /// The Rust type of its result, if it has one.
    pub ret: Option<String>,
    /// Its body, an expression.
    pub body: String,
}

/// A local variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Its name in the source.
    pub name: String,
    /// Its type.
    pub ty: Type,
}

/// A local variable, or a part (of a part ..) of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocalPlace {
    /// The local.
    pub local: LocalId,
    /// From the outside in, the fields: of this variant (0 in tuples and structs), the one of this
    /// number. That the value is of the variant is known where the place is used.
    pub path: Vec<(u32, u32)>,
}

/// A traced function.
pub struct Func {
    /// Path in the crate, as `interp::step` or `object::IntObj::add`.
    pub name: String,
    /// Parameters (`self` first).
    pub params: Vec<LocalId>,
    /// The parameters that are `&mut` in the source: what they hold at the return goes back to the
    /// caller, who assigns it to what was lent.
    pub lent: Vec<LocalId>,
    /// Result type.
    pub ret: Type,
    /// All locals.
    pub locals: PrimaryMap<LocalId, Local>,
    /// The body.
    pub body: Expr,
    /// The function's name in the source.
    pub span: Span,
    /// `#[unroll_safe]`: loops in it are unrolled into the trace.
    pub unroll_safe: bool,
}

/// Binary operations on two operands of the same type, giving that type or `bool`. Integer
/// arithmetic wraps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    /// The amount may have another integer type; it is masked to the width.
    Shl,
    /// As `Shl`.
    Shr,
    /// On integers, floats, bools, and references (identity).
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Unary operations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnOp {
    /// `-` on integers (wrapping) and floats.
    Neg,
    /// `!` on integers and `bool`.
    Not,
}

/// Methods of primitive types that are more than one operation of the table or have no operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Intrinsic {
    /// `wrapping_div`: MIN / -1 wraps, zero panics.
    WrappingDiv,
    /// `wrapping_rem`: MIN % -1 is 0, zero panics.
    WrappingRem,
    /// A pure operation of the table on the operands' words; its result is in the range of the
    /// expression's type.
    Data(DataOp),
    /// Whether an object has this class, which the program promises.
    HasClass(ClassId),
    /// `i64::abs` wrapping as in release.
    IntAbs,
    /// Whether an `Option` is `Some`, a `Result` is `Err`: whether a value is of the second of two
    /// variants.
    IsSecond,
    /// The opposite.
    IsFirst,
    /// The first operand, an index; panics if it is not less than the second one, the length of an
    /// array.
    InBounds,
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Type,
    /// Where it is.
    pub span: Span,
}

/// The kinds of expressions. Statements are expressions of type unit.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer or bool literal or constant, already in the range of its type (unsigned 64-bit as
    /// bit pattern).
    Int(i64),
    /// A float literal.
    Float(f64),
    /// `()`
    Unit,
    /// A local's value.
    Local(LocalId),
    /// Declares a local with its value.
    Let(LocalId, Box<Expr>),
    /// `let x;`
    Declare(LocalId),
    /// Assigns a local.
    Assign(LocalId, Box<Expr>),
    /// A binary operation.
    Binary(BinOp, Box<Expr>, Box<Expr>),
    /// A unary operation.
    Unary(UnOp, Box<Expr>),
    /// `&&`
    AndAlso(Box<Expr>, Box<Expr>),
    /// `||`
    OrElse(Box<Expr>, Box<Expr>),
    /// `as`, to the expression's type.
    Cast(Box<Expr>),
    /// A value of one reference type seen as another (`Obj::from(gc)`): no operation.
    Coerce(Box<Expr>),
    /// A value of the expression's type: of this variant, with these fields (index and value) in
    /// source order.
    Make(u32, Vec<(u32, Expr)>),
    /// A field of a tuple or struct held by value.
    Part(Box<Expr>, u32),
    /// A field of a variant that the value is known to be of.
    Payload(Box<Expr>, u32, u32),
    /// Assigns a field (of a field ..) of a local that is held by value.
    AssignPart(LocalPlace, Box<Expr>),
    /// The index of an enum's variant.
    Tag(Box<Expr>),
    /// A method of a primitive type.
    Intrinsic(Intrinsic, Vec<Expr>),
    /// Reads a field (of a plain field, or `.get()` of a cell).
    GetField(Box<Expr>, FieldId),
    /// `.set(value)` of a cell field.
    SetField(Box<Expr>, FieldId, Box<Expr>),
    /// Reads an item, bounds checked.
    GetItem(Box<Expr>, Box<Expr>),
    /// `.set(value)` of a cell item, bounds checked.
    SetItem(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len()`
    ArrayLen(Box<Expr>),
    /// `Gc::new(T { .. })`, the initialisers in source order.
    New(ClassId, Vec<(FieldId, Expr)>),
    /// `GcArray::new(len, fill)`
    NewArray(ClassId, Box<Expr>, Box<Expr>),
    /// A traced function; and the places that are lent to it by `&mut`, for each of its `lent`
    /// parameters in order.
    Call(FuncId, Vec<Expr>, Vec<LocalPlace>),
    /// An opaque or elidable function, or the portal.
    CallFn(FnId, Vec<Expr>),
    /// `promote(x)`
    Promote(Box<Expr>),
    /// `is_constant(x)`: whether the tracer knows all of a value.
    IsConstant(Box<Expr>),
    /// `is_virtual(x)`: whether the tracer has seen the object made and not escape; no for
    /// what is no object.
    IsVirtual(Box<Expr>),
    /// `concrete(x)`
    Concrete(Box<Expr>),
    /// `if`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `match`; exhaustive. The scrutinee of an object match has type [`Type::Kind`] and is an
    /// [`ExprKind::Kind`], or is a tuple with such parts.
    Match(Box<Expr>, Vec<Arm>),
    /// `kind()`
    Kind(Box<Expr>),
    /// `loop`, or a labelled block if `once`.
    Loop {
        /// Its name for `break` and `continue`.
        id: LoopId,
        /// The body.
        body: Box<Expr>,
        /// A labelled block: leaves at its end with the body's value.
        once: bool,
    },
    /// `break`, with the loop's value.
    Break(LoopId, Option<Box<Expr>>),
    /// `continue`
    Continue(LoopId),
    /// `return`
    Return(Option<Box<Expr>>),
    /// Statements; the last one's value is the block's (unit if empty).
    Block(Vec<Expr>),
    /// `panic!`, `unreachable!`, `assert!`'s failure, with the message.
    Panic(String),
    /// `merge_point!`
    MergePoint {
        /// The greens.
        greens: Vec<LocalId>,
        /// The reds.
        reds: Vec<LocalId>,
    },
    /// `can_enter_jit!`: marks the loop header and continues at the merge point's loop.
    CanEnterJit(LoopId),
}

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The pattern.
    pub pat: Pat,
    /// `if` guard.
    pub guard: Option<Expr>,
    /// The body.
    pub body: Expr,
}

/// A pattern.
#[derive(Clone, Debug)]
pub enum Pat {
    /// `_`
    Wild,
    /// A name (`@` patterns bind, then match the inner one).
    Bind(LocalId, Option<Box<Pat>>),
    /// An integer or bool.
    Int(i64),
    /// An inclusive range of integers; compared as the scrutinee's type is signed or not.
    Range(i64, i64),
    /// Alternatives; each binds the same locals.
    Or(Vec<Pat>),
    /// A variant of an object enum: the class, and what its `Gc` is bound to.
    Class(ClassId, Option<LocalId>),
    /// A variant of a type that has variants (a tuple or struct has one), with a pattern for each
    /// of its fields.
    Variant(Type, u32, Vec<Pat>),
}

pub(crate) fn is_comparison(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge
    )
}

/// How an operator is written.
pub(crate) fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::Lt => "<",
        BinOp::Le => "<=",
        BinOp::Gt => ">",
        BinOp::Ge => ">=",
    }
}
