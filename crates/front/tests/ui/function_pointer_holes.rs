use verdigris::prelude::*;

fn same<T>(x: T) -> T {
    x
}

#[portal]
fn run(mut acc: i64) -> i64 {
    let mut pc = 0;
    loop {
        merge_point!(greens = [pc], reds = [acc]);
        let h = same;
        acc += none(acc);
        pc += 1;
        can_enter_jit!();
    }
}

fn none(x: i64) -> i64 {
    let f: Option<fn(_) -> i64> = None;
    match f {
        Some(f) => f(x),
        None => 0,
    }
}
