use verdigris::prelude::*;
verdigris::include_jit!();

#[gc]
struct Pair {
    left: i64,
    count: Cell<i64>,
}

#[gc]
struct Other {
    left: i64,
}

fn a_field_that_changes(pair: Gc<Pair>) -> i64 {
    let Pair { left, count } = *pair;
    left
}

fn a_field_that_is_missing(pair: Gc<Pair>) -> i64 {
    let Pair { left } = *pair;
    left
}

fn a_field_that_is_not_there(pair: Gc<Pair>) -> i64 {
    let Pair { left, right, .. } = *pair;
    left + right
}

fn another_class(pair: Gc<Pair>) -> i64 {
    let Other { left } = *pair;
    left
}

fn in_a_match(pair: Gc<Pair>) -> i64 {
    match *pair {
        Pair { left: 0, .. } => 1,
        Pair { left, .. } => left,
    }
}

fn items_that_change(items: GcArray<Cell<i64>>) -> i64 {
    match items.first() {
        Some(item) => item.get(),
        None => 0,
    }
}

fn too_many(items: GcArray<i64>) -> bool {
    items.last(1).is_some() || items.get().is_some()
}

#[portal]
fn run(pair: Gc<Pair>, items: GcArray<Cell<i64>>, plain_items: GcArray<i64>) -> i64 {
    let mut pc = 0usize;
    loop {
        merge_point!(greens = [pc], reds = [pair, items, plain_items]);
        pc += 1;
        a_field_that_changes(pair);
        a_field_that_is_missing(pair);
        a_field_that_is_not_there(pair);
        another_class(pair);
        in_a_match(pair);
        items_that_change(items);
        too_many(plain_items);
        can_enter_jit!();
    }
}
