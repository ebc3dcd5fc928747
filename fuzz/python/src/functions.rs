//! Functions with names, and closures. In: a name, or how deep a body may be. Out: lines.
//! Invariant: a function calls those before it; what it returns is bounded.

use super::writer::{Callee, Rank, Want, Writer};

impl Writer<'_, '_> {
    /// A function of the module that later ones can call.
    pub fn named_function(&mut self, name: &str) {
        let spent = std::mem::replace(&mut self.spent, 0);
        let count = self.tape.below(4);
        let wants: Vec<Want> = (0..count).map(|_| self.some_want()).collect();
        let params: Vec<(&str, Want)> = ["p", "q", "r"].into_iter().zip(wants.clone()).collect();
        let names: Vec<&str> = params.iter().map(|param| param.0).collect();
        let mut given = names.join(", ");
        if self.tape.chance(1, 4) {
            // What a default holds is there once.
            given += if given.is_empty() { "" } else { ", " };
            given += self
                .tape
                .pick(&["h=2", "h=5, *more", "*more, h=3", "h=4, **named"]);
        }
        let hidden = given.contains("h=");
        let head = format!("def {name}({given}):");
        self.function(&head, Rank::Closure, &params, |w| {
            if hidden {
                w.declare("h", Want::Int);
            }
            for _ in 0..w.tape.below(4) {
                w.statement(2);
            }
            w.returns();
        });
        self.line("\n");
        self.fuel = self.fuel.max(8);
        let cost = std::mem::replace(&mut self.spent, spent) + 3;
        self.callees.push(Callee {
            name: name.to_string(),
            params: wants,
            cost,
        });
    }

    /// The end of a function that returns an integer.
    fn returns(&mut self) {
        let value = self.kept(Want::Int, 2);
        match self.tape.below(5) {
            3 => {
                let other = self.kept(Want::Int, 1);
                self.line(&format!(
                    "try:\n    return {value}\nfinally:\n    show({other})"
                ));
            }
            4 => {
                let condition = self.expr(Want::Bool, 1);
                self.line(&format!("if {condition}:\n    return 3"));
                self.line(&format!("return {value}"));
            }
            _ => self.line(&format!("return {value}")),
        }
    }

    /// A closure, or a variable that holds one.
    pub fn closure(&mut self, depth: usize) {
        if self.rank < Rank::Function || !self.has_room() || !self.affords(30) {
            return self.assignment();
        }
        let name = self.name("g");
        if self.tape.chance(1, 4) {
            let function = self.kept(Want::Func, 2);
            self.line(&format!("{name} = {function}"));
            let argument = self.expr(Want::Int, 1);
            self.line(&format!("show({name}({argument}))"));
            return self.declare(&name, Want::Func);
        }
        let shared = self.shared();
        let decorated = self.tape.chance(1, 6);
        if decorated {
            let other = self.name("g");
            self.line(&format!(
                "def {other}(f):\n    return lambda v: cut(f(v) + 1)"
            ));
            self.line(&format!("@{other}"));
        }
        let head = format!("def {name}(p):");
        self.function(&head, Rank::Closure, &[("p", Want::Int)], |w| {
            if !shared.is_empty() {
                w.line(&format!("nonlocal {}", shared.join(", ")));
                for var in &mut w.vars {
                    var.writable |= shared.contains(&var.name);
                }
            }
            for _ in 0..1 + w.tape.below(2) {
                w.statement(depth.min(1));
            }
            w.returns();
        });
        let argument = self.expr(Want::Int, 1);
        self.line(&format!("show({name}({argument}))"));
        self.declare(&name, Want::Func);
    }

    /// Variables of the function that a closure assigns to.
    fn shared(&mut self) -> Vec<String> {
        let mut names = Vec::new();
        for want in [Want::Int, Want::Str] {
            let Some(name) = self.target(want).filter(|_| self.tape.chance(1, 2)) else {
                continue;
            };
            let is_global = self.vars.iter().any(|var| var.name == name && var.global);
            if !is_global && name.chars().all(char::is_alphanumeric) {
                names.push(name);
            }
        }
        names
    }
}
