//! What a piece of code binds, uses and declares. In: a syntax tree. Out: [`Scopes`] whose names
//! are not resolved yet. Invariant: statements are visited in their order, since a declaration has
//! to come before what it is about.

use super::table::{Kind, Scope, Scopes, mangled};
use crate::bytecode::source::SyntaxError;
use ruff_python_ast::{self as ast, Expr, InterpolatedStringElement, Stmt};
use ruff_text_size::{Ranged, TextRange};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Finds the scopes of a module.
///
/// # Errors
/// A declaration that contradicts the others, or a statement in the wrong place.
pub(super) fn find(body: &[Stmt]) -> Result<Scopes, SyntaxError> {
    let mut finder = Finder {
        scopes: Scopes {
            all: Vec::new(),
            by_place: HashMap::new(),
        },
        error: None,
    };
    let module = finder.new_scope(Kind::Module, None, None);
    finder.stmts(module, body);
    match finder.error {
        Some(error) => Err(error),
        None => Ok(finder.scopes),
    }
}

/// The scopes so far, and the first mistake.
pub(super) struct Finder {
    scopes: Scopes,
    error: Option<SyntaxError>,
}

impl Finder {
    fn new_scope(&mut self, kind: Kind, parent: Option<usize>, class: Option<String>) -> usize {
        self.scopes.all.push(Scope {
            kind,
            is_generator: false,
            is_async: false,
            access: BTreeMap::new(),
            free: Vec::new(),
            has_walrus: false,
            deleted: BTreeSet::new(),
            parent,
            class_name: class,
            bound: BTreeSet::new(),
            used: BTreeSet::new(),
            globals: BTreeSet::new(),
            nonlocals: BTreeMap::new(),
            is_comprehension: false,
        });
        self.scopes.all.len() - 1
    }

    fn inner(
        &mut self,
        kind: Kind,
        parent: usize,
        range: TextRange,
        class: Option<String>,
    ) -> usize {
        let index = self.new_scope(kind, Some(parent), class);
        let place = (range, kind == Kind::Class);
        self.scopes.by_place.insert(place, index);
        index
    }

    fn fail(&mut self, text: String, range: TextRange) {
        let error = SyntaxError::new(text, range.start().to_usize(), range.end().to_usize());
        self.error.get_or_insert(error);
    }

    fn mangle(&self, at: usize, name: &str) -> String {
        mangled(self.scopes.all[at].class_name.as_deref(), name)
    }

    pub(super) fn bind(&mut self, at: usize, name: &str) {
        let name = self.mangle(at, name);
        self.scopes.all[at].bound.insert(name);
    }

    fn delete(&mut self, at: usize, name: &str) {
        let name = self.mangle(at, name);
        self.scopes.all[at].deleted.insert(name.clone());
        self.scopes.all[at].bound.insert(name);
    }

    fn mention(&mut self, at: usize, name: &str) {
        let mangled = self.mangle(at, name);
        let scope = &mut self.scopes.all[at];
        scope.used.insert(mangled);
        if name == "super" && scope.kind == Kind::Function {
            scope.used.insert("__class__".to_string());
        }
    }

    fn stmts(&mut self, at: usize, body: &[Stmt]) {
        for stmt in body {
            self.stmt(at, stmt);
        }
    }

    fn stmt(&mut self, at: usize, stmt: &Stmt) {
        match stmt {
            Stmt::FunctionDef(def) => {
                for decorator in &def.decorator_list {
                    self.expr(at, &decorator.expression);
                }
                self.defaults(at, &def.parameters);
                self.annotations(at, &def.parameters);
                if let Some(returns) = &def.returns {
                    self.expr(at, returns);
                }
                self.bind(at, &def.name);
                let class = self.scopes.all[at].class_name.clone();
                let inner = self.inner(Kind::Function, at, def.range, class);
                self.scopes.all[inner].is_async = def.is_async;
                self.parameters(inner, &def.parameters);
                self.stmts(inner, &def.body);
            }
            Stmt::ClassDef(def) => {
                for decorator in &def.decorator_list {
                    self.expr(at, &decorator.expression);
                }
                if let Some(arguments) = &def.arguments {
                    self.arguments(at, arguments);
                }
                self.bind(at, &def.name);
                let inner = self.inner(Kind::Class, at, def.range, Some(def.name.to_string()));
                self.stmts(inner, &def.body);
            }
            Stmt::Return(s) => self.optional(at, s.value.as_deref()),
            Stmt::Delete(s) => s.targets.iter().for_each(|target| self.deleted(at, target)),
            Stmt::Assign(s) => {
                self.expr(at, &s.value);
                s.targets.iter().for_each(|target| self.target(at, target));
            }
            Stmt::AugAssign(s) => {
                self.expr(at, &s.value);
                self.expr(at, &s.target);
                self.target(at, &s.target);
            }
            Stmt::AnnAssign(s) => {
                self.optional(at, s.value.as_deref());
                // In functions annotations of variables are not evaluated.
                if self.scopes.all[at].kind != Kind::Function || !s.simple {
                    self.expr(at, &s.annotation);
                }
                self.target(at, &s.target);
            }
            Stmt::For(s) => {
                if s.is_async {
                    self.only_in_async(at, "'async for'", s.range);
                }
                self.expr(at, &s.iter);
                self.target(at, &s.target);
                self.stmts(at, &s.body);
                self.stmts(at, &s.orelse);
            }
            Stmt::While(s) => {
                self.expr(at, &s.test);
                self.stmts(at, &s.body);
                self.stmts(at, &s.orelse);
            }
            Stmt::If(s) => {
                self.expr(at, &s.test);
                self.stmts(at, &s.body);
                for clause in &s.elif_else_clauses {
                    self.optional(at, clause.test.as_ref());
                    self.stmts(at, &clause.body);
                }
            }
            Stmt::With(s) => {
                if s.is_async {
                    self.only_in_async(at, "'async with'", s.range);
                }
                for item in &s.items {
                    self.expr(at, &item.context_expr);
                    if let Some(target) = &item.optional_vars {
                        self.target(at, target);
                    }
                }
                self.stmts(at, &s.body);
            }
            Stmt::Raise(s) => {
                self.optional(at, s.exc.as_deref());
                self.optional(at, s.cause.as_deref());
            }
            Stmt::Try(s) => {
                self.stmts(at, &s.body);
                for handler in &s.handlers {
                    let ast::ExceptHandler::ExceptHandler(handler) = handler;
                    self.optional(at, handler.type_.as_deref());
                    if let Some(name) = &handler.name {
                        self.delete(at, name);
                    }
                    self.stmts(at, &handler.body);
                }
                self.stmts(at, &s.orelse);
                self.stmts(at, &s.finalbody);
            }
            Stmt::Assert(s) => {
                self.expr(at, &s.test);
                self.optional(at, s.msg.as_deref());
            }
            Stmt::Import(s) => {
                for alias in &s.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name);
                    let first = name.split('.').next().unwrap_or(name).to_string();
                    self.bind(at, &first);
                }
            }
            Stmt::ImportFrom(s) => {
                for alias in &s.names {
                    let name = alias.asname.as_ref().unwrap_or(&alias.name).to_string();
                    self.bind(at, &name);
                }
            }
            Stmt::Global(s) => self.declare(at, &s.names, true),
            Stmt::Nonlocal(s) => self.declare(at, &s.names, false),
            Stmt::Expr(s) => self.expr(at, &s.value),
            // The compiler refuses these.
            Stmt::TypeAlias(_) | Stmt::IpyEscapeCommand(_) => {}
            Stmt::Match(s) => {
                self.expr(at, &s.subject);
                for case in &s.cases {
                    self.pattern(at, &case.pattern);
                    self.optional(at, case.guard.as_deref());
                    self.stmts(at, &case.body);
                }
            }
            Stmt::Pass(_) | Stmt::Break(_) | Stmt::Continue(_) => {}
        }
    }

    fn declare(&mut self, at: usize, names: &[ast::Identifier], global: bool) {
        let what = if global { "global" } else { "nonlocal" };
        for identifier in names {
            let name = self.mangle(at, identifier);
            let scope = &mut self.scopes.all[at];
            let text = if scope.used.contains(&name) {
                Some(format!("name '{name}' is used prior to {what} declaration"))
            } else if scope.bound.contains(&name) {
                let text = "is assigned to before";
                Some(format!("name '{name}' {text} {what} declaration"))
            } else {
                None
            };
            if global {
                scope.globals.insert(name);
            } else {
                scope.nonlocals.insert(name, identifier.range);
            }
            if let Some(text) = text {
                self.fail(text, identifier.range);
            }
        }
    }

    fn parameters(&mut self, at: usize, parameters: &ast::Parameters) {
        let mut seen = BTreeSet::new();
        for parameter in parameters {
            let name = parameter.name();
            if !seen.insert(name.to_string()) {
                let text = format!("duplicate argument '{}' in function definition", name.id);
                self.fail(text, name.range);
            }
            let name = name.to_string();
            self.bind(at, &name);
        }
    }

    fn defaults(&mut self, at: usize, parameters: &ast::Parameters) {
        for parameter in parameters.iter_non_variadic_params() {
            self.optional(at, parameter.default.as_deref());
        }
    }

    fn annotations(&mut self, at: usize, parameters: &ast::Parameters) {
        for parameter in parameters {
            self.optional(at, parameter.annotation());
        }
    }

    fn optional(&mut self, at: usize, expr: Option<&Expr>) {
        if let Some(expr) = expr {
            self.expr(at, expr);
        }
    }

    fn deleted(&mut self, at: usize, target: &Expr) {
        match target {
            Expr::Name(name) => self.delete(at, &name.id),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|e| self.deleted(at, e)),
            Expr::List(list) => list.elts.iter().for_each(|e| self.deleted(at, e)),
            _ => self.expr(at, target),
        }
    }

    fn target(&mut self, at: usize, target: &Expr) {
        match target {
            Expr::Name(name) => self.bind(at, &name.id),
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|e| self.target(at, e)),
            Expr::List(list) => list.elts.iter().for_each(|e| self.target(at, e)),
            Expr::Starred(starred) => self.target(at, &starred.value),
            _ => self.expr(at, target),
        }
    }

    fn arguments(&mut self, at: usize, arguments: &ast::Arguments) {
        arguments.args.iter().for_each(|arg| self.expr(at, arg));
        for keyword in &arguments.keywords {
            self.expr(at, &keyword.value);
        }
    }

    fn comprehension(
        &mut self,
        at: usize,
        range: TextRange,
        generators: &[ast::Comprehension],
        values: &[&Expr],
    ) -> usize {
        // The first iterable belongs to what is around it.
        self.expr(at, &generators[0].iter);
        let class = self.scopes.all[at].class_name.clone();
        let inner = self.inner(Kind::Function, at, range, class);
        self.scopes.all[inner].is_comprehension = true;
        self.scopes.all[inner].is_async = generators.iter().any(|generator| generator.is_async);
        for (n, generator) in generators.iter().enumerate() {
            if n > 0 {
                self.expr(inner, &generator.iter);
            }
            self.target(inner, &generator.target);
            generator.ifs.iter().for_each(|test| self.expr(inner, test));
        }
        values.iter().for_each(|value| self.expr(inner, value));
        inner
    }

    /// A comprehension that makes all of its items: one that awaits something is awaited itself.
    fn display(
        &mut self,
        at: usize,
        range: TextRange,
        generators: &[ast::Comprehension],
        values: &[&Expr],
    ) {
        let inner = self.comprehension(at, range, generators, values);
        if self.scopes.all[inner].is_async {
            self.awaits(
                at,
                "asynchronous comprehension",
                " of an asynchronous function",
                range,
            );
        }
    }

    /// Something is awaited here. `what` and `whose` are for the message.
    fn awaits(&mut self, at: usize, what: &str, whose: &str, range: TextRange) {
        let scope = &mut self.scopes.all[at];
        if scope.is_comprehension {
            scope.is_async = true;
        } else if !scope.is_async {
            let whose = match (whose, scope.kind) {
                ("", Kind::Function) => " async function",
                ("", _) => " function",
                (whose, _) => whose,
            };
            self.fail(format!("{what} outside{whose}"), range);
        }
    }

    fn only_in_async(&mut self, at: usize, what: &str, range: TextRange) {
        if !self.scopes.all[at].is_async {
            self.fail(format!("{what} outside async function"), range);
        }
    }

    pub(super) fn expr(&mut self, at: usize, expr: &Expr) {
        match expr {
            Expr::Name(name) => self.mention(at, &name.id),
            Expr::Named(named) => {
                self.expr(at, &named.value);
                // It binds in the function around comprehensions.
                let mut owner = at;
                while self.scopes.all[owner].is_comprehension {
                    owner = self.scopes.all[owner].parent.unwrap_or(0);
                }
                self.scopes.all[owner].has_walrus = true;
                self.scopes.all[at].has_walrus = true;
                if let Expr::Name(name) = &*named.target {
                    self.bind(owner, &name.id);
                    if owner != at {
                        let id = self.mangle(at, &name.id);
                        let range = name.range;
                        match self.scopes.all[owner].kind {
                            Kind::Function => {
                                self.scopes.all[at].nonlocals.insert(id.clone(), range);
                            }
                            _ => {
                                self.scopes.all[at].globals.insert(id.clone());
                            }
                        }
                        self.scopes.all[at].used.insert(id);
                    }
                }
            }
            Expr::Lambda(lambda) => {
                if let Some(parameters) = &lambda.parameters {
                    self.defaults(at, parameters);
                }
                let class = self.scopes.all[at].class_name.clone();
                let inner = self.inner(Kind::Function, at, lambda.range, class);
                if let Some(parameters) = &lambda.parameters {
                    self.parameters(inner, parameters);
                }
                self.expr(inner, &lambda.body);
            }
            Expr::ListComp(c) => self.display(at, c.range, &c.generators, &[&c.elt]),
            Expr::SetComp(c) => self.display(at, c.range, &c.generators, &[&c.elt]),
            Expr::DictComp(c) => {
                self.display(at, c.range, &c.generators, &[&c.key, &c.value]);
            }
            Expr::Generator(c) => {
                let inner = self.comprehension(at, c.range, &c.generators, &[&c.elt]);
                self.scopes.all[inner].is_generator = true;
            }
            Expr::Yield(y) => {
                self.yields(at, y.range());
                self.optional(at, y.value.as_deref());
            }
            Expr::YieldFrom(y) => {
                if self.scopes.all[at].is_async {
                    self.fail("'yield from' inside async function".to_string(), y.range());
                }
                self.yields(at, y.range());
                self.expr(at, &y.value);
            }
            Expr::BoolOp(e) => e.values.iter().for_each(|value| self.expr(at, value)),
            Expr::BinOp(e) => {
                self.expr(at, &e.left);
                self.expr(at, &e.right);
            }
            Expr::UnaryOp(e) => self.expr(at, &e.operand),
            Expr::If(e) => {
                self.expr(at, &e.test);
                self.expr(at, &e.body);
                self.expr(at, &e.orelse);
            }
            Expr::Dict(e) => {
                for item in &e.items {
                    self.optional(at, item.key.as_ref());
                    self.expr(at, &item.value);
                }
            }
            Expr::Set(e) => e.elts.iter().for_each(|value| self.expr(at, value)),
            Expr::List(e) => e.elts.iter().for_each(|value| self.expr(at, value)),
            Expr::Tuple(e) => e.elts.iter().for_each(|value| self.expr(at, value)),
            Expr::Await(e) => {
                self.awaits(at, "'await'", "", e.range);
                self.expr(at, &e.value);
            }
            Expr::Compare(e) => {
                self.expr(at, &e.left);
                e.comparators.iter().for_each(|value| self.expr(at, value));
            }
            Expr::Call(e) => {
                self.expr(at, &e.func);
                self.arguments(at, &e.arguments);
            }
            Expr::FString(e) => {
                for part in e.value.iter() {
                    if let ast::FStringPart::FString(string) = part {
                        self.interpolated(at, &string.elements);
                    }
                }
            }
            Expr::Attribute(e) => self.expr(at, &e.value),
            Expr::Subscript(e) => {
                self.expr(at, &e.value);
                self.expr(at, &e.slice);
            }
            Expr::Starred(e) => self.expr(at, &e.value),
            Expr::Slice(e) => {
                self.optional(at, e.lower.as_deref());
                self.optional(at, e.upper.as_deref());
                self.optional(at, e.step.as_deref());
            }
            Expr::TString(_)
            | Expr::StringLiteral(_)
            | Expr::BytesLiteral(_)
            | Expr::NumberLiteral(_)
            | Expr::BooleanLiteral(_)
            | Expr::NoneLiteral(_)
            | Expr::EllipsisLiteral(_)
            | Expr::IpyEscapeCommand(_) => {}
        }
    }

    fn interpolated(&mut self, at: usize, elements: &[InterpolatedStringElement]) {
        for element in elements {
            if let InterpolatedStringElement::Interpolation(element) = element {
                self.expr(at, &element.expression);
                if let Some(spec) = &element.format_spec {
                    self.interpolated(at, &spec.elements);
                }
            }
        }
    }

    fn yields(&mut self, at: usize, range: TextRange) {
        let scope = &mut self.scopes.all[at];
        if scope.is_comprehension {
            self.fail("'yield' inside a comprehension".to_string(), range);
        } else if scope.kind != Kind::Function {
            self.fail("'yield' outside function".to_string(), range);
        } else {
            scope.is_generator = true;
        }
    }
}
