use verdigris::prelude::*;

struct Guard {
    depth: i64,
}
impl Drop for Guard {
    fn drop(&mut self) {
        println!("left {}", self.depth);
    }
}
#[portal]
fn run(mut x: i64) -> i64 {
    loop {
        merge_point!(greens = [], reds = [x]);
        let guard = Guard { depth: x };
        x += guard.depth;
        let more = Some(Guard { depth: 1 });
        if more.is_some() {
            return x;
        }
    }
}
