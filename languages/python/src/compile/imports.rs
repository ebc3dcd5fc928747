//! Imports. In: statements. Out: instructions.

use super::{Compiler, Result, unsupported};
use crate::bytecode::opcode;
use crate::compile::scope::Kind;
use ruff_python_ast as ast;

impl<'a> Compiler<'a> {
    pub(super) fn import(&mut self, s: &'a ast::StmtImport) -> Result<()> {
        for alias in &s.names {
            let module = self.temp()?;
            let index = self.name(&alias.name);
            match &alias.asname {
                Some(name) => {
                    self.emit(opcode::IMPORT, module, 0, index);
                    let name = self.mangled(name);
                    self.store_name(&name, module)?;
                }
                None => {
                    self.emit(opcode::IMPORT, module, 1, index);
                    let first = alias.name.split('.').next().unwrap_or(&alias.name);
                    let name = self.mangled(first);
                    self.store_name(&name, module)?;
                }
            }
            self.free(module);
        }
        Ok(())
    }

    pub(super) fn import_from(&mut self, s: &'a ast::StmtImportFrom) -> Result<()> {
        let module = self.temp()?;
        let name = s.module.as_ref().map_or("", |module| module.as_str());
        if name == "__future__" {
            // What may be named there is the case already, or concerns annotations alone.
            return Ok(());
        }
        // The dots of an import that starts from the package that this is in.
        let name = ".".repeat(s.level as usize) + name;
        let index = self.name(&name);
        self.emit(opcode::IMPORT, module, 0, index);
        for alias in &s.names {
            if alias.name.as_str() == "*" {
                match self.kind() {
                    Kind::Module => self.emit(opcode::IMPORT_STAR, module, 0, 0),
                    Kind::Function => {
                        let text = "import * only allowed at module level";
                        return Err(self.error(text, s.range));
                    }
                    Kind::Class => {
                        return Err(unsupported::refused(unsupported::IMPORT_STAR, s.range));
                    }
                };
                continue;
            }
            let value = self.temp()?;
            let index = self.name(&alias.name);
            self.emit(opcode::IMPORT_FROM, value, module, index);
            let name = alias.asname.as_ref().unwrap_or(&alias.name);
            let name = self.mangled(name);
            self.store_name(&name, value)?;
            self.free(value);
        }
        Ok(())
    }
}
