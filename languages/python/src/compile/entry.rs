//! Where compiling begins. In: the text of a module, of statements, or of an expression. Out:
//! [`CompiledCode`], or the first thing that is wrong.

use super::scope::{self, Kind};
use super::{Compiler, Result};
use crate::bytecode::code::CompiledCode;
use crate::bytecode::opcode;
use crate::bytecode::source::{Source, SyntaxError};
use ruff_python_ast::{self as ast, PythonVersion, Stmt};
use ruff_python_parser::{Mode, ParseOptions};
use ruff_text_size::{Ranged, TextRange};

/// What a text is that is not a whole module.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Part {
    /// Whether it is an expression, whose value is returned.
    pub is_expression: bool,
    /// Whether its names are first looked for in a namespace, which is the register 0.
    pub has_namespace: bool,
    /// Whether it is a statement of the dialogue: the values of expressions are shown.
    pub is_single: bool,
}

/// Compiles the text of a module.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn module(text: &str) -> Result<CompiledCode> {
    part(text, Part::default())
}

/// Compiles a part of a module: statements, or an expression.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn part(text: &str, part: Part) -> Result<CompiledCode> {
    let body = parsed(text, part.is_expression)?;
    let mut scopes = scope::find(&body)?;
    if part.has_namespace {
        scopes.all[0].kind = Kind::Class;
    }
    scope::resolve(&mut scopes)?;
    let source = Source::new(text);
    let mut compiler = Compiler {
        scopes: &scopes,
        source: &source,
        functions: Vec::new(),
        class_names: Vec::new(),
        annotations_are_texts: annotations_are_texts(&body),
        shows_values: part.is_single,
    };
    compiler.begin(0, "<module>", "<module>".to_string(), TextRange::default());
    if part.has_namespace {
        compiler.declare(".namespace", true);
    }
    match body.as_slice() {
        [Stmt::Expr(only)] if part.is_expression => {
            let value = compiler.temp()?;
            compiler.at(only.range);
            compiler.expr(&only.value, value)?;
            compiler.emit(opcode::RETURN, value, 0, 0);
        }
        body => {
            compiler.body_with_doc(body)?;
            compiler.return_none();
        }
    }
    Ok(compiler.finish())
}

/// The statements of a text; of an expression a statement that evaluates it.
fn parsed(text: &str, is_expression: bool) -> Result<Vec<Stmt>> {
    let mode = if is_expression {
        Mode::Expression
    } else {
        Mode::Module
    };
    let options = ParseOptions::from(mode).with_target_version(PythonVersion::PY311);
    let parsed = ruff_python_parser::parse_unchecked(text, options);
    if let Some(error) = parsed.errors().first() {
        let (start, end) = (error.location.start(), error.location.end());
        return Err(syntax_error(
            &error.error.to_string(),
            start.to_usize(),
            end.to_usize(),
        ));
    }
    if let Some(error) = parsed.unsupported_syntax_errors().first() {
        let range = error.range();
        let (start, end) = (range.start().to_usize(), range.end().to_usize());
        return Err(SyntaxError::new(error.to_string(), start, end));
    }
    Ok(match parsed.into_syntax() {
        ast::Mod::Module(module) => module.body,
        ast::Mod::Expression(expression) => vec![Stmt::Expr(ast::StmtExpr {
            node_index: ast::AtomicNodeIndex::default(),
            range: expression.range,
            value: expression.body,
        })],
    })
}

/// Whether a module asks that annotations are not evaluated.
fn annotations_are_texts(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::ImportFrom(s) => {
            let is_future = s
                .module
                .as_ref()
                .is_some_and(|m| m.as_str() == "__future__");
            is_future
                && s.names
                    .iter()
                    .any(|alias| alias.name.as_str() == "annotations")
        }
        _ => false,
    })
}

/// What the parser says, with a capital letter only where CPython has one.
fn syntax_error(message: &str, start: usize, end: usize) -> SyntaxError {
    let is_indentation = message.contains("ndent");
    let mut error = SyntaxError::new(message, start, end);
    if is_indentation {
        error.kind = "IndentationError";
    }
    error
}
