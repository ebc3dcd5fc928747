//! Floats as decimal text, as C's `%f` and `%g` write them.
//!
//! In: a finite float that is not negative, and how many digits there may be. Out: the same text as
//! of `{:.N}`, or its digits. Invariant: what is written is the float's exact value, rounded half
//! to even.
//!
//! Most floats of a program are the result of few operations on short decimals, for which exact
//! algorithms take longest. So the fewest digits that tell a float from all others (Steele and
//! White, 1990; Ryū, Adams 2018) are rounded instead. A number halfway between two results that
//! lies between the float and its fewest digits would be shorter than these, so rounding them gives
//! the same, unless they are such a number themselves.

/// The most digits that tell a float from all others.
const MOST: usize = 17;

/// The most digits to which the fewest digits may be rounded instead of the float: up to here half
/// the distance between neighbouring floats is less than half a unit of the last digit.
pub const EXACT: usize = 15;

/// Decimal digits: `d.ddd * 10^exponent`, the first of them not 0 unless the number is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digits {
    digits: [u8; MOST],
    count: usize,
    exponent: i32,
}

impl Digits {
    /// The fewest digits that tell a float from all others.
    fn shortest(value: f64) -> Digits {
        let mut buffer = ryu::Buffer::new();
        let text = buffer.format_finite(value).as_bytes();
        let (mut digits, mut count) = ([0; MOST], 0);
        let (mut exponent, mut point) = (0, None);
        let (mut before, mut zeros) = (0, 0);
        for (at, &byte) in text.iter().enumerate() {
            match byte {
                b'.' => point = Some(before),
                b'e' => {
                    let rest = std::str::from_utf8(&text[at + 1..]).ok();
                    exponent = rest.and_then(|rest| rest.parse().ok()).unwrap_or(0);
                    break;
                }
                b'0' if count == 0 => {
                    before += 1;
                    zeros += 1;
                }
                digit => {
                    before += 1;
                    // Of an integer there may be zeros beyond the digits.
                    if count < MOST {
                        digits[count] = digit;
                        count += 1;
                    }
                }
            }
        }
        while count > 0 && digits[count - 1] == b'0' {
            count -= 1;
        }
        Digits {
            digits,
            count,
            exponent: match count {
                0 => 0,
                _ => exponent + point.unwrap_or(before) - zeros - 1,
            },
        }
    }

    /// A float, rounded to so many digits: [`EXACT`] at most.
    pub fn of(value: f64, count: usize) -> Digits {
        debug_assert!((1..=EXACT).contains(&count));
        let mut digits = Digits::shortest(value);
        // The smallest floats have fewer exact digits, and so have the fewest that tell them apart.
        match !value.is_subnormal() && digits.round(count) {
            true => digits,
            false => Digits::exactly(value, count),
        }
    }

    /// The same by the exact algorithm.
    #[cold]
    fn exactly(value: f64, count: usize) -> Digits {
        let text = format!("{value:.*e}", count - 1);
        let (mantissa, exponent) = text.split_once('e').expect("there is an exponent");
        let mut digits = [0; MOST];
        let figures = mantissa.bytes().filter(u8::is_ascii_digit);
        for (digit, figure) in digits.iter_mut().zip(figures) {
            *digit = figure;
        }
        let mut made = Digits {
            digits,
            count,
            exponent: exponent.parse().expect("it is a number"),
        };
        made.trim();
        made
    }

    /// Rounds to so many digits. False if that is halfway between two results.
    fn round(&mut self, count: usize) -> bool {
        if count >= self.count {
            return true;
        }
        if self.count == count + 1 && self.digits[count] == b'5' {
            return false;
        }
        let up = self.digits[count] >= b'5';
        self.count = count;
        if up {
            self.increment();
        }
        self.trim();
        true
    }

    /// Adds one to the last digit.
    fn increment(&mut self) {
        while self.count > 0 {
            let last = &mut self.digits[self.count - 1];
            if *last < b'9' {
                *last += 1;
                return;
            }
            self.count -= 1;
        }
        self.digits[0] = b'1';
        self.count = 1;
        self.exponent += 1;
    }

    /// Removes zeros at the end.
    fn trim(&mut self) {
        while self.count > 0 && self.digits[self.count - 1] == b'0' {
            self.count -= 1;
        }
    }

    /// The power of ten of the first digit.
    pub fn exponent(&self) -> i32 {
        self.exponent
    }

    /// Appends them without an exponent, and `decimals` behind the point, or as many as there are.
    /// There is no point if there is nothing behind it.
    pub fn put_plain(&self, text: &mut String, decimals: Option<usize>) {
        let digit = |power: i32| {
            let at = usize::try_from(self.exponent - power).ok();
            let digit = at.filter(|&at| at < self.count).map(|at| self.digits[at]);
            char::from(digit.unwrap_or(b'0'))
        };
        for power in (0..=self.exponent.max(0)).rev() {
            text.push(digit(power));
        }
        let there = (self.count as i32 - 1 - self.exponent).max(0) as usize;
        let decimals = decimals.unwrap_or(there);
        if decimals > 0 {
            text.push('.');
            text.extend((1..=decimals as i32).map(|power| digit(-power)));
        }
    }

    /// Appends them as `d.ddd`: as many as there are.
    pub fn put_mantissa(&self, text: &mut String) {
        let first = self.digits[..self.count].first();
        text.push(char::from(first.copied().unwrap_or(b'0')));
        if self.count > 1 {
            text.push('.');
            text.extend(self.digits[1..self.count].iter().copied().map(char::from));
        }
    }
}

/// Powers of ten. A float below that of [`EXACT`] less so many decimals has no more than [`EXACT`]
/// digits with these.
const POWERS: [f64; EXACT + 1] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

/// A finite float that is not negative, with so many digits behind the point: `{:.N}`.
pub fn fixed(value: f64, decimals: usize) -> String {
    let is_exact = decimals <= EXACT && value < POWERS[EXACT - decimals.min(EXACT)];
    let rounded = is_exact.then(|| {
        let mut digits = Digits::shortest(value);
        let kept = digits.exponent + 1 + decimals as i32;
        match usize::try_from(kept) {
            // Less than a tenth of the last digit.
            Err(_) => {
                digits.count = 0;
                Some(digits)
            }
            Ok(kept) => digits.round(kept).then_some(digits),
        }
    });
    let Some(Some(digits)) = rounded else {
        return format!("{value:.decimals$}");
    };
    let mut text = String::with_capacity(decimals + 18);
    digits.put_plain(&mut text, Some(decimals));
    text
}
