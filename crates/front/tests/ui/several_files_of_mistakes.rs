use verdigris::prelude::*;

mod a {
    pub fn first(x: i64) -> i64 {
        String::new();
        x
    }
}
mod b {
    pub fn second(x: i64) -> i64 {
        Box::new(x);
        x
    }
}
use a::*;
use b::second;
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = first(x) + second(x);
    }
}
