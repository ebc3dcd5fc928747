use verdigris::prelude::*;

macro_rules! my_macro {
    ($e:expr) => {
        $e
    };
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        println!("{}", x);
        let s = vec![x];
        x = my_macro!(x);
    }
}
