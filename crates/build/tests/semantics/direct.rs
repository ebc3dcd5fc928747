//! Every operator, cast and method on the edges of every type, as a one-operation program.

use crate::check;
use crate::program::{empty, span};
use crate::random::word_of;
use cranelift_entity::PrimaryMap;
use verdigris_front::tast::{
    BinOp, Expr, ExprKind, Func, IntTy, Intrinsic, Local, LocalId, LoopId, Type, TypedProgram, UnOp,
};
use verdigris_ops::DataOp;

const INTS: [IntTy; 8] = [
    IntTy::I8,
    IntTy::I16,
    IntTy::I32,
    IntTy::I64,
    IntTy::U8,
    IntTy::U16,
    IntTy::U32,
    IntTy::U64,
];

const FLOATS: [f64; 27] = [
    0.0,
    -0.0,
    0.9,
    -0.9,
    1.0,
    -1.0,
    127.9,
    128.0,
    -128.9,
    -129.0,
    255.5,
    256.0,
    32768.0,
    65536.0,
    2147483647.5,
    2147483648.0,
    -2147483649.0,
    4294967296.0,
    9223372036854775807.0,
    9223372036854774784.0,
    18446744073709551615.0,
    18446744073709549568.0,
    -1e300,
    1e300,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

fn words(ty: &Type) -> Vec<u64> {
    match ty {
        Type::F64 => FLOATS.iter().map(|f| f.to_bits()).collect(),
        Type::Bool => vec![0, 1],
        _ => {
            let bits = [0, 1, 2, 7, 8, 15, 16, 31, 32, 33, 53, 62, 63];
            let mut all = vec![
                0,
                1,
                2,
                3,
                100,
                u64::MAX,
                u64::MAX - 1,
                0x8000_0000_0000_0401,
            ];
            for bit in bits {
                let word = 1u64 << bit;
                all.extend([word, word - 1, word.wrapping_neg(), word.wrapping_neg() - 1]);
            }
            all.iter_mut().for_each(|w| *w = word_of(ty, *w));
            all.sort_unstable();
            all.dedup();
            all
        }
    }
}

fn e(kind: ExprKind, ty: Type) -> Expr {
    Expr {
        kind,
        ty,
        span: span(),
    }
}

/// A portal that returns an expression over its parameters.
fn program(params: &[Type], ret: &Type, body: impl Fn(Vec<Expr>) -> Expr) -> TypedProgram {
    let mut program = empty();
    let mut locals = PrimaryMap::new();
    let ids: Vec<LocalId> = params
        .iter()
        .map(|ty| {
            let name = "p".to_string();
            let ty = ty.clone();
            locals.push(Local { name, ty })
        })
        .collect();
    let reads = ids.iter().zip(params);
    let reads = reads
        .map(|(&l, ty)| e(ExprKind::Local(l), ty.clone()))
        .collect();
    let merge = ExprKind::MergePoint {
        greens: Vec::new(),
        reds: ids.clone(),
    };
    let result = ExprKind::Return(Some(Box::new(body(reads))));
    let list = vec![e(merge, Type::Unit), e(result, Type::Never)];
    let body = ExprKind::Loop {
        id: LoopId::from_u32(0),
        body: Box::new(e(ExprKind::Block(list), Type::Never)),
        once: false,
    };
    program.funcs.push(Func {
        name: "run".to_string(),
        params: ids,
        lent: Vec::new(),
        ret: ret.clone(),
        locals,
        body: e(body, Type::Never),
        span: span(),
        unroll_safe: false,
    });
    program
}

fn each(what: &str, params: &[Type], ret: &Type, body: impl Fn(Vec<Expr>) -> Expr) {
    let source = program(params, ret, body);
    let mut inputs = vec![Vec::new()];
    for ty in params {
        let longer = inputs.iter().flat_map(|start: &Vec<u64>| {
            words(ty)
                .into_iter()
                .map(|w| [start.as_slice(), &[w]].concat())
        });
        inputs = longer.collect();
    }
    check(&source, &inputs).unwrap_or_else(|e| panic!("{what} {e}"));
}

fn binary(op: BinOp, ty: &Type, amount: &Type, ret: &Type) {
    let what = format!("{op:?} on {ty:?}");
    each(&what, &[ty.clone(), amount.clone()], ret, |args| {
        let [a, b] = <[Expr; 2]>::try_from(args).expect("two");
        e(ExprKind::Binary(op, Box::new(a), Box::new(b)), ret.clone())
    });
}

fn unary(what: &str, ty: &Type, ret: &Type, kind: impl Fn(Box<Expr>) -> ExprKind) {
    each(what, std::slice::from_ref(ty), ret, |mut args| {
        e(kind(Box::new(args.remove(0))), ret.clone())
    });
}

#[test]
fn integer_operators() {
    use BinOp::*;
    for int in INTS {
        let ty = Type::Int(int);
        for op in [Add, Sub, Mul, Div, Rem, And, Or, Xor] {
            binary(op, &ty, &ty, &ty);
        }
        for op in [Eq, Ne, Lt, Le, Gt, Ge] {
            binary(op, &ty, &ty, &Type::Bool);
        }
        for op in [Shl, Shr] {
            for amount in [IntTy::U32, IntTy::I8, IntTy::U64] {
                binary(op, &ty, &Type::Int(amount), &ty);
            }
        }
        unary("!", &ty, &ty, |a| ExprKind::Unary(UnOp::Not, a));
        if int.signed() {
            unary("-", &ty, &ty, |a| ExprKind::Unary(UnOp::Neg, a));
        }
    }
}

#[test]
fn other_operators() {
    use BinOp::*;
    let (float, bool) = (Type::F64, Type::Bool);
    for op in [Eq, Ne, Lt, Le, Gt, Ge] {
        binary(op, &float, &float, &bool);
        binary(op, &bool, &bool, &bool);
    }
    for op in [And, Or, Xor] {
        binary(op, &bool, &bool, &bool);
    }
    unary("!", &bool, &bool, |a| ExprKind::Unary(UnOp::Not, a));
    unary("-", &float, &float, |a| ExprKind::Unary(UnOp::Neg, a));
}

#[test]
fn casts() {
    let mut types: Vec<Type> = INTS.map(Type::Int).to_vec();
    types.push(Type::F64);
    for from in types.iter().chain([&Type::Bool]) {
        for to in &types {
            if (from, to) != (&Type::Bool, &Type::F64) {
                unary(&format!("{from:?} as {to:?}"), from, to, ExprKind::Cast);
            }
        }
    }
}

#[test]
fn methods() {
    let method = |method: Intrinsic| move |a: Box<Expr>| ExprKind::Intrinsic(method, vec![*a]);
    let bits = Type::Int(IntTy::U64);
    unary(
        "abs",
        &Type::F64,
        &Type::F64,
        method(Intrinsic::Data(DataOp::FloatAbs)),
    );
    unary(
        "to_bits",
        &Type::F64,
        &bits,
        method(Intrinsic::Data(DataOp::FloatBits)),
    );
    unary(
        "from_bits",
        &bits,
        &Type::F64,
        method(Intrinsic::Data(DataOp::FloatFromBits)),
    );
    for int in INTS {
        let ty = Type::Int(int);
        if int.signed() {
            unary("abs", &ty, &ty, method(Intrinsic::IntAbs));
        }
        for method in [Intrinsic::WrappingDiv, Intrinsic::WrappingRem] {
            each(
                &format!("{method:?} on {ty:?}"),
                &[ty.clone(), ty.clone()],
                &ty,
                |args| e(ExprKind::Intrinsic(method, args), ty.clone()),
            );
        }
    }
}
