//! Makes random well-typed programs of a given size, whose loops are bounded by counters. The
//! portal has a merge point that lists every local in scope.

use crate::program::{
    FLOATS, INT, PAIR, WORDS, aggregates, empty, field_type, fields, obj, signature, span,
};
use cranelift_entity::PrimaryMap;
use verdigris_front::tast::{
    Arm, BinOp, Expr, ExprKind, Func, FuncId, IntTy, Intrinsic, Local, LocalId, LocalPlace, LoopId,
    ObjectId, Pat, Type, TypedProgram, UnOp, shape,
};
use verdigris_ops::{ClassId, DataOp, FieldId, FnId};

const INTS: [IntTy; 10] = [
    IntTy::I8,
    IntTy::I16,
    IntTy::I32,
    IntTy::I64,
    IntTy::Isize,
    IntTy::U8,
    IntTy::U16,
    IntTy::U32,
    IntTy::U64,
    IntTy::Usize,
];

/// A word in the range of a type.
pub fn word_of(ty: &Type, word: u64) -> u64 {
    match ty {
        Type::Int(IntTy::I8) => word as i8 as u64,
        Type::Int(IntTy::I16) => word as i16 as u64,
        Type::Int(IntTy::I32) => word as i32 as u64,
        Type::Int(int) if int.bits() < 64 => word & ((1 << int.bits()) - 1),
        Type::Bool => word & 1,
        _ => word,
    }
}

/// A random program.
pub fn program(seed: u64, size: u32) -> TypedProgram {
    let mut program = empty();
    let mut rng = Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    program.funcs.push(Gen::portal(&mut rng, size));
    for n in 0..helpers().len() {
        let helper = Gen::helper(&mut rng, size.min(3), n);
        program.funcs.push(helper);
    }
    program
}

/// The results of functions to call, and the types of their first parameters. They call only those
/// with higher numbers.
fn helpers() -> Vec<Type> {
    let ints = [IntTy::I16, IntTy::U32, IntTy::I64].map(Type::Int);
    let values = [2, 4, 7].map(|n| aggregates().swap_remove(n));
    [ints, values].concat()
}

fn helper_params(n: usize) -> Vec<Type> {
    let first = vec![helpers().swap_remove(n), Type::F64, obj()];
    [first, helper_lent(n)].concat()
}

/// The types of the last parameters, which are `&mut`.
fn helper_lent(n: usize) -> Vec<Type> {
    let (int, value) = (Type::Int(IntTy::I32), aggregates().swap_remove(n % 4));
    match n % 3 {
        0 => vec![int],
        1 => vec![value],
        _ => vec![value, int],
    }
}

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize].clone()
    }
}

fn e(kind: ExprKind, ty: Type) -> Expr {
    Expr {
        kind,
        ty,
        span: span(),
    }
}

fn unit(kind: ExprKind) -> Expr {
    e(kind, Type::Unit)
}

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

fn int(value: i64, ty: IntTy) -> Expr {
    e(ExprKind::Int(value), Type::Int(ty))
}

fn block(list: Vec<Expr>, ty: Type) -> Expr {
    e(ExprKind::Block(list), ty)
}

struct Gen<'r> {
    rng: &'r mut Rng,
    locals: PrimaryMap<LocalId, Local>,
    scope: Vec<LocalId>,
    /// Loops around, with the type of their value.
    loops: Vec<(LoopId, Type)>,
    next_loop: u32,
    ret: Type,
    /// The first helper that can be called.
    callable: usize,
    merge_loop: Option<LoopId>,
}

impl<'r> Gen<'r> {
    fn new(rng: &'r mut Rng, ret: Type, callable: usize) -> Gen<'r> {
        Gen {
            rng,
            locals: PrimaryMap::new(),
            scope: Vec::new(),
            loops: Vec::new(),
            next_loop: 0,
            ret,
            callable,
            merge_loop: None,
        }
    }

    fn func(self, name: &str, params: Vec<LocalId>, lent: Vec<LocalId>, body: Expr) -> Func {
        Func {
            name: name.to_string(),
            params,
            lent,
            ret: self.ret,
            locals: self.locals,
            body,
            span: span(),
            unroll_safe: true,
        }
    }

    fn helper(rng: &'r mut Rng, size: u32, n: usize) -> Func {
        let ret = helpers().swap_remove(n);
        let mut g = Gen::new(rng, ret.clone(), n + 1);
        let params = g.params(helper_params(n));
        let body = g.block(&ret, size);
        let lent = params[params.len() - helper_lent(n).len()..].to_vec();
        g.func(&format!("helper{n}"), params, lent, body)
    }

    fn portal(rng: &'r mut Rng, size: u32) -> Func {
        let types = [IntTy::I64, IntTy::U8, IntTy::I32, IntTy::Usize].map(Type::Int);
        let mut g = Gen::new(rng, Type::Int(IntTy::I64), 0);
        let params = g.params(types.to_vec());
        let mut list = Vec::new();
        let fuel = g.local(Type::Int(IntTy::I64));
        list.push(unit(ExprKind::Let(fuel, boxed(int(8, IntTy::I64)))));
        for _ in 0..3 {
            list.push(g.let_stmt(1));
        }
        let id = g.new_loop(Type::Never);
        g.merge_loop = Some(id);
        let (greens, reds) = g.scope.split_at(2);
        let reds = reds.iter().copied().chain([fuel]).collect();
        let greens = greens.to_vec();
        let mut body = vec![unit(ExprKind::MergePoint { greens, reds })];
        let result = g.expr(&Type::Int(IntTy::I64), 2);
        body.push(g.count_down(fuel, e(ExprKind::Return(Some(boxed(result))), Type::Never)));
        for _ in 0..size {
            body.push(g.stmt(size));
        }
        let body = boxed(block(body, Type::Unit));
        let once = false;
        list.push(e(ExprKind::Loop { id, body, once }, Type::Never));
        g.func("run", params, Vec::new(), block(list, Type::Never))
    }

    fn params(&mut self, types: Vec<Type>) -> Vec<LocalId> {
        let params: Vec<LocalId> = types.into_iter().map(|ty| self.local(ty)).collect();
        self.scope.extend(&params);
        params
    }

    fn local(&mut self, ty: Type) -> LocalId {
        let name = format!("x{}", self.locals.len());
        self.locals.push(Local { name, ty })
    }

    fn new_loop(&mut self, ty: Type) -> LoopId {
        let id = LoopId::from_u32(self.next_loop);
        self.next_loop += 1;
        self.loops.push((id, ty));
        id
    }

    /// `if counter == 0 { leave } counter -= 1`
    fn count_down(&mut self, counter: LocalId, leave: Expr) -> Expr {
        let i64 = Type::Int(IntTy::I64);
        let read = e(ExprKind::Local(counter), i64.clone());
        let one = int(1, IntTy::I64);
        let less = e(
            ExprKind::Binary(BinOp::Sub, boxed(read.clone()), boxed(one)),
            i64,
        );
        let zero = boxed(int(0, IntTy::I64));
        let done = e(ExprKind::Binary(BinOp::Eq, boxed(read), zero), Type::Bool);
        let leave = boxed(leave);
        let stay = boxed(unit(ExprKind::Assign(counter, boxed(less))));
        unit(ExprKind::If(boxed(done), leave, stay))
    }

    fn ty(&mut self) -> Type {
        match self.rng.below(18) {
            0..=4 => Type::Int(self.rng.pick(&INTS)),
            5 | 6 => Type::Bool,
            7 => Type::F64,
            8 => Type::Gc(ClassId::from_u32(PAIR)),
            9 => obj(),
            12.. => self.rng.pick(&aggregates()),
            10 => Type::Array(ClassId::from_u32(self.rng.pick(&[WORDS, FLOATS]))),
            _ => Type::Option(boxed_type(Type::Gc(ClassId::from_u32(PAIR)))),
        }
    }

    /// An expression; what it declares is out of scope behind it.
    fn expr(&mut self, ty: &Type, depth: u32) -> Expr {
        let scope = self.scope.len();
        let expr = self.any_expr(ty, depth);
        self.scope.truncate(scope);
        expr
    }

    fn any_expr(&mut self, ty: &Type, depth: u32) -> Expr {
        if depth == 0 || self.rng.one_in(6) {
            return self.leaf(ty);
        }
        match self.rng.below(16) {
            0 => self.if_else(ty, depth),
            1 => self.match_expr(ty, depth),
            2 => self.block(ty, depth - 1),
            3 => self.loop_expr(ty, depth),
            4 => {
                let inner = self.expr(ty, depth - 1);
                let hint = match self.rng.one_in(3) {
                    true => ExprKind::Concrete(boxed(inner)),
                    false => ExprKind::Promote(boxed(inner)),
                };
                e(hint, ty.clone())
            }
            5 => self.labelled(ty, depth),
            6 if self.callable < helpers().len() => self.call(ty, depth),
            7 => match self.part(ty, depth - 1) {
                Some(part) => part,
                None => self.operation(ty, depth - 1),
            },
            _ => self.operation(ty, depth - 1),
        }
    }

    fn leaf(&mut self, ty: &Type) -> Expr {
        let known = self.scope.iter().filter(|&&l| self.locals[l].ty == *ty);
        let known: Vec<LocalId> = known.copied().collect();
        if !known.is_empty() && !self.rng.one_in(4) {
            return e(ExprKind::Local(self.rng.pick(&known)), ty.clone());
        }
        let kind = match ty {
            Type::Unit => ExprKind::Unit,
            Type::Bool => ExprKind::Int(self.rng.below(2) as i64),
            Type::Int(_) => {
                let edges = [
                    0,
                    1,
                    2,
                    7,
                    31,
                    64,
                    255,
                    u64::MAX,
                    1 << 63,
                    i64::MAX as u64,
                    0x80,
                    0x7FFF,
                ];
                let word = match self.rng.one_in(4) {
                    true => self.rng.next(),
                    false => self.rng.pick(&edges),
                };
                ExprKind::Int(word_of(ty, word) as i64)
            }
            Type::F64 => ExprKind::Float(self.rng.pick(&[
                0.0,
                -0.0,
                1.5,
                -3.0,
                1e10,
                1e19,
                1e30,
                255.7,
                -129.2,
                4e9,
                0.1,
                f64::INFINITY,
            ])),
            Type::Option(_) => ExprKind::Make(0, Vec::new()),
            Type::Tuple(_) | Type::Result(..) | Type::Adt(_) => return self.make(ty, 0),
            Type::Gc(class) => return self.new_struct(*class, 0),
            Type::Object(_) => {
                let class = ClassId::from_u32(self.rng.pick(&[PAIR, INT]));
                let object = self.new_struct(class, 0);
                ExprKind::Coerce(boxed(object))
            }
            Type::Array(class) => return self.new_array(*class, 0),
            _ => unreachable!("no such values"),
        };
        e(kind, ty.clone())
    }

    fn operation(&mut self, ty: &Type, depth: u32) -> Expr {
        match ty {
            Type::Unit => self.stmt(depth),
            Type::Bool => self.bool_op(depth),
            Type::Int(int) => self.int_op(*int, depth),
            Type::F64 => self.float_op(depth),
            Type::Gc(class) => self.new_struct(*class, depth),
            Type::Object(_) => {
                let class = ClassId::from_u32(self.rng.pick(&[PAIR, INT]));
                let inner = self.expr(&Type::Gc(class), depth);
                e(ExprKind::Coerce(boxed(inner)), ty.clone())
            }
            Type::Option(inner) => match self.rng.below(3) {
                0 if **inner == Type::Gc(ClassId::from_u32(PAIR)) => {
                    let object = self.expr(&Type::Gc(ClassId::from_u32(PAIR)), depth);
                    e(
                        ExprKind::GetField(boxed(object), FieldId::from_u32(2)),
                        ty.clone(),
                    )
                }
                _ => self.make(ty, depth),
            },
            Type::Tuple(_) | Type::Result(..) | Type::Adt(_) => self.make(ty, depth),
            Type::Array(class) => self.new_array(*class, depth),
            _ => self.leaf(ty),
        }
    }

    /// A value of a random variant.
    fn make(&mut self, ty: &Type, depth: u32) -> Expr {
        let shape = match ty {
            Type::Option(inner) => vec![Vec::new(), vec![(**inner).clone()]],
            ty => shape(ty, &empty().adts).expect("has variants"),
        };
        let variant = self.rng.below(shape.len() as u64) as usize;
        let types = &shape[variant];
        let mut fields = Vec::new();
        for (n, ty) in types.iter().enumerate() {
            fields.push((n as u32, self.expr(ty, depth)));
        }
        if self.rng.one_in(2) {
            fields.reverse();
        }
        e(ExprKind::Make(variant as u32, fields), ty.clone())
    }

    /// A field of a tuple or struct, if there is one of this type; the type of the whole.
    fn part(&mut self, ty: &Type, depth: u32) -> Option<Expr> {
        let mut found = Vec::new();
        for whole in aggregates() {
            let shape = shape(&whole, &empty().adts)?;
            if let [fields] = shape.as_slice() {
                let fields = fields.iter().enumerate().filter(|f| f.1 == ty);
                found.extend(fields.map(|f| (whole.clone(), f.0 as u32)));
            }
        }
        if found.is_empty() {
            return None;
        }
        let (whole, index) = self.rng.pick(&found);
        let whole = self.expr(&whole, depth);
        Some(e(ExprKind::Part(boxed(whole), index), ty.clone()))
    }

    fn binary(&mut self, op: BinOp, operands: &Type, ty: &Type, depth: u32) -> Expr {
        let (a, b) = (self.expr(operands, depth), self.expr(operands, depth));
        e(ExprKind::Binary(op, boxed(a), boxed(b)), ty.clone())
    }

    /// A type with two variants, without floats.
    fn two_variants(&mut self) -> Type {
        let int = Type::Int(IntTy::I64);
        let byte = boxed_type(Type::Int(IntTy::U8));
        match self.rng.below(3) {
            0 => Type::Option(boxed_type(Type::Gc(ClassId::from_u32(PAIR)))),
            1 => Type::Option(boxed_type(int)),
            _ => Type::Result(boxed_type(int), byte),
        }
    }

    fn bool_op(&mut self, depth: u32) -> Expr {
        use BinOp::*;
        let compare = self.rng.pick(&[Eq, Ne, Lt, Le, Gt, Ge]);
        match self.rng.below(9) {
            0..=2 => {
                let int = Type::Int(self.rng.pick(&INTS));
                self.binary(compare, &int, &Type::Bool, depth)
            }
            3 => self.binary(compare, &Type::F64, &Type::Bool, depth),
            4 => {
                let op = self.rng.pick(&[And, Or, Xor, Eq, Ne, Lt, Le, Gt, Ge]);
                self.binary(op, &Type::Bool, &Type::Bool, depth)
            }
            5 => {
                let (a, b) = (self.expr(&Type::Bool, depth), self.expr(&Type::Bool, depth));
                let kind = match self.rng.one_in(2) {
                    true => ExprKind::AndAlso(boxed(a), boxed(b)),
                    false => ExprKind::OrElse(boxed(a), boxed(b)),
                };
                e(kind, Type::Bool)
            }
            6 => {
                let inner = self.expr(&Type::Bool, depth);
                e(ExprKind::Unary(UnOp::Not, boxed(inner)), Type::Bool)
            }
            7 => {
                let op = self.rng.pick(&[Eq, Ne]);
                let ty = match self.rng.one_in(2) {
                    true => Type::Tuple(vec![Type::Int(IntTy::I64), Type::Bool]),
                    false => self.two_variants(),
                };
                self.binary(op, &ty, &Type::Bool, depth)
            }
            _ => {
                let method = self.rng.pick(&[Intrinsic::IsFirst, Intrinsic::IsSecond]);
                let ty = self.two_variants();
                let option = self.expr(&ty, depth);
                e(ExprKind::Intrinsic(method, vec![option]), Type::Bool)
            }
        }
    }

    fn int_op(&mut self, int_ty: IntTy, depth: u32) -> Expr {
        use BinOp::*;
        let ty = Type::Int(int_ty);
        match self.rng.below(14) {
            0..=5 => {
                let op = self
                    .rng
                    .pick(&[Add, Sub, Mul, Div, Rem, And, Or, Xor, Add, Sub, Mul]);
                self.binary(op, &ty, &ty, depth)
            }
            6 | 7 => {
                let op = self.rng.pick(&[Shl, Shr]);
                let amount = Type::Int(self.rng.pick(&INTS));
                let (a, b) = (self.expr(&ty, depth), self.expr(&amount, depth));
                e(ExprKind::Binary(op, boxed(a), boxed(b)), ty)
            }
            8 => {
                let op = match int_ty.signed() {
                    true => self.rng.pick(&[UnOp::Neg, UnOp::Not]),
                    false => UnOp::Not,
                };
                let inner = self.expr(&ty, depth);
                e(ExprKind::Unary(op, boxed(inner)), ty)
            }
            9 | 10 => {
                let from = match self.rng.below(6) {
                    0 => Type::Bool,
                    1 => Type::F64,
                    _ => Type::Int(self.rng.pick(&INTS)),
                };
                let inner = self.expr(&from, depth);
                e(ExprKind::Cast(boxed(inner)), ty)
            }
            11 => {
                let mut methods = vec![Intrinsic::WrappingDiv, Intrinsic::WrappingRem];
                if int_ty.signed() {
                    methods.push(Intrinsic::IntAbs);
                }
                let method = self.rng.pick(&methods);
                let mut args = vec![self.expr(&ty, depth)];
                if method != Intrinsic::IntAbs {
                    args.push(self.expr(&ty, depth));
                }
                e(ExprKind::Intrinsic(method, args), ty)
            }
            12 if int_ty == IntTy::I8 => {
                let callee = FnId::from_u32(0);
                let args = signature(callee).0;
                let args = args.iter().map(|ty| self.expr(ty, depth)).collect();
                e(ExprKind::CallFn(callee, args), ty)
            }
            12 if int_ty == IntTy::I32 => self.get_field(PAIR, 0, depth),
            12 if int_ty == IntTy::U8 => self.get_field(PAIR, 3, depth),
            12 if int_ty == IntTy::Usize => {
                let class = self.rng.pick(&[WORDS, FLOATS]);
                let array = self.expr(&Type::Array(ClassId::from_u32(class)), depth);
                e(ExprKind::ArrayLen(boxed(array)), ty)
            }
            12 if int_ty == IntTy::I64 => self.get_field(INT, 4, depth),
            _ if int_ty == IntTy::I64 => self.get_item(WORDS, ty, depth),
            _ => self.leaf(&ty),
        }
    }

    fn float_op(&mut self, depth: u32) -> Expr {
        use BinOp::*;
        let ty = Type::F64;
        match self.rng.below(8) {
            0..=2 => {
                let op = self.rng.pick(&[Add, Sub, Mul, Div]);
                self.binary(op, &ty, &ty, depth)
            }
            3 => {
                let from = Type::Int(self.rng.pick(&INTS));
                let inner = self.expr(&from, depth);
                e(ExprKind::Cast(boxed(inner)), ty)
            }
            4 => {
                let inner = self.expr(&ty, depth);
                e(ExprKind::Unary(UnOp::Neg, boxed(inner)), ty)
            }
            5 => {
                let inner = self.expr(&ty, depth);
                e(
                    ExprKind::Intrinsic(Intrinsic::Data(DataOp::FloatAbs), vec![inner]),
                    ty,
                )
            }
            6 => self.get_item(FLOATS, ty, depth),
            _ => {
                let arg = self.expr(&ty, depth);
                e(ExprKind::CallFn(FnId::from_u32(1), vec![arg]), ty)
            }
        }
    }

    fn get_field(&mut self, class: u32, field: u32, depth: u32) -> Expr {
        let object = self.expr(&Type::Gc(ClassId::from_u32(class)), depth);
        let field = FieldId::from_u32(field);
        e(ExprKind::GetField(boxed(object), field), field_type(field))
    }

    fn index(&mut self, depth: u32) -> Expr {
        match self.rng.one_in(10) {
            true => self.expr(&Type::Int(IntTy::Usize), depth),
            false => int(self.rng.below(3) as i64, IntTy::Usize),
        }
    }

    fn get_item(&mut self, class: u32, ty: Type, depth: u32) -> Expr {
        let array = self.expr(&Type::Array(ClassId::from_u32(class)), depth);
        let index = self.index(depth);
        e(ExprKind::GetItem(boxed(array), boxed(index)), ty)
    }

    fn new_struct(&mut self, class: ClassId, depth: u32) -> Expr {
        let mut inits = Vec::new();
        for &(field, _) in fields(class.as_u32()) {
            let field = FieldId::from_u32(field);
            inits.push((field, self.expr(&field_type(field), depth)));
        }
        if self.rng.one_in(2) {
            inits.reverse();
        }
        e(ExprKind::New(class, inits), Type::Gc(class))
    }

    fn new_array(&mut self, class: ClassId, depth: u32) -> Expr {
        let item = match class.as_u32() {
            WORDS => Type::Int(IntTy::I64),
            _ => Type::F64,
        };
        let len = match self.rng.below(50) {
            0 => int(-1, IntTy::Usize),
            1..=5 => {
                let any = self.expr(&Type::Int(IntTy::Usize), depth);
                let few = boxed(int(7, IntTy::Usize));
                let ty = Type::Int(IntTy::Usize);
                e(ExprKind::Binary(BinOp::And, boxed(any), few), ty)
            }
            _ => int(3, IntTy::Usize),
        };
        let fill = self.expr(&item, depth);
        let kind = ExprKind::NewArray(class, boxed(len), boxed(fill));
        e(kind, Type::Array(class))
    }

    /// A place of this type in scope that is not lent already, or else a new variable, which
    /// `first` declares.
    fn lent_place(&mut self, ty: &Type, taken: &[LocalPlace], first: &mut Vec<Expr>) -> LocalPlace {
        let adts = empty().adts;
        let mut found = Vec::new();
        for &local in &self.scope {
            let whole = &self.locals[local].ty;
            let place = |path| LocalPlace { local, path };
            if whole == ty {
                found.push(place(Vec::new()));
            } else if let Some([fields]) = shape(whole, &adts).as_deref() {
                let fits = (0..).zip(fields).filter(|f| f.1 == ty);
                found.extend(fits.map(|f| place(vec![(0, f.0)])));
            }
        }
        found.retain(|p| taken.iter().all(|t| t.local != p.local));
        if !found.is_empty() && !self.rng.one_in(6) {
            return self.rng.pick(&found);
        }
        let value = self.expr(ty, 1);
        let local = self.local(ty.clone());
        first.push(unit(ExprKind::Let(local, boxed(value))));
        let path = Vec::new();
        LocalPlace { local, path }
    }

    fn read_place(&self, place: &LocalPlace) -> Expr {
        let mut ty = self.locals[place.local].ty.clone();
        let mut value = e(ExprKind::Local(place.local), ty.clone());
        for &(_, index) in &place.path {
            let mut fields = shape(&ty, &empty().adts)
                .expect("has fields")
                .swap_remove(0);
            ty = fields.swap_remove(index as usize);
            value = e(ExprKind::Part(boxed(value), index), ty.clone());
        }
        value
    }

    fn call(&mut self, ty: &Type, depth: u32) -> Expr {
        let n = self.callable + self.rng.below((helpers().len() - self.callable) as u64) as usize;
        let lent = helper_lent(n);
        let mut params = helper_params(n);
        params.truncate(params.len() - lent.len());
        let mut args: Vec<Expr> = params.iter().map(|p| self.expr(p, depth - 1)).collect();
        let (mut first, mut places) = (Vec::new(), Vec::new());
        for ty in lent {
            let place = self.lent_place(&ty, &places, &mut first);
            args.push(self.read_place(&place));
            places.push(place);
        }
        let func = FuncId::from_u32(n as u32 + 1);
        let ret = helpers().swap_remove(n);
        first.push(e(ExprKind::Call(func, args, places), ret.clone()));
        let call = block(first, ret.clone());
        match ty {
            to if *to == ret => call,
            Type::Int(_) | Type::F64 if matches!(ret, Type::Int(_)) => {
                e(ExprKind::Cast(boxed(call)), ty.clone())
            }
            _ => {
                let rest = self.expr(ty, depth - 1);
                block(vec![call, rest], ty.clone())
            }
        }
    }

    /// An expression that does not come back, if that is possible here.
    fn never(&mut self, depth: u32) -> Option<Expr> {
        let kind = match self.rng.below(8) {
            0..=3 if !self.loops.is_empty() => {
                let (id, ty) = self.rng.pick(&self.loops);
                if ty == Type::Never {
                    return None;
                }
                let value = match ty {
                    Type::Unit => None,
                    ty => Some(boxed(self.expr(&ty, depth))),
                };
                ExprKind::Break(id, value)
            }
            4 => match self.merge_loop {
                Some(id) if self.rng.one_in(2) => ExprKind::CanEnterJit(id),
                Some(id) => ExprKind::Continue(id),
                None => return None,
            },
            5 if self.rng.one_in(4) => ExprKind::Panic("random \"panic\"\n".to_string()),
            6 => {
                let ret = self.ret.clone();
                ExprKind::Return(Some(boxed(self.expr(&ret, depth))))
            }
            _ => return None,
        };
        Some(e(kind, Type::Never))
    }

    /// An expression of the type, or now and then one that does not come back.
    fn arm(&mut self, ty: &Type, depth: u32) -> Expr {
        if self.rng.one_in(8)
            && let Some(never) = self.never(depth)
        {
            return never;
        }
        self.expr(ty, depth)
    }

    fn if_else(&mut self, ty: &Type, depth: u32) -> Expr {
        let cond = self.expr(&Type::Bool, depth - 1);
        let (then, other) = (self.arm(ty, depth - 1), self.arm(ty, depth - 1));
        e(
            ExprKind::If(boxed(cond), boxed(then), boxed(other)),
            ty.clone(),
        )
    }

    fn block(&mut self, ty: &Type, depth: u32) -> Expr {
        let scope = self.scope.len();
        let mut list = Vec::new();
        for _ in 0..=self.rng.below(3) {
            list.push(self.stmt(depth));
        }
        list.push(self.arm(ty, depth));
        self.scope.truncate(scope);
        block(list, ty.clone())
    }

    fn labelled(&mut self, ty: &Type, depth: u32) -> Expr {
        let id = self.new_loop(ty.clone());
        let body = boxed(self.block(ty, depth - 1));
        self.loops.pop();
        let once = true;
        e(ExprKind::Loop { id, body, once }, ty.clone())
    }

    fn loop_expr(&mut self, ty: &Type, depth: u32) -> Expr {
        let counter = self.local(Type::Int(IntTy::I64));
        let count = boxed(int(self.rng.below(4) as i64, IntTy::I64));
        let start = unit(ExprKind::Let(counter, count));
        let value = match ty {
            Type::Unit => None,
            _ => Some(boxed(self.expr(ty, depth - 1))),
        };
        let id = self.new_loop(ty.clone());
        let leave = e(ExprKind::Break(id, value), Type::Never);
        let scope = self.scope.len();
        let mut body = vec![self.count_down(counter, leave)];
        for _ in 0..=self.rng.below(2) {
            body.push(self.stmt(depth - 1));
        }
        if self.rng.one_in(3) {
            let cond = boxed(self.expr(&Type::Bool, depth - 1));
            let again = boxed(e(ExprKind::Continue(id), Type::Never));
            let rest = boxed(self.expr(&Type::Unit, depth - 1));
            body.push(unit(ExprKind::If(cond, again, rest)));
        }
        self.scope.truncate(scope);
        self.loops.pop();
        let body = boxed(block(body, Type::Unit));
        let once = false;
        let run = e(ExprKind::Loop { id, body, once }, ty.clone());
        block(vec![start, run], ty.clone())
    }

    fn match_expr(&mut self, ty: &Type, depth: u32) -> Expr {
        let on = match self.rng.below(12) {
            0..=3 => Type::Int(self.rng.pick(&INTS)),
            4 => Type::Bool,
            5 => Type::Option(boxed_type(Type::Gc(ClassId::from_u32(PAIR)))),
            6..=9 => self.rng.pick(&aggregates()),
            _ => Type::Kind(ObjectId::from_u32(0)),
        };
        let scrutinee = match &on {
            Type::Kind(_) => {
                let object = self.expr(&obj(), depth - 1);
                e(ExprKind::Kind(boxed(object)), on.clone())
            }
            _ => self.expr(&on, depth - 1),
        };
        let mut arms = Vec::new();
        for _ in 0..self.rng.below(5) {
            arms.push(self.random_arm(&on, ty, depth - 1));
        }
        let scope = self.scope.len();
        let pat = match (&on, self.rng.one_in(2)) {
            (Type::Kind(_), _) | (_, true) => Pat::Wild,
            _ => {
                let local = self.local(on.clone());
                self.scope.push(local);
                Pat::Bind(local, None)
            }
        };
        let body = self.arm(ty, depth - 1);
        self.scope.truncate(scope);
        let guard = None;
        arms.push(Arm { pat, guard, body });
        e(ExprKind::Match(boxed(scrutinee), arms), ty.clone())
    }

    fn random_arm(&mut self, on: &Type, ty: &Type, depth: u32) -> Arm {
        let scope = self.scope.len();
        let pat = self.pattern(on, 2);
        let guard = match self.rng.one_in(3) {
            true => Some(self.expr(&Type::Bool, depth)),
            false => None,
        };
        let body = self.arm(ty, depth);
        self.scope.truncate(scope);
        Arm { pat, guard, body }
    }

    fn bound(&mut self, ty: Type) -> LocalId {
        let local = self.local(ty);
        self.scope.push(local);
        local
    }

    fn pattern(&mut self, on: &Type, depth: u32) -> Pat {
        match on {
            Type::Int(_) => match self.rng.below(8) {
                0 if depth > 0 => {
                    let inner = boxed_pat(self.int_pattern(on, depth));
                    Pat::Bind(self.bound(on.clone()), Some(inner))
                }
                _ => self.int_pattern(on, depth),
            },
            Type::Bool => Pat::Int(self.rng.below(2) as i64),
            Type::Option(_) | Type::Tuple(_) | Type::Result(..) | Type::Adt(_) => {
                self.variant_pattern(on, depth)
            }
            Type::Kind(_) => {
                let class = ClassId::from_u32(self.rng.pick(&[PAIR, INT]));
                match self.rng.below(4) {
                    0 => Pat::Class(class, None),
                    1 => Pat::Or(vec![Pat::Class(class, None)]),
                    _ => Pat::Class(class, Some(self.bound(Type::Gc(class)))),
                }
            }
            _ => match self.rng.one_in(2) {
                true => Pat::Wild,
                false => Pat::Bind(self.bound(on.clone()), None),
            },
        }
    }

    /// A pattern for a type with variants: one of them, several, or a name for the whole.
    fn variant_pattern(&mut self, on: &Type, depth: u32) -> Pat {
        match self.rng.below(10) {
            0 => Pat::Wild,
            1 => {
                let local = self.bound(on.clone());
                match depth {
                    0 => Pat::Bind(local, None),
                    _ => Pat::Bind(local, Some(boxed_pat(self.variant_pattern(on, depth - 1)))),
                }
            }
            2 | 3 if depth > 0 => {
                // Alternatives bind the same names; these bind none.
                let scope = self.scope.len();
                let list = (0..2).map(|_| without_names(self.variant_pattern(on, depth - 1)));
                let list = list.collect();
                self.scope.truncate(scope);
                Pat::Or(list)
            }
            4 if matches!(on, Type::Result(..)) => {
                // `Ok(x) | Err(_)` cannot be, but both sides can bind a name before the pattern.
                let local = self.bound(on.clone());
                let side = |n, field| Pat::Variant(on.clone(), n, vec![field]);
                let named = |pat| Pat::Bind(local, Some(boxed_pat(pat)));
                Pat::Or(vec![named(side(1, Pat::Wild)), named(side(0, Pat::Wild))])
            }
            _ => {
                let shape = match on {
                    Type::Option(inner) => vec![Vec::new(), vec![(**inner).clone()]],
                    ty => shape(ty, &empty().adts).expect("has variants"),
                };
                let variant = self.rng.below(shape.len() as u64) as usize;
                let fields = shape[variant].clone();
                let less = depth.saturating_sub(1);
                let fields = fields.iter().map(|ty| match self.rng.one_in(3) {
                    true => Pat::Wild,
                    false => self.pattern(ty, less),
                });
                Pat::Variant(on.clone(), variant as u32, fields.collect())
            }
        }
    }

    fn int_pattern(&mut self, on: &Type, depth: u32) -> Pat {
        let mut value = || {
            let word = match self.rng.one_in(3) {
                true => self.rng.next(),
                false => self.rng.pick(&[0, 1, 2, 3, 7, 64, 255, u64::MAX, 0x80]),
            };
            word_of(on, word) as i64
        };
        let (a, b) = (value(), value());
        match self.rng.below(4) {
            0 => {
                let signed = matches!(on, Type::Int(int) if int.signed());
                let ordered = if signed { a <= b } else { a as u64 <= b as u64 };
                if ordered {
                    Pat::Range(a, b)
                } else {
                    Pat::Range(b, a)
                }
            }
            1 if depth > 0 => {
                let list = (0..2).map(|_| self.int_pattern(on, depth - 1));
                Pat::Or(list.collect())
            }
            _ => Pat::Int(a),
        }
    }

    fn let_stmt(&mut self, depth: u32) -> Expr {
        let ty = self.ty();
        let value = self.expr(&ty, depth);
        let local = self.local(ty);
        self.scope.push(local);
        unit(ExprKind::Let(local, boxed(value)))
    }

    fn stmt(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.assign(0);
        }
        let less = depth - 1;
        match self.rng.below(13) {
            0..=2 => self.let_stmt(less),
            3 | 4 => self.assign(less),
            5 => {
                let class = self.rng.pick(&[PAIR, INT]);
                let settable = fields(class).iter().filter(|f| f.1);
                let settable: Vec<u32> = settable.map(|f| f.0).collect();
                let field = FieldId::from_u32(self.rng.pick(&settable));
                let object = self.expr(&Type::Gc(ClassId::from_u32(class)), less);
                let value = self.expr(&field_type(field), less);
                unit(ExprKind::SetField(boxed(object), field, boxed(value)))
            }
            6 => {
                let array = self.expr(&Type::Array(ClassId::from_u32(WORDS)), less);
                let index = self.index(less);
                let value = self.expr(&Type::Int(IntTy::I64), less);
                unit(ExprKind::SetItem(boxed(array), boxed(index), boxed(value)))
            }
            7 => {
                let callee = FnId::from_u32(2);
                let args = signature(callee).0;
                let args = args.iter().map(|ty| self.expr(ty, less)).collect();
                unit(ExprKind::CallFn(callee, args))
            }
            8 => self.late(less),
            9 => self.loop_expr(&Type::Unit, depth),
            10 => self.match_expr(&Type::Unit, depth),
            _ => self.if_else(&Type::Unit, depth),
        }
    }

    /// `let x; if c { x = a } else { x = b }`
    fn late(&mut self, depth: u32) -> Expr {
        let ty = self.ty();
        let cond = self.expr(&Type::Bool, depth);
        let (a, b) = (self.expr(&ty, depth), self.expr(&ty, depth));
        let local = self.local(ty);
        self.scope.push(local);
        let set = |value| boxed(unit(ExprKind::Assign(local, boxed(value))));
        let choose = unit(ExprKind::If(boxed(cond), set(a), set(b)));
        block(vec![unit(ExprKind::Declare(local)), choose], Type::Unit)
    }

    fn assign(&mut self, depth: u32) -> Expr {
        if self.scope.is_empty() {
            return unit(ExprKind::Unit);
        }
        let local = self.rng.pick(&self.scope);
        let ty = self.locals[local].ty.clone();
        if matches!(ty, Type::Kind(_)) {
            return unit(ExprKind::Unit);
        }
        if self.rng.one_in(3)
            && let Some([fields]) = shape(&ty, &empty().adts).as_deref()
        {
            let index = self.rng.below(fields.len() as u64);
            let value = self.expr(&fields[index as usize], depth);
            return unit(ExprKind::AssignPart(
                LocalPlace {
                    local,
                    path: vec![(0, index as u32)],
                },
                boxed(value),
            ));
        }
        let value = self.expr(&ty, depth);
        unit(ExprKind::Assign(local, boxed(value)))
    }
}

fn boxed_type(ty: Type) -> Box<Type> {
    Box::new(ty)
}

/// The pattern with `_` for names.
fn without_names(pat: Pat) -> Pat {
    match pat {
        Pat::Bind(_, None) | Pat::Class(_, Some(_)) => Pat::Wild,
        Pat::Bind(_, Some(inner)) => without_names(*inner),
        Pat::Or(list) => Pat::Or(list.into_iter().map(without_names).collect()),
        Pat::Variant(ty, n, fields) => {
            Pat::Variant(ty, n, fields.into_iter().map(without_names).collect())
        }
        pat => pat,
    }
}

fn boxed_pat(pat: Pat) -> Box<Pat> {
    Box::new(pat)
}
