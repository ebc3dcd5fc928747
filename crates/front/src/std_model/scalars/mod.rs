//! The methods of scalar types that are written in the subset itself.
//!
//! In: a type and a method's name. Out: the function of our own source that does what the method
//! does. Driver: each type has a module that is put together from the texts in the directory
//! `scalars`, and read when the first of its functions is asked for. Invariants: these modules are
//! the only ones that can name operations of the table (`op::int_count_ones(x)`); a function
//! without a body that is marked `#[elidable]` or `#[opaque]` is one of `verdigris::rt::scalars`,
//! under the same path; no complaint is ever made about these texts.

use crate::collect::{Own, collect_own};
use crate::cx::Cx;
use crate::items::{Def, FnItemId, ModId, Ns};
use crate::names::written::int_name;
use crate::tast::IntTy;
use crate::types::ty::Ty;
use std::fmt::Write;

const INT: &str = include_str!("int.rs");
const SIGNED: &str = include_str!("signed.rs");
const UNSIGNED: &str = include_str!("unsigned.rs");
const NARROW: &str = include_str!("narrow.rs");
const WIDE_SIGNED: &str = include_str!("wide_signed.rs");
const WIDE_UNSIGNED: &str = include_str!("wide_unsigned.rs");
const ASCII: &str = include_str!("ascii.rs");
const CHAR: &str = include_str!("char.rs");
const F64: &str = include_str!("f64.rs");

/// The module of a type that has one, with its text.
pub(crate) fn source(ty: &Ty) -> Option<(&'static str, String)> {
    Some(match ty {
        Ty::Int(int) => (int_name(*int), int_source(*int)),
        Ty::F64 => ("f64", F64.to_owned()),
        Ty::Char => ("char", [CHAR, ASCII].concat()),
        _ => return None,
    })
}

fn int_source(int: IntTy) -> String {
    let (unsigned, signed) = match int {
        IntTy::I8 | IntTy::U8 => ("u8", "i8"),
        IntTy::I16 | IntTy::U16 => ("u16", "i16"),
        IntTy::I32 | IntTy::U32 => ("u32", "i32"),
        IntTy::I64 | IntTy::U64 => ("u64", "i64"),
        IntTy::Isize | IntTy::Usize => ("usize", "isize"),
    };
    let mut text = String::new();
    let name = int_name(int);
    let _ = writeln!(
        text,
        "type T = {name}; type U = {unsigned}; type S = {signed};"
    );
    text += INT;
    text += if int.signed() { SIGNED } else { UNSIGNED };
    text += match (int.bits(), int.signed()) {
        (64, true) => WIDE_SIGNED,
        (64, false) => WIDE_UNSIGNED,
        _ => NARROW,
    };
    text += &bytes_source(int.bits() / 8);
    if int == IntTy::U8 {
        text += "fn code(x: T) -> u32 { x as u32 }\nfn of_code(x: u32) -> T { x as T }\n";
        text += ASCII;
    }
    text
}

/// What integers of this many bytes have that is about the bytes one by one: how many there are, is
/// a part of the types.
fn bytes_source(count: u32) -> String {
    let mut text = String::new();
    for (order, at) in [("le", 0), ("ne", 0), ("be", count - 1)] {
        // The place of each byte in the integer, or of each byte of the integer in the array.
        let place = |n: u32| at.abs_diff(n);
        let parts = (0..count).map(|n| format!("(bytes[{n}] as U) << {}", 8 * place(n)));
        let bytes = (0..count).map(|n| format!("((x as U) >> {}) as u8", 8 * place(n)));
        let (parts, bytes): (Vec<_>, Vec<_>) = (parts.collect(), bytes.collect());
        let _ = writeln!(
            text,
            "pub fn from_{order}_bytes(bytes: [u8; {count}]) -> T {{ ({}) as T }}",
            parts.join(" | ")
        );
        let _ = writeln!(
            text,
            "pub fn to_{order}_bytes(x: T) -> [u8; {count}] {{ [{}] }}",
            bytes.join(", ")
        );
    }
    text
}

impl Cx {
    /// The function that does what a method of a scalar type does.
    pub fn scalar_fn(&mut self, ty: &Ty, name: &str) -> Option<FnItemId> {
        let (module_name, text) = source(ty)?;
        let module = match self.generated.scalars.get(module_name) {
            Some(module) => *module,
            None => {
                let module = self.read_scalars(module_name, text);
                self.generated.scalars.insert(module_name, module);
                module
            }
        };
        let items = &self.krate.modules[module].items;
        match items.get(Ns::Values, name) {
            Some(Def::Fn(id)) => Some(*id),
            _ => None,
        }
    }

    fn read_scalars(&mut self, name: &str, text: String) -> ModId {
        let own = Own {
            parent: self.krate.root(),
            name,
            block: false,
        };
        collect_own(&mut self.krate, own, &format!("{name}.rs"), text)
    }

    /// Whether a module is one of these.
    pub fn is_scalars(&self, module: ModId) -> bool {
        self.generated.scalars.values().any(|m| *m == module)
    }
}
