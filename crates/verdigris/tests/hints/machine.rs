//! An interpreter whose hints are not true. In: a program of one-byte operations. Out: a sum. The test translates this file and is
//! compiled with it.

use verdigris::prelude::*;

#[gc]
pub struct Settings {
    pub code: GcArray<u8>,
    pub scale: i64,
    pub flag: Quasi<i64>,
    pub count: Cell<i64>,
}

#[gc]
pub struct Receipt {
    pub number: i64,
    pub turn: Cell<i64>,
    pub next: Option<Gc<Receipt>>,
}

pub const TICKET: u8 = 0;
pub const TICKETS: u8 = 1;
pub const SCALE: u8 = 2;
pub const FLAG: u8 = 3;
pub const ITEM: u8 = 4;
pub const LOOK: u8 = 5;
pub const MEDDLE: u8 = 6;
pub const SET: u8 = 7;
pub const HONEST: u8 = 8;
pub const LOOP: u8 = 9;
pub const STOP: u8 = 10;
pub const JUMP: u8 = 11;
pub const FORGED: u8 = 12;
pub const COPIED: u8 = 13;

thread_local! {
    static TICKETS_SOLD: std::cell::Cell<i64> = const { std::cell::Cell::new(0) };
}

fn sell() -> i64 {
    TICKETS_SOLD.set(TICKETS_SOLD.get() + 1);
    TICKETS_SOLD.get()
}

#[elidable]
pub fn ticket(n: i64) -> i64 {
    n + sell()
}

fn receipt(number: i64) -> Gc<Receipt> {
    Gc::new(Receipt {
        number,
        turn: Cell::new(0),
        next: None,
    })
}

#[elidable]
pub fn forged(n: i64) -> Gc<Receipt> {
    Gc::new(Receipt {
        number: n,
        turn: Cell::new(0),
        next: Some(receipt(sell())),
    })
}

#[elidable]
pub fn copied(n: i64) -> Gc<Receipt> {
    Gc::new(Receipt {
        number: n,
        turn: Cell::new(sell()),
        next: Some(receipt(n + 1)),
    })
}

#[elidable]
pub fn honest(n: i64) -> i64 {
    n * 2
}

#[elidable]
pub fn target(pc: usize) -> usize {
    // Every 64th time it is somewhere else.
    pc + (sell() % 64 == 63) as usize
}

#[readonly]
pub fn look(settings: Gc<Settings>) -> i64 {
    settings.count.get() + sell()
}

#[opaque]
pub fn meddle(settings: Gc<Settings>, left: i64) {
    if left == 100 {
        // SAFETY: none, which is what the test is about.
        unsafe {
            (&raw const settings.scale).cast_mut().write_volatile(9);
            (&raw const settings.flag)
                .cast::<i64>()
                .cast_mut()
                .write_volatile(8);
            (&raw const settings.code.as_slice()[0])
                .cast_mut()
                .write_volatile(77);
        }
    }
}

#[opaque]
pub fn set(settings: Gc<Settings>, left: i64) {
    if left % 50 == 0 {
        settings.flag.set(left);
    }
}

#[portal]
pub fn run(settings: Gc<Settings>, turns: i64) -> i64 {
    let mut pc: usize = 1;
    let mut acc: i64 = 0;
    let mut left = turns;
    loop {
        merge_point!(greens = [pc, settings], reds = [acc, left]);
        let op = settings.code[pc];
        pc += 1;
        match op {
            TICKET => acc += ticket(3),
            TICKETS => acc += ticket(left) - ticket(left),
            SCALE => acc += settings.scale,
            FLAG => acc += settings.flag.get(),
            ITEM => acc += settings.code[0] as i64,
            LOOK => acc += look(settings) - look(settings),
            MEDDLE => meddle(settings, left),
            SET => set(settings, left),
            FORGED => acc += forged(7).number,
            COPIED => acc += copied(7).number,
            JUMP => pc = target(pc),
            HONEST => acc += honest(7) + honest(left) + honest(left),
            LOOP => {
                left -= 1;
                if left > 0 {
                    pc = 1;
                    can_enter_jit!();
                }
            }
            STOP => return acc,
            _ => panic!("no such operation"),
        }
    }
}
