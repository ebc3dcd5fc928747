//! Comparisons: what `core::cmp` has, and what `#[derive(..)]` of its traits stands for.
//!
//! In: a type, and the trait that something is wanted of. Out: the text of `core::cmp`; and what a
//! derive stands for, written as rustc does it and collected like what a user writes. Invariants:
//! an implementation for a type of the crate is written where the type is declared, so that names
//! mean what they mean there; nothing is written that the crate does not use; of a part, the
//! methods are called that the standard library calls, and in its order, as a user may have written
//! any of them.

use crate::collect::{Own, collect_own, index_impls};
use crate::cx::Cx;
use crate::cx::sources::Order;
use crate::items::tables::Shape;
use crate::items::*;
use crate::types::infer::Infer;
use crate::types::ty::Ty;
use std::fmt::Write;

const TEXT: &str = include_str!("texts/cmp.rs");

/// The types that have an order because their operators have it.
const SCALARS: &[&str] = &[
    "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "bool", "char",
];

/// Tuples up to this length have an order.
const MAX_TUPLE: usize = 12;

/// The text of `core::cmp` with what is the same for many types.
pub(crate) fn text() -> String {
    let mut text = TEXT.to_owned();
    for ty in SCALARS {
        let order = "if *self < *other { Less } else if *self == *other { Equal } else { Greater }";
        let _ = write!(
            text,
            "impl PartialOrd for {ty} {{ fn partial_cmp(&self, other: &{ty}) -> Option<Ordering> {{ Some(Ord::cmp(self, other)) }} }}
             impl Ord for {ty} {{ fn cmp(&self, other: &{ty}) -> Ordering {{ {order} }} }}"
        );
    }
    for len in 1..=MAX_TUPLE {
        let list = |item: &dyn Fn(usize) -> String| (0..len).map(item).collect::<String>();
        let tuple = format!("({})", list(&|n| format!("T{n},")));
        let pair = |n| (format!("self.{n}"), format!("other.{n}"));
        let pairs: Vec<(String, String)> = (0..len).map(pair).collect();
        for order in [Order::Same, Order::Partial, Order::Total] {
            let of_trait = order.of_trait();
            let params = list(&|n| format!("T{n}: {of_trait},"));
            let body = order.of_pairs(&pairs);
            let others = order.of_tuple(&pairs);
            text += &order.implementation(&params, &tuple, &(body, others));
        }
    }
    text
}

impl Order {
    fn of_trait(self) -> &'static str {
        match self {
            Order::Same => "core::cmp::PartialEq",
            Order::Partial => "core::cmp::PartialOrd",
            Order::Total => "core::cmp::Ord",
        }
    }

    fn of_name(name: &str) -> Option<Order> {
        Some(match name {
            "PartialEq" => Order::Same,
            "PartialOrd" => Order::Partial,
            "Ord" => Order::Total,
            _ => return None,
        })
    }

    fn name(self) -> &'static str {
        let path = self.of_trait();
        path.rsplit("::").next().unwrap_or(path)
    }

    /// The other methods that tuples have of a trait: the methods of the parts of the same name
    /// decide, but for the parts of an order before the last one, whose `partial_cmp` does.
    /// Whatever else has parts takes what the trait provides.
    fn of_tuple(self, pairs: &[(String, String)]) -> String {
        let method = |name: &str, body: &str| {
            format!("fn {name}(&self, other: &Self) -> bool {{ {body} }} ")
        };
        match (self, pairs.split_last()) {
            (Order::Same, _) => {
                let parts: Vec<String> = pairs.iter().map(|(a, b)| format!("{a} != {b}")).collect();
                method("ne", &parts.join(" || "))
            }
            (Order::Partial, Some(((a, b), before))) => {
                let of_trait = self.of_trait();
                let mut text = String::new();
                for (name, symbol, unequal) in [
                    ("lt", "<", "Less"),
                    ("le", "<=", "Less"),
                    ("gt", ">", "Greater"),
                    ("ge", ">=", "Greater"),
                ] {
                    let mut body = format!("{a} {symbol} {b}");
                    for (a, b) in before.iter().rev() {
                        body = format!(
                            "match {of_trait}::partial_cmp(&{a}, &{b}) {{
                                Some(Equal) => {body}, Some({unequal}) => true, _ => false
                            }}"
                        );
                    }
                    text += &method(name, &body);
                }
                text
            }
            (Order::Partial | Order::Total, _) => String::new(),
        }
    }

    /// `impl<params> Trait for ty`, with a method that has this body, and others.
    fn implementation(self, params: &str, ty: &str, (body, others): &(String, String)) -> String {
        let (method, ret) = match self {
            Order::Same => ("eq", "bool"),
            Order::Partial => ("partial_cmp", "core::option::Option<core::cmp::Ordering>"),
            Order::Total => ("cmp", "core::cmp::Ordering"),
        };
        format!(
            "impl<{params}> {} for {ty} {{ fn {method}(&self, other: &Self) -> {ret} {{ {body} }} {others}}}\n",
            self.of_trait()
        )
    }

    /// What pairs of expressions have, the first ones first.
    fn of_pairs(self, pairs: &[(String, String)]) -> String {
        let equal = match self {
            Order::Same => "true",
            Order::Partial => "core::option::Option::Some(core::cmp::Ordering::Equal)",
            Order::Total => "core::cmp::Ordering::Equal",
        };
        let mut text = equal.to_owned();
        for (n, (a, b)) in pairs.iter().enumerate().rev() {
            let of_trait = self.of_trait();
            let first = match self {
                Order::Same => format!("{a} == {b}"),
                Order::Partial => format!("{of_trait}::partial_cmp(&{a}, &{b})"),
                Order::Total => format!("{of_trait}::cmp(&{a}, &{b})"),
            };
            text = match self {
                _ if n + 1 == pairs.len() => first,
                Order::Same => format!("{first} && {text}"),
                _ => format!("match {first} {{ {equal} => {text}, unequal => unequal }}"),
            };
        }
        text
    }
}

impl Crate {
    /// Whether this is `core::cmp::Ordering`.
    pub fn is_ordering(&self, key: TypeKey) -> bool {
        let TypeKey::Enum(id) = key else {
            return false;
        };
        let item = &self.enums[id];
        Some(item.module) == self.text("cmp") && item.name == "Ordering"
    }

    /// What `#[derive(..)]` of a trait stands for.
    fn derived(&self, key: TypeKey, order: Order) -> String {
        let name = self.key_path(key);
        let name = raw(name.rsplit("::").next().unwrap_or(&name));
        let params = &self.key_generics(key).params;
        let names: Vec<String> = params.iter().map(|p| raw(&p.name)).collect();
        let declared = params.iter().map(|p| match &p.of {
            Some(ty) => format!("const {}: {}", raw(&p.name), written(ty)),
            None => raw(&p.name),
        });
        let params: Vec<String> = declared.collect();
        let ty = format!("{name}<{}>", names.join(", "));
        let body = match key {
            TypeKey::Struct(id) => {
                let members = members(&self.structs[id].fields);
                let pair = |m: &String| (format!("self.{m}"), format!("other.{m}"));
                order.of_pairs(&members.iter().map(pair).collect::<Vec<_>>())
            }
            TypeKey::Enum(id) | TypeKey::Object(id) => self.variants_order(id, &name, order),
        };
        order.implementation(&params.join(", "), &ty, &(body, String::new()))
    }

    /// The order of an enum's values: that of the variants' numbers, then that of the fields.
    fn variants_order(&self, id: EnumId, name: &str, order: Order) -> String {
        let item = &self.enums[id];
        let (mut arms, mut numbers) = (String::new(), String::new());
        let (mut start, mut behind) = ("0".to_owned(), 0);
        for variant in &item.variants {
            let path = format!("{name}::{}", variant.ident);
            if let Some((_, value)) = &variant.discriminant {
                (start, behind) = (written(value), 0);
            }
            let _ = write!(numbers, "{path} {{ .. }} => ({start}) as i64 + {behind}, ");
            behind += 1;
            let members = members(&variant.fields);
            if members.is_empty() {
                continue;
            }
            let fields = |side: &str| {
                let bind = |m: &String| format!("{m}: __{side}_{}, ", plain(m));
                let list = members.iter().map(bind);
                format!("{path} {{ {}}}", list.collect::<String>())
            };
            let pair = |m: &String| (format!("__a_{}", plain(m)), format!("__b_{}", plain(m)));
            let pairs: Vec<(String, String)> = members.iter().map(pair).collect();
            let (a, b, body) = (fields("a"), fields("b"), order.of_pairs(&pairs));
            let _ = write!(arms, "({a}, {b}) => {body}, ");
        }
        let number = |of: &str| match arms.is_empty() {
            true => format!("(*{of} as i64)"),
            false => format!("(match {of} {{ {numbers} }})"),
        };
        let of_numbers = order.of_pairs(&[(number("self"), number("other"))]);
        match arms.is_empty() {
            true => of_numbers,
            false => format!("match (self, other) {{ {arms} _ => {of_numbers} }}"),
        }
    }
}

impl Cx {
    /// Makes sure that there is what the standard library, or a derive, has of a trait for a type.
    pub fn provide(&mut self, key: &TraitKey, infer: &Infer, ty: &Ty) {
        let TraitKey::Std(name) = key else { return };
        let Some(order) = Order::of_name(name) else {
            return;
        };
        let shape = self.shape_of(infer, ty);
        if order != Order::Same
            || matches!(
                shape,
                Some(Shape::Option | Shape::Result | Shape::Tuple(_) | Shape::Fixed)
            )
        {
            self.krate.read_text("cmp");
        }
        let Some(Shape::Key(key)) = shape else {
            return;
        };
        if !self.krate.derives(key, order.name()) || !self.generated.derived.insert((key, order)) {
            return;
        }
        let text = self.krate.derived(key, order);
        let path = format!("{}/{}.rs", self.krate.key_path(key), order.name());
        let own = Own {
            parent: self.krate.key_module(key),
            name: "",
            block: true,
        };
        let first = self.krate.impls.len();
        collect_own(&mut self.krate, own, &path, text);
        let end = self.krate.impls.len();
        index_impls(&mut self.krate, first..end);
    }
}

/// An expression or a type as it is written.
fn written(node: &impl quote::ToTokens) -> String {
    node.to_token_stream().to_string()
}

/// The names of fields as they are written behind a dot.
fn members(fields: &syn::Fields) -> Vec<String> {
    let enabled = fields
        .iter()
        .filter(|f| crate::source::cfg::enabled(&f.attrs));
    let member = |(n, f): (usize, &syn::Field)| match &f.ident {
        Some(ident) => ident.to_string(),
        None => n.to_string(),
    };
    enabled.enumerate().map(member).collect()
}

/// A name as it is written: with `r#` if it is a keyword.
pub(crate) fn raw(name: &str) -> String {
    match syn::parse_str::<syn::Ident>(name) {
        Ok(_) => name.to_owned(),
        Err(_) => format!("r#{name}"),
    }
}

/// A name without `r#`.
fn plain(name: &str) -> &str {
    name.trim_start_matches("r#")
}
