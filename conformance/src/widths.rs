//! Integers of all widths: operators, casts and comparisons. In: two integers. Out: one.

pub fn i8_arithmetic(a: i64, b: i64) -> i64 {
    let (x, y) = (a as i8, b as i8);
    let sum = x + y * 3 - (x ^ y);
    ((sum & 0x5f) | (x - y)) as i64
}

pub fn i8_shifts(a: i64, b: i64) -> i64 {
    let (x, n) = (a as i8, (b & 7) as u32);
    ((x << n) ^ (x >> n)) as i64
}

pub fn i8_comparisons(a: i64, b: i64) -> i64 {
    let (x, y) = (a as i8, b as i8);
    (x < y) as i64 + 2 * (x <= y) as i64 + 4 * (x == y) as i64 + 8 * (x > y) as i64
}

pub fn i8_casts(a: i64, b: i64) -> i64 {
    let x = a as i8;
    let narrow = (x as i8) as i64 + (x as u16) as i64;
    narrow.wrapping_mul(3) ^ (x as u32) as i64 ^ (b as i8) as i64
}

pub fn i8_compound(a: i64, b: i64) -> i64 {
    let mut x = a as i8;
    x += b as i8;
    x ^= 0x35;
    x -= 7;
    x |= 4;
    x <<= 2;
    x *= 5;
    x >>= 1;
    x &= !16;
    x as i64
}

pub fn i8_division(a: i64, b: i64) -> i64 {
    let (x, y) = (a as i8, (b as i8) | 1);
    if y == !0 {
        return 1;
    }
    (x / y).wrapping_mul(3) as i64 + (x % y) as i64
}

pub fn i8_patterns(a: i64, b: i64) -> i64 {
    match a as i8 {
        0 => 1,
        1..=9 => 2,
        i8::MAX => 3,
        i8::MIN => 4,
        100.. => b,
        _ => 5,
    }
}

pub fn i8_floats(a: i64, b: i64) -> i64 {
    let x = (a as i8) as f64 * 0.5 + (b & 0xFF) as f64;
    (x as i8) as i64
}

pub fn i16_arithmetic(a: i64, b: i64) -> i64 {
    let (x, y) = (a as i16, b as i16);
    let sum = x + y * 3 - (x ^ y);
    ((sum & 0x5f) | (x - y)) as i64
}

pub fn i16_shifts(a: i64, b: i64) -> i64 {
    let (x, n) = (a as i16, (b & 15) as u32);
    ((x << n) ^ (x >> n)) as i64
}

pub fn i16_comparisons(a: i64, b: i64) -> i64 {
    let (x, y) = (a as i16, b as i16);
    (x < y) as i64 + 2 * (x <= y) as i64 + 4 * (x == y) as i64 + 8 * (x > y) as i64
}

pub fn i16_casts(a: i64, b: i64) -> i64 {
    let x = a as i16;
    let narrow = (x as i8) as i64 + (x as u16) as i64;
    narrow.wrapping_mul(3) ^ (x as u32) as i64 ^ (b as i16) as i64
}

pub fn i16_compound(a: i64, b: i64) -> i64 {
    let mut x = a as i16;
    x += b as i16;
    x ^= 0x35;
    x -= 7;
    x |= 4;
    x <<= 2;
    x *= 5;
    x >>= 1;
    x &= !16;
    x as i64
}

pub fn i16_division(a: i64, b: i64) -> i64 {
    let (x, y) = (a as i16, (b as i16) | 1);
    if y == !0 {
        return 1;
    }
    (x / y).wrapping_mul(3) as i64 + (x % y) as i64
}

pub fn i16_patterns(a: i64, b: i64) -> i64 {
    match a as i16 {
        0 => 1,
        1..=9 => 2,
        i16::MAX => 3,
        i16::MIN => 4,
        100.. => b,
        _ => 5,
    }
}

pub fn i16_floats(a: i64, b: i64) -> i64 {
    let x = (a as i16) as f64 * 0.5 + (b & 0xFF) as f64;
    (x as i16) as i64
}

pub fn i32_arithmetic(a: i64, b: i64) -> i64 {
    let (x, y) = (a as i32, b as i32);
    let sum = x + y * 3 - (x ^ y);
    ((sum & 0x5f) | (x - y)) as i64
}

pub fn i32_shifts(a: i64, b: i64) -> i64 {
    let (x, n) = (a as i32, (b & 31) as u32);
    ((x << n) ^ (x >> n)) as i64
}

pub fn i32_comparisons(a: i64, b: i64) -> i64 {
    let (x, y) = (a as i32, b as i32);
    (x < y) as i64 + 2 * (x <= y) as i64 + 4 * (x == y) as i64 + 8 * (x > y) as i64
}

pub fn i32_casts(a: i64, b: i64) -> i64 {
    let x = a as i32;
    let narrow = (x as i8) as i64 + (x as u16) as i64;
    narrow.wrapping_mul(3) ^ (x as u32) as i64 ^ (b as i32) as i64
}

pub fn i32_compound(a: i64, b: i64) -> i64 {
    let mut x = a as i32;
    x += b as i32;
    x ^= 0x35;
    x -= 7;
    x |= 4;
    x <<= 2;
    x *= 5;
    x >>= 1;
    x &= !16;
    x as i64
}

pub fn i32_division(a: i64, b: i64) -> i64 {
    let (x, y) = (a as i32, (b as i32) | 1);
    if y == !0 {
        return 1;
    }
    (x / y).wrapping_mul(3) as i64 + (x % y) as i64
}

pub fn i32_patterns(a: i64, b: i64) -> i64 {
    match a as i32 {
        0 => 1,
        1..=9 => 2,
        i32::MAX => 3,
        i32::MIN => 4,
        100.. => b,
        _ => 5,
    }
}

pub fn i32_floats(a: i64, b: i64) -> i64 {
    let x = (a as i32) as f64 * 0.5 + (b & 0xFF) as f64;
    (x as i32) as i64
}

pub fn i64_arithmetic(a: i64, b: i64) -> i64 {
    let (x, y) = (a as i64, b as i64);
    let sum = x + y * 3 - (x ^ y);
    ((sum & 0x5f) | (x - y)) as i64
}

pub fn i64_shifts(a: i64, b: i64) -> i64 {
    let (x, n) = (a as i64, (b & 63) as u32);
    ((x << n) ^ (x >> n)) as i64
}

pub fn i64_comparisons(a: i64, b: i64) -> i64 {
    let (x, y) = (a as i64, b as i64);
    (x < y) as i64 + 2 * (x <= y) as i64 + 4 * (x == y) as i64 + 8 * (x > y) as i64
}

pub fn i64_casts(a: i64, b: i64) -> i64 {
    let x = a as i64;
    let narrow = (x as i8) as i64 + (x as u16) as i64;
    narrow.wrapping_mul(3) ^ (x as u32) as i64 ^ (b as i64) as i64
}

pub fn i64_compound(a: i64, b: i64) -> i64 {
    let mut x = a as i64;
    x += b as i64;
    x ^= 0x35;
    x -= 7;
    x |= 4;
    x <<= 2;
    x *= 5;
    x >>= 1;
    x &= !16;
    x as i64
}

pub fn i64_division(a: i64, b: i64) -> i64 {
    let (x, y) = (a as i64, (b as i64) | 1);
    if y == !0 {
        return 1;
    }
    (x / y).wrapping_mul(3) as i64 + (x % y) as i64
}

pub fn i64_patterns(a: i64, b: i64) -> i64 {
    match a as i64 {
        0 => 1,
        1..=9 => 2,
        i64::MAX => 3,
        i64::MIN => 4,
        100.. => b,
        _ => 5,
    }
}

pub fn i64_floats(a: i64, b: i64) -> i64 {
    let x = (a as i64) as f64 * 0.5 + (b & 0xFF) as f64;
    (x as i64) as i64
}

pub fn isize_arithmetic(a: i64, b: i64) -> i64 {
    let (x, y) = (a as isize, b as isize);
    let sum = x + y * 3 - (x ^ y);
    ((sum & 0x5f) | (x - y)) as i64
}

pub fn isize_shifts(a: i64, b: i64) -> i64 {
    let (x, n) = (a as isize, (b & 63) as u32);
    ((x << n) ^ (x >> n)) as i64
}

pub fn isize_comparisons(a: i64, b: i64) -> i64 {
    let (x, y) = (a as isize, b as isize);
    (x < y) as i64 + 2 * (x <= y) as i64 + 4 * (x == y) as i64 + 8 * (x > y) as i64
}

pub fn isize_casts(a: i64, b: i64) -> i64 {
    let x = a as isize;
    let narrow = (x as i8) as i64 + (x as u16) as i64;
    narrow.wrapping_mul(3) ^ (x as u32) as i64 ^ (b as isize) as i64
}

pub fn isize_compound(a: i64, b: i64) -> i64 {
    let mut x = a as isize;
    x += b as isize;
    x ^= 0x35;
    x -= 7;
    x |= 4;
    x <<= 2;
    x *= 5;
    x >>= 1;
    x &= !16;
    x as i64
}

pub fn isize_division(a: i64, b: i64) -> i64 {
    let (x, y) = (a as isize, (b as isize) | 1);
    if y == !0 {
        return 1;
    }
    (x / y).wrapping_mul(3) as i64 + (x % y) as i64
}

pub fn isize_patterns(a: i64, b: i64) -> i64 {
    match a as isize {
        0 => 1,
        1..=9 => 2,
        isize::MAX => 3,
        isize::MIN => 4,
        100.. => b,
        _ => 5,
    }
}

pub fn isize_floats(a: i64, b: i64) -> i64 {
    let x = (a as isize) as f64 * 0.5 + (b & 0xFF) as f64;
    (x as isize) as i64
}

pub fn u8_arithmetic(a: i64, b: i64) -> i64 {
    let (x, y) = (a as u8, b as u8);
    let sum = x + y * 3 - (x ^ y);
    ((sum & 0x5f) | (x - y)) as i64
}

pub fn u8_shifts(a: i64, b: i64) -> i64 {
    let (x, n) = (a as u8, (b & 7) as u32);
    ((x << n) ^ (x >> n)) as i64
}

pub fn u8_comparisons(a: i64, b: i64) -> i64 {
    let (x, y) = (a as u8, b as u8);
    (x < y) as i64 + 2 * (x <= y) as i64 + 4 * (x == y) as i64 + 8 * (x > y) as i64
}

pub fn u8_casts(a: i64, b: i64) -> i64 {
    let x = a as u8;
    let narrow = (x as i8) as i64 + (x as u16) as i64;
    narrow.wrapping_mul(3) ^ (x as u32) as i64 ^ (b as u8) as i64
}

pub fn u8_compound(a: i64, b: i64) -> i64 {
    let mut x = a as u8;
    x += b as u8;
    x ^= 0x35;
    x -= 7;
    x |= 4;
    x <<= 2;
    x *= 5;
    x >>= 1;
    x &= !16;
    x as i64
}

pub fn u8_division(a: i64, b: i64) -> i64 {
    let (x, y) = (a as u8, (b as u8) | 1);
    if y == !0 {
        return 1;
    }
    (x / y).wrapping_mul(3) as i64 + (x % y) as i64
}

pub fn u8_patterns(a: i64, b: i64) -> i64 {
    match a as u8 {
        0 => 1,
        1..=9 => 2,
        u8::MAX => 3,
        100.. => b,
        _ => 5,
    }
}

pub fn u8_floats(a: i64, b: i64) -> i64 {
    let x = (a as u8) as f64 * 0.5 + (b & 0xFF) as f64;
    (x as u8) as i64
}

pub fn u16_arithmetic(a: i64, b: i64) -> i64 {
    let (x, y) = (a as u16, b as u16);
    let sum = x + y * 3 - (x ^ y);
    ((sum & 0x5f) | (x - y)) as i64
}

pub fn u16_shifts(a: i64, b: i64) -> i64 {
    let (x, n) = (a as u16, (b & 15) as u32);
    ((x << n) ^ (x >> n)) as i64
}

pub fn u16_comparisons(a: i64, b: i64) -> i64 {
    let (x, y) = (a as u16, b as u16);
    (x < y) as i64 + 2 * (x <= y) as i64 + 4 * (x == y) as i64 + 8 * (x > y) as i64
}

pub fn u16_casts(a: i64, b: i64) -> i64 {
    let x = a as u16;
    let narrow = (x as i8) as i64 + (x as u16) as i64;
    narrow.wrapping_mul(3) ^ (x as u32) as i64 ^ (b as u16) as i64
}

pub fn u16_compound(a: i64, b: i64) -> i64 {
    let mut x = a as u16;
    x += b as u16;
    x ^= 0x35;
    x -= 7;
    x |= 4;
    x <<= 2;
    x *= 5;
    x >>= 1;
    x &= !16;
    x as i64
}

pub fn u16_division(a: i64, b: i64) -> i64 {
    let (x, y) = (a as u16, (b as u16) | 1);
    if y == !0 {
        return 1;
    }
    (x / y).wrapping_mul(3) as i64 + (x % y) as i64
}

pub fn u16_patterns(a: i64, b: i64) -> i64 {
    match a as u16 {
        0 => 1,
        1..=9 => 2,
        u16::MAX => 3,
        100.. => b,
        _ => 5,
    }
}

pub fn u16_floats(a: i64, b: i64) -> i64 {
    let x = (a as u16) as f64 * 0.5 + (b & 0xFF) as f64;
    (x as u16) as i64
}

pub fn u32_arithmetic(a: i64, b: i64) -> i64 {
    let (x, y) = (a as u32, b as u32);
    let sum = x + y * 3 - (x ^ y);
    ((sum & 0x5f) | (x - y)) as i64
}

pub fn u32_shifts(a: i64, b: i64) -> i64 {
    let (x, n) = (a as u32, (b & 31) as u32);
    ((x << n) ^ (x >> n)) as i64
}

pub fn u32_comparisons(a: i64, b: i64) -> i64 {
    let (x, y) = (a as u32, b as u32);
    (x < y) as i64 + 2 * (x <= y) as i64 + 4 * (x == y) as i64 + 8 * (x > y) as i64
}

pub fn u32_casts(a: i64, b: i64) -> i64 {
    let x = a as u32;
    let narrow = (x as i8) as i64 + (x as u16) as i64;
    narrow.wrapping_mul(3) ^ (x as u32) as i64 ^ (b as u32) as i64
}

pub fn u32_compound(a: i64, b: i64) -> i64 {
    let mut x = a as u32;
    x += b as u32;
    x ^= 0x35;
    x -= 7;
    x |= 4;
    x <<= 2;
    x *= 5;
    x >>= 1;
    x &= !16;
    x as i64
}

pub fn u32_division(a: i64, b: i64) -> i64 {
    let (x, y) = (a as u32, (b as u32) | 1);
    if y == !0 {
        return 1;
    }
    (x / y).wrapping_mul(3) as i64 + (x % y) as i64
}

pub fn u32_patterns(a: i64, b: i64) -> i64 {
    match a as u32 {
        0 => 1,
        1..=9 => 2,
        u32::MAX => 3,
        100.. => b,
        _ => 5,
    }
}

pub fn u32_floats(a: i64, b: i64) -> i64 {
    let x = (a as u32) as f64 * 0.5 + (b & 0xFF) as f64;
    (x as u32) as i64
}

pub fn u64_arithmetic(a: i64, b: i64) -> i64 {
    let (x, y) = (a as u64, b as u64);
    let sum = x + y * 3 - (x ^ y);
    ((sum & 0x5f) | (x - y)) as i64
}

pub fn u64_shifts(a: i64, b: i64) -> i64 {
    let (x, n) = (a as u64, (b & 63) as u32);
    ((x << n) ^ (x >> n)) as i64
}

pub fn u64_comparisons(a: i64, b: i64) -> i64 {
    let (x, y) = (a as u64, b as u64);
    (x < y) as i64 + 2 * (x <= y) as i64 + 4 * (x == y) as i64 + 8 * (x > y) as i64
}

pub fn u64_casts(a: i64, b: i64) -> i64 {
    let x = a as u64;
    let narrow = (x as i8) as i64 + (x as u16) as i64;
    narrow.wrapping_mul(3) ^ (x as u32) as i64 ^ (b as u64) as i64
}

pub fn u64_compound(a: i64, b: i64) -> i64 {
    let mut x = a as u64;
    x += b as u64;
    x ^= 0x35;
    x -= 7;
    x |= 4;
    x <<= 2;
    x *= 5;
    x >>= 1;
    x &= !16;
    x as i64
}

pub fn u64_division(a: i64, b: i64) -> i64 {
    let (x, y) = (a as u64, (b as u64) | 1);
    if y == !0 {
        return 1;
    }
    (x / y).wrapping_mul(3) as i64 + (x % y) as i64
}

pub fn u64_patterns(a: i64, b: i64) -> i64 {
    match a as u64 {
        0 => 1,
        1..=9 => 2,
        u64::MAX => 3,
        100.. => b,
        _ => 5,
    }
}

pub fn u64_floats(a: i64, b: i64) -> i64 {
    let x = (a as u64) as f64 * 0.5 + (b & 0xFF) as f64;
    (x as u64) as i64
}

pub fn usize_arithmetic(a: i64, b: i64) -> i64 {
    let (x, y) = (a as usize, b as usize);
    let sum = x + y * 3 - (x ^ y);
    ((sum & 0x5f) | (x - y)) as i64
}

pub fn usize_shifts(a: i64, b: i64) -> i64 {
    let (x, n) = (a as usize, (b & 63) as u32);
    ((x << n) ^ (x >> n)) as i64
}

pub fn usize_comparisons(a: i64, b: i64) -> i64 {
    let (x, y) = (a as usize, b as usize);
    (x < y) as i64 + 2 * (x <= y) as i64 + 4 * (x == y) as i64 + 8 * (x > y) as i64
}

pub fn usize_casts(a: i64, b: i64) -> i64 {
    let x = a as usize;
    let narrow = (x as i8) as i64 + (x as u16) as i64;
    narrow.wrapping_mul(3) ^ (x as u32) as i64 ^ (b as usize) as i64
}

pub fn usize_compound(a: i64, b: i64) -> i64 {
    let mut x = a as usize;
    x += b as usize;
    x ^= 0x35;
    x -= 7;
    x |= 4;
    x <<= 2;
    x *= 5;
    x >>= 1;
    x &= !16;
    x as i64
}

pub fn usize_division(a: i64, b: i64) -> i64 {
    let (x, y) = (a as usize, (b as usize) | 1);
    if y == !0 {
        return 1;
    }
    (x / y).wrapping_mul(3) as i64 + (x % y) as i64
}

pub fn usize_patterns(a: i64, b: i64) -> i64 {
    match a as usize {
        0 => 1,
        1..=9 => 2,
        usize::MAX => 3,
        100.. => b,
        _ => 5,
    }
}

pub fn usize_floats(a: i64, b: i64) -> i64 {
    let x = (a as usize) as f64 * 0.5 + (b & 0xFF) as f64;
    (x as usize) as i64
}

// What follows is written by `cargo run -p conformance-tables`.

/// The functions, in the order of their numbers.
#[rustfmt::skip]
pub const CASES: &[&str] = &[
    "i8_arithmetic",
    "i8_shifts",
    "i8_comparisons",
    "i8_casts",
    "i8_compound",
    "i8_division",
    "i8_patterns",
    "i8_floats",
    "i16_arithmetic",
    "i16_shifts",
    "i16_comparisons",
    "i16_casts",
    "i16_compound",
    "i16_division",
    "i16_patterns",
    "i16_floats",
    "i32_arithmetic",
    "i32_shifts",
    "i32_comparisons",
    "i32_casts",
    "i32_compound",
    "i32_division",
    "i32_patterns",
    "i32_floats",
    "i64_arithmetic",
    "i64_shifts",
    "i64_comparisons",
    "i64_casts",
    "i64_compound",
    "i64_division",
    "i64_patterns",
    "i64_floats",
    "isize_arithmetic",
    "isize_shifts",
    "isize_comparisons",
    "isize_casts",
    "isize_compound",
    "isize_division",
    "isize_patterns",
    "isize_floats",
    "u8_arithmetic",
    "u8_shifts",
    "u8_comparisons",
    "u8_casts",
    "u8_compound",
    "u8_division",
    "u8_patterns",
    "u8_floats",
    "u16_arithmetic",
    "u16_shifts",
    "u16_comparisons",
    "u16_casts",
    "u16_compound",
    "u16_division",
    "u16_patterns",
    "u16_floats",
    "u32_arithmetic",
    "u32_shifts",
    "u32_comparisons",
    "u32_casts",
    "u32_compound",
    "u32_division",
    "u32_patterns",
    "u32_floats",
    "u64_arithmetic",
    "u64_shifts",
    "u64_comparisons",
    "u64_casts",
    "u64_compound",
    "u64_division",
    "u64_patterns",
    "u64_floats",
    "usize_arithmetic",
    "usize_shifts",
    "usize_comparisons",
    "usize_casts",
    "usize_compound",
    "usize_division",
    "usize_patterns",
    "usize_floats",
];

/// Function number `case` of two numbers.
#[rustfmt::skip]
pub fn run(case: i64, a: i64, b: i64) -> i64 {
    match case {
        0 => i8_arithmetic(a, b),
        1 => i8_shifts(a, b),
        2 => i8_comparisons(a, b),
        3 => i8_casts(a, b),
        4 => i8_compound(a, b),
        5 => i8_division(a, b),
        6 => i8_patterns(a, b),
        7 => i8_floats(a, b),
        8 => i16_arithmetic(a, b),
        9 => i16_shifts(a, b),
        10 => i16_comparisons(a, b),
        11 => i16_casts(a, b),
        12 => i16_compound(a, b),
        13 => i16_division(a, b),
        14 => i16_patterns(a, b),
        15 => i16_floats(a, b),
        16 => i32_arithmetic(a, b),
        17 => i32_shifts(a, b),
        18 => i32_comparisons(a, b),
        19 => i32_casts(a, b),
        20 => i32_compound(a, b),
        21 => i32_division(a, b),
        22 => i32_patterns(a, b),
        23 => i32_floats(a, b),
        24 => i64_arithmetic(a, b),
        25 => i64_shifts(a, b),
        26 => i64_comparisons(a, b),
        27 => i64_casts(a, b),
        28 => i64_compound(a, b),
        29 => i64_division(a, b),
        30 => i64_patterns(a, b),
        31 => i64_floats(a, b),
        32 => isize_arithmetic(a, b),
        33 => isize_shifts(a, b),
        34 => isize_comparisons(a, b),
        35 => isize_casts(a, b),
        36 => isize_compound(a, b),
        37 => isize_division(a, b),
        38 => isize_patterns(a, b),
        39 => isize_floats(a, b),
        40 => u8_arithmetic(a, b),
        41 => u8_shifts(a, b),
        42 => u8_comparisons(a, b),
        43 => u8_casts(a, b),
        44 => u8_compound(a, b),
        45 => u8_division(a, b),
        46 => u8_patterns(a, b),
        47 => u8_floats(a, b),
        48 => u16_arithmetic(a, b),
        49 => u16_shifts(a, b),
        50 => u16_comparisons(a, b),
        51 => u16_casts(a, b),
        52 => u16_compound(a, b),
        53 => u16_division(a, b),
        54 => u16_patterns(a, b),
        55 => u16_floats(a, b),
        56 => u32_arithmetic(a, b),
        57 => u32_shifts(a, b),
        58 => u32_comparisons(a, b),
        59 => u32_casts(a, b),
        60 => u32_compound(a, b),
        61 => u32_division(a, b),
        62 => u32_patterns(a, b),
        63 => u32_floats(a, b),
        64 => u64_arithmetic(a, b),
        65 => u64_shifts(a, b),
        66 => u64_comparisons(a, b),
        67 => u64_casts(a, b),
        68 => u64_compound(a, b),
        69 => u64_division(a, b),
        70 => u64_patterns(a, b),
        71 => u64_floats(a, b),
        72 => usize_arithmetic(a, b),
        73 => usize_shifts(a, b),
        74 => usize_comparisons(a, b),
        75 => usize_casts(a, b),
        76 => usize_compound(a, b),
        77 => usize_division(a, b),
        78 => usize_patterns(a, b),
        79 => usize_floats(a, b),
        _ => panic!("there is no such function"),
    }
}
