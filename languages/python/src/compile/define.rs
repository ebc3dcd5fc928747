//! Functions, classes and comprehensions. In: definitions. Out: code of their own, and instructions
//! that make objects of it.

use super::{Compiler, Reg, Result, unsupported};
use crate::bytecode::code::{self, CompiledCode, Const};
use crate::bytecode::opcode;
use crate::compile::scope::{Access, Kind};
use ruff_python_ast::{self as ast, Expr, Stmt};
use ruff_text_size::{Ranged, TextRange, TextSize};

impl<'a> Compiler<'a> {
    /// The qualified name of something that is defined here.
    fn qualified(&mut self, name: &str) -> String {
        let is_global = self.access(name) == Access::Global;
        let kind = match self.functions.len() {
            1 => Kind::Module,
            _ => self.kind(),
        };
        let outer = &self.f().code.qualname;
        match kind {
            Kind::Module => name.to_string(),
            _ if is_global && !name.starts_with('<') => name.to_string(),
            Kind::Class => format!("{outer}.{name}"),
            Kind::Function => format!("{outer}.<locals>.{name}"),
        }
    }

    /// The place of a definition, behind its decorators.
    fn head(&self, range: TextRange, decorators: &[ast::Decorator]) -> TextRange {
        let Some(last) = decorators.last() else {
            return range;
        };
        let end = last.range().end().to_usize();
        let text = &self.source.text[end..];
        let skipped = text.len() - text.trim_start().len();
        let start = TextSize::try_from(end + skipped).unwrap_or(range.start());
        TextRange::new(start.min(range.end()), range.end())
    }

    pub(super) fn function_def(&mut self, s: &'a ast::StmtFunctionDef) -> Result<()> {
        if s.type_params.is_some() {
            return Err(unsupported::at("type parameters", s.name.range));
        }
        let decorators = self.decorators(&s.decorator_list)?;
        let function = self.temps(3)?;
        let has_annotations = self.annotations(s, function + 2)?;
        self.defaults(&s.parameters, function)?;
        let name = self.mangled(&s.name);
        let qualname = self.qualified(&name);
        let code = self.function(
            self.scopes.of(s.range, false),
            (&s.name, qualname),
            self.head(s.range, &s.decorator_list),
            Some(&s.parameters),
            |compiler| {
                compiler.f().code.doc = Self::doc_of(&s.body);
                compiler.stmts(&s.body)?;
                compiler.return_none();
                Ok(())
            },
        )?;
        let proto = self.proto(code);
        self.emit(opcode::FUNCTION, function, has_annotations.into(), proto);
        self.decorate(decorators, s.decorator_list.len(), function)?;
        self.store_name(&name, function)
    }

    /// The decorators in registers with room for arguments between them.
    fn decorators(&mut self, decorators: &'a [ast::Decorator]) -> Result<Reg> {
        let first = self.f().top;
        for decorator in decorators {
            let register = self.temps(2)?;
            self.expr(&decorator.expression, register)?;
        }
        Ok(first)
    }

    /// Calls decorators, the last one first.
    fn decorate(&mut self, first: Reg, count: usize, value: Reg) -> Result<()> {
        for n in (0..count).rev() {
            let callee = first + 2 * n;
            self.emit(opcode::MOVE, callee + 1, value, 0);
            self.emit(opcode::CALL, callee, 1, 0);
            self.emit(opcode::MOVE, value, callee, 0);
        }
        Ok(())
    }

    /// A dict of annotations, if there are any.
    fn annotations(&mut self, s: &'a ast::StmtFunctionDef, to: Reg) -> Result<bool> {
        let parameters = s
            .parameters
            .iter()
            .map(|p| (p.name().as_str(), p.annotation()));
        let returns = std::iter::once(("return", s.returns.as_deref()));
        let given: Vec<(&str, &Expr)> = parameters
            .chain(returns)
            .filter_map(|(name, annotation)| Some((name, annotation?)))
            .collect();
        if given.is_empty() {
            return Ok(false);
        }
        self.emit(opcode::DICT, to, 0, 0);
        for (name, annotation) in given {
            let top = self.f().top;
            let name = self.mangled(name);
            let key = self.temp()?;
            self.load_const(Const::Str(name), key)?;
            let value = self.annotation(annotation)?;
            self.emit(opcode::DICT_PUT, to, key, value);
            self.free(top);
        }
        Ok(true)
    }

    /// The defaults: a tuple in a register, and a dict in the next one.
    fn defaults(&mut self, parameters: &'a ast::Parameters, to: Reg) -> Result<()> {
        let positional = parameters.posonlyargs.iter().chain(&parameters.args);
        let values: Vec<&Expr> = positional.filter_map(|p| p.default.as_deref()).collect();
        if values.is_empty() {
            self.none(to)?;
        } else {
            let top = self.f().top;
            let first = self.temps(values.len())?;
            for (n, value) in values.iter().enumerate() {
                self.expr(value, first + n)?;
            }
            self.emit(opcode::TUPLE, to, first, values.len());
            self.free(top);
        }
        let mut has_dict = false;
        for parameter in &parameters.kwonlyargs {
            let Some(value) = &parameter.default else {
                continue;
            };
            if !has_dict {
                self.emit(opcode::DICT, to + 1, 0, 0);
                has_dict = true;
            }
            let top = self.f().top;
            let name = self.mangled(&parameter.parameter.name);
            let key = self.temp()?;
            self.load_const(Const::Str(name), key)?;
            let value = self.operand(value)?;
            self.emit(opcode::DICT_PUT, to + 1, key, value);
            self.free(top);
        }
        if !has_dict {
            self.none(to + 1)?;
        }
        Ok(())
    }

    /// Compiles a function. `named` are its name and qualified name.
    fn function(
        &mut self,
        scope: usize,
        named: (&str, String),
        range: TextRange,
        parameters: Option<&'a ast::Parameters>,
        body: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<CompiledCode> {
        let is_comprehension = named.0.ends_with("comp>") || named.0 == "<genexpr>";
        self.begin(scope, named.0, named.1, range);
        if is_comprehension {
            self.declare(".0", true);
            self.f().code.params = 1;
        }
        if let Some(parameters) = parameters {
            let declare = |compiler: &mut Self, name: &str| {
                let name = compiler.mangled(name);
                let stays = !compiler.scopes.all[scope].deleted.contains(&name);
                compiler.declare(&name, stays);
            };
            for parameter in parameters.posonlyargs.iter().chain(&parameters.args) {
                declare(self, &parameter.parameter.name);
            }
            for parameter in &parameters.kwonlyargs {
                declare(self, &parameter.parameter.name);
            }
            if let Some(star) = &parameters.vararg {
                declare(self, &star.name);
            }
            if let Some(double) = &parameters.kwarg {
                declare(self, &double.name);
            }
            let code = &mut self.f().code;
            code.positional_only = parameters.posonlyargs.len();
            code.params = parameters.posonlyargs.len() + parameters.args.len();
            code.keyword_only = parameters.kwonlyargs.len();
            code.star = parameters.vararg.is_some();
            code.double_star = parameters.kwarg.is_some();
        }
        self.declare_others();
        body(self)?;
        Ok(self.finish())
    }

    fn proto(&mut self, code: CompiledCode) -> usize {
        self.f().code.protos.push(code);
        self.f().code.protos.len() - 1
    }

    pub(super) fn lambda(&mut self, e: &'a ast::ExprLambda, to: Reg) -> Result<()> {
        let function = self.temps(3)?;
        match &e.parameters {
            Some(parameters) => self.defaults(parameters, function)?,
            None => {
                self.none(function)?;
                self.none(function + 1)?;
            }
        }
        let qualname = self.qualified("<lambda>");
        let code = self.function(
            self.scopes.of(e.range, false),
            ("<lambda>", qualname),
            e.range,
            e.parameters.as_deref(),
            |compiler| {
                let value = compiler.temp()?;
                compiler.expr(&e.body, value)?;
                compiler.emit(opcode::RETURN, value, 0, 0);
                Ok(())
            },
        )?;
        let proto = self.proto(code);
        self.emit(opcode::FUNCTION, function, 0, proto);
        self.emit(opcode::MOVE, to, function, 0);
        Ok(())
    }

    /// A comprehension is a function of one parameter: an iterator of the first iterable.
    pub(super) fn comprehension(&mut self, expr: &'a Expr, to: Reg) -> Result<()> {
        let (name, generators) = match expr {
            Expr::ListComp(e) => ("<listcomp>", &e.generators),
            Expr::SetComp(e) => ("<setcomp>", &e.generators),
            Expr::DictComp(e) => ("<dictcomp>", &e.generators),
            Expr::Generator(e) => ("<genexpr>", &e.generators),
            _ => unreachable!("the caller has looked"),
        };
        let function = self.temps(3)?;
        self.none(function)?;
        self.none(function + 1)?;
        let qualname = self.qualified(name);
        let scope = self.scopes.of(expr.range(), false);
        let code = self.function(scope, (name, qualname), expr.range(), None, |compiler| {
            let made = compiler.temp()?;
            match expr {
                Expr::ListComp(_) => compiler.emit(opcode::LIST, made, made, 0),
                Expr::SetComp(_) => compiler.emit(opcode::SET, made, made, 0),
                Expr::DictComp(_) => compiler.emit(opcode::DICT, made, 0, 0),
                _ => 0,
            };
            compiler.generators(expr, generators, 0, made)?;
            match expr {
                Expr::Generator(_) => compiler.return_none(),
                _ => {
                    compiler.emit(opcode::RETURN, made, 0, 0);
                }
            }
            Ok(())
        })?;
        let proto = self.proto(code);
        self.emit(opcode::FUNCTION, function, 0, proto);
        let iterable = function + 1;
        self.expr(&generators[0].iter, iterable)?;
        let before = self.at(generators[0].iter.range());
        let start = match generators[0].is_async {
            true => opcode::AITER,
            false => opcode::ITER,
        };
        self.emit(start, iterable, iterable, 0);
        self.at(before);
        self.emit(opcode::CALL, function, 1, 0);
        if self.scopes.all[scope].made_by_call() == code::Kind::Coroutine {
            return self.await_value(function, 0, to);
        }
        self.emit(opcode::MOVE, to, function, 0);
        Ok(())
    }

    /// The loops of a comprehension from number `n` on.
    fn generators(
        &mut self,
        expr: &'a Expr,
        generators: &'a [ast::Comprehension],
        n: usize,
        made: Reg,
    ) -> Result<()> {
        let Some(generator) = generators.get(n) else {
            return self.element(expr, made);
        };
        let (next, end) = (self.label(), self.label());
        let top = self.f().top;
        let iterator = match n {
            0 => self.f().registers[".0"],
            _ => {
                let iterator = self.temp()?;
                self.expr(&generator.iter, iterator)?;
                let before = self.at(generator.iter.range());
                let start = match generator.is_async {
                    true => opcode::AITER,
                    false => opcode::ITER,
                };
                self.emit(start, iterator, iterator, 0);
                self.at(before);
                iterator
            }
        };
        self.place(next);
        let assigned = self.f().assigned.clone();
        let inner = self.f().top;
        match self.direct(&generator.target) {
            _ if generator.is_async => {
                let before = self.at(generator.iter.range());
                let value = self.async_next(iterator, end)?;
                self.at(before);
                self.assign(&generator.target, value)?;
            }
            Some(register) => {
                self.jump(opcode::FOR, register, iterator, end);
                self.note_assigned(register);
            }
            None => {
                let value = self.temp()?;
                self.jump(opcode::FOR, value, iterator, end);
                self.assign(&generator.target, value)?;
            }
        }
        self.free(inner);
        let skip = self.label();
        for test in &generator.ifs {
            self.jump_unless(test, skip)?;
        }
        self.generators(expr, generators, n + 1, made)?;
        self.place(skip);
        self.jump(opcode::LOOP, 0, 0, next);
        self.place(end);
        self.f().assigned = assigned;
        self.free(top);
        Ok(())
    }

    fn element(&mut self, expr: &'a Expr, made: Reg) -> Result<()> {
        let top = self.f().top;
        match expr {
            Expr::ListComp(e) => {
                let value = self.operand(&e.elt)?;
                self.emit(opcode::LIST_APPEND, made, value, 0);
            }
            Expr::SetComp(e) => {
                let value = self.operand(&e.elt)?;
                self.emit(opcode::SET_ADD, made, value, 0);
            }
            Expr::DictComp(e) => {
                let key = self.operand(&e.key)?;
                let value = self.operand(&e.value)?;
                self.emit(opcode::DICT_PUT, made, key, value);
            }
            Expr::Generator(e) => {
                let value = self.temps(2)?;
                self.expr(&e.elt, value)?;
                self.yield_value(value, value + 1);
            }
            _ => unreachable!("the caller has looked"),
        }
        self.free(top);
        Ok(())
    }

    pub(super) fn class_def(&mut self, s: &'a ast::StmtClassDef) -> Result<()> {
        if s.type_params.is_some() {
            return Err(unsupported::at("type parameters", s.name.range));
        }
        let decorators = self.decorators(&s.decorator_list)?;
        let class = self.temps(3)?;
        // The body is a function without defaults.
        self.none(class)?;
        self.none(class + 1)?;
        let name = self.mangled(&s.name);
        let qualname = self.qualified(&name);
        let scope = self.scopes.of(s.range, true);
        self.begin(
            scope,
            &s.name,
            qualname,
            self.head(s.range, &s.decorator_list),
        );
        self.class_names.push(Some(s.name.to_string()));
        let body = self.class_body(&s.body, scope);
        self.class_names.pop();
        body?;
        let code = self.finish();
        let proto = self.proto(code);
        self.emit(opcode::FUNCTION, class, 0, proto);
        match &s.arguments {
            Some(arguments) => self.list_arguments(arguments, class)?,
            None => {
                self.emit(opcode::TUPLE, class + 1, class + 1, 0);
                self.none(class + 2)?;
            }
        }
        let index = self.name(&s.name);
        self.emit(opcode::CLASS, class, 0, index);
        self.decorate(decorators, s.decorator_list.len(), class)?;
        self.store_name(&name, class)
    }

    /// The body of a class: its namespace is the register 0. It returns the shared variable
    /// `__class__` if there is one.
    fn class_body(&mut self, body: &'a [Stmt], scope: usize) -> Result<()> {
        self.declare(".namespace", true);
        let has_cell = self.scopes.all[scope].access.get("__class__") == Some(&Access::Cell);
        let cell = has_cell.then(|| self.declare("__class__", false));
        self.declare_others();
        if let Some(doc) = Self::doc_of(body) {
            let top = self.f().top;
            let register = self.temp()?;
            self.load_const(Const::Str(doc), register)?;
            let index = self.name("__doc__");
            self.emit(opcode::STORE_NAME, register, 0, index);
            self.free(top);
        }
        self.begin_annotations(body)?;
        self.stmts(body)?;
        match cell {
            Some(register) => {
                self.emit(opcode::RETURN, register, 0, 0);
            }
            None => self.return_none(),
        }
        Ok(())
    }
}
