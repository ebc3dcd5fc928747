//! Mistakes whose token is in the library's source are shown at the call; those of several instances once.

use verdigris::{Map, prelude::*};

#[value]
#[derive(Clone, Copy, PartialEq)]
pub enum Value {
    Int(i64),
    Nil,
}

fn first<T: Copy>(x: T) -> i64 {
    println!("{x}");
    0
}

fn look_up(map: Gc<Map<Value, i64>>) -> Option<i64> {
    map.get(Value::Nil)
}

#[portal]
fn run(mut n: i64, map: Gc<Map<Value, i64>>) -> i64 {
    loop {
        merge_point!(greens = [], reds = [n, map]);
        n -= map.get(Value::Int(n)).unwrap_or(1);
        map.insert(Value::Nil, 3);
        if let Some(found) = look_up(map) {
            n -= found;
        }
        map.remove(Value::Nil);
        map.contains(Value::Nil);
        n += first(1i64) + first(true) + first(1.0) + first(2u8) + first(2u16);
        if n < 0 {
            return n;
        }
    }
}
