use verdigris::prelude::*;

#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        let a = 1.5f32;
        let b: i128 = 5;
        let c = (x as f64).classify();
        let d = char::from(x as u32);
        let e = u8::try_from(2.5);
        let f = 'a' + 'b';
        let g = x.to_string();
        let h = 1.5 & 2.5;
        let i = 'a'.to_uppercase();
        let j = true.then(make);
        let k = 1.5.total_cmp(&2.5);
        match 'c' {
            'a'..='z' => x += 1,
            '\u{e000}'.. => x += 2,
        }
    }
}
