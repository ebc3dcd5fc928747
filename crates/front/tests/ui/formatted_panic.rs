use verdigris::prelude::*;

const MESSAGE: &str = "no";
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        match x {
            0 => panic!("bad value {}", x),
            1 => panic!("bad value {x}"),
            2 => assert!(x > pc as i64, MESSAGE),
            _ => return x,
        }
    }
}
