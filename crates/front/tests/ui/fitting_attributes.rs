// Each function has a loop, and another attribute that fits it.
use verdigris::prelude::*;

#[gc]
struct Table {
    used: Cell<i64>,
    size: i64,
    slots: GcArray<Cell<i64>>,
    next: Option<Gc<Table>>,
}

fn gcd(mut a: i64, mut b: i64) -> i64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn depth(table: Gc<Table>) -> i64 {
    let (mut depth, mut at) = (0, table.next);
    while let Some(next) = at {
        depth += next.size;
        at = next.next;
    }
    depth
}

impl Table {
    fn find(&self, wanted: i64) -> i64 {
        let mut at = 0;
        while at < self.used.get() {
            if self.slots[at as usize].get() == wanted {
                return at;
            }
            at += 1;
        }
        -1
    }

    fn clear(&self) {
        for at in 0..self.slots.len() {
            self.slots[at].set(0);
        }
        self.used.set(0);
    }

    fn powers(n: i64) -> i64 {
        let mut power = 1;
        while power < n {
            power *= 2;
        }
        power
    }
}

fn copied(table: Gc<Table>, wanted: i64) -> Gc<Table> {
    let mut at = table;
    while let Some(next) = at.next {
        at = next;
    }
    Gc::new(Table { used: Cell::new(wanted), size: 0, slots: at.slots, next: None })
}

#[opaque]
fn log(n: i64) {
    println!("{n}");
}

fn shown(n: i64) -> i64 {
    for i in 0..n {
        log(i);
    }
    n
}

fn unknown(n: i64) -> i64 {
    let mut sum = 0;
    for i in 0..n {
        sum += others(i);
    }
    sum
}

#[opaque]
fn others(n: i64) -> i64 {
    let call: Box<dyn Fn(i64) -> i64> = serde::read(n);
    call(n)
}

fn few(x: i64) -> i64 {
    let mut sum = 0;
    for i in 0..3 {
        sum += x + i;
    }
    sum
}

fn counts(count: &mut i64) {
    for _ in 0..*count {
        *count += 1;
    }
}

fn repeat(n: i64, f: impl Fn(i64) -> i64) -> i64 {
    let mut x = 0;
    for _ in 0..n {
        x = f(x);
    }
    x
}

fn visited(table: Gc<Table>, n: i64) -> i64 {
    table.used.set(table.used.get() + 1);
    match table.next {
        Some(next) => visited(next, n + 1),
        None => n,
    }
}

#[portal]
fn run(table: Gc<Table>, mut x: i64) -> i64 {
    let mut pc: usize = 0;
    loop {
        merge_point!(greens = [pc], reds = [x, table]);
        pc += 1;
        x = gcd(x, 12) + depth(table) + table.find(x) + Table::powers(x) + copied(table, x).size;
        table.clear();
        x += shown(x) + unknown(x) + few(x) + visited(table, 0);
        counts(&mut x);
        x = repeat(x, |y| y + 1);
    }
}
