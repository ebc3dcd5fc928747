//! Statements. In: trees. Out: instructions. Invariant: between statements no register above the
//! variables is in use.

use super::expr::Operand;
use super::{Compiled, Compiler, Constant, NO_LINE, error};
use crate::ast::{Attribute, Block, Expr, ExprKind, Stat, StatKind, VarId};
use crate::opcode;

/// Something that is assigned, with its operands in registers.
enum Target {
    Register(usize),
    Variable(VarId),
    Global(usize),
    Field(Operand, usize, Names),
    Item(Operand, usize, Names),
    Index(Operand, Operand, Names),
}

/// What messages call an object and its key.
type Names = (Option<String>, Option<String>);

impl<'a> Compiler<'a> {
    pub(super) fn statements(&mut self, block: &'a [Stat]) -> Compiled<()> {
        for (n, statement) in block.iter().enumerate() {
            let mark = self.state().free;
            let bound = self.scope().variables.len();
            self.statement(statement, &block[n + 1..])?;
            if self.scope().variables.len() == bound {
                self.state().free = mark;
            }
        }
        Ok(())
    }

    fn block(&mut self, block: &'a Block, line: u32) -> Compiled<()> {
        self.open(block, false);
        self.statements(block)?;
        self.close(block.last().map_or(line, |last| last.end))
    }

    fn statement(&mut self, statement: &'a Stat, rest: &'a [Stat]) -> Compiled<()> {
        let line = statement.line;
        match &statement.kind {
            StatKind::Call(call) => {
                self.call(call, 1)?;
            }
            StatKind::Local(ids, values) => self.local(ids, values, line)?,
            StatKind::LocalFunction(id, function) => {
                let register = self.reserve(1, line)?;
                let boxed = self.variables[*id].is_boxed();
                if boxed {
                    self.emit(opcode::NIL, register, 0, 0, line);
                }
                self.bind(*id, register, line)?;
                let number = self.inner_function(function)?;
                if boxed {
                    let temporary = self.reserve(1, line)?;
                    self.emit(opcode::CLOSURE, temporary, 0, number, statement.end);
                    self.emit(opcode::STORE_SHARED, register, temporary, 0, statement.end);
                    self.state().free = register + 1;
                } else {
                    self.emit(opcode::CLOSURE, register, 0, number, statement.end);
                }
            }
            StatKind::Assign(targets, values) => self.assign(targets, values, statement.end)?,
            StatKind::Do(body) => self.block(body, line)?,
            StatKind::While(condition, body) => {
                let start = self.pc();
                let mut exits = Vec::new();
                self.jump(condition, false, &mut exits)?;
                self.open(&[], true);
                self.block(body, line)?;
                let last = self.last_line(line);
                self.emit(opcode::LOOP, 0, 0, start, last);
                self.patch_all(exits);
                self.close(line)?;
            }
            StatKind::Repeat(body, condition) => self.repeat(body, condition, statement.end)?,
            StatKind::If(arms, otherwise) => {
                let mut ends = Vec::new();
                for (n, (condition, then, body)) in arms.iter().enumerate() {
                    let mut exits = Vec::new();
                    self.jump(condition, false, &mut exits)?;
                    self.line_of_test(*then);
                    self.block(body, line)?;
                    if n + 1 < arms.len() || otherwise.is_some() {
                        let last = self.last_line(line);
                        ends.push(self.emit(opcode::JUMP, 0, 0, 0, last));
                    }
                    self.patch_all(exits);
                }
                if let Some(body) = otherwise {
                    self.block(body, line)?;
                }
                self.patch_all(ends);
            }
            StatKind::For(id, from, to, step, body, begin) => {
                self.numeric_for(*id, [from, to], step.as_ref(), body, [line, *begin])?;
            }
            StatKind::ForIn(ids, values, body) => self.generic_for(ids, values, body, line)?,
            StatKind::Return(values) => self.return_values(values, statement.end)?,
            StatKind::Break => {
                let blocks = &self.state().blocks;
                let Some(depth) = blocks.iter().rposition(|scope| scope.is_loop) else {
                    return error(line, format!("break outside loop at line {line}"));
                };
                self.emit_closes(depth + 1, 0, line);
                let jump = self.emit(opcode::JUMP, 0, 0, 0, line);
                self.state().blocks[depth].breaks.push(jump);
            }
            StatKind::Goto(name) => self.goto(name, line)?,
            StatKind::Label(name) => self.label(name, rest, line)?,
        }
        Ok(())
    }

    fn local(&mut self, ids: &'a [VarId], values: &'a [Expr], line: u32) -> Compiled<()> {
        let first = self.state().free;
        self.values(values, ids.len(), line)?;
        if let ([id], [value]) = (ids, values)
            && self.variables[*id].attribute == Attribute::Const
            && is_constant(value)
        {
            // The reference has no code for it.
            self.no_line();
        }
        for (n, &id) in ids.iter().enumerate() {
            self.bind(id, first + n, line)?;
        }
        Ok(())
    }

    /// Evaluates expressions into exactly `count` new registers.
    fn values(&mut self, values: &'a [Expr], count: usize, line: u32) -> Compiled<()> {
        let first = self.state().free;
        for (n, value) in values.iter().enumerate() {
            let last = n + 1 == values.len();
            if last && value.kind.is_open() && n + 1 < count {
                self.open_values(value, count - n + 1)?;
                return Ok(());
            }
            self.next(value)?;
            if n >= count {
                // It is evaluated, and not used.
                self.state().free = first + count;
            }
        }
        for _ in values.len()..count {
            let register = self.reserve(1, line)?;
            self.emit(opcode::NIL, register, 0, 0, line);
        }
        Ok(())
    }

    fn assign(&mut self, targets: &'a [Expr], values: &'a [Expr], line: u32) -> Compiled<()> {
        if let ([target], [value]) = (targets, values) {
            let target = self.target(target, &[])?;
            if let Target::Register(register) = target {
                if writes_last(value) {
                    return self.to(value, register);
                }
                let temporary = self.next(value)?;
                self.emit(opcode::MOVE, register, temporary, 0, NO_LINE);
                return Ok(());
            }
            let value = self.any(value)?;
            self.store(&target, value, line)?;
            return Ok(());
        }
        let mut places = Vec::new();
        for target in targets {
            places.push(self.target(target, targets)?);
        }
        let first = self.state().free;
        self.values(values, targets.len(), line)?;
        for (n, place) in places.iter().enumerate().rev() {
            self.store(place, first + n, line)?;
        }
        Ok(())
    }

    /// Evaluates the operands of something that is assigned, among others.
    fn target(&mut self, target: &'a Expr, all: &'a [Expr]) -> Compiled<Target> {
        Ok(match &target.kind {
            ExprKind::Var(id) => match self.state().registers.get(id).copied() {
                Some(register) if !self.variables[*id].is_boxed() => Target::Register(register),
                _ => Target::Variable(*id),
            },
            ExprKind::Global(name) => Target::Global(self.constant(Constant::Global(name.clone()))),
            ExprKind::Index(base, key) => {
                let object = match is_assigned(base, all) {
                    true => Operand::settled(self.next(base)?),
                    false => self.base(base)?,
                };
                let names = (self.describe(base), self.describe_key(key));
                match &key.kind {
                    ExprKind::Text(text) => {
                        let number = self.text(text);
                        if number < 1 << 16 {
                            return Ok(Target::Field(object, number, names));
                        }
                        self.item(object, base, key, all)?
                    }
                    ExprKind::Int(value) if (0..1 << 16).contains(value) => {
                        Target::Item(self.early(object, base), *value as usize, names)
                    }
                    _ => self.item(object, base, key, all)?,
                }
            }
            _ => return error(target.line, "syntax error"),
        })
    }

    /// The item of an object at a key; a copy, if that is a variable that is assigned too.
    fn item(
        &mut self,
        object: Operand,
        base: &'a Expr,
        key: &'a Expr,
        all: &'a [Expr],
    ) -> Compiled<Target> {
        let key = match is_assigned(key, all) {
            true => Operand::settled(self.next(key)?),
            false => self.operand(key)?,
        };
        let names = (self.describe(base), None);
        Ok(Target::Index(self.early(object, base), key, names))
    }

    /// An object that is evaluated in front of what is assigned, if it is no variable of this
    /// function.
    fn early(&mut self, object: Operand, base: &Expr) -> Operand {
        match &base.kind {
            ExprKind::Var(id) if !self.state().registers.contains_key(id) => {
                Operand::settled(self.settle(object))
            }
            _ => object,
        }
    }

    fn store(&mut self, target: &Target, value: usize, line: u32) -> Compiled<()> {
        match target {
            &Target::Register(register) => {
                self.emit(opcode::MOVE, register, value, 0, line);
            }
            &Target::Variable(id) => {
                if let Some(&register) = self.state().registers.get(&id) {
                    self.emit(opcode::STORE_SHARED, register, value, 0, line);
                } else {
                    let function = self.functions.len() - 1;
                    let index = self.captured(function, id);
                    self.emit(opcode::SET_SHARED, value, 0, index, line);
                }
            }
            &Target::Global(number) => {
                self.emit(opcode::SET_GLOBAL, value, 0, number, line);
            }
            Target::Field(object, key, names) => {
                let object = self.settle(*object);
                let pc = self.emit(opcode::SET_FIELD, object, *key, value, line);
                self.name_operands(pc, names.0.clone(), names.1.clone());
            }
            Target::Item(object, key, names) => {
                let object = self.settle(*object);
                let pc = self.emit(opcode::SET_ITEM, object, *key, value, line);
                self.name_operands(pc, names.0.clone(), names.1.clone());
            }
            Target::Index(object, key, names) => {
                let (object, key) = (self.settle(*object), self.settle(*key));
                let pc = self.emit(opcode::SET_INDEX, object, key, value, line);
                self.name_operands(pc, names.0.clone(), names.1.clone());
            }
        }
        Ok(())
    }

    fn repeat(&mut self, body: &'a Block, condition: &'a Expr, line: u32) -> Compiled<()> {
        self.open(&[], true);
        let start = self.pc();
        self.open(body, false);
        self.scope().has_condition = true;
        self.statements(body)?;
        let mut exits = Vec::new();
        self.jump(condition, true, &mut exits)?;
        // Both ways leave the scope of the body; what it closes is closed on each.
        let depth = self.state().blocks.len() - 1;
        self.emit_closes(depth, 0, line);
        self.emit(opcode::LOOP, 0, 0, start, line);
        self.patch_all(exits);
        self.close(line)?;
        self.close(line)
    }

    fn numeric_for(
        &mut self,
        id: VarId,
        limits: [&'a Expr; 2],
        step: Option<&'a Expr>,
        body: &'a Block,
        [line, begin]: [u32; 2],
    ) -> Compiled<()> {
        self.open(&[], true);
        let base = self.next(limits[0])?;
        self.next(limits[1])?;
        let by_one = match step {
            None => true,
            Some(step) => step.kind == ExprKind::Int(1),
        };
        match step {
            Some(step) => {
                self.next(step)?;
            }
            None => {
                let register = self.reserve(1, line)?;
                self.emit(opcode::INT, register, 0, 1, NO_LINE);
            }
        }
        let prepare = self.emit(opcode::FOR_PREPARE, base, usize::from(by_one), 0, begin);
        let start = self.pc();
        for register in base..base + 3 {
            self.note_local("(for state)", register);
        }
        self.open(body, false);
        let variable = &self.variables[id];
        if variable.assigned {
            let own = self.reserve(1, line)?;
            self.emit(opcode::MOVE, own, base, 0, line);
            self.bind(id, own, line)?;
        } else {
            // The body cannot change the counter, so it is the variable.
            self.bind(id, base, line)?;
        }
        self.statements(body)?;
        self.close(line)?;
        let op = if by_one {
            opcode::FOR_ONE
        } else {
            opcode::FOR_LOOP
        };
        self.emit(op, base, 0, start, line);
        self.patch(prepare);
        self.close(line)
    }

    fn generic_for(
        &mut self,
        ids: &'a [VarId],
        values: &'a [Expr],
        body: &'a Block,
        line: u32,
    ) -> Compiled<()> {
        self.open(&[], true);
        let base = self.state().free;
        self.values(values, 4, line)?;
        let position = self.reserve(1, line)?;
        self.emit(opcode::INT, position, 0, 0, line);
        if values.len() >= 4 || values.last().is_some_and(|last| last.kind.is_open()) {
            self.close_later(base + 3, "(for state)", line);
        }
        let enter = self.emit(opcode::JUMP, 0, 0, 0, line);
        let start = self.pc();
        for register in base..base + 4 {
            self.note_local("(for state)", register);
        }
        self.open(body, false);
        let first = self.reserve(ids.len(), line)?;
        for (n, &id) in ids.iter().enumerate() {
            self.bind(id, first + n, line)?;
        }
        self.statements(body)?;
        self.close(line)?;
        self.patch(enter);
        let pc = self.emit(opcode::FOR_IN, base, ids.len(), start, line);
        self.name_operands(pc, Some("for iterator 'for iterator'".to_string()), None);
        // Jumps out of the loop come to where it is closed.
        let breaks = std::mem::take(&mut self.scope().breaks);
        self.patch_all(breaks);
        self.close(line)
    }

    fn return_values(&mut self, values: &'a [Expr], line: u32) -> Compiled<()> {
        let closes = self.closes_anything();
        if let ([value], false) = (values, closes) {
            match &value.kind {
                ExprKind::Call(..) | ExprKind::Method(..) => {
                    let (base, args, list) = self.call_parts(value)?;
                    let op = if list {
                        opcode::TAIL_LIST
                    } else {
                        opcode::TAIL_CALL
                    };
                    let pc = self.emit(op, base, args, 0, value.line);
                    self.name_callee(pc, value);
                    return Ok(());
                }
                ExprKind::Varargs => {}
                _ => {
                    let register = self.any(value)?;
                    self.emit(opcode::RETURN_ONE, register, 0, 0, line);
                    return Ok(());
                }
            }
        }
        let first = self.state().free;
        let (count, list) = self.list(values)?;
        if closes {
            self.emit_closes(0, 0, line);
        }
        match (count, list) {
            (0, false) => self.emit(opcode::RETURN_NOTHING, 0, 0, 0, line),
            (1, false) => self.emit(opcode::RETURN_ONE, first, 0, 0, line),
            (_, false) => self.emit(opcode::RETURN, first, count, 0, line),
            (_, true) => self.emit(opcode::RETURN_LIST, first, count, 0, line),
        };
        Ok(())
    }

    fn goto(&mut self, name: &'a str, line: u32) -> Compiled<()> {
        let depth = self.state().blocks.iter().rposition(|scope| {
            let is_it = |s: &Stat| matches!(&s.kind, StatKind::Label(label) if label == name);
            scope.statements.iter().any(is_it)
        });
        let Some(depth) = depth else {
            return error(
                line,
                format!("no visible label '{name}' for <goto> at line {line}"),
            );
        };
        let known = self.state().blocks[depth]
            .labels
            .iter()
            .find(|label| label.0 == name)
            .copied();
        match known {
            Some((_, pc, variables, _)) => {
                self.emit_closes(depth, variables, line);
                self.emit(opcode::LOOP, 0, 0, pc, line);
            }
            None => {
                self.emit_closes(depth + 1, 0, line);
                let jump = self.emit(opcode::JUMP, 0, 0, 0, line);
                let scope = &mut self.state().blocks[depth];
                let count = scope.variables.len();
                scope.gotos.push((name, jump, count, line));
            }
        }
        Ok(())
    }

    fn label(&mut self, name: &'a str, rest: &'a [Stat], line: u32) -> Compiled<()> {
        let here = self.pc();
        let mut labels = self.state().blocks.iter().flat_map(|scope| &scope.labels);
        if let Some(&(.., known)) = labels.find(|label| label.0 == name) {
            return error(
                line,
                format!("label '{name}' already defined on line {known}"),
            );
        }
        let count = self.scope().variables.len();
        let scope = self.scope();
        scope.labels.push((name, here, count, line));
        let (mine, others) = std::mem::take(&mut scope.gotos)
            .into_iter()
            .partition(|goto| goto.0 == name);
        scope.gotos = others;
        let mine: Vec<(&str, usize, usize, u32)> = mine;
        // Behind a label at the end of a block its variables are out of scope.
        let last = rest.iter().all(|s| matches!(s.kind, StatKind::Label(_)));
        let at_end = last && !self.scope().has_condition;
        for (_, jump, variables, line) in mine {
            let skipped = self
                .scope()
                .variables
                .get(variables..)
                .unwrap_or(&[])
                .to_vec();
            let skips_close = |id: &VarId| self.variables[*id].attribute == Attribute::Close;
            if let Some(&id) = skipped.iter().find(|id| !at_end || skips_close(id)) {
                let variable = &self.variables[id].name;
                return error(
                    line,
                    format!(
                        "<goto {name}> at line {line} jumps into the scope of local '{variable}'"
                    ),
                );
            }
            self.patch(jump);
        }
        Ok(())
    }
}

/// Whether the code for an expression writes its target only when all operands have been read.
fn writes_last(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Paren(inner) => writes_last(inner),
        ExprKind::Binary(operator, ..) => operator.instruction().is_some(),
        ExprKind::Unary(operator, _) => *operator != crate::ast::Unary::Not,
        ExprKind::And(..) | ExprKind::Or(..) => false,
        _ => true,
    }
}

/// Whether an operand of something that is assigned is a variable that is assigned too.
fn is_assigned(operand: &Expr, all: &[Expr]) -> bool {
    all.iter().any(|target| target.kind == operand.kind)
}

/// Whether an expression is a literal.
fn is_constant(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Nil
            | ExprKind::True
            | ExprKind::False
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Text(_)
    )
}
