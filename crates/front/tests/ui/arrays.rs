use verdigris::prelude::*;

const EMPTY: [i64; 0] = [];
const WRONG: [i64; 2] = [1, EMPTY.len() as i64 + [1, 2][2]];
const SLICE: &[i64] = &[1, 2, 3];
const OTHER: &[i64] = SLICE;
const LARGE: [u8; 100] = [1; 100];
static mut COUNT: i64 = 0;

#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        let big = [x; 65];
        let grid = [[0u8; 16]; 16];
        let large = LARGE;
        x += WRONG[pc] + OTHER[pc];
        x += COUNT;
        let mut small = [x, 1];
        small[x] = 3;
        small[pc] = true;
        small[0][1] = 5;
        x += small[pc][0];
        match small {
            [a, b, c] => x = a,
            [a] => x = a,
            [rest @ ..] => x = 0,
        }
        let range = small[..1];
        for y in &small {
            x += y;
        }
        for y in small.iter() {
            x += y;
        }
        for y in (0..10).step_by(2).rev() {
            x += y;
        }
        [x, x + 1] = small;
    }
}
