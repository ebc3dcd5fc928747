use verdigris::prelude::*;

fn even(x: i64) -> Option<i64> {
    if x & 1 == 0 { Some(x) } else { None }
}
fn checked(x: i64) -> Result<i64, (i64, i64)> {
    if x > 0 { Ok(x) } else { Err((x, x)) }
}
#[derive(Clone, Copy)]
struct Pair {
    left: i64,
}
impl Pair {
    fn bump(&mut self, by: i64) {
        self.left += by;
    }
}
impl std::ops::AddAssign<i64> for Pair {
    fn add_assign(&mut self, by: i64) {
        self.left += by;
    }
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut n = 3;
    loop {
        merge_point!(greens = [], reds = [x, n]);
        let moved = move || x + 1;
        let add = |a: i64, b: i64| a + b;
        let other = add;
        add(1);
        let y = (|a: i64| a + 1)(x);
        even(x).map(move |v| {
            n += 1;
            v
        });
        let mut kept = even(x);
        let mut pair = Pair { left: x };
        even(x).map(move |v| {
            kept.take();
            pair.bump(v);
            pair += v;
            v
        });
        kept = even(x);
        even(x).map(|v, w| v);
        even(x).map(|v| "text");
        even(x).filter(|v| *v);
        even(x).map_or(1, |v| v > 2);
        checked(x).unwrap();
        checked(x).expect("no error");
        even(x).take();
        even(x).get_or_insert(3);
        even(x).map(|v: &mut i64| *v);
        even(x).and_then(|v| loop {
            break 'outer;
        });
        return x;
    }
}
