use verdigris::prelude::*;
#[gc]
struct P {}
impl P {
    #[portal]
    fn run(x: i64) -> i64 {
        loop {
            merge_point!(greens = [], reds = [x]);
            return x;
        }
    }
}
