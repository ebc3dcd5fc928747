//! Operators on types of the module. In: a tape. Out: a type with operators by hand, one with an index, and a function with operators whose
//! operands and places do something. Invariant: the sides of a compound assignment change variables that neither is about.

use crate::maker::Maker;
use crate::types::{Function, Param, Ty};

/// Operators: their symbol, their trait and its method.
const BINARY: &[(&str, &str, &str)] = &[
    ("+", "Add", "add"),
    ("-", "Sub", "sub"),
    ("*", "Mul", "mul"),
    ("^", "BitXor", "bitxor"),
    ("<<", "Shl", "shl"),
    ("&", "BitAnd", "bitand"),
];

/// What the type has.
struct Operators {
    ty: String,
    table: String,
    binary: usize,
    assigned: usize,
    /// Whether operators take integers beside the type.
    ints: bool,
}

impl Maker<'_> {
    /// Types with operators, and a function that uses them.
    pub fn new_operators(&mut self) -> String {
        self.note("operators of a type");
        let of = Operators {
            ty: self.name("Q"),
            table: self.name("X"),
            binary: self.tape.below(BINARY.len()),
            assigned: self.tape.below(BINARY.len()),
            ints: self.tape.chance(1, 2),
        };
        let declared = self.declared_operators(&of);
        let used = self.used_operators(&of);
        declared + &used
    }

    fn declared_operators(&mut self, of: &Operators) -> String {
        let Operators { ty, table, .. } = of;
        let mut text = format!(
            "#[derive(Clone, Copy)]\npub struct {ty}(i64);\n#[derive(Clone, Copy)]\npub struct {table} {{ items: [{ty}; 4] }}\n"
        );
        let mut number = || self.tape.within(1, 50);
        let others: &[(&str, &str)] = match of.ints {
            true => &[("", "other.0"), ("<i64>", "other")],
            false => &[("", "other.0")],
        };
        let (_, of_trait, method) = BINARY[of.binary];
        let (_, assign, change) = BINARY[of.assigned];
        for (args, value) in others {
            let other = if args.is_empty() { ty } else { "i64" };
            text += &format!(
                "impl ::core::ops::{of_trait}{args} for {ty} {{ type Output = {ty}; fn {method}(self, other: {other}) -> {ty} \
                 {{ {ty}(self.0.wrapping_mul({}) ^ {value}) }} }}\n\
                 impl ::core::ops::{assign}Assign{args} for {ty} {{ fn {change}_assign(&mut self, other: {other}) \
                 {{ self.0 = self.0.wrapping_mul({}).wrapping_add({value}); }} }}\n",
                number(),
                number()
            );
        }
        text += &format!(
            "impl ::core::ops::Neg for {ty} {{ type Output = i64; fn neg(self) -> i64 {{ self.0 ^ {} }} }}\n\
             impl ::core::ops::Not for {ty} {{ type Output = {ty}; fn not(self) -> {ty} {{ {ty}(self.0.wrapping_sub({})) }} }}\n\
             impl PartialEq for {ty} {{ fn eq(&self, other: &{ty}) -> bool {{ self.0 & 7 == other.0 & {} }} }}\n",
            number(),
            number(),
            number()
        );
        text += &format!(
            "impl ::core::ops::Index<usize> for {table} {{ type Output = {ty}; fn index(&self, at: usize) -> &{ty} {{ &self.items[at & 3] }} }}\n\
             impl ::core::ops::IndexMut<usize> for {table} {{ fn index_mut(&mut self, at: usize) -> &mut {ty} {{ &mut self.items[at & 3] }} }}\n"
        );
        text
    }

    /// A function with statements that use the operators.
    fn used_operators(&mut self, of: &Operators) -> String {
        let Operators { ty, table, .. } = of;
        let name = self.name("o");
        let (op, change) = (BINARY[of.binary].0, BINARY[of.assigned].0);
        let mut body = format!(
            "let mut i = (a & 3) as usize; let mut q = {ty}(b); let mut t = [{ty}(a), {ty}(b), {ty}(a ^ b), {ty}(7)]; \
             let mut x = {table} {{ items: t }}; let mut sum = a; "
        );
        let count = 2 + self.tape.below(6);
        for _ in 0..count {
            let k = self.tape.within(1, 9);
            let right = match (of.ints, self.tape.below(3)) {
                (true, 1) => format!("{{ sum ^= {k}; b }}"),
                (_, 2) => format!("{{ i += {k}; {ty}(i as i64) }}"),
                _ => format!("{ty}({k})"),
            };
            body += &match self.tape.below(9) {
                1 => {
                    self.note("operator whose place and operand do something");
                    format!("t[{{ i += 1; i & 3 }}] {change}= {right}; ")
                }
                2 => format!("q {change}= {right}; "),
                3 => format!("x[i] {change}= {ty}({k}); "),
                4 => {
                    self.note("index of a type");
                    format!("sum = sum.wrapping_add(x[{{ i += {k}; i }}].0); ")
                }
                5 => format!("sum ^= -{{ i += 2; q }}; q = !q; "),
                6 => format!(
                    "if t[i & 3] == {{ i += 1; t[i & 3] }} {{ sum = sum.wrapping_mul({k}); }} if q != t[0] {{ sum ^= 5; }} "
                ),
                7 => format!("x[{{ i += 1; i }}] = {ty}({k}); "),
                8 => format!("t[i & 3] = {{ i += 1; t[i & 3] }} {op} {right}; "),
                _ => format!("q = q {op} {right}; "),
            };
        }
        let params = [Ty::I64, Ty::I64].map(|ty| Param { ty, is_lent: false });
        self.items.functions.push(Function {
            name: name.clone(),
            params: params.into(),
            ret: Ty::I64,
            cost: 10 + 6 * count as u32,
            is_pure: false,
        });
        format!(
            "#[allow(unused_mut, unused_variables, unused_assignments)]\nfn {name}(a: i64, b: i64) -> i64 {{ {body} \
             super::mix(super::mix(super::mix(sum, q.0), t[1].0 ^ t[2].0), x.items[0].0 ^ x.items[3].0 ^ i as i64) }}\n"
        )
    }
}
