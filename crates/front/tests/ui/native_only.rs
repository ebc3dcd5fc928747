//! Functions of the library that are for native code only, called in traced code; opaque functions may call them.

use verdigris::{library::prelude::*, prelude::*};

#[opaque]
fn sum(list: Gc<List<i64>>) -> i64 {
    list.iter().sum()
}

fn length(text: Gc<Bytes>) -> usize {
    text.as_slice().len()
}

#[portal]
fn run(mut n: i64, text: Gc<Bytes>, list: Gc<List<i64>>, names: Gc<Interner>) -> i64 {
    let map = Map::<i64, i64>::new();
    loop {
        merge_point!(greens = [], reds = [n, text, list, names, map]);
        let other = Bytes::new(b"abc");
        for item in list.iter() {
            n += item;
        }
        for (key, value) in map.iter() {
            n += key + value;
        }
        let name = names.intern_text("abc");
        let first = name.text().as_str().len();
        let builder = StrBuilder::new();
        builder.push_text("abc");
        let list = List::from_slice(&[1, 2, 3]);
        let text = Str::new("abc");
        n -= sum(list) + length(other) as i64;
        if n < 0 {
            return n;
        }
    }
}
