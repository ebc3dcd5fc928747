//! Values of several words in random traces: variants (tag, integer and reference, moved together)
//! and items of two words, with their loads and stores and guards on their tags.

use super::writer::{LINKS, UNIONS, Writer};

impl Writer {
    /// An array of this class, if there may be one: none is ever made.
    pub(super) fn given(&mut self, class: &'static str) -> Option<String> {
        let is_known = |w: &Writer, n: usize| w.classes.iter().any(|&(m, _)| m == n);
        let unknown = self.refs.iter().any(|&n| !is_known(self, n));
        let known = self.classes.iter().any(|&(_, c)| c == class);
        if !known && !unknown {
            return None;
        }
        loop {
            let i = self.rng.below(self.refs.len());
            let n = self.refs[i];
            if self.classes.contains(&(n, class)) {
                return Some(format!("p{n}"));
            }
            if !is_known(self, n) {
                return Some(self.guarded_class(n, class));
            }
        }
    }

    /// Where a value of variants lies: how its components are loaded and stored, without their
    /// names.
    pub(super) fn union_place(&mut self) -> (&'static str, String, [String; 3]) {
        if self.rng.below(2) == 0 {
            let p = self.of_class("Union");
            let fields = ["tag", "whole", "object"].map(|f| format!("Union.{f}"));
            return ("field", p, fields);
        }
        let p = self.of_class(UNIONS);
        let i = self.index(&p, UNIONS);
        let classes = [
            UNIONS.to_owned(),
            format!("{UNIONS}#1"),
            format!("{UNIONS}#2"),
        ];
        ("item", format!("{p}, {i}"), classes)
    }

    /// Items of two words, which are loaded and stored apart or together.
    pub(crate) fn links(&mut self) {
        let p = self.of_class(LINKS);
        let i = self.index(&p, LINKS);
        let (first, second) = (self.rng.below(3) > 0, self.rng.below(3) > 0);
        let stores = self.rng.below(2) == 0;
        if first && stores {
            let value = self.int();
            self.line(&format!("setitem_i({p}, {i}, {value}) {LINKS}"));
        } else if first {
            self.def_int(&format!("getitem_i({p}, {i}) {LINKS}"));
        }
        if second && stores {
            let value = self.any_ref();
            self.line(&format!("setitem_r({p}, {i}, {value}) {LINKS}#1"));
        } else if second {
            self.def_ref(&format!("getitem_r({p}, {i}) {LINKS}#1"));
        }
    }

    /// Values of variants, whose components are moved together, and their tags.
    pub(super) fn variants(&mut self) {
        match self.rng.below(7) {
            0..=2 => {
                let (kind, place, [tag, whole, object]) = self.union_place();
                let tag = self.def_int(&format!("get{kind}_i({place}) {tag}"));
                let whole = self.def_int(&format!("get{kind}_i({place}) {whole}"));
                let object = self.def_ref(&format!("get{kind}_r({place}) {object}"));
                self.unions.push([tag, whole, object]);
            }
            3 | 4 => {
                let known = self.unions.len();
                let (tag, whole, object) = match self.rng.below(5) {
                    n @ 0..4 => {
                        let whole = if [1, 2].contains(&n) {
                            self.int()
                        } else {
                            "0".to_owned()
                        };
                        let object = match n {
                            2 | 3 => self.any_ref(),
                            _ => "null".to_owned(),
                        };
                        (n.to_string(), whole, object)
                    }
                    _ if known == 0 => return,
                    _ => {
                        let [tag, whole, object] = self.unions[self.rng.below(known)];
                        (format!("i{tag}"), format!("i{whole}"), format!("p{object}"))
                    }
                };
                let (kind, place, names) = self.union_place();
                self.line(&format!("set{kind}_i({place}, {tag}) {}", names[0]));
                self.line(&format!("set{kind}_i({place}, {whole}) {}", names[1]));
                self.line(&format!("set{kind}_r({place}, {object}) {}", names[2]));
            }
            _ if self.unions.is_empty() => {}
            _ => {
                let n = self.rng.below(self.unions.len());
                let ([tag, ..], is) = (self.unions[n], self.rng.below(4));
                if self.rng.below(3) == 0 {
                    return self.guarded(&format!("int_eq(i{tag}, {is})"));
                }
                self.guard(&format!("guard_value(i{tag}, {is})"));
            }
        }
    }
}
