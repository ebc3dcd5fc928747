//! The classes and functions that the random programs use.

use cranelift_entity::{PrimaryMap, SecondaryMap};
use verdigris_front::tast::{
    Adt, AdtId, FileId, FuncId, IntTy, Object, ObjectId, SourceFile, Span, Type, TypedProgram,
    Variant,
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
pub fn empty() -> TypedProgram {
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
    TypedProgram {
        places: Vec::new(),
        advice: Vec::new(),
        files,
        descrs,
        class_glue: Vec::new(),
        fn_glue: Vec::new(),
        portal_glue: String::new(),
        types: Vec::new(),
        unknown_effects: Vec::new(),
        objects,
        adts: adts(),
        field_parts: SecondaryMap::new(),
        item_parts: SecondaryMap::new(),
        has_slots: SecondaryMap::new(),
        supports: Vec::new(),
        own_probes: Vec::new(),
        funcs: PrimaryMap::new(),
        portal: FuncId::from_u32(0),
    }
}

/// `struct Point { x: i32, y: f64 }` and
/// `enum Value { Nil, Int(i64), Byte(u8), Float(f64), Obj(Obj), Both(Point, i16) }`.
fn adts() -> PrimaryMap<AdtId, Adt> {
    let variant = |name: &str, types: &[Type]| Variant {
        name: name.to_string(),
        fields: types
            .iter()
            .enumerate()
            .map(|(n, ty)| (n.to_string(), ty.clone()))
            .collect(),
    };
    let int = Type::Int;
    let mut adts = PrimaryMap::new();
    let point = adts.push(Adt {
        name: "Point".to_string(),
        is_enum: false,
        is_value: false,
        is_sound: false,
        variants: vec![variant("Point", &[int(IntTy::I32), Type::F64])],
    });
    adts.push(Adt {
        name: "Value".to_string(),
        is_enum: true,
        is_value: false,
        is_sound: false,
        variants: vec![
            variant("Nil", &[]),
            variant("Int", &[int(IntTy::I64)]),
            variant("Byte", &[int(IntTy::U8)]),
            variant("Float", &[Type::F64]),
            variant("Obj", &[obj()]),
            variant("Both", &[Type::Adt(point), int(IntTy::I16)]),
        ],
    });
    adts
}

/// Types that are made of others.
pub fn aggregates() -> Vec<Type> {
    let int = Type::Int(IntTy::I64);
    let byte = Type::Int(IntTy::U8);
    let (point, value) = (Type::Adt(AdtId::from_u32(0)), Type::Adt(AdtId::from_u32(1)));
    let boxed = |ty: &Type| Box::new(ty.clone());
    vec![
        point.clone(),
        value.clone(),
        value.clone(),
        Type::Tuple(vec![int.clone(), Type::Bool]),
        Type::Tuple(vec![value.clone(), Type::Option(boxed(&value))]),
        Type::Option(boxed(&int)),
        Type::Option(boxed(&Type::Bool)),
        Type::Result(boxed(&int), boxed(&byte)),
        Type::Result(boxed(&point), boxed(&Type::Unit)),
    ]
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
