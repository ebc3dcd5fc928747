//! Code that is not there as it is written: macros of the module, and conditions. In: a tape. Out: macros for expressions, statements, items and
//! patterns, and a function that calls them with conditions between. Invariant: no condition depends on the machine.

use crate::maker::Maker;
use crate::types::{Function, Param, Ty};

/// Conditions that hold, and such that do not.
const TRUE: &[&str] = &[
    "not(test)",
    "all()",
    "not(debug_assertions)",
    "any(test, all())",
];
const FALSE: &[&str] = &["test", "any()", "debug_assertions", "all(test, not(test))"];

impl Maker<'_> {
    /// Macros, and a function that calls them.
    pub fn new_macros(&mut self) -> String {
        self.note("macro");
        let names: Vec<String> = ["me", "ms", "mi", "mp", "mt", "mr"]
            .iter()
            .map(|prefix| self.name(prefix))
            .collect();
        let [of_expr, of_stmt, of_item, of_pat, of_trait, repeated] = names.as_slice() else {
            return String::new();
        };
        let (k, l) = (self.tape.within(1, 40), self.tape.within(1, 40));
        let text = format!(
            "macro_rules! {of_expr} {{ ($x:expr, $y:expr) => {{{{ let t = $x; let s = $y; t.wrapping_mul({k}) ^ s ^ $x }}}}; ($x:expr) => {{ {of_expr}!($x, t_of($x)) }}; }}\n\
             macro_rules! {of_stmt} {{ ($v:ident, $e:expr) => {{ let t = $e; $v = $v.wrapping_add(t).wrapping_mul({l}); }}; \
             ($v:ident; $($e:expr),+) => {{ $( {of_stmt}!($v, $e); )+ }}; }}\n\
             macro_rules! {of_item} {{ ($name:ident, $op:tt, $k:literal) => {{ fn $name(x: i64, y: i64) -> i64 {{ let t = x $op $k; t.wrapping_add(y) }} }}; }}\n\
             macro_rules! {of_pat} {{ ($x:pat) => {{ Some($x) }}; ($x:ident in $a:literal, $b:literal) => {{ Some($x @ $a..=$b) }}; }}\n\
             macro_rules! {of_trait} {{ ($($ty:ty => $k:expr),*) => {{ $( impl Tagged for $ty {{ fn tag(&self) -> i64 {{ ($k as i64) ^ (*self as i64) }} }} )* }}; }}\n\
             macro_rules! {repeated} {{ ($first:expr $(, $e:expr)*) => {{{{ let t = $first; t $( .wrapping_add($e ^ t) )* }}}}; }}\n\
             trait Tagged {{ fn tag(&self) -> i64; }}\n{of_trait}!(i64 => {k}, u8 => {l}i32, bool => 3);\n\
             fn t_of(x: i64) -> i64 {{ x ^ {l} }}\n{of_item}!(item_of_{of_item}, ^, {k});\n{of_item}!(other_of_{of_item}, &, {l});\n"
        );
        let used = self.used_macros(&names);
        text + &used
    }

    fn condition_text(&mut self, holds: bool) -> String {
        let list = if holds { TRUE } else { FALSE };
        self.tape.pick(list).to_string()
    }

    fn used_macros(&mut self, names: &[String]) -> String {
        let name = self.name("u");
        let mut text = String::new();
        let (yes, no) = (self.condition_text(true), self.condition_text(false));
        text += &format!(
            "#[cfg({yes})]\nfn chosen_{name}(x: i64) -> i64 {{ x ^ 11 }}\n#[cfg({no})]\nfn chosen_{name}(x: i64) -> i64 {{ nowhere(x) }}\n\
             #[derive(Clone, Copy)]\nstruct P{name} {{ #[cfg({no})] gone: i64, left: i64, #[cfg({yes})] right: i64 }}\n"
        );
        let mut body = String::from("let mut sum = a; let t = b; ");
        let count = 2 + self.tape.below(7);
        for _ in 0..count {
            let k = self.tape.within(1, 30);
            let (yes, no) = (self.condition_text(true), self.condition_text(false));
            let [of_expr, of_stmt, of_item, of_pat, _, repeated] = names else {
                continue;
            };
            body += &match self.tape.below(11) {
                1 => {
                    self.note("macro for statements");
                    format!("{of_stmt}!(sum; t, {of_expr}!(t, sum), {k}); ")
                }
                2 => format!("sum ^= item_of_{of_item}(sum, t) ^ other_of_{of_item}(t, {k}); "),
                3 => {
                    self.note("macro for patterns");
                    format!(
                        "sum ^= match sum.checked_add(t) {{ {of_pat}!(q in 0, {k}) => q, {of_pat}!(1000) => 3, {of_pat}!(q) => q ^ {k}, None => 1 }}; "
                    )
                }
                4 => {
                    self.note("macro for implementations");
                    format!("sum ^= sum.tag() ^ (sum as u8).tag() ^ (t > {k}).tag(); ")
                }
                5 => {
                    self.note("condition at a statement");
                    format!(
                        "#[cfg({no})] {{ sum = nowhere(sum); }} #[cfg({yes})] {{ sum = chosen_{name}(sum); }} "
                    )
                }
                6 => {
                    self.note("condition at an arm");
                    format!(
                        "sum ^= match sum & 3 {{ #[cfg({no})] 0 => nowhere(t), #[cfg({yes})] 0 => {k}, 1 => t, _ => 2 }}; "
                    )
                }
                7 => {
                    self.note("condition at a field");
                    format!(
                        "let p = P{name} {{ #[cfg({no})] gone: sum, left: t, #[cfg({yes})] right: sum }}; sum = p.left ^ p.right.wrapping_mul({k}); "
                    )
                }
                8 => {
                    self.note("cfg!");
                    format!(
                        "if cfg!({no}) {{ sum = t; }} sum = if cfg!({yes}) {{ sum ^ {k} }} else {{ t }}; "
                    )
                }
                9 => format!("sum = {repeated}!(sum, t, {{ sum ^= 1; sum }}, {of_expr}!(t)); "),
                10 => {
                    format!("sum = {of_expr}!({{ sum ^= {k}; sum }}, {of_expr}!(sum, t ^ {k})); ")
                }
                _ => format!("sum = {of_expr}!(sum ^ t, {k}); "),
            };
        }
        let params = [Ty::I64, Ty::I64].map(|ty| Param { ty, is_lent: false });
        self.items.functions.push(Function {
            name: name.clone(),
            params: params.into(),
            ret: Ty::I64,
            cost: 10 + 12 * count as u32,
            is_pure: false,
        });
        text + &format!(
            "#[allow(unused_mut, unused_variables)]\nfn {name}(a: i64, b: i64) -> i64 {{ {body} sum }}\n"
        )
    }
}
