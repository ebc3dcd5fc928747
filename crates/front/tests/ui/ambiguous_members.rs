use verdigris::prelude::*;

trait Area {
    fn area(self) -> i64;
    fn count(&self) -> i64;
}
trait Size {
    fn size(self) -> i64;
}
trait Extent {
    fn size(self) -> i64;
}
#[derive(Clone, Copy)]
struct Square(i64);
impl Square {
    fn area(&self) -> i64 {
        self.0
    }
    fn count(&self) -> i64 {
        1
    }
}
impl Area for Square {
    fn area(self) -> i64 {
        2
    }
    fn count(&self) -> i64 {
        3
    }
}
impl Size for Square {
    fn size(self) -> i64 {
        4
    }
}
impl Extent for Square {
    fn size(self) -> i64 {
        5
    }
}
trait Named {
    fn name(self) -> i64;
}
#[gc]
struct Thing {
    n: i64,
}
impl Thing {
    fn name(&self) -> i64 {
        self.n
    }
    fn twice(&self) -> i64 {
        self.name() * 2
    }
}
impl Named for Gc<Thing> {
    fn name(self) -> i64 {
        7
    }
}
fn counts<T: Area + Copy>(t: T) -> i64 {
    let copy = t;
    t.count() + copy.count()
}
#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        let s = Square(x);
        x = s.area() + s.count() + counts(s) + s.size();
        x += Gc::new(Thing { n: x }).twice();
        x = Size::size(s) + Area::area(s) + Square::count(&s);
        if let Some(found) = Some(s) {
            x += found.area();
        }
    }
}
