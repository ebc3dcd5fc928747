use verdigris::prelude::*;


#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        let (a, b) = (x, x);
        match x {
            ref y if *y > 0 => {}
            [a, ..] => {}
            1.5 => {}
            9..=3 => {}
            "text" => {}
            std::f64::consts::PI => {}
        Some(3) => {}
        &3 => {}
            _ => return a + b,
        }
    }
}
