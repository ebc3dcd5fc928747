use verdigris::{elidable_promote, is_constant, look_inside_iff, prelude::*};

#[look_inside_iff(few)]
#[opaque]
fn both(n: i64) -> i64 {
    n
}

#[elidable_promote]
#[elidable]
fn twice(n: i64) -> i64 {
    n
}

fn few(n: i64) -> bool {
    is_constant(n)
}

#[look_inside_iff(missing)]
fn no_predicate(n: i64) -> i64 {
    n
}

#[look_inside_iff(number)]
fn a_number(n: i64) -> i64 {
    n
}

fn number(n: i64) -> i64 {
    n
}

#[look_inside_iff(few)]
fn outside_of_the_subset(n: i64) -> i64 {
    vec![n].len() as i64
}

#[gc]
struct Box {
    n: i64,
}

impl Box {
    #[look_inside_iff(few)]
    fn cannot_see(n: i64) -> i64 {
        n
    }

    #[elidable_promote]
    fn cannot_see_either(n: i64) -> i64 {
        n
    }
}

#[elidable_promote]
fn a_reference(text: &str, n: i64) -> i64 {
    n + text.len() as i64
}

#[portal]
fn run(mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x]);
        pc += 1;
        x = both(x) + twice(x) + no_predicate(x) + a_number(x) + outside_of_the_subset(x);
        x += Box::cannot_see(x) + Box::cannot_see_either(x) + a_reference("x", x);
    }
}
