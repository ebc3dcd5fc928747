//! The meaning of names. In: statements. Out: the classes and functions of a program, the local
//! variables of a function. Invariant: a class or function has one definition, at the top level.

use crate::ast::{Function, Stmt, StmtKind};
use crate::lexer::{Fault, Pos};

/// The classes and functions of a program.
pub(super) struct Globals<'a> {
    /// The classes, by number.
    pub classes: Vec<String>,
    /// The functions, and the number of each once it is known.
    pub functions: Vec<(&'a Function, Option<usize>)>,
}

impl<'a> Globals<'a> {
    /// The definitions at the top level.
    pub fn collect(body: &'a [Stmt], faults: &mut Vec<Fault>) -> Globals<'a> {
        let mut globals = Globals {
            classes: Vec::new(),
            functions: Vec::new(),
        };
        for statement in body {
            let name = match &statement.kind {
                StmtKind::Class(name, _) => name,
                StmtKind::Function(function) => &function.name,
                _ => continue,
            };
            if let Some(what) = globals.describe(name) {
                let message = format!("`{name}` is already the name of {what}");
                faults.push(Fault::new(statement.pos, message));
            } else if let StmtKind::Function(function) = &statement.kind {
                globals.functions.push((function, None));
            } else {
                globals.classes.push(name.clone());
            }
        }
        globals
    }

    /// The meaning of a name.
    pub fn describe(&self, name: &str) -> Option<&'static str> {
        match (self.class(name), self.function(name)) {
            (Some(_), _) => Some("a class"),
            (_, Some(_)) => Some("a function"),
            (None, None) => None,
        }
    }

    /// The number of a class.
    pub fn class(&self, name: &str) -> Option<usize> {
        self.classes.iter().position(|class| class == name)
    }

    /// The place of a function in the list.
    pub fn function(&self, name: &str) -> Option<usize> {
        self.functions.iter().position(|(f, _)| f.name == name)
    }
}

/// The local variables of a function in the order of their slots: `self`, the parameters, and what
/// is assigned.
pub(super) fn assigned(body: &[Stmt], params: &[(Pos, String)]) -> Vec<String> {
    let mut names = vec!["self".to_string()];
    names.extend(params.iter().map(|(_, name)| name.clone()));
    add_assigned(body, &mut names);
    names
}

fn add_assigned(body: &[Stmt], names: &mut Vec<String>) {
    for statement in body {
        match &statement.kind {
            StmtKind::Assign(name, _) if !names.contains(name) => names.push(name.clone()),
            StmtKind::If(_, then, otherwise) => {
                add_assigned(then, names);
                add_assigned(otherwise, names);
            }
            StmtKind::While(_, body) => add_assigned(body, names),
            _ => {}
        }
    }
}
