//! Macros that have names of the standard library's, but are not.

use verdigris::prelude::*;

macro_rules! matches {
    ($value:expr, $pattern:pat) => {
        false
    };
}

mod inner {
    macro_rules! define {
        () => {
            macro_rules! assert {
                ($condition:expr) => {};
            }
        };
    }
    macro_rules! mine {
        ($($any:tt)*) => {
            0
        };
    }
    pub(crate) use mine as line;
    define!();
}

#[portal]
pub fn run(n: i64) -> i64 {
    let mut i = 0;
    loop {
        merge_point!(greens = [], reds = [i, n]);
        if i >= n {
            return i;
        }
        // Not the one of the crate.
        if std::matches!(i, 7) || core::matches!(i, 8) {
            i += 1;
        }
        if matches!(i, 3) {
            i += 1;
        }
        assert!(i < 1_000);
        i += line!() as i64 + i64::from(crate::inner::cfg!(unix));
        i += 1;
        can_enter_jit!(greens = [], reds = [i, n]);
    }
}
