//! Methods that have the same name: std's, those of a type, those of a trait that integers, a type and references to both implement. In: a tape.
//! Out: declarations, and a function that calls them on receivers of every form. Invariant: a call means one method to rustc: where std has a
//! trait's method, ours takes a reference; what is called gives an `i64`, whichever it is.

use crate::maker::Maker;
use crate::types::{Function, Param, Ty};

/// A method: its name, further parameters, arguments for them, and whether it is one of std's traits for integers.
struct Method {
    name: &'static str,
    params: &'static str,
    args: &'static str,
    of_trait: bool,
}

const fn method(name: &'static str, params: &'static str, args: &'static str) -> Method {
    Method {
        name,
        params,
        args,
        of_trait: false,
    }
}

const fn of_trait(name: &'static str, params: &'static str, args: &'static str) -> Method {
    Method {
        of_trait: true,
        ..method(name, params, args)
    }
}

/// Names that `i64` has in std, and some that it has not.
const METHODS: &[Method] = &[
    method("pow", "n: u32", "3"),
    of_trait("min", "o: i64", "b"),
    method("wrapping_add", "o: i64", "b"),
    method("abs", "", ""),
    of_trait("max", "o: i64", "b ^ 5"),
    method("signum", "", ""),
    method("rotate_left", "n: u32", "7"),
    method("size", "", ""),
    method("wrapping_neg", "", ""),
    of_trait("clamp", "low: i64, high: i64", "-9, 9"),
    method("swap_bytes", "", ""),
    method("weigh", "by: i64", "a"),
    method("wrapping_mul", "o: i64", "b | 1"),
];

/// How a method takes its receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Takes {
    Value,
    Shared,
    Unique,
}

impl Takes {
    fn text(self) -> &'static str {
        match self {
            Takes::Value => "self",
            Takes::Shared => "&self",
            Takes::Unique => "&mut self",
        }
    }
}

/// What the module declares.
struct Names {
    of_trait: String,
    ty: String,
    /// The function that is generic over the trait.
    generic: String,
    /// The trait's methods, and how they take their receivers.
    methods: Vec<(&'static Method, Takes)>,
    /// What the type has itself.
    own: Vec<(usize, Takes)>,
    /// Who implements the trait beside the type: integers, references to them, references to the type.
    ints: bool,
    int_refs: bool,
    refs: bool,
}

impl Maker<'_> {
    /// Methods with the same name, and a function that calls them.
    pub fn new_names(&mut self) -> String {
        self.note("methods with the same name");
        let (of_trait, ty, generic) = (self.name("K"), self.name("N"), self.name("g"));
        let mut methods: Vec<(&Method, Takes)> = Vec::new();
        for _ in 0..1 + self.tape.below(4) {
            let method = &METHODS[self.tape.below(METHODS.len())];
            if methods.iter().any(|m| m.0.name == method.name) {
                continue;
            }
            let takes = match method.of_trait {
                true => Takes::Shared,
                false => self.takes(),
            };
            methods.push((method, takes));
        }
        let by_ref = |m: &(&Method, Takes)| m.1 == Takes::Unique;
        let refs_fit = !methods.iter().any(by_ref);
        let mut own = Vec::new();
        for n in 0..methods.len() {
            if self.tape.chance(1, 2) {
                own.push((n, self.takes()));
            }
        }
        let names = Names {
            of_trait,
            ty,
            generic,
            own,
            ints: self.tape.chance(2, 3),
            int_refs: refs_fit && self.tape.chance(1, 3),
            refs: refs_fit && self.tape.chance(1, 2),
            methods,
        };
        let declared = self.declared_names(&names);
        let calls = self.calls_of_names(&names);
        declared + &generic_names(&names) + &calls
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
        format!("({value}{rest}).wrapping_mul({number}i64)")
    }

    fn declared_names(&mut self, names: &Names) -> String {
        let (of_trait, ty) = (&names.of_trait, &names.ty);
        let mut text = format!("#[derive(Clone, Copy)]\npub struct {ty}(i64);\n");
        let head = |method: &Method, takes: Takes| {
            let comma = if method.params.is_empty() { "" } else { ", " };
            format!(
                "fn {}({}{comma}{}) -> i64",
                method.name,
                takes.text(),
                method.params
            )
        };
        let heads: Vec<String> = names.methods.iter().map(|m| head(m.0, m.1) + ";").collect();
        text += &format!(
            "#[allow(dead_code)]\ntrait {of_trait} {{ {} }}\n",
            heads.join(" ")
        );
        let mut block = |maker: &mut Self, of: &str| {
            let mut text = format!("impl {of_trait} for {of} {{ ");
            for (method, takes) in &names.methods {
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
        for (n, takes) in &names.own {
            let method = names.methods[*n].0;
            let body = self.mixed_with(method, "self.0");
            text += &format!("#[allow(dead_code)] {} {{ {body} }} ", head(method, *takes));
        }
        text + "}\n"
    }

    /// A function with calls.
    fn calls_of_names(&mut self, names: &Names) -> String {
        let name = self.name("q");
        let (ty, of_trait, generic) = (&names.ty, &names.of_trait, &names.generic);
        let mut terms = Vec::new();
        for _ in 0..2 + self.tape.below(6) {
            let at = self.tape.below(names.methods.len());
            let (method, takes) = names.methods[at];
            let own = names.own.iter().find(|o| o.0 == at).map(|o| o.1);
            let (called, args) = (method.name, method.args);
            let with = |first: &str| match args {
                "" => first.to_string(),
                args => format!("{first}, {args}"),
            };
            let passed = |takes: Takes, value: &str| match takes {
                Takes::Value => value.to_string(),
                Takes::Shared => format!("&{value}"),
                Takes::Unique => format!("&mut {value}"),
            };
            let unique = takes == Takes::Unique || own == Some(Takes::Unique);
            let in_std = called != "size" && called != "weigh";
            let term = match self.tape.below(10) {
                1 if names.ints || in_std => {
                    self.note("method of an integer");
                    format!("x.{called}({args})")
                }
                2 if names.refs || !unique => format!("(&n).{called}({args})"),
                3 if names.refs || !unique => {
                    format!("{{ let r = &n; r.{called}({args}) }}")
                }
                4 if !unique => format!("made_{generic}(b).{called}({args})"),
                5 => format!("{of_trait}::{called}({})", with(&passed(takes, "n"))),
                6 if names.ints => {
                    format!(
                        "<i64 as {of_trait}>::{called}({})",
                        with(&passed(takes, "x"))
                    )
                }
                7 => {
                    let takes = own.unwrap_or(takes);
                    format!("{ty}::{called}({})", with(&passed(takes, "n")))
                }
                8 if names.ints => format!("{generic}(x, a, b)"),
                9 if in_std && !method.of_trait && names.ints => {
                    format!("i64::{called}({})", with("x"))
                }
                8 => format!("{generic}(n, a, b)"),
                _ => format!("n.{called}({args})"),
            };
            terms.push(term);
        }
        let params = [Ty::I64, Ty::I64].map(|ty| Param { ty, is_lent: false });
        let cost = 5 * terms.len() as u32;
        self.items.functions.push(Function {
            name: name.clone(),
            params: params.into(),
            ret: Ty::I64,
            cost,
            is_pure: false,
        });
        let mut sum = String::from("x");
        for term in terms {
            sum = format!("super::mix({sum}, {term})");
        }
        format!(
            "#[allow(unused_mut, unused_variables)]\nfn {name}(a: i64, b: i64) -> i64 {{ let mut n = {ty}(a); let mut x = b; {sum} }}\n"
        )
    }
}

/// A function for any type with the trait.
fn generic_names(names: &Names) -> String {
    let Names {
        of_trait,
        ty,
        generic,
        ..
    } = names;
    let mut sum = String::from("b");
    for (method, takes) in &names.methods {
        if *takes != Takes::Unique {
            sum += &format!(" ^ t.{}({})", method.name, method.args);
        }
    }
    format!(
        "#[allow(unused_variables, dead_code)]\nfn {generic}<T: {of_trait} + Copy>(t: T, a: i64, b: i64) -> i64 {{ {sum} }}\n\
         #[allow(dead_code)]\nfn made_{generic}(a: i64) -> {ty} {{ {ty}(a) }}\n"
    )
}
