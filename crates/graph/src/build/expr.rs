//! Expressions. Operands are evaluated in the order in which rustc's code evaluates them.

use super::ssa::{Builder, Join, Loop, Scalars, UNIT};
use crate::ir::{BlockId, GraphDescr, Val};
use crate::table::Control;
use verdigris_front::tast::{BinOp, Expr, ExprKind, Intrinsic, LoopId, Type, UnOp};
use verdigris_ops::{ClassId, DataOp, FieldId, PanicKind, Ty};

/// Array lengths from here on are refused before anything is allocated.
const TOO_LONG: i64 = 1 << 40;

impl Builder<'_> {
    /// Evaluates an expression.
    pub fn expr(&mut self, expr: &Expr) -> Scalars {
        let before = self.at(expr.span);
        let value = self.kind(expr);
        self.note(expr, &value);
        self.at(before);
        value
    }

    /// Evaluates an expression whose value is one word.
    pub fn word(&mut self, expr: &Expr) -> Val {
        self.expr(expr).first().copied().unwrap_or(UNIT)
    }

    /// The value of an expression for a place that wants one of these components. An expression of
    /// type `!` gives any value: the code that would use it is not reachable.
    pub fn value_of(&mut self, expr: &Expr, types: &[Ty]) -> Scalars {
        let value = self.expr(expr);
        match value.len() == types.len() {
            true => value,
            false => types.iter().map(|&ty| Val::zero(ty)).collect(),
        }
    }

    fn list<'e>(&mut self, args: impl IntoIterator<Item = &'e Expr>) -> Vec<Val> {
        args.into_iter().flat_map(|arg| self.expr(arg)).collect()
    }

    fn kind(&mut self, expr: &Expr) -> Scalars {
        match &expr.kind {
            ExprKind::Int(v) => vec![Val::int(*v)],
            ExprKind::Float(v) => vec![Val::Const(crate::GraphConst::Float(v.to_bits()))],
            ExprKind::Unit | ExprKind::Declare(_) => Scalars::new(),
            ExprKind::Local(local) => self.read(*local),
            ExprKind::Let(local, value) | ExprKind::Assign(local, value) => {
                let types = self.types_of(*local);
                let value = self.value_of(value, &types);
                self.write(*local, value);
                Scalars::new()
            }
            ExprKind::Make(..)
            | ExprKind::Part(..)
            | ExprKind::Payload(..)
            | ExprKind::AssignPart(..)
            | ExprKind::Tag(_) => self.aggregate(expr),
            ExprKind::Coerce(a) | ExprKind::Kind(a) => self.expr(a),
            ExprKind::Promote(a) => {
                let value = self.expr(a);
                self.promote_value(&a.ty, value)
            }
            ExprKind::IsConstant(a) => {
                let value = self.expr(a);
                vec![self.is_constant(&a.ty, value)]
            }
            ExprKind::IsVirtual(a) => {
                let parts = self.expr(a);
                vec![match *parts.as_slice() {
                    [part] if self.graph.ty(part) == Ty::Ref => self.ask(Control::IsVirtual, part),
                    _ => Val::int(0),
                }]
            }
            ExprKind::Concrete(a) => {
                let value = self.expr(a);
                value.into_iter().map(|part| self.concrete(part)).collect()
            }
            ExprKind::Call(func, args, lent) => {
                let args = self.list(args);
                let ret = self.results(&self.program.funcs[*func]);
                let mut value = self.call(GraphDescr::Graph(*func), args, &ret);
                let own = self.layouts.components(&self.program.funcs[*func].ret);
                let mut back = value.split_off(own.len()).into_iter();
                for place in lent {
                    for slot in self.part(place).0 {
                        let part = back.next().expect("the callee gives back what was lent");
                        self.assign(place.local, slot, part);
                    }
                }
                self.after_call(&expr.ty, value)
            }
            ExprKind::CallFn(callee, args) => {
                let args = self.list(args);
                let ret = &self.program.descrs.fns[*callee].ret;
                let value = self.call(GraphDescr::Fn(*callee), args, ret);
                self.after_call(&expr.ty, value)
            }
            ExprKind::GetField(..) | ExprKind::GetItem(..) => self.load(expr),
            ExprKind::SetField(..) | ExprKind::SetItem(..) => {
                self.store(expr);
                Scalars::new()
            }
            ExprKind::If(..)
            | ExprKind::Match(..)
            | ExprKind::Loop { .. }
            | ExprKind::Break(..)
            | ExprKind::Continue(_)
            | ExprKind::Return(_)
            | ExprKind::Block(_)
            | ExprKind::Panic(_)
            | ExprKind::MergePoint { .. }
            | ExprKind::CanEnterJit(_) => self.control(expr),
            _ => vec![self.scalar(expr)],
        }
    }

    /// An expression whose value is one word.
    fn scalar(&mut self, expr: &Expr) -> Val {
        match &expr.kind {
            ExprKind::Binary(op, a, b) => self.binary_expr(*op, a, b),
            ExprKind::Unary(op, a) => {
                let value = self.word(a);
                self.unary(*op, &a.ty, value)
            }
            ExprKind::AndAlso(a, b) => self.short_circuit(a, b, true),
            ExprKind::OrElse(a, b) => self.short_circuit(a, b, false),
            ExprKind::Cast(a) => {
                let value = self.word(a);
                self.cast(&a.ty, &expr.ty, value)
            }
            ExprKind::Intrinsic(method, args) => {
                let values = self.list(args);
                match values.is_empty() {
                    true => UNIT,
                    false => self.intrinsic(*method, &args[0].ty, &values),
                }
            }
            _ => self.object(expr),
        }
    }

    /// A callee of type `!` does not come back.
    fn after_call(&mut self, ty: &Type, value: Scalars) -> Scalars {
        if *ty == Type::Never {
            let message = "a function that never returns has returned";
            self.panic(PanicKind::Message(message.to_string()), Vec::new());
        }
        value
    }

    fn binary_expr(&mut self, op: BinOp, a: &Expr, b: &Expr) -> Val {
        let left = self.expr(a);
        let right = self.expr(b);
        match (left.as_slice(), right.as_slice()) {
            (&[left], &[right]) => match self.layouts.layout(&a.ty) {
                None => self.binary(op, &a.ty, left, right),
                Some(_) => self.equality(op, &a.ty, &[left], &[right]),
            },
            _ => self.equality(op, &a.ty, &left, &right),
        }
    }

    // The heap.

    /// Expressions that read objects.
    fn load(&mut self, expr: &Expr) -> Scalars {
        match &expr.kind {
            ExprKind::GetField(object, field) => {
                let object = self.word(object);
                let parts = self.field_parts(*field);
                self.reclaim_field(object, &parts);
                let load = |field: FieldId| {
                    let op = DataOp::get_field(self.program.descrs.fields[field].ty);
                    self.data(op, &[object], GraphDescr::Field(field))
                };
                parts.into_iter().map(load).collect()
            }
            ExprKind::GetItem(array, index) => {
                let class = array_class(&array.ty);
                let (array, index) = self.place(array, index, class);
                let parts = self.item_parts(class);
                self.reclaim_items(array, class);
                let load = |class: ClassId| {
                    let op = DataOp::get_item(self.program.descrs.item(class).0);
                    self.data(op, &[array, index], GraphDescr::Class(class))
                };
                let item: Scalars = parts.into_iter().map(load).collect();
                if self.program.has_slots[class] {
                    self.check_occupied(&expr.ty, &item);
                }
                item
            }
            _ => unreachable!("not a load"),
        }
    }

    /// Expressions that make objects.
    fn object(&mut self, expr: &Expr) -> Val {
        match &expr.kind {
            ExprKind::ArrayLen(array) => {
                let class = array_class(&array.ty);
                let array = self.word(array);
                self.data(DataOp::ArrayLen, &[array], GraphDescr::Class(class))
            }
            ExprKind::New(class, fields) => self.new_struct(*class, fields),
            ExprKind::NewArray(class, len, fill) => self.new_array(*class, len, fill),
            _ => unreachable!("no other expression has a value of one word"),
        }
    }

    /// Expressions that write to objects.
    fn store(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::SetField(object, field, value) => {
                let object = self.word(object);
                let value = self.expr(value);
                self.reclaim_field(object, &self.field_parts(*field));
                self.set_field(object, *field, value);
                self.stop_readers(object, *field);
            }
            ExprKind::SetItem(array, index, value) => {
                // Rust finds the place, with its bounds check, before it evaluates the argument of
                // `set`.
                let class = array_class(&array.ty);
                let (array, index) = self.place(array, index, class);
                let value = self.expr(value);
                self.reclaim_items(array, class);
                for (class, part) in self.item_parts(class).into_iter().zip(value) {
                    let op = DataOp::set_item(self.program.descrs.item(class).0);
                    self.data(op, &[array, index, part], GraphDescr::Class(class));
                }
            }
            _ => unreachable!("not a store"),
        }
    }

    /// The fields that hold the components of a field.
    fn field_parts(&self, field: FieldId) -> Vec<FieldId> {
        match self.program.field_parts[field].as_slice() {
            [] => vec![field],
            parts => parts.to_vec(),
        }
    }

    /// The classes that name the components of an array's items.
    fn item_parts(&self, class: ClassId) -> Vec<ClassId> {
        match self.program.item_parts[class].as_slice() {
            [] => vec![class],
            parts => parts.to_vec(),
        }
    }

    fn set_field(&mut self, object: Val, field: FieldId, value: Scalars) {
        for (field, part) in self.field_parts(field).into_iter().zip(value) {
            self.set_part(object, field, part);
        }
    }

    /// In front of an access to a field: takes it back from suspended code, if that may keep it.
    fn reclaim_field(&mut self, object: Val, parts: &[FieldId]) {
        let descrs = &self.program.descrs;
        if parts.iter().any(|&part| descrs.fields[part].virtualizable) {
            self.data(DataOp::Reclaim, &[object], GraphDescr::None);
        }
    }

    /// The same in front of an access to an item of an array.
    fn reclaim_items(&mut self, array: Val, class: ClassId) {
        if self.program.descrs.has_virtualizable_items(class) {
            self.data(DataOp::Reclaim, &[array], GraphDescr::None);
        }
    }

    /// Tells the JIT that a quasi-immutable field has been written: code that assumes what it held
    /// is invalid.
    fn stop_readers(&mut self, object: Val, field: FieldId) {
        for part in self.field_parts(field) {
            if self.program.descrs.fields[part].quasi {
                self.data(DataOp::Invalidate, &[object], GraphDescr::Field(part));
            }
        }
    }

    fn set_part(&mut self, object: Val, field: FieldId, part: Val) {
        let op = DataOp::set_field(self.program.descrs.fields[field].ty);
        self.data(op, &[object, part], GraphDescr::Field(field));
    }

    /// Evaluates an array and an index, and checks the bounds.
    fn place(&mut self, array: &Expr, index: &Expr, class: ClassId) -> (Val, Val) {
        let array = self.word(array);
        let index = self.word(index);
        let len = self.data(DataOp::ArrayLen, &[array], GraphDescr::Class(class));
        let inside = self.pure(DataOp::UintLt, &[index, len]);
        self.check(inside, false, PanicKind::IndexOutOfBounds, vec![index, len]);
        (array, index)
    }

    fn new_struct(&mut self, class: ClassId, fields: &[(FieldId, Expr)]) -> Val {
        let mut values = Vec::new();
        for (field, value) in fields {
            let parts = self.field_parts(*field);
            values.extend(parts.into_iter().zip(self.expr(value)));
        }
        let object = self.data(DataOp::New, &[], GraphDescr::Class(class));
        for (field, value) in values {
            // A new object is all zero.
            if value.constant().is_none_or(|c| c.word() != 0) {
                self.set_part(object, field, value);
            }
        }
        object
    }

    fn new_array(&mut self, class: ClassId, len: &Expr, fill: &Expr) -> Val {
        let len = self.word(len);
        let fill = self.expr(fill);
        let sane = self.pure(DataOp::UintLt, &[len, Val::int(TOO_LONG)]);
        self.check(sane, false, PanicKind::ArrayTooLong, vec![len]);
        let array = self.data(DataOp::NewArray, &[len], GraphDescr::Class(class));
        for (class, part) in self.item_parts(class).into_iter().zip(fill) {
            // A new array is all zero.
            if part.constant().is_none_or(|c| c.word() != 0) {
                let op = DataOp::fill_items(self.program.descrs.item(class).0);
                self.data(op, &[array, part], GraphDescr::Class(class));
            }
        }
        array
    }

    // Control flow.

    fn control(&mut self, expr: &Expr) -> Scalars {
        let types = self.layouts.components(&expr.ty);
        match &expr.kind {
            ExprKind::If(cond, then, other) => self.if_else(cond, then, other, &types),
            ExprKind::Match(scrutinee, arms) => self.match_expr(scrutinee, arms, &types),
            ExprKind::Loop { id, body, once } => self.loop_expr(*id, body, *once, &types),
            ExprKind::Break(id, value) => {
                let exit = self.around(*id).exit.clone();
                self.break_to(&exit, value.as_deref());
                Scalars::new()
            }
            ExprKind::Continue(id) => {
                let head = self.head(*id);
                self.goto(head, Vec::new());
                Scalars::new()
            }
            ExprKind::Return(value) => {
                let ret = self.layouts.components(&self.func.ret);
                let value = match value {
                    Some(value) => self.value_of(value, &ret),
                    None => Scalars::new(),
                };
                self.leave(value);
                Scalars::new()
            }
            ExprKind::Block(list) => {
                let Some((last, before)) = list.split_last() else {
                    return Scalars::new();
                };
                for expr in before {
                    self.expr(expr);
                }
                // A block that ends in an expression of type `!` can have any type.
                self.value_of(last, &types)
            }
            ExprKind::Panic(message) => {
                self.panic(PanicKind::Message(message.clone()), Vec::new());
                Scalars::new()
            }
            ExprKind::MergePoint { greens, reds } => {
                self.merge(greens, reds);
                Scalars::new()
            }
            ExprKind::CanEnterJit(id) => {
                self.loop_header();
                let head = self.head(*id);
                self.goto(head, Vec::new());
                Scalars::new()
            }
            _ => unreachable!("not control flow"),
        }
    }

    fn around(&self, id: LoopId) -> &Loop {
        let mut loops = self.loops.iter().rev();
        loops
            .find(|l| l.id == id)
            .expect("the front end resolved the label")
    }

    fn head(&self, id: LoopId) -> BlockId {
        self.around(id).head.expect("continue names a loop")
    }

    fn break_to(&mut self, exit: &Join, value: Option<&Expr>) {
        let value = match value {
            Some(value) => self.value_of(value, &exit.types),
            None => exit.types.iter().map(|&ty| Val::zero(ty)).collect(),
        };
        self.goto_join(exit, value);
    }

    fn loop_expr(&mut self, id: LoopId, body: &Expr, once: bool, types: &[Ty]) -> Scalars {
        let exit = self.join(types);
        let head = (!once).then(|| self.block());
        if let Some(head) = head {
            self.goto(head, Vec::new());
            self.enter(head);
        }
        self.loops.push(Loop {
            id,
            head,
            exit: exit.clone(),
        });
        match head {
            Some(head) => {
                self.expr(body);
                self.goto(head, Vec::new());
                self.seal(head);
            }
            None => self.break_to(&exit, Some(body)),
        }
        self.loops.pop();
        self.enter_join(&exit)
    }

    fn if_else(&mut self, cond: &Expr, then: &Expr, other: &Expr, types: &[Ty]) -> Scalars {
        let (yes, no) = (self.block(), self.block());
        let join = self.join(types);
        self.cond(cond, yes, no);
        for (block, arm) in [(yes, then), (no, other)] {
            self.enter_sealed(block);
            self.break_to(&join, Some(arm));
        }
        self.enter_join(&join)
    }

    fn short_circuit(&mut self, a: &Expr, b: &Expr, and: bool) -> Val {
        let (rest, short) = (self.block(), self.block());
        let join = self.join(&[Ty::Int]);
        match and {
            true => self.cond(a, rest, short),
            false => self.cond(a, short, rest),
        }
        self.enter_sealed(short);
        self.goto_join(&join, vec![Val::int(i64::from(!and))]);
        self.enter_sealed(rest);
        self.break_to(&join, Some(b));
        self.enter_join(&join)[0]
    }

    /// Evaluates a condition for the choice between two blocks, which the caller seals.
    pub fn cond(&mut self, cond: &Expr, yes: BlockId, no: BlockId) {
        let before = self.at(cond.span);
        match &cond.kind {
            ExprKind::AndAlso(a, b) => {
                let rest = self.block();
                self.cond(a, rest, no);
                self.enter_sealed(rest);
                self.cond(b, yes, no);
            }
            ExprKind::OrElse(a, b) => {
                let rest = self.block();
                self.cond(a, yes, rest);
                self.enter_sealed(rest);
                self.cond(b, yes, no);
            }
            ExprKind::Unary(UnOp::Not, a) => self.cond(a, no, yes),
            ExprKind::Intrinsic(Intrinsic::IsFirst, args) if !args.is_empty() => {
                let value = self.expr(&args[0]);
                let second = match value.is_empty() {
                    true => UNIT,
                    false => self.intrinsic(Intrinsic::IsSecond, &args[0].ty, &value),
                };
                self.branch(second, no, yes);
            }
            _ => {
                let value = self.value_of(cond, &[Ty::Int]);
                self.branch(value[0], yes, no);
            }
        }
        self.at(before);
    }
}

fn array_class(ty: &Type) -> ClassId {
    match ty {
        Type::Array(class) => *class,
        _ => unreachable!("the front end indexes arrays only"),
    }
}
