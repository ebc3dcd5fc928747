use verdigris::prelude::*;

type Binary = fn(i64, i64) -> i64;

fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[opaque]
fn register(f: Binary) {}

#[opaque]
fn find(n: i64) -> Option<Binary> {
    None
}

#[portal]
fn run(mut acc: i64, last: Option<Binary>) -> Binary {
    let mut pc = 0;
    loop {
        merge_point!(greens = [pc], reds = [acc]);
        register(add);
        if let Some(f) = find(pc) {
            acc = f(acc, acc);
        }
        pc += 1;
        can_enter_jit!();
    }
}
