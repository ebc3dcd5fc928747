use verdigris::prelude::*;


#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        let a = None;
        let b = GcArray::new(3, 1u8);
        if a.is_some() { return x; }
    }
}
