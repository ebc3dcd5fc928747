use verdigris::prelude::*;

const MESSAGE: &str = "no";
mod inner {
    #[derive(Debug)]
    pub struct Hidden {
        x: i64,
    }
    pub fn hide(x: i64) -> Hidden {
        Hidden { x }
    }
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        match x {
            0 => panic!("bad value {:?}", inner::hide(x)),
            1 => panic!("{:?}", (x, x, x, (x, x, x), (x, x, x, x, x))),
            2 => assert!(x > pc as i64, MESSAGE),
            3 => assert_eq!(x),
            4 => panic!("bad value {y}"),
            _ => return x,
        }
    }
}
