use verdigris::{Tier, prelude::*};

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

fn place(pc: usize) -> Location {
    pc.nowhere()
}

#[portal(can_never_inline = traced, should_unroll_one_iteration = other_types, tier = level, location = place)]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x += 1;
    }
}
