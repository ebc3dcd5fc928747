//! Words of lean values: casts, shifts and masks between a word and a scalar in it, and operations
//! by variant instead of word by word (comparing, promoting).
//!
//! A word is looked at only where the value is known to be of the variant that the view belongs to,
//! so that what is cast to a reference is one. A word just made of a scalar is not cast back.

use super::ssa::{Builder, Scalars};
use crate::ir::{Target, Term, Val};
use crate::table::Control;
use verdigris_front::layout::{FieldSlot, View};
use verdigris_front::tast::{BinOp, Type};
use verdigris_ops::{DataOp, Ty};

/// A component that may be a part of a word.
#[derive(Clone, Copy)]
pub struct Component {
    whole: Val,
    view: Option<View>,
}

impl Component {
    /// A component that is not a part of another.
    pub fn whole(whole: Val) -> Component {
        Component { whole, view: None }
    }

    /// The part of this component in a slot.
    pub fn part(self, slot: &FieldSlot) -> Component {
        Component {
            whole: self.whole,
            // What is seen through a view is a scalar, and has no parts but itself.
            view: slot.view.or(self.view),
        }
    }
}

impl Builder<'_> {
    /// The scalars or words.
    pub fn look_at(&mut self, parts: &[Component]) -> Scalars {
        parts.iter().map(|&part| self.look(part)).collect()
    }

    /// The scalar or word.
    pub fn look(&mut self, part: Component) -> Val {
        let whole = part.whole;
        let Some(view) = part.view else {
            return whole;
        };
        if let Some(scalar) = self.made_of(whole, view.ty)
            && view.size == 8
        {
            return scalar;
        }
        let op = DataOp::from_word(view.ty).expect("a view is of a scalar");
        let value = self.pure(op, &[whole]);
        if view.size == 8 {
            return value;
        }
        let bits = view.size * 8;
        match (view.signed, view.shift, bits) {
            (false, shift, _) => {
                let value = self.shift(DataOp::UintShr, value, shift);
                self.pure(DataOp::IntAnd, &[value, Val::int((1 << bits) - 1)])
            }
            (true, shift, _) => {
                let value = self.shift(DataOp::IntShl, value, 64 - bits - shift);
                self.shift(DataOp::IntShr, value, 64 - bits)
            }
        }
    }

    fn shift(&mut self, op: DataOp, value: Val, by: u32) -> Val {
        match by {
            0 => value,
            by => self.pure(op, &[value, Val::int(i64::from(by))]),
        }
    }

    /// A component with a part replaced; the rest of a word that holds nothing is zero.
    pub fn put(&mut self, view: Option<View>, before: Val, part: Val) -> Val {
        let Some(view) = view else { return part };
        if view.size == 8 {
            return self.as_word(view.ty, part);
        }
        let mask = (1i64 << (view.size * 8)) - 1;
        let part = self.pure(DataOp::IntAnd, &[part, Val::int(mask)]);
        let part = self.shift(DataOp::IntShl, part, view.shift);
        if before.constant().is_some() {
            return self.as_word(Ty::Int, part);
        }
        let before = self.look(Component {
            whole: before,
            view: Some(View {
                ty: Ty::Int,
                shift: 0,
                size: 8,
                signed: true,
            }),
        });
        let rest = self.pure(DataOp::IntAnd, &[before, Val::int(!(mask << view.shift))]);
        let whole = self.pure(DataOp::IntOr, &[rest, part]);
        self.as_word(Ty::Int, whole)
    }

    fn as_word(&mut self, ty: Ty, scalar: Val) -> Val {
        let op = DataOp::word_from(ty).expect("a view is of a scalar");
        let word = self.pure(op, &[scalar]);
        self.remember_made(word, ty, scalar);
        word
    }

    /// `==` or `!=` of values of several components.
    pub fn equality(&mut self, op: BinOp, ty: &Type, a: &[Val], b: &[Val]) -> Val {
        let equal = self.equal(ty, a, b);
        match op {
            BinOp::Ne => self.pure(DataOp::IntIsZero, &[equal]),
            _ => equal,
        }
    }

    /// Whether two values are equal: whether all components are, since those that a variant does
    /// not use are zero; but of a lean value those that its variant uses.
    fn equal(&mut self, ty: &Type, a: &[Val], b: &[Val]) -> Val {
        if !self.layouts.components(ty).contains(&Ty::Word) {
            return self.equal_parts(a, b);
        }
        let layout = self
            .layouts
            .layout(ty)
            .expect("a value with words has parts");
        if self.layouts.is_lean(ty) {
            return self.equal_lean(ty, a, b);
        }
        let mut all = Val::int(1);
        if layout.tagged {
            all = self.equal_parts(&a[..1], &b[..1]);
        }
        for variant in 0..layout.variants.len() as u32 {
            let equal = self.equal_fields(ty, variant, a, b);
            all = self.and(all, equal);
        }
        all
    }

    /// Whether the fields of a variant are equal.
    fn equal_fields(&mut self, ty: &Type, variant: u32, a: &[Val], b: &[Val]) -> Val {
        let mut all = Val::int(1);
        let fields = self.layouts.field_types(ty, variant);
        for (n, field) in fields.iter().enumerate() {
            let left = self.field(ty, variant, n as u32, a);
            let right = self.field(ty, variant, n as u32, b);
            let equal = self.equal(field, &left, &right);
            all = self.and(all, equal);
        }
        all
    }

    fn equal_lean(&mut self, ty: &Type, a: &[Val], b: &[Val]) -> Val {
        let join = self.join(&[Ty::Int]);
        let (same, other) = (self.block(), self.block());
        let tags = self.equal_parts(&a[..1], &b[..1]);
        self.branch(tags, same, other);
        self.enter_sealed(other);
        self.goto_join(&join, vec![Val::int(0)]);
        self.enter_sealed(same);
        self.by_variant(ty, a[0], |builder, variant| {
            let equal = builder.equal_fields(ty, variant, a, b);
            builder.goto_join(&join, vec![equal]);
        });
        self.enter_join(&join)[0]
    }

    fn equal_parts(&mut self, a: &[Val], b: &[Val]) -> Val {
        let mut all = Val::int(1);
        for (&x, &y) in a.iter().zip(b) {
            let op = match self.graph.ty(x) {
                Ty::Int => DataOp::IntEq,
                Ty::Float => DataOp::FloatEq,
                Ty::Ref => DataOp::PtrEq,
                Ty::Word => unreachable!("words are compared by what they hold"),
            };
            let equal = self.pure(op, &[x, y]);
            all = self.and(all, equal);
        }
        all
    }

    fn and(&mut self, a: Val, b: Val) -> Val {
        match (a, b) {
            (Val::Const(c), other) | (other, Val::Const(c)) if c.word() == 1 => other,
            _ => self.pure(DataOp::IntAnd, &[a, b]),
        }
    }

    /// Ends the block with a choice by the variant of a lean value; `then` fills the block of each
    /// variant that has fields, and one block for the first of the others, and ends it.
    fn by_variant(&mut self, ty: &Type, tag: Val, mut then: impl FnMut(&mut Self, u32)) {
        let layout = self.layouts.layout(ty).expect("a lean value has a layout");
        let variants = (0..).zip(&layout.variants);
        let (with, without): (Vec<_>, Vec<_>) =
            variants.partition(|(_, fields)| !fields.is_empty());
        let mut choices: Vec<u32> = with.iter().map(|v| v.0).collect();
        // The last one is where the others go.
        choices.extend(without.first().map(|v| v.0));
        let blocks: Vec<_> = choices.iter().map(|_| self.block()).collect();
        let cases = choices.iter().zip(&blocks);
        let cases = cases.map(|(&variant, &block)| (i64::from(variant), Target::to(block)));
        let mut cases: Vec<_> = cases.collect();
        let (_, default) = cases.pop().expect("a type has variants");
        match cases.is_empty() {
            true => self.goto(default.block, Vec::new()),
            false => {
                let (block, _) = self.here();
                self.notes.by_variant[block] = true;
                self.end(Term::Switch {
                    value: tag,
                    cases,
                    default,
                });
            }
        }
        for (variant, block) in choices.into_iter().zip(blocks) {
            self.enter_sealed(block);
            then(self, variant);
        }
    }

    /// `promote` of a value: of all its components; of a lean value those that its variant uses.
    pub fn promote_value(&mut self, ty: &Type, value: Scalars) -> Scalars {
        if !self.layouts.components(ty).contains(&Ty::Word) {
            return value.into_iter().map(|part| self.promote(part)).collect();
        }
        let layout = self
            .layouts
            .layout(ty)
            .expect("a value with words has parts");
        let mut value = value;
        if layout.tagged {
            value[0] = self.promote(value[0]);
        }
        if self.layouts.is_lean(ty) {
            let join = self.join(&layout.types[1..]);
            self.by_variant(ty, value[0], |builder, variant| {
                let words = builder.promote_fields(ty, variant, &value);
                builder.goto_join(&join, words[1..].to_vec());
            });
            let words = self.enter_join(&join);
            value.splice(1.., words);
            return value;
        }
        for variant in 0..layout.variants.len() as u32 {
            value = self.promote_fields(ty, variant, &value);
        }
        value
    }

    /// The value with the fields of a variant promoted; of a lean value only these are left.
    fn promote_fields(&mut self, ty: &Type, variant: u32, value: &[Val]) -> Scalars {
        let layout = self
            .layouts
            .layout(ty)
            .expect("a value with words has parts");
        let mut new = value.to_vec();
        if self.layouts.is_lean(ty) {
            new[1..].fill(Val::zero(Ty::Word));
        }
        for (n, field) in self.layouts.field_types(ty, variant).iter().enumerate() {
            let parts = self.field(ty, variant, n as u32, value);
            let parts = self.promote_value(field, parts);
            for (slot, part) in layout.variants[variant as usize][n].iter().zip(parts) {
                new[slot.index] = self.put(slot.view, new[slot.index], part);
            }
        }
        new
    }

    /// `is_constant` of a value: whether all components are; of a lean value those that its variant
    /// uses.
    pub fn is_constant(&mut self, ty: &Type, value: Scalars) -> Val {
        if !self.layouts.components(ty).contains(&Ty::Word) {
            return self.are_constant(&value);
        }
        let layout = self
            .layouts
            .layout(ty)
            .expect("a value with words has parts");
        if self.layouts.is_lean(ty) {
            let join = self.join(&[Ty::Int]);
            let (known, unknown) = (self.block(), self.block());
            let tag = self.are_constant(&value[..1]);
            self.branch(tag, known, unknown);
            self.enter_sealed(unknown);
            self.goto_join(&join, vec![Val::int(0)]);
            self.enter_sealed(known);
            self.by_variant(ty, value[0], |builder, variant| {
                let answer = builder.are_fields_constant(ty, variant, &value);
                builder.goto_join(&join, vec![answer]);
            });
            return self.enter_join(&join)[0];
        }
        let mut all = self.are_constant(&value[..usize::from(layout.tagged)]);
        for variant in 0..layout.variants.len() as u32 {
            let answer = self.are_fields_constant(ty, variant, &value);
            all = self.and(all, answer);
        }
        all
    }

    fn are_fields_constant(&mut self, ty: &Type, variant: u32, value: &[Val]) -> Val {
        let mut all = Val::int(1);
        for (n, field) in self.layouts.field_types(ty, variant).iter().enumerate() {
            let parts = self.field(ty, variant, n as u32, value);
            let answer = self.is_constant(field, parts);
            all = self.and(all, answer);
        }
        all
    }

    fn are_constant(&mut self, parts: &[Val]) -> Val {
        let mut all = Val::int(1);
        for &part in parts {
            let answer = self.ask(Control::IsConstant, part);
            all = self.and(all, answer);
        }
        all
    }
}
