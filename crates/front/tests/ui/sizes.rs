//! Sizes that Rust does not guarantee.

use verdigris::prelude::*;

#[gc]
struct Node {
    value: i64,
}

#[portal]
fn run(n: i64) -> i64 {
    let mut i = 0;
    loop {
        merge_point!(greens = [], reds = [i, n]);
        i += size_of::<[Option<Gc<Node>>; 3]>() as i64 + size_of::<char>() as i64;
        i += size_of::<(i64, u8)>() as i64;
        i += std::mem::size_of::<Option<i64>>() as i64;
        i += std::mem::size_of::<[(u8, u8); 2]>() as i64;
        if i > n {
            return i;
        }
        can_enter_jit!();
    }
}
