use verdigris::prelude::*;

trait Shape {
    fn area(&self) -> i64;
}
#[opaque]
fn show(text: &str) {}
fn area(shape: &dyn Shape) -> i64 {
    shape.area()
}
struct Held {
    shape: Box<dyn Shape>,
}

#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        show(env!("HOME"));
        show(concat!("a", stringify!(b)));
        show(file!());
        dbg!(x);
        let r: Result<i64, Gc<Node>> = Ok(x);
        r.unwrap();
        let message = "no";
        r.expect(message);
        x = area(&x);
    }
}

#[gc]
struct Node {}
