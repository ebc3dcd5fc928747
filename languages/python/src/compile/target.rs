//! What is assigned to, and deleted. In: targets, and registers with values. Out: instructions.

use super::{Compiler, Reg, Result};
use crate::bytecode::opcode;
use crate::compile::scope::Access;
use ruff_python_ast::Expr;
use ruff_text_size::Ranged;

impl<'a> Compiler<'a> {
    /// Assigns what is in a register to a target.
    pub(super) fn assign(&mut self, target: &'a Expr, value: Reg) -> Result<()> {
        let before = self.at(target.range());
        let top = self.f().top;
        match target {
            Expr::Name(name) => {
                let name = self.mangled(&name.id);
                self.store_name(&name, value)?;
            }
            Expr::Attribute(e) => {
                let object = self.operand(&e.value)?;
                let name = self.mangled(&e.attr);
                let name = self.name(&name);
                self.emit(opcode::SET_ATTR, object, value, name);
            }
            Expr::Subscript(e) => {
                let object = self.operand(&e.value)?;
                let index = self.operand(&e.slice)?;
                self.emit(opcode::SET_ITEM, object, index, value);
            }
            Expr::Tuple(e) => self.unpack(&e.elts, value)?,
            Expr::List(e) => self.unpack(&e.elts, value)?,
            Expr::Starred(e) => {
                let text = "starred assignment target must be in a list or tuple";
                return Err(self.error(text, e.range));
            }
            _ => return Err(self.error("cannot assign to this expression", target.range())),
        }
        self.free(top);
        self.at(before);
        Ok(())
    }

    /// Assigns the items of what is in a register to targets.
    pub(super) fn unpack(&mut self, targets: &'a [Expr], value: Reg) -> Result<()> {
        let first = self.temps(targets.len())?;
        let is_star = |target: &Expr| matches!(target, Expr::Starred(_));
        match targets.iter().position(is_star) {
            None => {
                self.emit(opcode::UNPACK, first, value, targets.len());
            }
            Some(star) => {
                let behind = targets.len() - star - 1;
                if targets[star + 1..].iter().any(is_star) {
                    let text = "multiple starred expressions in assignment";
                    return Err(self.error(text, targets[star].range()));
                }
                self.emit(opcode::UNPACK_STAR, first, value, star | behind << 8);
            }
        }
        for (n, target) in targets.iter().enumerate() {
            let target = match target {
                Expr::Starred(starred) => &*starred.value,
                other => other,
            };
            self.assign(target, first + n)?;
        }
        Ok(())
    }

    /// The register of a variable if a value can be put there directly.
    pub(super) fn direct(&mut self, target: &Expr) -> Option<Reg> {
        let Expr::Name(name) = target else {
            return None;
        };
        let name = self.mangled(&name.id);
        match self.access(&name) {
            Access::Local => Some(self.f().registers[&name]),
            _ => None,
        }
    }

    /// A variable has a value from here on, unless it can lose it again.
    pub(super) fn note_assigned(&mut self, register: Reg) {
        let name = self.f().code.locals[register].clone();
        let scope = &self.scopes.all[self.f().scope];
        if !scope.deleted.contains(&name) {
            self.f().assigned[register] = true;
        }
    }

    pub(super) fn store_name(&mut self, name: &str, value: Reg) -> Result<()> {
        match self.access(name) {
            Access::Local => {
                let register = self.f().registers[name];
                if register != value {
                    self.emit(opcode::MOVE, register, value, 0);
                }
                self.note_assigned(register);
            }
            Access::Cell => {
                let register = self.f().registers[name];
                self.emit(opcode::STORE_CELL, register, value, 0);
            }
            Access::Free => {
                let number = self.free_index(name);
                self.emit(opcode::STORE_FREE, value, number, 0);
            }
            Access::Global => {
                let index = self.global(name);
                self.emit(opcode::STORE_GLOBAL, value, 0, index);
            }
            Access::Name => {
                let index = self.name(name);
                self.emit(opcode::STORE_NAME, value, 0, index);
            }
        }
        Ok(())
    }

    pub(super) fn delete_name(&mut self, name: &str) -> Result<()> {
        match self.access(name) {
            Access::Local => {
                let register = self.f().registers[name];
                if !self.f().assigned[register] {
                    let index = self.name(name);
                    self.emit(opcode::CHECK, register, 0, index);
                }
                self.emit(opcode::UNBIND, register, 0, 0);
                self.f().assigned[register] = false;
            }
            Access::Cell | Access::Free => {
                // It must have a value, and then has none.
                let top = self.f().top;
                let register = self.temp()?;
                self.load_name(name, register);
                self.emit(opcode::UNBIND, register, 0, 0);
                self.store_name(name, register)?;
                self.free(top);
            }
            Access::Global => {
                let index = self.global(name);
                self.emit(opcode::DEL_GLOBAL, 0, 0, index);
            }
            Access::Name => {
                let index = self.name(name);
                self.emit(opcode::DEL_NAME, 0, 0, index);
            }
        }
        Ok(())
    }

    /// `del target`
    pub(super) fn delete(&mut self, target: &'a Expr) -> Result<()> {
        let before = self.at(target.range());
        let top = self.f().top;
        match target {
            Expr::Name(name) => {
                let name = self.mangled(&name.id);
                self.delete_name(&name)?;
            }
            Expr::Attribute(e) => {
                let object = self.operand(&e.value)?;
                let name = self.mangled(&e.attr);
                let name = self.name(&name);
                self.emit(opcode::DEL_ATTR, object, 0, name);
            }
            Expr::Subscript(e) => {
                let object = self.operand(&e.value)?;
                let index = self.operand(&e.slice)?;
                self.emit(opcode::DEL_ITEM, object, index, 0);
            }
            Expr::Tuple(e) => e.elts.iter().try_for_each(|e| self.delete(e))?,
            Expr::List(e) => e.elts.iter().try_for_each(|e| self.delete(e))?,
            _ => return Err(self.error("cannot delete this expression", target.range())),
        }
        self.free(top);
        self.at(before);
        Ok(())
    }
}
