//! Which variable a name means. In: a syntax tree. Out: for each function, class body and
//! comprehension, how its names are found ([`Scopes`]). Invariant: as in CPython: a name that is
//! bound somewhere in a function is local to all of it, unless it is declared otherwise; bodies of
//! classes are not looked into by the functions in them, but for `__class__`.

mod finder;
mod patterns;
mod table;

pub use table::{Access, Kind, Scope, Scopes, mangled};

use crate::bytecode::source::SyntaxError;
use ruff_python_ast::Stmt;

/// Finds the scopes of a module, whose names are not resolved yet.
///
/// # Errors
/// A declaration that contradicts the others, or a statement in the wrong place.
pub fn find(body: &[Stmt]) -> Result<Scopes, SyntaxError> {
    finder::find(body)
}

/// Finds out which variables names mean.
///
/// # Errors
/// A `nonlocal` that nothing around it has.
pub fn resolve(scopes: &mut Scopes) -> Result<(), SyntaxError> {
    for index in 0..scopes.all.len() {
        let scope = &scopes.all[index];
        if let Some(range) = scope.nonlocals.values().next()
            && scope.kind == Kind::Module
        {
            let text = "nonlocal declaration not allowed at module level";
            return Err(SyntaxError::new(
                text,
                range.start().to_usize(),
                range.end().to_usize(),
            ));
        }
        let names: Vec<String> = scope.used.union(&scope.bound).cloned().collect();
        for name in names {
            let scope = &scopes.all[index];
            let is_nonlocal = scope.nonlocals.get(&name).copied();
            if scope.globals.contains(&name) {
                scopes.all[index].access.insert(name, Access::Global);
                continue;
            }
            if is_nonlocal.is_none() && scope.bound.contains(&name) {
                let access = match scope.kind {
                    Kind::Module => Access::Global,
                    Kind::Class => Access::Name,
                    Kind::Function => Access::Local,
                };
                // It is a cell if a function in it has said so already.
                scopes.all[index].access.entry(name).or_insert(access);
                continue;
            }
            let found = owner(scopes, index, &name);
            match (found, is_nonlocal) {
                (Some(owner), _) => capture(scopes, index, owner, &name),
                (None, Some(range)) => {
                    let text = format!("no binding for nonlocal '{name}' found");
                    let (start, end) = (range.start().to_usize(), range.end().to_usize());
                    return Err(SyntaxError::new(text, start, end));
                }
                (None, None) => {
                    let access = match scopes.all[index].kind {
                        Kind::Class => Access::Name,
                        _ => Access::Global,
                    };
                    scopes.all[index].access.entry(name).or_insert(access);
                }
            }
        }
    }
    Ok(())
}

/// The function around a scope that has a variable of this name.
fn owner(scopes: &Scopes, index: usize, name: &str) -> Option<usize> {
    let mut next = scopes.all[index].parent;
    while let Some(at) = next {
        let scope = &scopes.all[at];
        // A text with a namespace is like the body of a class, but none.
        let is_class = scope.kind == Kind::Class && scope.parent.is_some();
        let is_class_cell = name == "__class__" && is_class;
        if is_class_cell {
            return Some(at);
        }
        if scope.kind == Kind::Function {
            if scope.globals.contains(name) {
                return None;
            }
            if scope.bound.contains(name) && !scope.nonlocals.contains_key(name) {
                return Some(at);
            }
        }
        next = scope.parent;
    }
    None
}

/// A scope uses a variable of another one: those between them hand it on.
fn capture(scopes: &mut Scopes, index: usize, owner: usize, name: &str) {
    scopes.all[owner]
        .access
        .insert(name.to_string(), Access::Cell);
    let mut at = index;
    while at != owner {
        let scope = &mut scopes.all[at];
        if !scope.free.iter().any(|free| free == name) {
            scope.free.push(name.to_string());
        }
        // A class body that binds the name itself only hands it on.
        if scope.kind == Kind::Function || at == index {
            scope.access.insert(name.to_string(), Access::Free);
        }
        at = scope.parent.expect("the owner is around it");
    }
}
