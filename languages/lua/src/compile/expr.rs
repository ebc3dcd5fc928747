//! Expressions. In: trees. Out: instructions that leave values in registers, or jump. Invariant:
//! registers that are reserved for an expression are given back by the code that asked for it.

use super::{Compiled, Compiler, Constant, NO_LINE};
use crate::ast::{Binary, Expr, ExprKind, Field, Unary, VarId, Variable};
use crate::opcode;
use crate::shape::MAX_FIELDS;

/// How many items a constructor keeps in registers before it stores them.
const ITEMS_AT_ONCE: usize = 50;

/// An operand that has a register. A shared variable is read when the operands behind it have been
/// evaluated, which may call a closure that assigns it: a variable that no closure shares is read
/// from its register as late as that, and sharing must change nothing.
#[derive(Clone, Copy)]
pub(super) struct Operand {
    register: usize,
    /// The shared variable that is to be loaded, and the line.
    pending: Option<(VarId, u32)>,
}

impl Operand {
    /// An operand that has been evaluated.
    pub(super) fn settled(register: usize) -> Operand {
        let pending = None;
        Operand { register, pending }
    }
}

impl<'a> Compiler<'a> {
    /// The register of a variable of this function that is not shared.
    fn register(&mut self, id: VarId) -> Option<usize> {
        if self.variables[id].is_boxed() {
            return None;
        }
        self.state().registers.get(&id).copied()
    }

    /// Evaluates an expression; the register where it is, which may be that of a variable.
    pub(super) fn any(&mut self, expr: &'a Expr) -> Compiled<usize> {
        if let ExprKind::Var(id) = &expr.kind
            && let Some(register) = self.register(*id)
        {
            return Ok(register);
        }
        self.next(expr)
    }

    /// Evaluates an expression that is an operand together with those behind it, as far as that can
    /// be done before them.
    pub(super) fn operand(&mut self, expr: &'a Expr) -> Compiled<Operand> {
        let mut inner = expr;
        while let ExprKind::Paren(expr) = &inner.kind {
            inner = expr;
        }
        match &inner.kind {
            ExprKind::Var(id) if self.state().registers.contains_key(id) => {
                self.variable(expr, *id)
            }
            _ => Ok(Operand::settled(self.any(expr)?)),
        }
    }

    /// The same for what is indexed, which may be a variable of a function around as well.
    pub(super) fn base(&mut self, expr: &'a Expr) -> Compiled<Operand> {
        match &expr.kind {
            ExprKind::Var(id) => self.variable(expr, *id),
            _ => self.operand(expr),
        }
    }

    fn variable(&mut self, expr: &'a Expr, id: VarId) -> Compiled<Operand> {
        if !self.variables[id].is_boxed() {
            return Ok(Operand::settled(self.any(expr)?));
        }
        let register = self.reserve(1, expr.line)?;
        let pending = Some((id, expr.line));
        Ok(Operand { register, pending })
    }

    /// The register of an operand, behind the evaluation of all of them.
    pub(super) fn settle(&mut self, operand: Operand) -> usize {
        if let Some((id, line)) = operand.pending {
            self.load(id, operand.register, line);
        }
        operand.register
    }

    /// Evaluates two operands.
    fn two(&mut self, left: &'a Expr, right: &'a Expr) -> Compiled<(usize, usize)> {
        let left = self.operand(left)?;
        self.and(left, right)
    }

    /// Evaluates an operand behind one.
    fn and(&mut self, left: Operand, right: &'a Expr) -> Compiled<(usize, usize)> {
        let right = self.operand(right)?;
        Ok((self.settle(left), self.settle(right)))
    }

    /// Evaluates an expression to a new register.
    pub(super) fn next(&mut self, expr: &'a Expr) -> Compiled<usize> {
        let target = self.reserve(1, expr.line)?;
        self.to(expr, target)?;
        self.state().free = target + 1;
        Ok(target)
    }

    /// Evaluates an expression to a register, which may be written before the last operand is read.
    pub(super) fn to(&mut self, expr: &'a Expr, target: usize) -> Compiled<()> {
        let line = expr.line;
        let mark = self.state().free;
        match &expr.kind {
            ExprKind::Nil => {
                self.emit(opcode::NIL, target, 0, 0, line);
            }
            ExprKind::True => {
                self.emit(opcode::TRUE, target, 0, 0, line);
            }
            ExprKind::False => {
                self.emit(opcode::FALSE, target, 0, 0, line);
            }
            ExprKind::Int(value) => self.integer(*value, target, line),
            ExprKind::Float(value) => {
                let number = self.constant(Constant::Float(value.to_bits()));
                self.emit(opcode::FLOAT, target, 0, number, line);
            }
            ExprKind::Text(text) => {
                let number = self.text(text);
                self.emit(opcode::STRING, target, 0, number, line);
            }
            ExprKind::Varargs => {
                let list = self.state().code.params;
                self.emit(opcode::VARARGS, target, list, 2, line);
            }
            ExprKind::Function(function) => {
                let number = self.inner_function(function)?;
                self.emit(opcode::CLOSURE, target, 0, number, function.end_line);
            }
            ExprKind::Var(id) => self.load(*id, target, line),
            ExprKind::Global(name) => {
                let number = self.constant(Constant::Global(name.clone()));
                self.emit(opcode::GET_GLOBAL, target, 0, number, line);
            }
            ExprKind::Index(base, key) => self.index(base, key, target, line)?,
            ExprKind::Call(..) | ExprKind::Method(..) => {
                let base = self.call(expr, 2)?;
                if base != target {
                    self.emit(opcode::MOVE, target, base, 0, line);
                }
            }
            ExprKind::Binary(operator, left, right) => match operator.instruction() {
                Some(op) => self.arithmetic(*operator, op, left, right, target, line)?,
                None => self.truth_value(expr, target)?,
            },
            ExprKind::Unary(Unary::Not, _) => self.truth_value(expr, target)?,
            ExprKind::Unary(operator, operand) => {
                let op = match operator {
                    Unary::Neg => opcode::NEG,
                    Unary::BNot => opcode::BNOT,
                    _ => opcode::LEN,
                };
                let register = self.any(operand)?;
                let pc = self.emit(op, target, register, 0, line);
                let name = self.describe(operand);
                self.name_operands(pc, name, None);
            }
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                let op = if matches!(expr.kind, ExprKind::And(..)) {
                    opcode::UNLESS
                } else {
                    opcode::IF
                };
                self.to(left, target)?;
                let jump = self.emit(op, target, 0, 0, line);
                self.to(right, target)?;
                self.patch(jump);
            }
            ExprKind::Concat(parts) => {
                let first = self.state().free;
                for part in parts {
                    self.next(part)?;
                }
                let pc = self.emit(opcode::CONCAT, target, first, parts.len(), line);
                if let [left, right] = &parts[..] {
                    let names = (self.describe(left), self.describe(right));
                    self.name_operands(pc, names.0, names.1);
                } else {
                    self.name_parts(pc, parts);
                }
            }
            ExprKind::Table(fields, end) => self.table(fields, target, [line, *end])?,
            ExprKind::Paren(inner) => self.to(inner, target)?,
        }
        self.state().free = mark;
        Ok(())
    }

    fn integer(&mut self, value: i64, target: usize, line: u32) {
        match i32::try_from(value) {
            Ok(small) => self.emit(opcode::INT, target, 0, small as u32 as usize, line),
            Err(_) => {
                let number = self.constant(Constant::Int(value));
                self.emit(opcode::LONG, target, 0, number, line)
            }
        };
    }

    /// Loads a variable.
    fn load(&mut self, id: VarId, target: usize, line: u32) {
        let boxed = self.variables[id].is_boxed();
        if let Some(&register) = self.state().registers.get(&id) {
            if boxed {
                self.emit(opcode::LOAD_SHARED, target, register, 0, line);
            } else if register != target {
                self.emit(opcode::MOVE, target, register, 0, line);
            }
        } else if self.state().itself == Some(id) {
            self.emit(opcode::ITSELF, target, 0, 0, line);
        } else {
            let function = self.functions.len() - 1;
            let index = self.captured(function, id);
            let op = if boxed {
                opcode::GET_SHARED
            } else {
                opcode::GET_CAPTURED
            };
            self.emit(op, target, 0, index, line);
        }
    }

    fn index(&mut self, base: &'a Expr, key: &'a Expr, target: usize, line: u32) -> Compiled<()> {
        let pc = match &key.kind {
            ExprKind::Text(text) => {
                let object = self.any(base)?;
                let number = self.text(text);
                self.emit(opcode::GET_FIELD, target, object, number, line)
            }
            ExprKind::Int(value) if (0..1 << 30).contains(value) => {
                let object = self.any(base)?;
                self.emit(opcode::GET_ITEM, target, object, *value as usize, line)
            }
            _ => {
                let object = self.base(base)?;
                let (object, key) = self.and(object, key)?;
                self.emit(opcode::GET_INDEX, target, object, key, line)
            }
        };
        let names = (self.describe(base), self.describe_key(key));
        self.name_operands(pc, names.0, names.1);
        Ok(())
    }

    /// The name of the key in messages about indexing.
    pub(super) fn describe_key(&mut self, key: &Expr) -> Option<String> {
        match &key.kind {
            ExprKind::Text(text) => Some(format!("field '{}'", String::from_utf8_lossy(text))),
            _ => None,
        }
    }

    fn arithmetic(
        &mut self,
        operator: Binary,
        op: u8,
        left: &'a Expr,
        right: &'a Expr,
        target: usize,
        line: u32,
    ) -> Compiled<()> {
        let with_constant = match &right.kind {
            ExprKind::Int(value) => i32::try_from(*value).ok().and_then(|value| {
                let op = match operator {
                    Binary::Add => opcode::ADD_INT,
                    Binary::Sub => opcode::SUB_INT,
                    Binary::Mul => opcode::MUL_INT,
                    Binary::Mod if value > 0 => opcode::MOD_INT,
                    Binary::IDiv if value > 0 => opcode::IDIV_INT,
                    _ => return None,
                };
                Some((op, value as u32 as usize))
            }),
            ExprKind::Float(value) => {
                let op = match operator {
                    Binary::Add => Some(opcode::ADD_FLOAT),
                    Binary::Sub => Some(opcode::SUB_FLOAT),
                    Binary::Mul => Some(opcode::MUL_FLOAT),
                    Binary::Div => Some(opcode::DIV_FLOAT),
                    _ => None,
                };
                op.map(|op| (op, self.constant(Constant::Float(value.to_bits()))))
            }
            _ => None,
        };
        let pc = match with_constant {
            Some((op, c)) => {
                let first = self.any(left)?;
                self.emit(op, target, first, c, line)
            }
            None => {
                let (first, second) = self.two(left, right)?;
                self.emit(op, target, first, second, line)
            }
        };
        let names = (self.describe(left), self.describe(right));
        self.name_operands(pc, names.0, names.1);
        Ok(())
    }

    /// `true` or `false`, by what a condition jumps to.
    fn truth_value(&mut self, expr: &'a Expr, target: usize) -> Compiled<()> {
        if let ExprKind::Unary(Unary::Not, operand) = &expr.kind
            && !is_condition(operand)
        {
            let register = self.any(operand)?;
            self.emit(opcode::NOT, target, register, 0, expr.line);
            return Ok(());
        }
        let mut holds = Vec::new();
        self.jump(expr, true, &mut holds)?;
        self.emit(opcode::FALSE, target, 0, 0, expr.line);
        let end = self.emit(opcode::JUMP, 0, 0, 0, expr.line);
        self.patch_all(holds);
        self.emit(opcode::TRUE, target, 0, 0, expr.line);
        self.patch(end);
        Ok(())
    }

    /// Jumps if a condition is as wanted, else goes on; the jumps are yet to be given their goal.
    pub(super) fn jump(
        &mut self,
        expr: &'a Expr,
        wanted: bool,
        jumps: &mut Vec<usize>,
    ) -> Compiled<()> {
        let line = expr.line;
        let mark = self.state().free;
        match &expr.kind {
            ExprKind::Paren(inner) => self.jump(inner, wanted, jumps)?,
            ExprKind::Unary(Unary::Not, inner) => self.jump(inner, !wanted, jumps)?,
            ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                // One operand decides alone if `and` is not to hold, or `or` is to.
                let deciding = matches!(expr.kind, ExprKind::Or(..));
                if deciding == wanted {
                    self.jump(left, wanted, jumps)?;
                    self.jump(right, wanted, jumps)?;
                } else {
                    let mut decided = Vec::new();
                    self.jump(left, deciding, &mut decided)?;
                    self.jump(right, wanted, jumps)?;
                    self.patch_all(decided);
                }
            }
            ExprKind::True | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Text(_) => {
                if wanted {
                    jumps.push(self.emit(opcode::JUMP, 0, 0, 0, line));
                }
            }
            ExprKind::False | ExprKind::Nil => {
                if !wanted {
                    jumps.push(self.emit(opcode::JUMP, 0, 0, 0, line));
                }
            }
            ExprKind::Binary(operator, left, right) if operator.instruction().is_none() => {
                let jump = self.comparison(*operator, left, right, wanted, line)?;
                jumps.push(jump);
            }
            _ => {
                let register = self.any(expr)?;
                let op = if wanted { opcode::IF } else { opcode::UNLESS };
                jumps.push(self.emit(op, register, 0, 0, line));
            }
        }
        self.state().free = mark;
        Ok(())
    }

    fn comparison(
        &mut self,
        operator: Binary,
        left: &'a Expr,
        right: &'a Expr,
        wanted: bool,
        line: u32,
    ) -> Compiled<usize> {
        let wanted = wanted != (operator == Binary::Ne);
        // The operation that jumps if it does not hold is the one behind that which jumps if it
        // does.
        let sense = u8::from(!wanted);
        if let ExprKind::Int(value) = &right.kind
            && let Ok(value) = i16::try_from(*value)
        {
            let op = match operator {
                Binary::Eq | Binary::Ne => opcode::IF_EQ_INT,
                Binary::Lt => opcode::IF_LT_INT,
                Binary::Le => opcode::IF_LE_INT,
                Binary::Gt => opcode::IF_GT_INT,
                _ => opcode::IF_GE_INT,
            };
            let register = self.any(left)?;
            return Ok(self.emit(op + sense, register, value as u16 as usize, 0, line));
        }
        if matches!(operator, Binary::Eq | Binary::Ne) {
            if let ExprKind::Text(text) = &right.kind {
                let number = self.text(text);
                if number < 1 << 16 {
                    let register = self.any(left)?;
                    return Ok(self.emit(opcode::IF_EQ_STRING + sense, register, number, 0, line));
                }
            }
            if right.kind == ExprKind::Nil {
                let register = self.any(left)?;
                return Ok(self.emit(opcode::IF_NIL + sense, register, 0, 0, line));
            }
        }
        let (first, second) = self.two(left, right)?;
        let (op, first, second) = match operator {
            Binary::Eq | Binary::Ne => (opcode::IF_EQ, first, second),
            Binary::Lt => (opcode::IF_LT, first, second),
            Binary::Le => (opcode::IF_LE, first, second),
            Binary::Gt => (opcode::IF_LT, second, first),
            _ => (opcode::IF_LE, second, first),
        };
        Ok(self.emit(op + sense, first, second, 0, line))
    }

    /// Evaluates expressions to registers one behind the other; whether the last one is a list. How
    /// many there are before the list.
    pub(super) fn list(&mut self, exprs: &'a [Expr]) -> Compiled<(usize, bool)> {
        for (n, expr) in exprs.iter().enumerate() {
            if n + 1 == exprs.len() && expr.kind.is_open() {
                self.open_values(expr, 0)?;
                return Ok((n, true));
            }
            self.next(expr)?;
        }
        Ok((exprs.len(), false))
    }

    /// Evaluates an expression that gives several values to new registers: so many less one, or a
    /// list if `count` is 0.
    pub(super) fn open_values(&mut self, expr: &'a Expr, count: usize) -> Compiled<usize> {
        let base = match &expr.kind {
            ExprKind::Varargs => {
                let base = self.state().free;
                let list = self.state().code.params;
                self.emit(opcode::VARARGS, base, list, count, expr.line);
                base
            }
            _ => self.call(expr, count)?,
        };
        self.state().free = base;
        self.reserve(count.max(2) - 1, expr.line)?;
        Ok(base)
    }

    /// Evaluates a call with so many results and one more, or a list of results if `count` is 0;
    /// the register of the first.
    pub(super) fn call(&mut self, expr: &'a Expr, count: usize) -> Compiled<usize> {
        let (base, args, list) = self.call_parts(expr)?;
        let pc = match (list, count) {
            (false, 2) => self.emit(opcode::CALL, base, args, 0, expr.line),
            (false, _) => self.emit(opcode::CALL_OPEN, base, args, count, expr.line),
            (true, _) => self.emit(opcode::CALL_LIST, base, args, count, expr.line),
        };
        self.name_callee(pc, expr);
        self.state().free = base;
        Ok(base)
    }

    pub(super) fn name_callee(&mut self, pc: usize, expr: &'a Expr) {
        let name = match &expr.kind {
            ExprKind::Call(callee, _) => self.describe(callee),
            ExprKind::Method(_, name, ..) => Some(format!("method '{name}'")),
            _ => None,
        };
        self.name_operands(pc, name, None);
    }

    /// The callee and the arguments of a call in registers: the first one, how many arguments,
    /// whether a list comes behind them.
    pub(super) fn call_parts(&mut self, expr: &'a Expr) -> Compiled<(usize, usize, bool)> {
        let base = self.state().free;
        let (own, args) = match &expr.kind {
            ExprKind::Call(callee, args) => {
                self.next(callee)?;
                (0, args)
            }
            ExprKind::Method(object, name, args, at) => {
                self.reserve(2, expr.line)?;
                let register = self.any(object)?;
                let number = self.text(name.as_bytes());
                let pc = self.emit(opcode::METHOD, base, register, number, *at);
                let described = self.describe(object);
                self.name_operands(pc, described, Some(format!("method '{name}'")));
                self.state().free = base + 2;
                (1, args)
            }
            _ => unreachable!("only calls have callees"),
        };
        let (count, list) = self.list(args)?;
        if let ExprKind::Call(callee, _) = &expr.kind
            && let Some(what) = asks_where(callee, self.variables)
        {
            self.emit(opcode::HERE, 0, what, 0, expr.line);
        }
        if let ExprKind::Call(callee, _) = &expr.kind
            && let ExprKind::Global(name) = &callee.kind
            && name == "collectgarbage"
        {
            let used = base + 1 + own + count + usize::from(list);
            self.emit(opcode::FORGET, used, 0, 0, expr.line);
        }
        Ok((base, own + count, list))
    }

    /// `lines`: where it begins and ends.
    fn table(&mut self, fields: &'a [Field], target: usize, [line, end]: [u32; 2]) -> Compiled<()> {
        let mut keys: Vec<Vec<u8>> = Vec::new();
        for field in fields {
            if let Field::Pair(key, ..) = field
                && let ExprKind::Text(text) = &key.kind
                && keys.len() < MAX_FIELDS
                && !keys.contains(text)
            {
                keys.push(text.clone());
            }
        }
        let items = fields
            .iter()
            .filter(|field| matches!(field, Field::Item(_)))
            .count();
        let shape = self.constant(Constant::Shape(keys.clone()));
        // Items are stored from the register behind the table on, so it needs one there.
        let table = self.reserve(1, line)?;
        let open = matches!(fields.last(), Some(Field::Item(last)) if last.kind.is_open());
        let room = items - usize::from(open);
        if shape < 1 << 16 {
            self.emit(opcode::TABLE, table, shape, room, line);
        } else {
            return super::error(line, "function has more than 65536 kinds of tables");
        }
        let (mut waiting, mut stored) = (0, 0);
        for (n, field) in fields.iter().enumerate() {
            match field {
                Field::Item(value) => {
                    if n + 1 == fields.len() && open {
                        self.open_values(value, 0)?;
                        self.emit(opcode::INIT_OPEN, table, waiting, stored + 1, end);
                        self.state().free = table + 1;
                        waiting = 0;
                        continue;
                    }
                    self.next(value)?;
                    waiting += 1;
                    if waiting == ITEMS_AT_ONCE {
                        self.emit(opcode::INIT_ITEMS, table, waiting, stored + 1, value.line);
                        self.state().free = table + 1;
                        stored += waiting;
                        waiting = 0;
                    }
                }
                Field::Pair(key, value, last) => {
                    let mark = self.state().free;
                    let place = match &key.kind {
                        ExprKind::Text(text) => keys.iter().position(|known| known == text),
                        _ => None,
                    };
                    if let Some(place) = place {
                        let register = self.any(value)?;
                        self.emit(opcode::INIT_FIELD, table, place, register, *last);
                    } else {
                        let (key, value) = self.two(key, value)?;
                        self.emit(opcode::SET_INDEX, table, key, value, *last);
                    }
                    self.state().free = mark;
                }
            }
        }
        if waiting > 0 {
            self.emit(opcode::INIT_ITEMS, table, waiting, stored + 1, end);
        }
        self.emit(opcode::MOVE, target, table, 0, NO_LINE);
        Ok(())
    }
}

/// Whether a callee may be a function that asks where it is called, and whether (1) it asks for
/// registers.
fn asks_where(callee: &Expr, variables: &[Variable]) -> Option<usize> {
    let asks = |name: &[u8]| match name {
        b"getinfo" | b"traceback" => Some(0),
        b"getlocal" | b"setlocal" => Some(1),
        _ => None,
    };
    match &callee.kind {
        ExprKind::Index(_, key) => match &key.kind {
            ExprKind::Text(name) => asks(name),
            _ => None,
        },
        ExprKind::Var(id) => asks(variables[*id].name.as_bytes()),
        ExprKind::Global(name) => asks(name.as_bytes()),
        _ => None,
    }
}

/// Whether an expression is compiled to jumps.
fn is_condition(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Paren(inner) => is_condition(inner),
        ExprKind::And(..) | ExprKind::Or(..) | ExprKind::Unary(Unary::Not, _) => true,
        ExprKind::Binary(operator, ..) => operator.instruction().is_none(),
        _ => false,
    }
}
