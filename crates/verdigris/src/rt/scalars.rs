//! Methods of scalar types that are no operations of compiled code. Paths and signatures are those
//! of the functions without a body in `crates/front/src/std_model/scalars`, and each calls the very
//! function that the interpreter's own code calls, so that the results are equal bit for bit; but
//! the remainder of floats, which is exact and so the same however it is computed.

use crate::rt::FnDescr;

/// Modules of functions that describe functions.
macro_rules! described {
    ($( $module:ident { $( $name:ident($($arg:ident: $ty:ty),*) $(-> $ret:ty)? $body:block )* } )*) => {
        $(
            #[doc = concat!("Of `", stringify!($module), "`.")]
            pub mod $module {
                use super::FnDescr;
                $(
                    #[doc = concat!("`", stringify!($name), "`")]
                    pub fn $name() -> FnDescr {
                        FnDescr::new(
                            stringify!($name),
                            (|$($arg: $ty),*| $body) as fn($($ty),*) $(-> $ret)?,
                        )
                    }
                )*
            }
        )*
    };
}

macro_rules! integers {
    ($($int:ident)*) => {
        described! {
            $($int {
                power(x: $int, n: u32) -> $int { x.wrapping_pow(n) }
                power_overflows(x: $int, n: u32) -> bool { x.overflowing_pow(n).1 }
                log10(x: $int) -> u32 { x.checked_ilog10().unwrap_or_default() }
                log(x: $int, base: $int) -> u32 { x.checked_ilog(base).unwrap_or_default() }
                clamp_fails(min: $int, max: $int) { let _ = min.clamp(min, max); }
                root(x: $int) -> $int {
                    // A negative number has no root; callers have dealt with it before.
                    #[allow(unused_comparisons)]
                    if x < 0 { 0 } else { x.isqrt() }
                }
            })*
        }
    };
}

integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

macro_rules! doubles {
    ($($unary:ident)*; $($binary:ident)*) => {
        described! {
            f64 {
                $( $unary(x: f64) -> f64 { x.$unary() } )*
                $( $binary(x: f64, y: f64) -> f64 { x.$binary(y) } )*
                rem(x: f64, y: f64) -> f64 { verdigris_library::library::remainder(x, y) }
                powi(x: f64, n: i32) -> f64 { x.powi(n) }
                mul_add(x: f64, y: f64, z: f64) -> f64 { x.mul_add(y, z) }
                clamp_fails(min: f64, max: f64) { let _ = 0.0_f64.clamp(min, max); }
            }
        }
    };
}

doubles! {
    exp exp2 exp_m1 ln log2 log10 ln_1p cbrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh
    next_up next_down;
    min max powf log hypot atan2 midpoint
}

described! {
    char {
        unicode_whitespace(x: char) -> bool { x.is_whitespace() }
        unicode_alphabetic(x: char) -> bool { x.is_alphabetic() }
        unicode_numeric(x: char) -> bool { x.is_numeric() }
        unicode_uppercase(x: char) -> bool { x.is_uppercase() }
        unicode_lowercase(x: char) -> bool { x.is_lowercase() }
    }
}
