//! Comparisons: what `core::cmp` has, and what `#[derive(..)]` of its traits stands for.
//!
//! In: a type, and the trait that something is wanted of. Out: implementations, collected like those that a user writes. The text
//! of `core::cmp` in the subset is in the directory `compare`; what a derive stands for is written here, as rustc does it. Invariants:
//! `Ordering` and the traits' own methods are found where the standard library has them, and an implementation for a type of the
//! crate has the names that its items are declared with; nothing is read or written that the crate does not use.

use crate::collect::{Own, collect_own, index_impls};
use crate::cx::Cx;
use crate::infer::{Infer, Ty};
use crate::items::*;
use crate::load::span_of;
use crate::traits::Shape;
use std::fmt::Write;
use syn::spanned::Spanned;

const TEXT: &str = include_str!("compare/cmp.rs");

/// The module of the text. It has a name that no module can have, so paths in it are like no others.
const MODULE: &str = "core::cmp";

/// A crate that uses `Ordering`, or methods of the traits, mentions one of these.
pub(crate) const WORDS: &[&str] = &[
    "Ord",
    "Ordering",
    "PartialOrd",
    "cmp",
    "ne",
    "partial_cmp",
    "total_cmp",
];

/// The types that have an order because their operators have it.
const SCALARS: &[&str] = &[
    "i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize", "bool", "char",
];

/// Tuples up to this length have an order.
const MAX_TUPLE: usize = 12;

/// The text with what is the same for many types.
fn text() -> String {
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
            text += &order.implementation(&params, &tuple, &body);
        }
    }
    text
}

/// One of the traits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Order {
    /// `PartialEq`
    Same,
    /// `PartialOrd`
    Partial,
    /// `Ord`
    Total,
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

    /// `impl<params> Trait for ty`, with a method that has this body.
    fn implementation(self, params: &str, ty: &str, body: &str) -> String {
        let (method, ret) = match self {
            Order::Same => ("eq", "bool"),
            Order::Partial => ("partial_cmp", "core::option::Option<core::cmp::Ordering>"),
            Order::Total => ("cmp", "core::cmp::Ordering"),
        };
        format!(
            "impl<{params}> {} for {ty} {{ fn {method}(&self, other: &Self) -> {ret} {{ {body} }} }}\n",
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
    /// Reads the text of `core::cmp`, if that has not been done.
    pub fn read_comparisons(&mut self) {
        if self.comparisons.is_some() {
            return;
        }
        let first = self.impls.len();
        let own = Own {
            parent: self.root(),
            name: MODULE,
            block: false,
        };
        let module = collect_own(self, own, "cmp.rs", text());
        self.comparisons = Some(module);
        let traits = self.modules[module].items.values();
        let traits: Vec<TraitId> = traits
            .filter_map(|def| match def {
                Def::Trait(id) => Some(*id),
                _ => None,
            })
            .collect();
        for id in traits {
            self.adopt_trait(id);
        }
        index_impls(self, first..self.impls.len());
    }

    /// Makes a trait of the text the standard library's.
    fn adopt_trait(&mut self, id: TraitId) {
        let item = self.traits[id].clone();
        let key = TraitKey::Std(item.name.clone());
        for name in item.members.keys() {
            if let Some(traits) = self.trait_members.get_mut(name) {
                traits.retain(|of| *of != id);
            }
            let traits = self.std_members.entry(name.clone()).or_default();
            traits.insert(key.clone());
        }
        self.std_traits.push((item.name.clone(), id));
    }

    /// The item of a trait of the standard library that the text has.
    pub fn std_trait(&self, name: &str) -> Option<TraitId> {
        let found = self.std_traits.iter().find(|t| t.0 == name);
        found.map(|t| t.1)
    }

    /// The trait that an item declares.
    pub fn key_of_trait(&self, id: TraitId) -> TraitKey {
        match self.std_traits.iter().find(|t| t.1 == id) {
            Some((name, _)) => TraitKey::Std(name.clone()),
            None => TraitKey::User(id),
        }
    }

    /// What a path into `std` or `core` means, if the text has it.
    pub fn comparison_def(&self, path: &str, ns: Ns) -> Option<Def> {
        let module = self.comparisons?;
        let inner = path.strip_prefix("std::cmp::");
        let name = inner.or_else(|| path.strip_prefix("core::cmp::"))?;
        self.modules[module]
            .items
            .get(&(ns, name.to_owned()))
            .cloned()
    }

    /// Whether this is `core::cmp::Ordering`.
    pub fn is_ordering(&self, key: TypeKey) -> bool {
        let TypeKey::Enum(id) = key else {
            return false;
        };
        let item = &self.enums[id];
        Some(item.module) == self.comparisons && item.name == "Ordering"
    }

    /// What `#[derive(..)]` of a trait stands for.
    fn derived(&self, key: TypeKey, order: Order) -> String {
        let name = self.key_path(key);
        let name = name.rsplit("::").next().unwrap_or(&name);
        let params = self.key_generics(key).params.iter();
        let params: Vec<&str> = params.map(|p| p.name.as_str()).collect();
        let ty = format!("{name}<{}>", params.join(", "));
        let body = match key {
            TypeKey::Struct(id) => {
                let members = members(&self.structs[id].fields);
                let pair = |m: &String| (format!("self.{m}"), format!("other.{m}"));
                order.of_pairs(&members.iter().map(pair).collect::<Vec<_>>())
            }
            TypeKey::Enum(id) | TypeKey::Object(id) => self.variants_order(id, name, order),
        };
        order.implementation(&params.join(", "), &ty, &body)
    }

    /// The order of an enum's values: that of the variants' numbers, then that of the fields.
    fn variants_order(&self, id: EnumId, name: &str, order: Order) -> String {
        let item = &self.enums[id];
        let (mut arms, mut numbers) = (String::new(), String::new());
        let (mut start, mut behind) = ("0".to_owned(), 0);
        for variant in &item.variants {
            let path = format!("{name}::{}", variant.ident);
            if let Some((_, value)) = &variant.discriminant {
                (start, behind) = (self.source(item.module, value), 0);
            }
            let _ = write!(numbers, "{path} {{ .. }} => ({start}) as i64 + {behind}, ");
            behind += 1;
            let members = members(&variant.fields);
            if members.is_empty() {
                continue;
            }
            let fields = |side: &str| {
                let list = members.iter().map(|m| format!("{m}: __{side}_{m}, "));
                format!("{path} {{ {}}}", list.collect::<String>())
            };
            let pair = |m: &String| (format!("__a_{m}"), format!("__b_{m}"));
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

    /// An expression as it is written.
    fn source(&self, module: ModId, expr: &syn::Expr) -> String {
        let span = span_of(self.modules[module].file, expr.span());
        let text = &self.files[span.file].text;
        let text = text.get(span.lo as usize..span.hi as usize);
        text.unwrap_or("0").to_owned()
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
            || matches!(shape, Some(Shape::Option | Shape::Result | Shape::Tuple(_)))
        {
            self.krate.read_comparisons();
        }
        let Some(Shape::Key(key)) = shape else {
            return;
        };
        if !self.krate.derives(key, order.name()) || !self.derived.insert((key, order)) {
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

/// The names of fields as they are written behind a dot.
fn members(fields: &syn::Fields) -> Vec<String> {
    let enabled = fields.iter().filter(|f| crate::cfg::enabled(&f.attrs));
    let member = |(n, f): (usize, &syn::Field)| match &f.ident {
        Some(ident) => ident.to_string(),
        None => n.to_string(),
    };
    enabled.enumerate().map(member).collect()
}
