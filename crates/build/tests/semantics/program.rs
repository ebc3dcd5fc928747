//! The classes and functions that the random programs use.

use cranelift_entity::PrimaryMap;
use verdigris_front::tast::{
    FileId, FuncId, IntTy, Object, ObjectId, Program, SourceFile, Span, Type,
};
use verdigris_ops::text::Tokens;
use verdigris_ops::{ClassId, Descrs, FieldId, FnId};

pub const PAIR: u32 = 0;
pub const INT: u32 = 1;
pub const WORDS: u32 = 2;
pub const FLOATS: u32 = 3;

/// Somewhere; every expression is there.
pub fn span() -> Span {
    Span {
        file: FileId::from_u32(0),
        lo: 0,
        hi: 1,
    }
}

/// A program without functions.
pub fn empty() -> Program {
    let text = "class Pair { x: cell int, y: cell float, next: cell ref, z: int }
        class Int { value: cell int }
        class GcArray<Cell<i64>> [cell int]
        class GcArray<f64> [float]
        fn mix(int, int) -> int opaque
        fn pure(float) -> float elidable
        fn look(ref, ref) opaque\n";
    let mut tokens = Tokens::new(text).expect("lexes");
    let mut descrs = Descrs::default();
    while descrs.parse_line(&mut tokens).expect("parses") {}
    let mut files = PrimaryMap::new();
    files.push(SourceFile {
        path: "src/main.rs".to_string(),
        text: "\n".to_string(),
    });
    let mut objects = PrimaryMap::new();
    objects.push(Object {
        name: "Obj".to_string(),
        variants: vec![
            ("Int".to_string(), ClassId::from_u32(INT)),
            ("Pair".to_string(), ClassId::from_u32(PAIR)),
        ],
    });
    Program {
        files,
        descrs,
        class_glue: Vec::new(),
        fn_glue: Vec::new(),
        unknown_effects: Vec::new(),
        objects,
        funcs: PrimaryMap::new(),
        portal: FuncId::from_u32(0),
    }
}

/// The type of a field's value in the source.
pub fn field_type(field: FieldId) -> Type {
    match field.as_u32() {
        0 => Type::Int(IntTy::I32),
        1 => Type::F64,
        2 => Type::Option(Box::new(Type::Gc(ClassId::from_u32(PAIR)))),
        3 => Type::Int(IntTy::U8),
        _ => Type::Int(IntTy::I64),
    }
}

/// Fields of a class, and whether they can be set.
pub fn fields(class: u32) -> &'static [(u32, bool)] {
    match class {
        PAIR => &[(0, true), (1, true), (2, true), (3, false)],
        _ => &[(4, true)],
    }
}

/// Parameter and result types of a called function.
pub fn signature(callee: FnId) -> (Vec<Type>, Type) {
    let int = |ty| Type::Int(ty);
    match callee.as_u32() {
        0 => (vec![int(IntTy::I64), int(IntTy::U8)], int(IntTy::I8)),
        1 => (vec![Type::F64], Type::F64),
        _ => (
            vec![obj(), Type::Array(ClassId::from_u32(WORDS))],
            Type::Unit,
        ),
    }
}

/// The object type.
pub fn obj() -> Type {
    Type::Object(ObjectId::from_u32(0))
}
