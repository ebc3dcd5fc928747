//! An interpreter whose hints are not true. In: a program of one-byte operations. Out: a sum. The
//! test translates this file and is compiled with it.

use verdigris::{prelude::*, readonly, record_exact_class};

#[gc]
pub struct Settings {
    pub code: GcArray<u8>,
    pub scale: i64,
    pub flag: Quasi<i64>,
    pub count: Cell<i64>,
    pub written: GcArray<Cell<i64>>,
}

#[gc]
pub struct Receipt {
    pub number: i64,
    pub turn: Cell<i64>,
    pub next: Option<Gc<Receipt>>,
}

#[gc]
pub struct Cat {
    pub lives: i64,
}

/// Laid out as a [`Cat`], so that code that takes it for one does no harm.
#[gc]
pub struct Dog {
    pub age: i64,
}

#[object(Animal)]
pub enum AnimalKind {
    Cat(Gc<Cat>),
    Dog(Gc<Dog>),
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
pub const CAT: u8 = 14;
pub const PEEP: u8 = 15;
pub const COUNT: u8 = 16;
pub const NOTE: u8 = 17;
pub const TRUE: u8 = 18;

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
pub fn animal(settings: Gc<Settings>, left: i64) -> Animal {
    match left == 100 && settings.scale > 1 {
        true => Animal::from(Gc::new(Dog { age: 5 })),
        false => Animal::from(Gc::new(Cat { lives: 7 })),
    }
}

#[opaque]
pub fn set(settings: Gc<Settings>, left: i64) {
    if left % 50 == 0 {
        settings.flag.set(left);
    }
}

/// It is said to look at nothing.
#[opaque(reads(), writes())]
pub fn peep(settings: Gc<Settings>) -> i64 {
    settings.count.get()
}

/// It is said to write nothing; that it reads the count is read off the source.
#[opaque(writes())]
pub fn count(settings: Gc<Settings>) {
    settings.count.set(settings.count.get() + 1);
}

/// What it calls writes something else than it is said to write.
#[opaque(reads(Settings.count), writes(Settings.count))]
pub fn note(settings: Gc<Settings>, left: i64) {
    settings.count.set(left);
    note_in(settings.written, left);
}

fn note_in(written: GcArray<Cell<i64>>, left: i64) {
    written[left as usize % written.len()].set(left);
}

/// What it makes itself it need not say.
#[opaque(reads(Settings.count), writes(Settings.count, GcArray<Cell<i64>>[]))]
pub fn true_to_its_word(settings: Gc<Settings>, left: i64) -> i64 {
    let receipt = receipt(left);
    receipt.turn.set(settings.count.get() + 1);
    settings.count.set(receipt.turn.get());
    note_in(settings.written, left);
    settings.written[0].get()
}

#[portal(location = location)]
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
            CAT => {
                let animal = animal(settings, left);
                // SAFETY: none once it is a dog, which is what the test is about.
                unsafe { record_exact_class::<Cat>(animal) };
                match animal.kind() {
                    AnimalKind::Cat(cat) => acc += cat.lives,
                    AnimalKind::Dog(dog) => acc += 100 * dog.age,
                }
            }
            SCALE => acc += settings.scale,
            FLAG => acc += settings.flag.get(),
            ITEM => acc += settings.code[0] as i64,
            LOOK => acc += look(settings) - look(settings),
            MEDDLE => meddle(settings, left),
            SET => set(settings, left),
            PEEP => acc += peep(settings),
            COUNT => count(settings),
            NOTE => note(settings, left),
            TRUE => acc += true_to_its_word(settings, left),
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

fn location(pc: usize, _settings: Gc<Settings>) -> Location {
    Location::new().offset(pc)
}
