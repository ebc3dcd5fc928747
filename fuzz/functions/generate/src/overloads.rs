//! Operators on types of the module. In: a tape. Out: a type with operators by hand, one with an
//! index, and a function with operators whose operands and places do something. Invariant: the
//! sides of a compound assignment change variables that neither is about.

use crate::maker::Maker;

/// Operators: their symbol, their trait and its method.
const BINARY: &[(&str, &str, &str)] = &[
    ("+", "Add", "add"),
    ("-", "Sub", "sub"),
    ("*", "Mul", "mul"),
    ("^", "BitXor", "bitxor"),
    ("<<", "Shl", "shl"),
    ("&", "BitAnd", "bitand"),
    ("/", "Div", "div"),
    (">>", "Shr", "shr"),
    ("|", "BitOr", "bitor"),
    ("%", "Rem", "rem"),
];

/// The members of the type.
struct Operators {
    ty: String,
    table: String,
    binary: usize,
    assigned: usize,
    /// Whether operators take integers beside the type.
    ints: bool,
    /// Whether references to the type have operators of their own.
    refs: bool,
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
            refs: self.tape.chance(1, 2),
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
        let mut binary = |this: &str, args: &str, other: &str, value: &str| {
            format!(
                "impl ::core::ops::{of_trait}{args} for {this} {{ type Output = {ty}; fn {method}(self, other: {other}) -> {ty} \
                 {{ {ty}(super::mix(self.0 ^ {}, {value})) }} }}\n",
                number()
            )
        };
        for (args, value) in others {
            let other = if args.is_empty() { ty } else { "i64" };
            text += &binary(ty, args, other, value);
        }
        if of.refs {
            text += &binary(&format!("&{ty}"), "", &format!("&{ty}"), "other.0");
            text += &binary(ty, &format!("<&{ty}>"), &format!("&{ty}"), "other.0");
        }
        for (args, value) in others {
            let other = if args.is_empty() { ty } else { "i64" };
            text += &format!(
                "impl ::core::ops::{assign}Assign{args} for {ty} {{ fn {change}_assign(&mut self, other: {other}) \
                 {{ self.0 = super::mix(self.0, {value}) ^ {}; }} }}\n",
                number()
            );
        }
        text += &format!(
            "impl ::core::ops::Neg for {ty} {{ type Output = i64; fn neg(self) -> i64 {{ self.0 ^ {} }} }}\n\
             impl ::core::ops::Not for {ty} {{ type Output = {ty}; fn not(self) -> {ty} {{ {ty}(self.0.wrapping_sub({})) }} }}\n\
             impl PartialEq for {ty} {{ fn eq(&self, other: &{ty}) -> bool {{ self.0 & 7 == other.0 & {} }} }}\n\
             impl PartialOrd for {ty} {{ fn partial_cmp(&self, other: &{ty}) -> Option<::core::cmp::Ordering> \
             {{ if self.0 & 15 == {} {{ None }} else {{ (self.0 & 15).partial_cmp(&other.0) }} }} }}\n",
            number(),
            number(),
            number(),
            number() & 15
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
        let count = 2 + self.tape.below(7);
        for _ in 0..count {
            let k = self.tape.within(1, 9);
            let right = match (of.ints, self.tape.below(4)) {
                (true, 1) => format!("{{ sum ^= {k}; b }}"),
                (_, 2) => format!("{{ i += {k}; {ty}(i as i64) }}"),
                (_, 3) => format!("{ty}(-t[{{ i ^= {k}; i & 3 }}])"),
                _ => format!("{ty}({k})"),
            };
            body += &match self.tape.below(14) {
                1 => {
                    self.note("operator whose place and operand do something");
                    format!("t[{{ i += 1; i & 3 }}] {change}= {right}; ")
                }
                2 => format!("q {change}= {right}; "),
                3 => format!("x[i] {change}= {ty}({k}); "),
                4 => {
                    self.note("index of a type");
                    format!("sum = super::mix(sum, x[{{ i += {k}; i }}].0); ")
                }
                5 => "sum ^= -q; q = !q; q.0 ^= -!t[{ i += 2; i & 3 }]; ".to_string(),
                6 => format!(
                    "if t[i & 3] == {{ i += 1; t[i & 3] }} {{ sum = super::mix(sum, {k}); }} if q != t[0] {{ sum ^= 5; }} "
                ),
                7 => format!("x[{{ i += 1; i }}] = {ty}({k}); "),
                8 => format!("t[i & 3] = {{ i += 1; {ty}(t[i & 3].0) }} {op} {right}; "),
                9 => {
                    self.note("order by hand");
                    format!(
                        "if q < t[{{ i += 1; i & 3 }}] {{ sum ^= {k}; }} if {ty}({k}) >= q {{ sum ^= 9; }} "
                    )
                }
                10 => {
                    self.note("index by hand of a changed place");
                    format!("x[{{ i += 1; i }}] {change}= {ty}({k}); ")
                }
                11 if of.refs => {
                    self.note("operator of references");
                    format!("q = &q {op} &{{ i += 1; {ty}(i as i64) }}; q = q {op} &{ty}(t[1].0); ")
                }
                12 => {
                    format!("{{ let r = &mut q; *r {change}= {ty}({k}); *r = !*r; }} ")
                }
                13 => format!("sum ^= x[i].0; q = (q {op} {right}) {op} {ty}(t[0].0); "),
                _ => format!("q = q {op} {right}; "),
            };
        }
        self.declare_function(&name, 10 + 8 * count as u32);
        format!(
            "fn {name}(a: i64, b: i64) -> i64 {{ {body} \
             super::mix(super::mix(super::mix(sum, q.0), t[1].0 ^ t[2].0), x.items[0].0 ^ x.items[3].0 ^ i as i64) }}\n"
        )
    }
}
