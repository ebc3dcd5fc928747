//! Calls. In: a callee and arguments. Out: instructions. Invariant: the callee and the arguments
//! are in registers in a row, in the order in which they are written.

use super::{Compiler, Reg, Result, unsupported};
use crate::bytecode::opcode;
use crate::compile::scope::Access;
use ruff_python_ast::{self as ast, Expr};
use ruff_text_size::Ranged;

/// How many arguments are in registers at once.
const MAX_ARGUMENTS: usize = 200;

/// The builtins whose results depend on where they are called.
const ASKS_FOR_SCOPE: [&str; 6] = ["dir", "eval", "exec", "globals", "locals", "vars"];

impl<'a> Compiler<'a> {
    pub(super) fn call(&mut self, e: &'a ast::ExprCall, to: Reg) -> Result<()> {
        if let Expr::Name(name) = &*e.func
            && &*name.id == "super"
            && e.arguments.is_empty()
        {
            return self.bare_super(e, to);
        }
        let callee = self.temp()?;
        let is_plain = is_plain(&e.arguments);
        if let Expr::Attribute(method) = &*e.func
            && is_plain
        {
            let object = self.operand(&method.value)?;
            let name = self.mangled(&method.attr);
            let name = self.name(&name);
            self.free(callee + 1);
            self.temp()?;
            // The place of a method call is the whole of it, as in CPython.
            let before = self.at(e.range);
            self.emit(opcode::METHOD, callee, object, name);
            self.at(before);
            let (count, keywords) = self.arguments(&e.arguments, callee + 2)?;
            self.emit(opcode::CALL_METHOD, callee, count, keywords);
            self.emit(opcode::MOVE, to, callee, 0);
            return Ok(());
        }
        self.expr(&e.func, callee)?;
        let asks = match &*e.func {
            Expr::Name(name) => ASKS_FOR_SCOPE.contains(&name.id.as_str()),
            _ => false,
        };
        if is_plain {
            let (count, keywords) = self.arguments(&e.arguments, callee + 1)?;
            if asks {
                self.emit(opcode::SCOPE, callee, 0, 0);
            }
            self.emit(opcode::CALL, callee, count, keywords);
        } else {
            self.list_arguments(&e.arguments, callee)?;
            if asks {
                self.emit(opcode::SCOPE, callee, 0, 0);
            }
            self.emit(opcode::CALL_LIST, callee, 0, 0);
        }
        self.emit(opcode::MOVE, to, callee, 0);
        Ok(())
    }

    /// Arguments in registers from `first` on. How many, and the names of the last ones.
    pub(super) fn arguments(
        &mut self,
        arguments: &'a ast::Arguments,
        first: Reg,
    ) -> Result<(usize, usize)> {
        let mut next = first;
        for arg in &arguments.args {
            self.free(next);
            self.temp()?;
            self.expr(arg, next)?;
            next += 1;
        }
        let mut names = Vec::new();
        for keyword in &arguments.keywords {
            self.free(next);
            self.temp()?;
            self.expr(&keyword.value, next)?;
            next += 1;
            let name = keyword.arg.as_ref().expect("it is no `**`");
            if names.iter().any(|known| known == name.as_str()) {
                let text = format!("keyword argument repeated: {}", name.as_str());
                return Err(self.error(&text, keyword.range()));
            }
            names.push(name.to_string());
        }
        let keywords = match names.is_empty() {
            true => 0,
            false => self.keywords(names),
        };
        Ok((next - first, keywords))
    }

    /// The number of these names, and 1.
    fn keywords(&mut self, names: Vec<String>) -> usize {
        let all = &mut self.f().code.keywords;
        all.push(names);
        all.len()
    }

    /// Arguments as a tuple and a dict behind the callee.
    pub(super) fn list_arguments(
        &mut self,
        arguments: &'a ast::Arguments,
        callee: Reg,
    ) -> Result<()> {
        self.free(callee + 1);
        let list = self.temps(2)?;
        match &*arguments.args {
            // The tuple that a function has been given is handed on as it is.
            [Expr::Starred(all)] => {
                let value = self.operand(&all.value)?;
                self.emit(opcode::TO_TUPLE, list, value, 0);
            }
            all => self.sequence(all, list, opcode::TUPLE)?,
        }
        self.free(callee + 3);
        if arguments.keywords.is_empty() {
            return self.none(callee + 2);
        }
        self.emit(opcode::DICT, callee + 2, 0, 0);
        for keyword in &arguments.keywords {
            let top = self.f().top;
            match &keyword.arg {
                Some(name) => {
                    let key = self.temp()?;
                    self.load_const(crate::bytecode::code::Const::Str(name.to_string()), key)?;
                    let value = self.operand(&keyword.value)?;
                    self.emit(opcode::DICT_PUT, callee + 2, key, value);
                }
                None => {
                    let other = self.operand(&keyword.value)?;
                    self.emit(opcode::DICT_MERGE, callee + 2, other, 1);
                }
            }
            self.free(top);
        }
        Ok(())
    }

    /// `super()` is `super(__class__, self)`.
    fn bare_super(&mut self, e: &'a ast::ExprCall, to: Reg) -> Result<()> {
        let refused = unsupported::refused(unsupported::SUPER, e.range);
        let first = self.f().code.locals.first().cloned();
        let has_first = self.f().code.params > 0;
        let (Some(first), true) = (first, has_first) else {
            return Err(refused);
        };
        if !matches!(self.access("__class__"), Access::Free) {
            return Err(refused);
        }
        let callee = self.temps(3)?;
        let index = self.global("super");
        self.emit(opcode::LOAD_GLOBAL, callee, 0, index);
        self.load_name("__class__", callee + 1);
        self.load_name(&first, callee + 2);
        self.emit(opcode::CALL, callee, 2, 0);
        self.emit(opcode::MOVE, to, callee, 0);
        Ok(())
    }
}

/// Whether arguments can be in registers.
fn is_plain(arguments: &ast::Arguments) -> bool {
    let has_star = arguments
        .args
        .iter()
        .any(|arg| matches!(arg, Expr::Starred(_)));
    let has_double = arguments
        .keywords
        .iter()
        .any(|keyword| keyword.arg.is_none());
    !has_star && !has_double && arguments.len() <= MAX_ARGUMENTS
}
