//! Methods that have the same name: std's, those of a type, those of a trait that a type, integers
//! and references to both implement. In: a tape. Out: declarations, and a function that calls them
//! on receivers of every form. Invariant: [`crate::lookup`] says of each call that rustc takes it
//! for one method, which gives an `i64`.

use crate::lookup::{InStd, Lookup, Method, Takes, method};
use crate::maker::Maker;
use crate::types::{Function, Param, Ty};

/// Names that `i64` has in std, and some that it has not.
const METHODS: &[Method] = &[
    method("pow", "n: u32", "3", InStd::Own),
    method("min", "o: i64", "b", InStd::ByValue),
    method("wrapping_add", "o: i64", "b", InStd::Own),
    method("abs", "", "", InStd::Own),
    method("clone", "", "", InStd::ByReference),
    method("max", "o: i64", "b ^ 5", InStd::ByValue),
    method("signum", "", "", InStd::Own),
    method("cmp", "o: i64", "b", InStd::ByReference),
    method("rotate_left", "n: u32", "7", InStd::Own),
    method("size", "", "", InStd::No),
    method("wrapping_neg", "", "", InStd::Own),
    method("clamp", "low: i64, high: i64", "-9, 9", InStd::ByValue),
    method("eq", "o: i64", "a", InStd::ByReference),
    method("swap_bytes", "", "", InStd::Own),
    method("weigh", "by: i64", "a", InStd::No),
    method("wrapping_mul", "o: i64", "b | 1", InStd::Own),
];

/// The declarations of the module.
struct Names {
    of_trait: String,
    ty: String,
    /// The function that is generic over the trait, and the one that has a reference to something
    /// with the trait.
    generic: String,
    lent: String,
    /// The method that the trait provides: it calls the others.
    provided: String,
    methods: Vec<Lookup>,
    /// The other implementors of the trait.
    ints: bool,
    int_refs: bool,
    refs: bool,
}

impl Maker<'_> {
    /// Methods with the same name, and a function that calls them.
    pub fn new_names(&mut self) -> String {
        self.note("methods with the same name");
        let ints = self.tape.chance(2, 3);
        let mut found: Vec<(&'static Method, Takes)> = Vec::new();
        for _ in 0..1 + self.tape.below(4) {
            let method = &METHODS[self.tape.below(METHODS.len())];
            if found.iter().any(|m| m.0.name == method.name) {
                continue;
            }
            let takes = match method.in_std {
                InStd::ByValue => Takes::Shared,
                InStd::ByReference => Takes::Value,
                InStd::No | InStd::Own => self.takes(),
            };
            found.push((method, takes));
        }
        // A reference to a reference cannot be changed through.
        let refs_fit = found.iter().all(|m| m.1 != Takes::Unique);
        let refs = refs_fit && self.tape.chance(1, 2);
        let int_refs = refs_fit && self.tape.chance(1, 3);
        let mut methods = Vec::new();
        for (method, takes) in found {
            let own = self.tape.chance(1, 2).then(|| self.takes());
            methods.push(Lookup {
                method,
                takes,
                own,
                ints,
                int_refs,
                refs,
            });
        }
        let names = Names {
            of_trait: self.name("K"),
            ty: self.name("N"),
            generic: self.name("g"),
            lent: self.name("l"),
            provided: self.name("all"),
            methods,
            ints,
            int_refs,
            refs,
        };
        let declared = self.declared_names(&names);
        let unseen = self.unseen_names(&names);
        let calls = self.calls_of_names(&names);
        declared + &unseen + &generic_names(&names) + &calls
    }

    fn takes(&mut self) -> Takes {
        self.tape
            .pick(&[Takes::Shared, Takes::Value, Takes::Unique, Takes::Value])
    }

    /// An expression of what a method has.
    fn mixed_with(&mut self, method: &Method, value: &str) -> String {
        let number = self.tape.within(1, 99);
        let rest = method.params.split(", ").filter_map(|p| p.split_once(':'));
        let rest: String = rest.map(|p| format!(" ^ {} as i64", p.0)).collect();
        format!("super::mix({value}{rest}, {number}i64)")
    }

    /// The trait, who implements it, and what the type has itself.
    fn declared_names(&mut self, names: &Names) -> String {
        let Names {
            of_trait,
            ty,
            provided,
            methods,
            ..
        } = names;
        let mut text = format!("#[derive(Clone, Copy)]\npub struct {ty}(i64);\n");
        let heads: String = methods
            .iter()
            .map(|m| head(m.method, m.takes) + "; ")
            .collect();
        let calls = sum_of_calls(methods, "self");
        text += &format!(
            "pub trait {of_trait}: Copy {{ {heads}fn {provided}(mut self, a: i64, b: i64) -> i64 {{ {calls} }} }}\n"
        );
        let block = |maker: &mut Self, of: &str| {
            let mut text = format!("impl {of_trait} for {of} {{ ");
            for Lookup { method, takes, .. } in methods {
                let depth = usize::from(of.starts_with('&')) + usize::from(*takes != Takes::Value);
                let value = match of.ends_with("i64") {
                    true => format!("{}self", "*".repeat(depth)),
                    false => "self.0".to_string(),
                };
                let body = maker.mixed_with(method, &value);
                text += &format!("{} {{ {body} }} ", head(method, *takes));
            }
            text + "}\n"
        };
        text += &block(self, ty);
        if names.refs {
            self.note("trait of references");
            text += &block(self, &format!("&{ty}"));
        }
        if names.ints {
            self.note("trait of integers with std's names");
            text += &block(self, "i64");
        }
        if names.int_refs {
            text += &block(self, "&i64");
        }
        text += &format!("impl {ty} {{ ");
        for Lookup { method, own, .. } in methods {
            let Some(takes) = own else { continue };
            let body = self.mixed_with(method, "self.0");
            text += &format!("{} {{ {body} }} ", head(method, *takes));
        }
        text + "}\n"
    }

    /// A trait with the same names that is out of sight, which would come first.
    fn unseen_names(&mut self, names: &Names) -> String {
        if !self.tape.chance(1, 3) {
            return String::new();
        }
        self.note("trait that is not in scope");
        let (name, ty) = (self.name("u"), &names.ty);
        let method = names.methods[0].method;
        let head = head(method, Takes::Value);
        format!(
            "mod {name} {{ use super::*; pub trait Unseen: Sized {{ {head} {{ loop {{}} }} }} impl Unseen for {ty} {{}} impl Unseen for i64 {{}} }}\n"
        )
    }

    /// A function with calls.
    fn calls_of_names(&mut self, names: &Names) -> String {
        let name = self.name("q");
        let mut sum = String::from("x");
        let count = 2 + self.tape.below(7);
        for _ in 0..count {
            let at = self.tape.below(names.methods.len());
            let term = self.call_of_name(names, &names.methods[at]);
            sum = format!("super::mix({sum}, {term})");
        }
        self.declare_function(&name, 10 * count as u32);
        let ty = &names.ty;
        format!(
            "fn {name}(a: i64, b: i64) -> i64 {{ let mut n = {ty}(a); let mut x = b; let mut p = (n, [n, {ty}(b)]); {sum} }}\n"
        )
    }

    /// A call of a method.
    fn call_of_name(&mut self, names: &Names, lookup: &Lookup) -> String {
        let Names {
            of_trait,
            ty,
            generic,
            lent,
            provided,
            ..
        } = names;
        let Lookup {
            method, takes, own, ..
        } = lookup;
        let (called, args) = (method.name, method.args);
        let with = |first: String| match args {
            "" => first,
            args => format!("{first}, {args}"),
        };
        let term = match self.tape.below(12) {
            1 | 2 => {
                self.note("method of an integer");
                let (receiver, references) = self.receiver("x", "(a ^ b)");
                lookup
                    .gives_number(false, references)
                    .then(|| format!("{receiver}.{called}({args})"))
            }
            3 => Some(format!("{of_trait}::{called}({})", with(takes.passed("n")))),
            4 if names.ints => Some(format!(
                "<i64 as {of_trait}>::{called}({})",
                with(takes.passed("x"))
            )),
            5 => {
                let takes = own.unwrap_or(*takes);
                let clear = own.is_some() || called != "clone";
                clear.then(|| format!("{ty}::{called}({})", with(takes.passed("n"))))
            }
            6 => Some(format!("{generic}(n, a, b)")),
            7 if names.ints => Some(format!("{generic}(x, a, b)")),
            8 if method.in_std == InStd::Own => {
                Some(format!("i64::{called}({})", with("x".to_string())))
            }
            9 => Some(format!("{lent}(&n, a, b)")),
            10 => Some(format!("n.{provided}(a, b)")),
            11 if names.refs => {
                self.note("path to a trait of references");
                let first = takes.passed("&n");
                Some(format!("<&{ty} as {of_trait}>::{called}({})", with(first)))
            }
            _ => {
                let made = format!("made_{generic}(b)");
                let (receiver, references) = self.receiver("n", &made);
                lookup
                    .gives_number(true, references)
                    .then(|| format!("{receiver}.{called}({args})"))
            }
        };
        term.unwrap_or_else(|| {
            format!(
                "<{ty} as {of_trait}>::{called}({})",
                with(takes.passed("n"))
            )
        })
    }

    /// A receiver, and how many references there are around it.
    fn receiver(&mut self, local: &str, made: &str) -> (String, usize) {
        let of_place = local == "n";
        match self.tape.below(9) {
            1 => (format!("(&{local})"), 1),
            2 => (made.to_string(), 0),
            3 => (format!("{{ &{local} }}"), 1),
            4 => (format!("(&&{local})"), 2),
            5 => (format!("(if a > b {{ {local} }} else {{ {made} }})"), 0),
            6 if of_place => ("p.0".to_string(), 0),
            7 if of_place => ("p.1[(a & 1) as usize]".to_string(), 0),
            8 => (format!("{{ a ^ 1; {local} }}"), 0),
            _ => (local.to_string(), 0),
        }
    }

    /// Makes a function of two numbers known.
    pub fn declare_function(&mut self, name: &str, cost: u32) {
        let params = [Ty::I64, Ty::I64].map(|ty| Param { ty, is_lent: false });
        self.items.functions.push(Function {
            name: name.to_string(),
            params: params.into(),
            ret: Ty::I64,
            cost,
            is_pure: false,
        });
    }
}

/// The head of a method.
fn head(method: &Method, takes: Takes) -> String {
    let comma = if method.params.is_empty() { "" } else { ", " };
    let (name, params) = (method.name, method.params);
    format!("fn {name}({}{comma}{params}) -> i64", takes.text())
}

/// Calls of all methods of something that has the trait and nothing else.
fn sum_of_calls(methods: &[Lookup], receiver: &str) -> String {
    let calls = methods.iter();
    let calls = calls.map(|m| format!("{receiver}.{}({})", m.method.name, m.method.args));
    calls.fold("b".to_string(), |sum, call| {
        format!("super::mix({sum}, {call})")
    })
}

/// Functions for any type with the trait.
fn generic_names(names: &Names) -> String {
    let Names {
        of_trait,
        ty,
        generic,
        lent,
        methods,
        ..
    } = names;
    let sum = sum_of_calls(methods, "t");
    // What is lent cannot be changed, and what takes a reference has one already.
    let changes = methods.iter().any(|m| m.takes == Takes::Unique);
    let by_reference = match changes {
        true => "b".to_string(),
        false => {
            let of_std = |m: &&Lookup| m.method.in_std == InStd::ByReference;
            let methods = methods.iter().filter(|m| !of_std(m));
            let calls = methods.map(|m| format!(" ^ t.{}({})", m.method.name, m.method.args));
            format!("b{}", calls.collect::<String>())
        }
    };
    format!(
        "fn {generic}<T: {of_trait}>(mut t: T, a: i64, b: i64) -> i64 {{ {sum} }}\n\
         fn {lent}<T: {of_trait}>(t: &T, a: i64, b: i64) -> i64 {{ {by_reference} }}\n\
         fn made_{generic}(a: i64) -> {ty} {{ {ty}(a) }}\n"
    )
}
