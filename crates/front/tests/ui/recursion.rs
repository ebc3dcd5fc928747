use verdigris::prelude::*;

fn fib(n: i64) -> i64 {
    if n < 2 { n } else { fib(n - 1) + fib(n - 2) }
}
fn even(n: i64) -> i64 {
    if n == 0 { 1 } else { odd(n - 1) }
}
fn odd(n: i64) -> i64 {
    if n == 0 { 0 } else { even(n - 1) }
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = fib(x) + even(x);
    }
}
