//! Macros of the crate that have no expansion, or whose expansions are no traced code.

use verdigris::prelude::*;

macro_rules! only_names {
    ($($name:ident),*) => {
        0
    };
}
macro_rules! expression {
    ($value:expr) => {
        $value
    };
    (+) => {
        0
    };
}
macro_rules! endless {
    ($($any:tt)*) => {
        endless!($($any)* +)
    };
}
macro_rules! more_and_more {
    ($($any:tt)*) => {
        more_and_more!($($any)* $($any)* $($any)* $($any)*)
    };
}
macro_rules! ambiguous {
    ($($name:ident)* $last:ident) => {
        0
    };
}
macro_rules! unfinished {
    ($value:expr) => {
        $value +
    };
}
macro_rules! unequal {
    ($($a:ident),* ; $($b:ident),*) => {
        0 $(+ $a * $b)*
    };
}
macro_rules! undefined {
    () => {
        undefined_name
    };
}
macro_rules! unlike_types {
    ($value:expr) => {
        $value + true
    };
}
macro_rules! checked {
    ($a:expr, $b:expr) => {{
        let left = $a;
        assert!($a < $b);
        assert!($a < $b, "{left}");
        assert!($a < $b, stringify!($a + $b));
    }};
}
mod inner {
    macro_rules! private {
        () => {
            0
        };
    }
}

#[portal]
pub fn run(n: i64) -> i64 {
    let mut i = 0;
    loop {
        merge_point!(greens = [], reds = [i, n]);
        if i >= n {
            return i;
        }
        i += only_names!(a, 1);
        i += expression!(1 +);
        i += endless!();
        i += more_and_more!(x);
        i += ambiguous!(a b);
        i += unfinished!(i);
        i += unequal!(i, n; i);
        i += undefined!();
        i += unlike_types!(i);
        checked!(i, n);
        i += private!();
        i += crate::inner::private!();
        i += before!();
        i += i64::from(crate::inner::cfg!(unix));
        i += 1;
        can_enter_jit!(greens = [], reds = [i, n]);
    }
}

macro_rules! before {
    () => {
        0
    };
}
