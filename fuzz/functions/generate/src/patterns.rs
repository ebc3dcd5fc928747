//! Patterns, and the arms of `match`. In: a type. Out: a pattern of it; its names are in scope
//! then. Invariant: no range is empty, no name comes twice, and every `match` ends in an arm for
//! the rest.

use crate::maker::Maker;
use crate::types::{Int, Ty};

/// Arms of a `match`, beside the last.
const ARMS: usize = 3;

impl Maker<'_> {
    /// Arms that cover everything, each with what `write` writes.
    pub fn arms(
        &mut self,
        of: &Ty,
        depth: u32,
        mut write: impl FnMut(&mut Self, u32) -> String,
    ) -> String {
        self.note("match");
        let mut text = String::new();
        for _ in 0..self.tape.below(ARMS + 1) {
            text += &self.inside(|maker| {
                let pattern = maker.pattern(of, 3);
                let guard = maker.guard(depth);
                format!("{pattern}{guard} => {{ {} }} ", write(maker, depth))
            });
        }
        if let (Ty::Enum(n), true) = (of, self.tape.chance(1, 2)) {
            return text + &self.all_variants(*n, depth, write);
        }
        text + &self.inside(|maker| {
            let rest = maker.name_or_nothing(of);
            format!("{rest} => {{ {} }}", write(maker, depth))
        })
    }

    fn guard(&mut self, depth: u32) -> String {
        if !self.tape.chance(1, 3) {
            return String::new();
        }
        self.note("guard");
        self.inside(|maker| {
            maker.freeze();
            format!(" if {}", maker.condition(depth))
        })
    }

    /// An arm for each variant.
    fn all_variants(
        &mut self,
        n: usize,
        depth: u32,
        mut write: impl FnMut(&mut Self, u32) -> String,
    ) -> String {
        self.note("match of all variants");
        let mut text = String::new();
        for variant in 0..self.items.enums[n].variants.len() {
            text += &self.inside(|maker| {
                let pattern =
                    maker.variant_pattern(n, variant, &mut |maker, ty| maker.name_or_nothing(ty));
                format!("{pattern} => {{ {} }} ", write(maker, depth))
            });
        }
        text
    }

    /// A name for all values, or `_`.
    pub fn name_or_nothing(&mut self, ty: &Ty) -> String {
        match self.tape.chance(2, 3) {
            true => self.binding(ty),
            false => "_".to_string(),
        }
    }

    /// A name for all values.
    pub fn binding(&mut self, ty: &Ty) -> String {
        let name = self.name("x");
        self.declare(&name, ty, false);
        name
    }

    /// A pattern that any value fits: names for parts.
    pub fn certain_pattern(&mut self, ty: &Ty, depth: u32) -> String {
        match ty {
            Ty::Tuple(parts) if depth > 0 => {
                let parts = parts.clone();
                let parts: Vec<String> = parts
                    .iter()
                    .map(|ty| self.certain_pattern(ty, depth - 1))
                    .collect();
                format!("({})", parts.join(", "))
            }
            Ty::Struct(n) if depth > 0 => {
                self.struct_pattern(*n, &mut |maker, ty| maker.certain_pattern(ty, depth - 1))
            }
            _ => self.name_or_nothing(ty),
        }
    }

    /// A pattern that some values fit.
    pub fn pattern(&mut self, ty: &Ty, depth: u32) -> String {
        if depth == 0 {
            return self.name_or_nothing(ty);
        }
        let mut inner = |maker: &mut Self, ty: &Ty| maker.pattern(ty, depth - 1);
        match ty {
            Ty::Int(int) => self.int_pattern(*int, ty),
            Ty::Bool => self.tape.pick(&["true", "false"]).to_string(),
            Ty::Char => self.char_pattern(),
            Ty::Tuple(parts) => {
                if self.tape.chance(1, 5) {
                    return format!("({}, ..)", inner(self, &parts[0]));
                }
                let parts: Vec<String> = parts.iter().map(|ty| inner(self, ty)).collect();
                format!("({})", parts.join(", "))
            }
            Ty::Struct(n) => self.struct_pattern(*n, &mut inner),
            Ty::Enum(n) => {
                let variant = self.tape.below(self.items.enums[*n].variants.len());
                self.variant_pattern(*n, variant, &mut inner)
            }
            Ty::Option(of) => match self.tape.chance(3, 4) {
                true => format!("Some({})", inner(self, of)),
                false => "None".to_string(),
            },
            Ty::Result(ok, err) if ok == err && self.tape.chance(1, 4) => {
                self.note("alternatives with names");
                let name = self.binding(ok);
                format!("(Ok({name}) | Err({name}))")
            }
            Ty::Result(ok, err) => match self.tape.chance(1, 2) {
                true => format!("Ok({})", inner(self, ok)),
                false => format!("Err({})", inner(self, err)),
            },
            _ => self.name_or_nothing(ty),
        }
    }

    fn int_pattern(&mut self, int: Int, ty: &Ty) -> String {
        let name = int.name;
        let low = self.tape.within(0u8, 9);
        match self.tape.below(8) {
            0 => format!("{low}{name}"),
            1 => {
                self.note("range pattern");
                format!("{low}{name}..={}{name}", low + self.tape.within(0u8, 90))
            }
            2 => {
                self.note("alternatives");
                format!("({low}{name} | {}{name} | {name}::MAX)", low + 3)
            }
            3 => {
                self.note("name @ pattern");
                let bound = self.binding(ty);
                format!("{bound} @ {low}{name}..")
            }
            4 if int.signed => format!("-{}{name}", low + 1),
            5 if int.signed => format!("{name}::MIN..=-{}{name}", low + 1),
            6 => format!("..{}{name}", low + 1),
            7 => format!("{name}::MIN"),
            _ => self.binding(ty),
        }
    }

    fn char_pattern(&mut self) -> String {
        let all = [
            "'a'",
            "'a'..='z'",
            "'0'..='9' | 'A'..='Z'",
            "'\\u{80}'..",
            "x",
        ];
        match self.tape.pick(&all) {
            "x" => self.binding(&Ty::Char),
            text => format!("({text})"),
        }
    }

    fn struct_pattern(
        &mut self,
        n: usize,
        inner: &mut dyn FnMut(&mut Self, &Ty) -> String,
    ) -> String {
        let declared = self.items.structs[n].clone();
        let parts: Vec<String> = declared.fields.iter().map(|ty| inner(self, ty)).collect();
        self.fields(&format!("S{n}"), !declared.is_tuple, parts)
    }

    fn variant_pattern(
        &mut self,
        n: usize,
        variant: usize,
        inner: &mut dyn FnMut(&mut Self, &Ty) -> String,
    ) -> String {
        let (fields, has_names) = self.items.enums[n].variants[variant].clone();
        let parts: Vec<String> = fields.iter().map(|ty| inner(self, ty)).collect();
        match parts.is_empty() {
            true => format!("E{n}::V{variant}"),
            false => self.fields(&format!("E{n}::V{variant}"), has_names, parts),
        }
    }

    /// Patterns of fields, of which the last may be left out.
    fn fields(&mut self, path: &str, has_names: bool, mut parts: Vec<String>) -> String {
        let mut rest = "";
        if parts.last().is_some_and(|part| part == "_") && self.tape.chance(1, 2) {
            parts.pop();
            rest = if parts.is_empty() { ".." } else { ", .." };
        }
        if !has_names {
            return format!("{path}({}{rest})", parts.join(", "));
        }
        let parts: Vec<String> = parts
            .iter()
            .enumerate()
            .map(|(n, part)| format!("f{n}: {part}"))
            .collect();
        format!("{path} {{ {}{rest} }}", parts.join(", "))
    }
}
