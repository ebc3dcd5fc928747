//! Items: constants, enums with numbers, modules and names. In: two integers. Out: one.

use self::deep::{
    Color as Paint,
    er::{est, *},
};
use verdigris::prelude::*;

pub mod deep {
    //! Names from several modules.

    pub use self::er::est::bottom as renamed;

    #[derive(Clone, Copy, PartialEq)]
    pub enum Color {
        Red = 1,
        Green = -7,
        Blue,
        Dark = 1 << 20,
    }

    pub mod er {
        pub use super::super::top;
        pub use super::Color::{self, *};

        pub fn middle(a: i64) -> i64 {
            super::super::top(a) + est::bottom(a)
        }

        pub mod est {
            pub(in super::super) const HIDDEN: i64 = super::super::super::SEVEN * 3;
            pub use super::*;

            pub fn bottom(a: i64) -> i64 {
                a * HIDDEN + self::shared()
            }

            fn shared() -> i64 {
                crate::items::SEVEN
            }
        }
    }
}

mod left {
    pub use super::right::*;
    pub const ONE: i64 = 1;
}

mod right {
    pub use super::left::*;
    pub const TWO: i64 = ONE + ONE;
}

pub const SEVEN: i64 = 7;
type Word = i64;
type Pair = (Word, Word);

pub fn top(a: i64) -> i64 {
    a ^ SEVEN
}

#[derive(Clone, Copy, PartialEq)]
pub struct Config {
    width: u8,
    #[cfg(target_pointer_width = "16")]
    never: i64,
    deep: (i64, bool),
}

impl Config {
    const DEFAULT: Config = Config::of(SIZE as u8);
    pub const WIDTHS: [u8; 3] = [Self::DEFAULT.width, 2, Config::of(9).width];

    const fn of(width: u8) -> Config {
        Config {
            width,
            #[cfg(target_pointer_width = "16")]
            never: 1,
            deep: (width as i64 * 3, width > 10),
        }
    }
}

impl Config {
    fn area(self, by: Word) -> Word {
        i64::from(self.width) * by + self.deep.0
    }
}

const SIZE: usize = size_of::<u32>() * 4 + std::mem::size_of::<f64>();
const BITS: u32 = (u8::BITS + i16::BITS) << 1;

const COMPUTED: i64 = {
    let mut n = 1;
    let mut sum = 0;
    while n < 10 {
        if n % 3 == 0 {
            sum += n * 100;
        } else {
            sum -= n;
        }
        n += 1;
    }
    sum
};

const CHOSEN: i64 = match (SIZE, BITS) {
    (24, 40..=50) => 1,
    (x, _) if x > 20 => 2,
    _ => 3,
};

const NEGATIVE: i8 = -128;
const CAST: u64 = NEGATIVE as u64 >> 4;
const FLOAT: f64 = if COMPUTED > 0 { 1.5 } else { -1.5 } * 2.0;
const FOUND: Option<u8> = find([b'h', b'e', b'l', b'l', b'o'], b'l');
static TOTAL: i64 = SEVEN * 6;
const LENGTH: usize = TABLE.len() + 1;
const TABLE: [i64; 4] = squares();

#[unroll_safe]
const fn find(text: [u8; 5], wanted: u8) -> Option<u8> {
    let mut i = 0;
    loop {
        if i == 5 {
            return None;
        }
        if text[i] == wanted {
            return Some(i as u8);
        }
        i += 1;
    }
}

#[unroll_safe]
const fn squares() -> [i64; 4] {
    let mut table = [0; 4];
    let mut i = 0;
    while i < table.len() {
        table[i] = (i * i) as i64;
        i += 1;
    }
    table
}

pub fn renamed_names(a: i64, b: i64) -> i64 {
    deep::renamed(a) + middle(b) + est::bottom(b) - est::middle(a)
}

pub fn glob_cycles(a: i64, b: i64) -> i64 {
    use left::*;
    a * left::TWO + b * right::ONE + TWO
}

pub fn numbered(a: i64, b: i64) -> i64 {
    let paint = match a & 3 {
        0 => Paint::Red,
        1 => Green,
        2 => deep::er::Color::Blue,
        _ => deep::Color::Dark,
    };
    let byte = paint as u8;
    paint as i64 * 10 + i64::from(byte) + Blue as i64 + i64::from(paint == Red) + b
}

pub fn constants(a: i64, b: i64) -> i64 {
    let found = match FOUND {
        Some(at) => at,
        None => 9,
    };
    i64::from(found)
        + COMPUTED * a
        + CHOSEN
        + CAST as i64
        + FLOAT as i64
        + TOTAL * b
        + LENGTH as i64
}

pub fn constant_calls(a: i64, b: i64) -> i64 {
    let config = if a < b {
        Config::DEFAULT
    } else {
        Config::of(b as u8)
    };
    config.area(a) + i64::from(config.deep.1) + i64::from(Config::WIDTHS[(b & 1) as usize])
}

pub fn computed_tables(a: i64, b: i64) -> i64 {
    TABLE[(a & 3) as usize] * 10 + TABLE[(b & 3) as usize] + squares()[2]
}

pub fn items_in_blocks(a: i64, b: i64) -> i64 {
    const LOCAL: i64 = SEVEN + 1;
    use inner::twice;
    mod inner {
        pub fn twice(a: i64) -> i64 {
            a * super::SEVEN
        }
    }
    fn local(a: i64) -> i64 {
        const LOCAL: i64 = 3;
        a + LOCAL
    }
    let x = {
        const LOCAL: i64 = 100;
        fn local(a: i64) -> i64 {
            a * LOCAL
        }
        local(a)
    };
    x + local(b) + LOCAL + twice(b)
}

pub fn aliases(a: i64, b: i64) -> i64 {
    type Local = Option<Pair>;
    let pair: Local = if a < b { Some((a, b)) } else { None };
    let word: Word = match pair {
        Some((x, y)) => y - x,
        None => -1,
    };
    word + Word::from(b as u8) + (Word::MAX & a)
}

pub fn sizes(a: i64, b: i64) -> i64 {
    let more = size_of::<[char; 3]>() + size_of::<Option<GcArray<i64>>>();
    (size_of::<i16>() + core::mem::size_of::<bool>() + SIZE + more) as i64 * a + b
}

pub mod shadowed {
    //! Modules that have the names of primitive types.

    use std::f64;
    use std::u32;

    pub mod u8 {
        pub const N: i64 = 3;

        pub fn twice(x: i64) -> i64 {
            x.wrapping_add(x)
        }
    }

    mod bool {
        pub type Word = super::i16::Word;
    }

    mod i16 {
        pub type Word = i64;
    }

    pub fn float(x: f64, y: u32) -> f64 {
        x * f64::consts::PI + y as f64 - f64::MAX.min(u32::MAX as f64)
    }

    pub fn byte(x: u8) -> bool {
        x == u8::MAX || x as i64 == u8::twice(u8::N)
    }

    /// The alias of arrays whose length is the constant of its name.
    pub type ROW = [i64; ROW];
    pub const ROW: usize = 2;

    pub fn last(row: ROW) -> i64 {
        row[ROW - 1]
    }

    pub fn word(x: bool::Word) -> i16 {
        i16::MAX.wrapping_add(x as i16)
    }
}

/// A module hides a primitive type of its name only in paths to what the module has.
pub fn primitive_modules(a: i64, b: i64) -> i64 {
    let float = shadowed::float(a as f64, b as u32) as i64;
    let byte = shadowed::byte((a & 7) as u8) as i64;
    float ^ byte ^ shadowed::word(b) as i64 ^ shadowed::last([a, b])
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "renamed_names",
    "glob_cycles",
    "numbered",
    "constants",
    "constant_calls",
    "computed_tables",
    "items_in_blocks",
    "aliases",
    "sizes",
    "primitive_modules",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => renamed_names(a, b),
        1 => glob_cycles(a, b),
        2 => numbered(a, b),
        3 => constants(a, b),
        4 => constant_calls(a, b),
        5 => computed_tables(a, b),
        6 => items_in_blocks(a, b),
        7 => aliases(a, b),
        8 => sizes(a, b),
        9 => primitive_modules(a, b),
        _ => panic!("there is no such function"),
    }
}
