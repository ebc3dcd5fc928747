//! From the old parser's tree to nodes of the heap. In: expressions. Out: a [`Lambda`]. Invariant:
//! each name has become the place where its variable will be: for a name that several functions
//! around it set, a chain of places, from the innermost on.

use crate::before;
use crate::{Expr, Lambda, Node, Nodes};
use verdigris::prelude::*;

/// What is known of names.
#[derive(Default)]
pub(crate) struct Scopes {
    /// The variables of the functions around each other, the innermost last.
    functions: Vec<Vec<String>>,
    /// Names, for messages.
    pub(crate) unknown: Vec<String>,
}

fn node(expr: Expr) -> Gc<Node> {
    Gc::new(Node { expr })
}

/// The names that an expression sets, without those of the functions in it.
fn sets(expr: &before::Expr, names: &mut Vec<String>) {
    match expr {
        before::Expr::Int(_) | before::Expr::Name(_) | before::Expr::Fn(_) => {}
        before::Expr::Do(exprs) => exprs.iter().for_each(|expr| sets(expr, names)),
        before::Expr::Set(name, expr) => {
            sets(expr, names);
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        before::Expr::Binary(_, a, b) | before::Expr::While(a, b) => {
            sets(a, names);
            sets(b, names);
        }
        before::Expr::If(a, b, c) => {
            sets(a, names);
            sets(b, names);
            sets(c, names);
        }
        before::Expr::Call(function, arguments) => {
            sets(function, names);
            arguments.iter().for_each(|expr| sets(expr, names));
        }
    }
}

impl Scopes {
    /// Makes a function.
    pub(crate) fn lambda(&mut self, params: &[String], body: &before::Expr) -> Gc<Lambda> {
        let mut names = params.to_vec();
        sets(body, &mut names);
        let variables = names.len();
        self.functions.push(names);
        let body = self.node(body);
        self.functions.pop();
        Gc::new(Lambda {
            params: params.len(),
            variables,
            body,
        })
    }

    fn nodes(&mut self, exprs: &[before::Expr]) -> Nodes {
        // The collector looks into a `RootVec`, and not into a `Vec`.
        let nodes: RootVec<Gc<Node>> = exprs.iter().map(|expr| self.node(expr)).collect();
        nodes.to_array()
    }

    fn name(&mut self, name: &str) -> Gc<Node> {
        self.unknown.push(name.to_string());
        let mut found = node(Expr::NoVariable(self.unknown.len() - 1));
        for (n, names) in self.functions.iter().enumerate() {
            // The last one of two parameters with the same name counts.
            if let Some(index) = names.iter().rposition(|known| known == name) {
                found = node(Expr::Variable {
                    up: self.functions.len() - 1 - n,
                    index,
                    otherwise: found,
                });
            }
        }
        found
    }

    fn node(&mut self, expr: &before::Expr) -> Gc<Node> {
        node(match expr {
            before::Expr::Int(n) => Expr::Int(*n),
            before::Expr::Name(name) => return self.name(name),
            before::Expr::Do(exprs) => Expr::Do(self.nodes(exprs)),
            before::Expr::Set(name, expr) => {
                let value = self.node(expr);
                let names = self.functions.last().expect("a function is around it");
                let index = names.iter().rposition(|known| known == name);
                Expr::Set(index.expect("`sets` has found it"), value)
            }
            before::Expr::Binary(op, a, b) => {
                let (a, b) = (self.node(a), self.node(b));
                match op {
                    '+' => Expr::Add(a, b),
                    '-' => Expr::Sub(a, b),
                    _ => Expr::Less(a, b),
                }
            }
            before::Expr::If(a, b, c) => Expr::If(self.node(a), self.node(b), self.node(c)),
            before::Expr::While(a, b) => Expr::While(self.node(a), self.node(b)),
            before::Expr::Fn(lambda) => Expr::Fn(self.lambda(&lambda.params, &lambda.body)),
            before::Expr::Call(function, arguments) => {
                Expr::Call(self.node(function), self.nodes(arguments))
            }
        })
    }
}
