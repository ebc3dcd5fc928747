//! The table of data operations: names, signatures, effects and descriptors.
//!
//! Printers and parsers use [`DataOp::name`] and [`DataOp::from_name`], which are inverse by
//! construction.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The four types of values in jitcode and traces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Ty {
    /// A 64-bit word: every integer type (sign- or zero-extended), `bool` (0 or 1), `char`.
    Int,
    /// A pointer to a heap object, or null.
    Ref,
    /// An IEEE 754 double.
    Float,
    /// A word of a value with variants, which holds what the value's tag says: an integer, a
    /// reference, a double, parts of several narrow integers, or nothing. It is moved and stored as
    /// it is; to compute with it takes a cast to another type. There are no constants of this type.
    Word,
}

impl Ty {
    /// All of them.
    pub const ALL: [Ty; 4] = [Ty::Int, Ty::Ref, Ty::Float, Ty::Word];

    /// The letter that text forms use: `i`, `r`, `f` or `w`.
    pub fn letter(self) -> char {
        match self {
            Ty::Int => 'i',
            Ty::Ref => 'r',
            Ty::Float => 'f',
            Ty::Word => 'w',
        }
    }

    /// The inverse of [`Ty::letter`].
    pub fn from_letter(c: char) -> Option<Ty> {
        match c {
            'i' => Some(Ty::Int),
            'r' => Some(Ty::Ref),
            'f' => Some(Ty::Float),
            'w' => Some(Ty::Word),
            _ => None,
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Ty::Int => "int",
            Ty::Ref => "ref",
            Ty::Float => "float",
            Ty::Word => "word",
        })
    }
}

/// The effect of an operation besides its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Depends on its arguments alone: may be folded, shared and dropped. Defined by
    /// [`crate::eval`].
    Pure,
    /// Reads the heap. Whether the place can change is a property of its descriptor.
    Read,
    /// Writes the heap.
    Write,
    /// Makes a new object.
    Alloc,
}

/// Which descriptor an operation carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DescrKind {
    /// None.
    None,
    /// A [`crate::FieldId`].
    Field,
    /// A [`crate::ClassId`] of a struct class.
    Class,
    /// A [`crate::ClassId`] of an array class.
    Array,
}

macro_rules! data_ops {
    ($( $variant:ident $name:literal ($($arg:ident)*) $ret:tt $effect:ident $descr:ident $(#[doc = $doc:literal])+ )*) => {
        /// A data operation: one row of the table.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum DataOp {
            $( $(#[doc = $doc])+ $variant, )*
        }

        impl DataOp {
            /// Every operation, in the order of the table.
            pub const ALL: &'static [DataOp] = &[$(DataOp::$variant),*];

            /// The name in every text form.
            pub const fn name(self) -> &'static str {
                match self { $(DataOp::$variant => $name,)* }
            }

            /// The inverse of [`DataOp::name`].
            pub fn from_name(name: &str) -> Option<DataOp> {
                match name { $($name => Some(DataOp::$variant),)* _ => None }
            }

            /// The types of the arguments.
            #[inline]
            pub const fn params(self) -> &'static [Ty] {
                match self { $(DataOp::$variant => &[$(data_ops!(@ty $arg)),*],)* }
            }

            /// The type of the result, if there is one.
            pub const fn ret(self) -> Option<Ty> {
                match self { $(DataOp::$variant => data_ops!(@ret $ret),)* }
            }

            /// The effect.
            pub const fn effect(self) -> Effect {
                match self { $(DataOp::$variant => Effect::$effect,)* }
            }

            /// Which descriptor the operation carries.
            pub fn descr_kind(self) -> DescrKind {
                match self { $(DataOp::$variant => DescrKind::$descr,)* }
            }
        }
    };
    (@ty i) => { Ty::Int };
    (@ty r) => { Ty::Ref };
    (@ty f) => { Ty::Float };
    (@ty w) => { Ty::Word };
    (@ret i) => { Some(Ty::Int) };
    (@ret r) => { Some(Ty::Ref) };
    (@ret f) => { Some(Ty::Float) };
    (@ret w) => { Some(Ty::Word) };
    (@ret _) => { None };
}

data_ops! {
    IntAdd "int_add" (i i) i Pure None #[doc = "Wrapping sum."]
    IntSub "int_sub" (i i) i Pure None #[doc = "Wrapping difference."]
    IntMul "int_mul" (i i) i Pure None #[doc = "Wrapping product."]
    IntDiv "int_div" (i i) i Pure None #[doc = "Signed quotient towards zero; the divisor is not 0 and the quotient fits (the translator emits the checks; `eval` answers 0 or wraps otherwise)."]
    IntRem "int_rem" (i i) i Pure None #[doc = "Signed remainder with the sign of the dividend; same preconditions as `int_div`."]
    UintDiv "uint_div" (i i) i Pure None #[doc = "Unsigned quotient; the divisor is not 0."]
    UintRem "uint_rem" (i i) i Pure None #[doc = "Unsigned remainder; the divisor is not 0."]
    IntAnd "int_and" (i i) i Pure None #[doc = "Bitwise and."]
    IntOr "int_or" (i i) i Pure None #[doc = "Bitwise or."]
    IntXor "int_xor" (i i) i Pure None #[doc = "Bitwise exclusive or."]
    IntShl "int_shl" (i i) i Pure None #[doc = "Shift left; the amount is taken modulo 64."]
    IntShr "int_shr" (i i) i Pure None #[doc = "Arithmetic shift right; the amount is taken modulo 64."]
    UintShr "uint_shr" (i i) i Pure None #[doc = "Logical shift right; the amount is taken modulo 64."]
    IntNeg "int_neg" (i) i Pure None #[doc = "Wrapping negation."]
    IntNot "int_not" (i) i Pure None #[doc = "Bitwise complement."]
    IntSext8 "int_sext8" (i) i Pure None #[doc = "Sign-extends the low 8 bits."]
    IntSext16 "int_sext16" (i) i Pure None #[doc = "Sign-extends the low 16 bits."]
    IntSext32 "int_sext32" (i) i Pure None #[doc = "Sign-extends the low 32 bits."]
    IntEq "int_eq" (i i) i Pure None #[doc = "1 if equal, else 0."]
    IntNe "int_ne" (i i) i Pure None #[doc = "1 if different, else 0."]
    IntLt "int_lt" (i i) i Pure None #[doc = "Signed less-than."]
    IntLe "int_le" (i i) i Pure None #[doc = "Signed less-or-equal."]
    IntGt "int_gt" (i i) i Pure None #[doc = "Signed greater-than."]
    IntGe "int_ge" (i i) i Pure None #[doc = "Signed greater-or-equal."]
    UintLt "uint_lt" (i i) i Pure None #[doc = "Unsigned less-than."]
    UintLe "uint_le" (i i) i Pure None #[doc = "Unsigned less-or-equal."]
    UintGt "uint_gt" (i i) i Pure None #[doc = "Unsigned greater-than."]
    UintGe "uint_ge" (i i) i Pure None #[doc = "Unsigned greater-or-equal."]
    IntIsZero "int_is_zero" (i) i Pure None #[doc = "1 if zero, else 0 (`!` on `bool`)."]
    IntIsTrue "int_is_true" (i) i Pure None #[doc = "0 if zero, else 1."]
    IntAddOverflows "int_add_overflows" (i i) i Pure None #[doc = "1 if the signed 64-bit sum overflows."]
    IntSubOverflows "int_sub_overflows" (i i) i Pure None #[doc = "1 if the signed 64-bit difference overflows."]
    IntMulOverflows "int_mul_overflows" (i i) i Pure None #[doc = "1 if the signed 64-bit product overflows."]
    UintMulOverflows "uint_mul_overflows" (i i) i Pure None #[doc = "1 if the unsigned 64-bit product overflows."]
    UintAtMost "uint_at_most" (i i) i Pure None #[doc = "The first word, which the library promises not to be above the second as unsigned ones (`eval` gives the second if it is)."]
    IntLeadingZeros "int_leading_zeros" (i) i Pure None #[doc = "How many of the highest bits are 0; 64 for 0."]
    IntTrailingZeros "int_trailing_zeros" (i) i Pure None #[doc = "How many of the lowest bits are 0; 64 for 0."]
    IntCountOnes "int_count_ones" (i) i Pure None #[doc = "How many bits are 1."]
    IntSwapBytes "int_swap_bytes" (i) i Pure None #[doc = "The 8 bytes in the opposite order."]
    FloatAdd "float_add" (f f) f Pure None #[doc = "IEEE 754 sum."]
    FloatSub "float_sub" (f f) f Pure None #[doc = "IEEE 754 difference."]
    FloatMul "float_mul" (f f) f Pure None #[doc = "IEEE 754 product."]
    FloatDiv "float_div" (f f) f Pure None #[doc = "IEEE 754 quotient."]
    FloatNeg "float_neg" (f) f Pure None #[doc = "Flips the sign bit."]
    FloatAbs "float_abs" (f) f Pure None #[doc = "Clears the sign bit."]
    FloatSqrt "float_sqrt" (f) f Pure None #[doc = "IEEE 754 square root."]
    FloatFloor "float_floor" (f) f Pure None #[doc = "The greatest integral double that is not greater."]
    FloatCeil "float_ceil" (f) f Pure None #[doc = "The least integral double that is not less."]
    FloatTrunc "float_trunc" (f) f Pure None #[doc = "The integral part, with the sign of the operand."]
    FloatNearest "float_nearest" (f) f Pure None #[doc = "The nearest integral double, the even one of two."]
    FloatEq "float_eq" (f f) i Pure None #[doc = "Ordered equality."]
    FloatNe "float_ne" (f f) i Pure None #[doc = "Unordered or different."]
    FloatLt "float_lt" (f f) i Pure None #[doc = "Ordered less-than."]
    FloatLe "float_le" (f f) i Pure None #[doc = "Ordered less-or-equal."]
    FloatGt "float_gt" (f f) i Pure None #[doc = "Ordered greater-than."]
    FloatGe "float_ge" (f f) i Pure None #[doc = "Ordered greater-or-equal."]
    IntToFloat "int_to_float" (i) f Pure None #[doc = "Signed word to the nearest double."]
    FloatToInt "float_to_int" (f) i Pure None #[doc = "Truncates, saturating; NaN gives 0 (Rust's `as i64`)."]
    FloatBits "float_bits" (f) i Pure None #[doc = "The bit pattern."]
    FloatFromBits "float_from_bits" (i) f Pure None #[doc = "The double with this bit pattern."]
    PtrEq "ptr_eq" (r r) i Pure None #[doc = "1 if both are the same object or both null."]
    PtrNe "ptr_ne" (r r) i Pure None #[doc = "The opposite of `ptr_eq`."]
    WordFromInt "word_from_int" (i) w Pure None #[doc = "The integer as a word of a value."]
    WordFromRef "word_from_ref" (r) w Pure None #[doc = "The reference as a word of a value."]
    WordFromFloat "word_from_float" (f) w Pure None #[doc = "The bit pattern as a word of a value."]
    IntFromWord "int_from_word" (w) i Pure None #[doc = "All 64 bits of the word."]
    RefFromWord "ref_from_word" (w) r Pure None #[doc = "The word as a reference, which the program promises that it is: the value's tag says so."]
    FloatFromWord "float_from_word" (w) f Pure None #[doc = "The double with this bit pattern."]
    GetFieldI "getfield_i" (r) i Read Field #[doc = "Loads an integer field (extended as its layout says)."]
    GetFieldR "getfield_r" (r) r Read Field #[doc = "Loads a reference field."]
    GetFieldF "getfield_f" (r) f Read Field #[doc = "Loads a float field."]
    GetFieldW "getfield_w" (r) w Read Field #[doc = "Loads a word of a value."]
    SetFieldI "setfield_i" (r i) _ Write Field #[doc = "Stores the low bytes of a word in an integer field."]
    SetFieldR "setfield_r" (r r) _ Write Field #[doc = "Stores a reference field (through the write barrier)."]
    SetFieldF "setfield_f" (r f) _ Write Field #[doc = "Stores a float field."]
    SetFieldW "setfield_w" (r w) _ Write Field #[doc = "Stores a word of a value (through the write barrier)."]
    Invalidate "invalidate" (r) _ Write Field #[doc = "Behind a store to a quasi-immutable field: code that assumes its value must not run on."]
    Reclaim "reclaim" (r) _ Write None #[doc = "In front of an access to a virtualizable place: if suspended code keeps places of this object to itself, it gives them back."]
    HasClass "has_class" (r) i Read Class #[doc = "Whether a non-null object has this class. The program promises that it has: compiled code does not ask."]
    GetItemI "getitem_i" (r i) i Read Array #[doc = "Loads an integer item; the index is in bounds (the translator emits the check)."]
    GetItemR "getitem_r" (r i) r Read Array #[doc = "Loads a reference item; the index is in bounds."]
    GetItemF "getitem_f" (r i) f Read Array #[doc = "Loads a float item; the index is in bounds."]
    GetItemW "getitem_w" (r i) w Read Array #[doc = "Loads a word of an item; the index is in bounds."]
    SetItemI "setitem_i" (r i i) _ Write Array #[doc = "Stores an integer item; the index is in bounds."]
    SetItemR "setitem_r" (r i r) _ Write Array #[doc = "Stores a reference item; the index is in bounds."]
    SetItemF "setitem_f" (r i f) _ Write Array #[doc = "Stores a float item; the index is in bounds."]
    SetItemW "setitem_w" (r i w) _ Write Array #[doc = "Stores a word of an item; the index is in bounds."]
    FillItemsI "fill_items_i" (r i) _ Write Array #[doc = "Stores the integer in every item."]
    FillItemsR "fill_items_r" (r r) _ Write Array #[doc = "Stores the reference in every item."]
    FillItemsF "fill_items_f" (r f) _ Write Array #[doc = "Stores the float in every item."]
    FillItemsW "fill_items_w" (r w) _ Write Array #[doc = "Stores the word in every item."]
    ArrayLen "arraylen" (r) i Read Array #[doc = "The number of items; never changes for one array."]
    New "new" () r Alloc Class #[doc = "A new object with all fields zero."]
    NewArray "new_array" (i) r Alloc Array #[doc = "A new array of this length with all items zero."]
}

impl DataOp {
    /// Whether the result is always 0 or 1.
    pub fn gives_boolean(self) -> bool {
        use DataOp::*;
        matches!(
            self,
            IntEq
                | IntNe
                | IntLt
                | IntLe
                | IntGt
                | IntGe
                | UintLt
                | UintLe
                | UintGt
                | UintGe
                | IntIsZero
                | IntIsTrue
                | IntAddOverflows
                | IntSubOverflows
                | IntMulOverflows
                | UintMulOverflows
                | FloatEq
                | FloatNe
                | FloatLt
                | FloatLe
                | FloatGt
                | FloatGe
                | PtrEq
                | PtrNe
        )
    }

    /// The operation with the same meaning for values of another type, within the families
    /// `getfield`, `setfield`, `getitem`, `setitem`, `fill_items`.
    pub fn get_field(ty: Ty) -> DataOp {
        [
            DataOp::GetFieldI,
            DataOp::GetFieldR,
            DataOp::GetFieldF,
            DataOp::GetFieldW,
        ][ty as usize]
    }
    /// The `setfield` for values of this type.
    #[inline]
    pub fn set_field(ty: Ty) -> DataOp {
        [
            DataOp::SetFieldI,
            DataOp::SetFieldR,
            DataOp::SetFieldF,
            DataOp::SetFieldW,
        ][ty as usize]
    }
    /// The `getitem` for values of this type.
    pub fn get_item(ty: Ty) -> DataOp {
        [
            DataOp::GetItemI,
            DataOp::GetItemR,
            DataOp::GetItemF,
            DataOp::GetItemW,
        ][ty as usize]
    }
    /// The `setitem` for values of this type.
    #[inline]
    pub fn set_item(ty: Ty) -> DataOp {
        [
            DataOp::SetItemI,
            DataOp::SetItemR,
            DataOp::SetItemF,
            DataOp::SetItemW,
        ][ty as usize]
    }
    /// The `fill_items` for values of this type.
    pub fn fill_items(ty: Ty) -> DataOp {
        [
            DataOp::FillItemsI,
            DataOp::FillItemsR,
            DataOp::FillItemsF,
            DataOp::FillItemsW,
        ][ty as usize]
    }
    /// The cast to a word of a value; none for what is one already.
    pub fn word_from(ty: Ty) -> Option<DataOp> {
        match ty {
            Ty::Int => Some(DataOp::WordFromInt),
            Ty::Ref => Some(DataOp::WordFromRef),
            Ty::Float => Some(DataOp::WordFromFloat),
            Ty::Word => None,
        }
    }
    /// The cast from a word of a value; none to what is one already.
    pub fn from_word(ty: Ty) -> Option<DataOp> {
        match ty {
            Ty::Int => Some(DataOp::IntFromWord),
            Ty::Ref => Some(DataOp::RefFromWord),
            Ty::Float => Some(DataOp::FloatFromWord),
            Ty::Word => None,
        }
    }
    /// True for operations whose meaning is given by [`crate::eval`].
    pub const fn is_pure(self) -> bool {
        matches!(self.effect(), Effect::Pure)
    }
}

impl fmt::Display for DataOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for &op in DataOp::ALL {
            assert_eq!(DataOp::from_name(op.name()), Some(op));
        }
    }

    #[test]
    fn families_agree_with_their_types() {
        for ty in Ty::ALL {
            assert_eq!(DataOp::get_field(ty).ret(), Some(ty));
            assert_eq!(DataOp::get_item(ty).ret(), Some(ty));
            assert_eq!(DataOp::set_field(ty).params()[1], ty);
            assert_eq!(DataOp::set_item(ty).params()[2], ty);
            assert_eq!(DataOp::fill_items(ty).params()[1], ty);
            let to = DataOp::word_from(ty).map(|op| (op.params(), op.ret()));
            let from = DataOp::from_word(ty).map(|op| (op.params(), op.ret()));
            match ty {
                Ty::Word => assert_eq!((to, from), (None, None)),
                _ => {
                    assert_eq!(to, Some((&[ty][..], Some(Ty::Word))));
                    assert_eq!(from, Some((&[Ty::Word][..], Some(ty))));
                }
            }
        }
    }
}
