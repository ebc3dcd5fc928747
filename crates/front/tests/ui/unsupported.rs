use verdigris::prelude::*;


#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        let f = |y: i64| y + 1;
        let t = (x, pc);
        let r = &x;
        let a = [x; 3];
        unsafe { *std::ptr::null::<i64>() };
        let z = x..9;
        x = async { 1 }.await;
    }
}
