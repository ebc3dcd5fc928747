//! A mistake in a token of a macro is shown at that token, once for all uses of the macro.

use verdigris::prelude::*;

macro_rules! handlers {
    ($($name:ident $value:literal)*) => {
        $(
            fn $name(x: i64) -> i64 {
                let items = vec![x, $value];
                nowhere(x)
            }
        )*
    };
}
macro_rules! counts {
    ($name:ident) => {
        fn $name(x: i64) -> i64 {
            let mut y = 0;
            while y < x {
                y += 1;
            }
            y
        }
    };
}
macro_rules! add {
    ($to:ident, $value:expr) => {
        $to += $value + missing
    };
}
macro_rules! outer {
    ($to:ident) => {
        add!($to, 3)
    };
}
macro_rules! twice {
    ($value:expr) => {
        $value * 2
    };
}

handlers! {
    one 1
    two 2
    three 3
}
counts!(first);
counts!(second);
counts!(third);
counts!(fourth);
counts!(fifth);

#[portal]
fn run(mut n: i64) -> i64 {
    loop {
        merge_point!(greens = [], reds = [n]);
        n += one(n) + two(n) + three(n);
        n += first(n) + second(n) + third(n) + fourth(n) + fifth(n);
        add!(n, 1);
        add!(n, 2);
        outer!(n);
        // What is wrong with arguments is no mistake of the macro.
        n += twice!(true);
        n += twice!(absent);
        if n < 3 {
            return n;
        }
    }
}
