use verdigris::prelude::*;

trait Area {
    fn area(self) -> i64;
}

#[derive(Clone, Copy)]
struct Square {
    side: i64,
}

impl Area for Square {
    fn area() -> i64 {
        4
    }
}

#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        let square = Square { side: x };
        x = square.area() + Area::area(square);
    }
}
