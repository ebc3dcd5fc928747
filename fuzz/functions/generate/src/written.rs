//! Code that is not there as it is written: macros of the module, and conditions. In: a tape. Out:
//! macros for expressions, statements, items and patterns, and a function that calls them with
//! conditions between. Invariant: no condition depends on the machine.

use crate::conditions::{FALSE, TRUE};
use crate::maker::Maker;

/// The macros of a module.
struct Macros {
    of_expr: String,
    of_stmt: String,
    of_item: String,
    of_pat: String,
    repeated: String,
    of_tokens: String,
    of_loop: String,
    of_trait: String,
}

impl Maker<'_> {
    /// Macros, and a function that calls them.
    pub fn new_macros(&mut self) -> String {
        self.note("macro");
        let macros = Macros {
            of_expr: self.name("me"),
            of_stmt: self.name("ms"),
            of_item: self.name("mi"),
            of_pat: self.name("mp"),
            repeated: self.name("mr"),
            of_tokens: self.name("mt"),
            of_loop: self.name("ml"),
            of_trait: self.name("Tagged"),
        };
        self.declared_macros(&macros) + &self.used_macros(&macros)
    }

    fn declared_macros(&mut self, macros: &Macros) -> String {
        let Macros {
            of_expr,
            of_stmt,
            of_item,
            of_pat,
            repeated,
            of_tokens,
            of_loop,
            of_trait,
        } = macros;
        let (k, l) = (self.tape.within(1, 40), self.tape.within(1, 40));
        let (yes, no) = (self.condition_text(true), self.condition_text(false));
        format!(
            "macro_rules! {of_expr} {{ ($x:expr, $y:expr) => {{{{ let t = $x; let s = $y; super::mix(t, {k}) ^ s ^ $x }}}}; ($x:expr) => {{ {of_expr}!($x, t_of_{of_expr}($x)) }}; }}\n\
             macro_rules! {of_stmt} {{ ($v:ident, $e:expr) => {{ let t = $e; $v = super::mix($v, t) ^ {l}; #[cfg({no})] let t = nowhere(t); #[cfg({yes})] {{ $v ^= t; }} }}; \
             ($v:ident; $($e:expr),+) => {{ $( {of_stmt}!($v, $e); )+ }}; }}\n\
             macro_rules! {of_item} {{ ($name:ident, $op:tt, $k:literal) => {{ fn $name(x: i64, y: i64) -> i64 {{ let t = x $op $k; super::mix(t, y) }} }}; }}\n\
             macro_rules! {of_pat} {{ ($x:pat) => {{ Some($x) }}; ($x:ident in $a:literal, $b:literal) => {{ Some($x @ $a..=$b) }}; }}\n\
             macro_rules! tagged_{of_item} {{ ($($ty:ty => $k:expr),*) => {{ $( impl {of_trait} for $ty {{ fn tag(&self) -> i64 {{ ($k as i64) ^ (*self as i64) }} }} )* }}; }}\n\
             macro_rules! {repeated} {{ ($first:expr $(, $e:expr)*) => {{{{ let t = $first; t $( .wrapping_add($e ^ t) )* }}}}; }}\n\
             macro_rules! {of_tokens} {{ ($v:expr;) => {{ $v }}; ($v:expr; + $a:expr, $($rest:tt)*) => {{ {of_tokens}!(super::mix($v, $a); $($rest)*) }}; \
             ($v:expr; ^ $a:ident $($rest:tt)*) => {{ {of_tokens}!($v ^ $a; $($rest)*) }}; ($v:expr; if $c:block $($rest:tt)*) => {{ if $c {{ {of_tokens}!($v; $($rest)*) }} else {{ $v }} }}; }}\n\
             macro_rules! {of_loop} {{ ($l:lifetime, $n:ident, $e:expr) => {{{{ let mut n = 0i64; $l: loop {{ n += 1; $n ^= $e; if n > 2 {{ break $l; }} }} n }}}}; }}\n\
             trait {of_trait} {{ fn tag(&self) -> i64; }}\ntagged_{of_item}!(i64 => {k}, u8 => {l}i32, bool => 3);\n\
             fn t_of_{of_expr}(x: i64) -> i64 {{ x ^ {l} }}\n{of_item}!(item_of_{of_item}, ^, {k});\n{of_item}!(other_of_{of_item}, &, {l});\n"
        )
    }

    fn condition_text(&mut self, holds: bool) -> &'static str {
        self.tape.pick(if holds { TRUE } else { FALSE })
    }

    /// Items with conditions, and a function that calls macros.
    fn used_macros(&mut self, macros: &Macros) -> String {
        let name = self.name("u");
        let (yes, no) = (self.condition_text(true), self.condition_text(false));
        let items = format!(
            "#[cfg({yes})]\nfn chosen_{name}(x: i64, #[cfg({no})] gone: i64) -> i64 {{ x ^ 11 }}\n#[cfg({no})]\nfn chosen_{name}(x: i64) -> i64 {{ nowhere(x) }}\n\
             #[derive(Clone, Copy)]\nstruct P{name} {{ #[cfg({no})] gone: i64, left: i64, #[cfg({yes})] right: i64 }}\n\
             #[derive(Clone, Copy)]\nenum E{name} {{ #[cfg({no})] Gone, Left(i64), #[cfg({yes})] Right(i64, #[cfg({no})] u8) }}\n\
             impl P{name} {{ #[cfg({no})] fn sum(self) -> i64 {{ self.gone }} #[cfg({yes})] fn sum(self) -> i64 {{ self.left ^ self.right }} }}\n"
        );
        let mut body = String::from("let mut sum = a; let t = b; ");
        let count = 2 + self.tape.below(8);
        for _ in 0..count {
            body += &match self.tape.chance(1, 2) {
                true => self.statement_with_macro(macros),
                false => self.statement_with_condition(&name),
            };
        }
        self.declare_function(&name, 10 + 16 * count as u32);
        items + &format!("#[unroll_safe]\nfn {name}(a: i64, b: i64) -> i64 {{ {body} sum }}\n")
    }

    fn statement_with_macro(&mut self, macros: &Macros) -> String {
        let Macros {
            of_expr,
            of_stmt,
            of_item,
            of_pat,
            repeated,
            of_tokens,
            of_loop,
            ..
        } = macros;
        let k = self.tape.within(1, 30);
        match self.tape.below(12) {
            1 => {
                self.note("macro for statements");
                format!("{of_stmt}!(sum; t, {of_expr}!(t, sum), {k}); ")
            }
            2 => {
                self.note("macro for items");
                format!("sum ^= item_of_{of_item}(sum, t) ^ other_of_{of_item}(t, {k}); ")
            }
            3 => {
                self.note("macro for patterns");
                format!(
                    "sum ^= match sum.checked_add(t) {{ {of_pat}!(q in 0, {k}) => q, {of_pat}!(1000 | 1001) => 3, {of_pat}!(q) => q ^ {k}, None => 1 }}; "
                )
            }
            4 => {
                self.note("macro for implementations");
                format!("sum ^= sum.tag() ^ (sum as u8).tag() ^ (t > {k}).tag(); ")
            }
            5 => format!("sum = {repeated}!(sum, t, {{ sum ^= 1; sum }}, {of_expr}!(t)); "),
            6 => format!("sum = {of_expr}!({{ sum ^= {k}; sum }}, {of_expr}!(sum, t ^ {k})); "),
            7 => {
                self.note("macro that takes tokens apart");
                format!(
                    "sum = {of_tokens}!(sum; + {k}, ^ t if {{ sum > t }} + {{ sum ^= 3; sum }}, ^ a); "
                )
            }
            8 => {
                self.note("macro with a label");
                format!("{{ let n = {of_loop}!('l, sum, t ^ {k}); sum = super::mix(sum, n); }} ")
            }
            9..=11 => {
                self.note("macro in a block");
                format!(
                    "{{ macro_rules! here {{ ($e:expr) => {{ {{ let t = $e ^ {k}; t ^ sum }} }} }} sum = here!(t); }} "
                )
            }
            _ => format!("sum = {of_expr}!(sum ^ t, {k}); "),
        }
    }

    fn statement_with_condition(&mut self, name: &str) -> String {
        let k = self.tape.within(1, 30);
        let (yes, no) = (self.condition_text(true), self.condition_text(false));
        match self.tape.below(9) {
            1 => {
                self.note("condition at an arm");
                format!(
                    "sum ^= match sum & 3 {{ #[cfg({no})] 0 => nowhere(t), #[cfg({yes})] 0 => {k}, 1 => t, _ => 2 }}; "
                )
            }
            2 => {
                self.note("condition at a field");
                format!(
                    "let p = P{name} {{ #[cfg({no})] gone: sum, left: t, #[cfg({yes})] right: sum }}; sum = p.sum() ^ super::mix(p.right, {k}); "
                )
            }
            3 => {
                self.note("cfg!");
                format!(
                    "if cfg!({no}) {{ sum = t; }} sum = if cfg!({yes}) {{ sum ^ {k} }} else {{ t }}; "
                )
            }
            4 => {
                self.note("condition at a declaration");
                format!("#[cfg({yes})] let t = t ^ {k}; #[cfg({no})] let t = nowhere(t); ")
            }
            5 => {
                self.note("condition at a variant");
                format!(
                    "let e = if sum > t {{ E{name}::Left(sum) }} else {{ E{name}::Right(t) }}; \
                     sum ^= match e {{ #[cfg({no})] E{name}::Gone => 0, E{name}::Left(x) => x ^ {k}, #[cfg({yes})] E{name}::Right(x) => x }}; "
                )
            }
            6 => {
                self.note("condition in a pattern");
                format!(
                    "let P{name} {{ #[cfg({no})] gone, left, #[cfg({yes})] right: other }} = P{name} {{ left: sum, right: {k} }}; sum = super::mix(left, other); "
                )
            }
            7 => format!(
                "#[cfg_attr({no}, cfg(any()))] {{ sum ^= {k}; }} #[cfg_attr({yes}, cfg(any()))] {{ sum = t; }} "
            ),
            _ => {
                self.note("condition at a statement");
                format!(
                    "#[cfg({no})] {{ sum = nowhere(sum); }} #[cfg({yes})] {{ sum = chosen_{name}(sum); }} "
                )
            }
        }
    }
}
