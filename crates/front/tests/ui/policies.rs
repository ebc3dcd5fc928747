use verdigris::prelude::*;

fn traced(pc: usize) -> bool {
    pc > 3
}

#[elidable]
fn other_types(pc: i64) -> bool {
    pc > 3
}

// The translator has no business with it.
fn level(pc: usize) -> Tier {
    Tier::ANY_OF_THEM
}

#[portal(can_never_inline = traced, should_unroll_one_iteration = other_types, tier = level)]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x += 1;
    }
}
