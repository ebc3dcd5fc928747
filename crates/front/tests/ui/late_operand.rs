use verdigris::{Map, prelude::*};

#[portal]
fn run(code: i64, mut acc: i64) -> i64 {
    let map = !Map::new();
    map.insert(code, acc);
    loop {
        merge_point!(greens = [code], reds = [acc]);
        acc += code;
    }
}
