use verdigris::prelude::*;

struct Point { x: i64, y: i64 }
struct Pair(i64, bool);
enum Value { Nil, Int(i64), Rect { w: i64, h: i64 } }
#[derive(PartialEq)]
enum Fault { Zero }

fn fail(x: i64) -> Result<i64, Fault> { if x == 0 { Err(Fault::Zero) } else { Ok(x) } }
fn other(x: i64) -> Result<i64, i64> { Ok(fail(x)? + 1) }
fn option(x: i64) -> Option<i64> { Some(fail(x)?) }

#[portal]
fn run(x: i64) -> i64 {
    loop {
        merge_point!(greens = [], reds = [x]);
        let mut p = Point { x: 1 };
        let q = Point { x, y: 2, z: 3, x: 4 };
        let r = Pair(1);
        let v = Value::Int;
        let w = Value::Rect { w: 1 };
        let same = q.y == 1 && p == q;
        let less = (1, 2) < (x, 3);
        p.z = 1;
        p.y = true;
        r.2;
        (p.x, q) = (1, 2);
        let t: (i64, bool) = (x, x);
        let u = (1, true, x).1 + 1;
        let s = Some(x).map(|y| y);
        let e = fail(x).unwrap();
        let n = None;
        let m = Ok(x);
        let c = Value::Int(1) as i64;
        Value::Nil.area();
        return other(x).unwrap_or(0);
    }
}
