//! Expressions. In: an expression, and the register for its value. Out: instructions. Invariant:
//! operands are evaluated from left to right, each once.

use super::{Compiler, Reg, Result, unsupported};
use crate::bytecode::code::Const;
use crate::bytecode::opcode;
use crate::compile::scope::Access;
use ruff_python_ast::{
    self as ast, CmpOp, ConversionFlag, Expr, InterpolatedStringElement, Operator, UnaryOp,
};
use ruff_text_size::Ranged;

/// How many items of a display are in registers at once.
const CHUNK: usize = 32;

/// The number of an operator in `opcode::SIGNS`.
pub(super) fn operator(op: Operator) -> usize {
    match op {
        Operator::Add => opcode::OP_ADD,
        Operator::Sub => opcode::OP_SUB,
        Operator::Mult => opcode::OP_MUL,
        Operator::MatMult => opcode::OP_MATMUL,
        Operator::Div => opcode::OP_DIV,
        Operator::Mod => opcode::OP_MOD,
        Operator::Pow => opcode::OP_POW,
        Operator::LShift => opcode::OP_SHL,
        Operator::RShift => opcode::OP_SHR,
        Operator::BitOr => opcode::OP_OR,
        Operator::BitXor => opcode::OP_XOR,
        Operator::BitAnd => opcode::OP_AND,
        Operator::FloorDiv => opcode::OP_FLOOR_DIV,
    }
}

/// The number of a comparison in `opcode::COMPARISONS`.
pub(super) fn comparison(op: CmpOp) -> usize {
    match op {
        CmpOp::Lt => opcode::CMP_LT,
        CmpOp::LtE => opcode::CMP_LE,
        CmpOp::Eq => opcode::CMP_EQ,
        CmpOp::NotEq => opcode::CMP_NE,
        CmpOp::Gt => opcode::CMP_GT,
        CmpOp::GtE => opcode::CMP_GE,
        CmpOp::Is => opcode::CMP_IS,
        CmpOp::IsNot => opcode::CMP_IS_NOT,
        CmpOp::In => opcode::CMP_IN,
        CmpOp::NotIn => opcode::CMP_NOT_IN,
    }
}

impl<'a> Compiler<'a> {
    /// The value of an expression in some register: that of a variable, or a new temporary.
    pub(super) fn operand(&mut self, expr: &'a Expr) -> Result<Reg> {
        if let Expr::Name(name) = expr
            && !self.scopes.all[self.f().scope].has_walrus
        {
            let name = self.mangled(&name.id);
            if self.access(&name) == Access::Local {
                let register = self.f().registers[&name];
                self.check_local(&name, register, expr.range());
                return Ok(register);
            }
        }
        let register = self.temp()?;
        self.expr(expr, register)?;
        Ok(register)
    }

    /// Fails if a variable may have no value, unless that is known.
    fn check_local(&mut self, name: &str, register: Reg, range: ruff_text_size::TextRange) {
        if !self.f().assigned[register] {
            let before = self.at(range);
            let index = self.name(name);
            self.emit(opcode::CHECK, register, 0, index);
            self.at(before);
            let scope = &self.scopes.all[self.f().scope];
            // It has one from here on, if it cannot lose it.
            if !scope.deleted.contains(name) {
                self.f().assigned[register] = true;
            }
        }
    }

    /// Puts the value of an expression into a register.
    pub(super) fn expr(&mut self, expr: &'a Expr, to: Reg) -> Result<()> {
        let before = self.at(expr.range());
        let top = self.f().top;
        let result = self.expr_here(expr, to);
        self.free(top);
        self.at(before);
        result
    }

    fn expr_here(&mut self, expr: &'a Expr, to: Reg) -> Result<()> {
        if let Some(value) = self.literal(expr)? {
            return self.load_const(value, to);
        }
        match expr {
            Expr::Name(name) => {
                let name = self.mangled(&name.id);
                self.load_name(&name, to);
            }
            Expr::BinOp(e) => {
                let kind = operator(e.op);
                let left = self.operand(&e.left)?;
                if let (opcode::OP_ADD, Some(Const::Int(value))) = (kind, self.literal(&e.right)?)
                    && (-1000..=1000).contains(&value)
                {
                    self.emit(opcode::ADD_INT, to, left, (value as usize) & opcode::MAX_C);
                    return Ok(());
                }
                let right = self.operand(&e.right)?;
                match kind {
                    opcode::OP_ADD..=opcode::OP_MOD => {
                        self.emit(opcode::ADD + kind as u8, to, left, right);
                    }
                    _ => {
                        self.emit(opcode::BINARY, to, left, right | kind << 16);
                    }
                }
            }
            Expr::UnaryOp(e) => {
                if e.op == UnaryOp::Not {
                    let value = self.operand(&e.operand)?;
                    self.emit(opcode::NOT, to, value, 0);
                    return Ok(());
                }
                let value = self.operand(&e.operand)?;
                let op = match e.op {
                    UnaryOp::Invert => opcode::INVERT,
                    UnaryOp::UAdd => opcode::POS,
                    _ => opcode::NEG,
                };
                self.emit(op, to, value, 0);
            }
            Expr::BoolOp(e) => {
                let end = self.label();
                let op = match e.op {
                    ast::BoolOp::And => opcode::UNLESS,
                    ast::BoolOp::Or => opcode::IF,
                };
                // `to` may be a variable that the operands use.
                let value = self.temp()?;
                let assigned = self.f().assigned.clone();
                for (n, operand) in e.values.iter().enumerate() {
                    self.expr(operand, value)?;
                    if n + 1 < e.values.len() {
                        self.jump(op, value, 0, end);
                    }
                }
                self.f().assigned = assigned;
                self.place(end);
                self.emit(opcode::MOVE, to, value, 0);
            }
            Expr::Compare(e) => self.compare(e, to)?,
            Expr::If(e) => {
                let (otherwise, end) = (self.label(), self.label());
                let value = self.temp()?;
                self.jump_unless(&e.test, otherwise)?;
                let assigned = self.f().assigned.clone();
                self.expr(&e.body, value)?;
                self.jump(opcode::JUMP, 0, 0, end);
                self.place(otherwise);
                self.f().assigned = assigned.clone();
                self.expr(&e.orelse, value)?;
                self.f().assigned = assigned;
                self.place(end);
                self.emit(opcode::MOVE, to, value, 0);
            }
            Expr::Named(e) => {
                let value = self.temp()?;
                self.expr(&e.value, value)?;
                self.assign(&e.target, value)?;
                self.emit(opcode::MOVE, to, value, 0);
            }
            Expr::Call(e) => self.call(e, to)?,
            Expr::Attribute(e) => {
                let object = self.operand(&e.value)?;
                let name = self.mangled(&e.attr);
                let name = self.name(&name);
                self.emit(opcode::GET_ATTR, to, object, name);
            }
            Expr::Subscript(e) => {
                let object = self.operand(&e.value)?;
                let index = self.operand(&e.slice)?;
                self.emit(opcode::GET_ITEM, to, object, index);
            }
            Expr::Slice(e) => {
                let first = self.temps(3)?;
                for (n, part) in [&e.lower, &e.upper, &e.step].into_iter().enumerate() {
                    match part {
                        Some(part) => self.expr(part, first + n)?,
                        None => self.none(first + n)?,
                    }
                }
                self.emit(opcode::SLICE, to, first, 0);
            }
            Expr::List(e) => self.sequence(&e.elts, to, opcode::LIST)?,
            Expr::Tuple(e) => self.sequence(&e.elts, to, opcode::TUPLE)?,
            Expr::Set(e) => self.sequence(&e.elts, to, opcode::SET)?,
            Expr::Dict(e) => {
                let dict = self.temp()?;
                self.emit(opcode::DICT, dict, 0, 0);
                for item in &e.items {
                    let top = self.f().top;
                    match &item.key {
                        Some(key) => {
                            let key = self.operand(key)?;
                            let value = self.operand(&item.value)?;
                            self.emit(opcode::DICT_PUT, dict, key, value);
                        }
                        None => {
                            let other = self.operand(&item.value)?;
                            self.emit(opcode::DICT_MERGE, dict, other, 0);
                        }
                    }
                    self.free(top);
                }
                self.emit(opcode::MOVE, to, dict, 0);
            }
            Expr::Lambda(e) => self.lambda(e, to)?,
            Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_) => {
                self.comprehension(expr, to)?;
            }
            Expr::FString(e) => self.f_string(e, to)?,
            Expr::Yield(e) => {
                let value = self.temp()?;
                match &e.value {
                    Some(expr) => self.expr(expr, value)?,
                    None => self.none(value)?,
                }
                let thrown = self.temp()?;
                self.yield_value(value, thrown);
                self.emit(opcode::MOVE, to, value, 0);
            }
            Expr::YieldFrom(e) => self.yield_from(&e.value, to)?,
            Expr::Await(e) => {
                let value = self.temp()?;
                self.expr(&e.value, value)?;
                self.await_value(value, 0, to)?;
            }
            Expr::Starred(e) => {
                let text = "can't use starred expression here";
                return Err(self.error(text, e.range));
            }
            Expr::TString(e) => return Err(unsupported::at("t-strings", e.range)),
            Expr::IpyEscapeCommand(e) => return Err(unsupported::at("escape commands", e.range)),
            Expr::StringLiteral(_)
            | Expr::BytesLiteral(_)
            | Expr::NumberLiteral(_)
            | Expr::BooleanLiteral(_)
            | Expr::NoneLiteral(_)
            | Expr::EllipsisLiteral(_) => unreachable!("it is a constant"),
        }
        Ok(())
    }

    /// An error of the text between these places.
    pub(super) fn error(
        &self,
        text: &str,
        range: ruff_text_size::TextRange,
    ) -> crate::bytecode::source::SyntaxError {
        let (start, end) = (range.start().to_usize(), range.end().to_usize());
        crate::bytecode::source::SyntaxError::new(text, start, end)
    }

    /// `a < b < c`
    fn compare(&mut self, e: &'a ast::ExprCompare, to: Reg) -> Result<()> {
        let value = self.temp()?;
        let mut left = self.operand(&e.left)?;
        let end = self.label();
        let mut assigned = None;
        for (n, (op, right)) in e.ops.iter().zip(&e.comparators).enumerate() {
            let right = self.operand(right)?;
            let kind = comparison(*op);
            self.emit(opcode::COMPARE, value, left, right | kind << 16);
            if n + 1 < e.ops.len() {
                self.jump(opcode::UNLESS, value, 0, end);
            }
            left = right;
            // Only the first two operands are evaluated for certain.
            assigned.get_or_insert_with(|| self.f().assigned.clone());
        }
        self.f().assigned = assigned.unwrap_or_default();
        self.place(end);
        self.emit(opcode::MOVE, to, value, 0);
        Ok(())
    }

    /// A list, tuple or set of these items.
    pub(super) fn sequence(&mut self, items: &'a [Expr], to: Reg, op: u8) -> Result<()> {
        let has_star = items.iter().any(|item| matches!(item, Expr::Starred(_)));
        if items.len() <= CHUNK && !has_star {
            let first = self.temps(items.len())?;
            for (n, item) in items.iter().enumerate() {
                self.expr(item, first + n)?;
            }
            self.emit(op, to, first, items.len());
            return Ok(());
        }
        let made = self.temp()?;
        let is_set = op == opcode::SET;
        self.emit(
            if is_set { opcode::SET } else { opcode::LIST },
            made,
            made,
            0,
        );
        let (add, extend) = match is_set {
            true => (opcode::SET_ADD, opcode::SET_UPDATE),
            false => (opcode::LIST_APPEND, opcode::LIST_EXTEND),
        };
        for item in items {
            let top = self.f().top;
            if let Expr::Starred(starred) = item {
                let value = self.operand(&starred.value)?;
                self.emit(extend, made, value, 0);
            } else {
                let value = self.operand(item)?;
                self.emit(add, made, value, 0);
            }
            self.free(top);
        }
        let end = match op {
            opcode::TUPLE => opcode::TO_TUPLE,
            _ => opcode::MOVE,
        };
        self.emit(end, to, made, 0);
        Ok(())
    }

    fn f_string(&mut self, e: &'a ast::ExprFString, to: Reg) -> Result<()> {
        let first = self.f().top;
        let mut text = String::new();
        for part in e.value.iter() {
            match part {
                ast::FStringPart::Literal(literal) => text += &literal.value,
                ast::FStringPart::FString(string) => {
                    self.elements(&string.elements, &mut text)?;
                }
            }
        }
        self.literal_part(&mut text)?;
        let count = self.f().top - first;
        self.emit(opcode::JOIN, to, first, count);
        Ok(())
    }

    /// Emits the literal text so far as a part of its own.
    fn literal_part(&mut self, text: &mut String) -> Result<()> {
        if !text.is_empty() {
            let register = self.temp()?;
            self.load_const(Const::Str(std::mem::take(text)), register)?;
        }
        Ok(())
    }

    /// The parts of an f-string, each in the next register.
    fn elements(
        &mut self,
        elements: &'a [InterpolatedStringElement],
        text: &mut String,
    ) -> Result<()> {
        for element in elements {
            let element = match element {
                InterpolatedStringElement::Literal(literal) => {
                    *text += &literal.value;
                    continue;
                }
                InterpolatedStringElement::Interpolation(element) => element,
            };
            let mut conversion = match element.conversion {
                ConversionFlag::None => 0,
                ConversionFlag::Str => 1,
                ConversionFlag::Repr => 2,
                ConversionFlag::Ascii => 3,
            };
            if let Some(debug) = &element.debug_text {
                let range = element.expression.range();
                let written = &self.source.text[range.start().to_usize()..range.end().to_usize()];
                *text += &debug.leading;
                *text += written;
                *text += &debug.trailing;
                if conversion == 0 && element.format_spec.is_none() {
                    conversion = 2;
                }
            }
            self.literal_part(text)?;
            let part = self.temp()?;
            let value = self.temps(2)?;
            self.expr(&element.expression, value)?;
            match &element.format_spec {
                None => self.load_const(Const::Str(String::new()), value + 1)?,
                Some(spec) => {
                    let first = self.f().top;
                    let mut literal = String::new();
                    self.elements(&spec.elements, &mut literal)?;
                    self.literal_part(&mut literal)?;
                    let count = self.f().top - first;
                    self.emit(opcode::JOIN, value + 1, first, count);
                }
            }
            self.emit(opcode::FORMAT, part, value, conversion);
            self.free(part + 1);
        }
        Ok(())
    }

    /// Puts the value of a variable into a register.
    pub(super) fn load_name(&mut self, name: &str, to: Reg) {
        match self.access(name) {
            Access::Local => {
                let register = self.f().registers[name];
                let place = self.f().place;
                self.check_local(name, register, place);
                if register != to {
                    self.emit(opcode::MOVE, to, register, 0);
                }
            }
            Access::Cell => {
                let register = self.f().registers[name];
                self.emit(opcode::LOAD_CELL, to, register, 0);
                let index = self.name(name);
                self.emit(opcode::CHECK, to, 0, index);
            }
            Access::Free => {
                let number = self.free_index(name);
                self.emit(opcode::LOAD_FREE, to, number, 0);
                let index = self.name(name);
                self.emit(opcode::CHECK, to, 1, index);
            }
            Access::Global => {
                let index = self.global(name);
                self.emit(opcode::LOAD_GLOBAL, to, 0, index);
            }
            Access::Name => {
                let index = self.global(name);
                self.emit(opcode::LOAD_NAME, to, 0, index);
            }
        }
    }
}
