use verdigris::prelude::*;


#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        let a: u8 = 256;
        let b: i8 = -129;
        let c = 340282366920938463463374607431768211456;
        match x as i8 { 128 => return x, -1_000 => {} _ => {} }
    }
}
