use verdigris::prelude::*;

#[portal]
fn run(code: i64, mut acc: i64) -> i64 {
    let mut by = None;
    if let Some(n) = by {
        acc = acc << n;
    }
    by = Some(1.5);
    loop {
        merge_point!(greens = [code], reds = [acc]);
        acc += code;
    }
}
