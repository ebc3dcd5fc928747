//! An interpreter that breaks its promises, in safe code. In: a program of one-byte operations, and
//! in which turn the promise is broken. Out: a sum. Invariant: without the JIT nothing worse than a
//! panic comes of it, so nothing worse may come of it with the JIT.

#![forbid(unsafe_code)]

use verdigris::VmError;
use verdigris::{KeyObject, List, Map, prelude::*, readonly};

verdigris::include_jit!();

/// What the lists and maps hold.
#[gc]
pub struct Number {
    value: i64,
}

/// An item whose first variant has a reference: zero is none of its values.
#[value]
#[derive(Clone, Copy)]
enum Item {
    Number(Gc<Number>),
    Pair(i64, Gc<Number>),
    Small(i16),
}

/// A value whose variants hold references to objects of two classes, in the same word.
#[value]
#[derive(Clone, Copy)]
enum Either {
    Number(Gc<Number>),
    Holder(Gc<Holder>),
}

/// Refers to a number where a number has its integer.
#[gc]
struct Holder {
    number: Gc<Number>,
}

/// A key that takes itself out of its map when it is compared in the wrong turn.
#[gc]
struct Traitor {
    name: i64,
    machine: Cell<Option<Gc<Machine>>>,
}

impl KeyObject for Traitor {
    fn key_hash(key: Gc<Traitor>) -> u64 {
        key.name as u64
    }
    fn key_same(a: Gc<Traitor>, b: Gc<Traitor>) -> bool {
        if let Some(machine) = b.machine.get() {
            betray(machine, a);
        }
        a.name == b.name
    }
}

/// The machine's state.
#[gc]
pub struct Machine {
    code: GcArray<u8>,
    turn: Cell<i64>,
    bad_turn: i64,
    numbers: Gc<List<Gc<Number>>>,
    items: Gc<List<Item>>,
    pairs: Gc<List<(i64, Gc<Number>)>>,
    map: Gc<Map<Gc<Traitor>, Gc<Number>>>,
    key: Cell<Option<Gc<Traitor>>>,
    cell: Cell<Item>,
    either: Cell<Either>,
    quasi: Quasi<Item>,
    cells: GcArray<Cell<Item>>,
    number: Gc<Number>,
}

impl Machine {
    fn is_bad(&self) -> bool {
        self.turn.get() == self.bad_turn
    }

    /// Puts an integer where a reference was, and a reference to an object of another class where
    /// another one was.
    fn swap_cell(&self) {
        if self.is_bad() {
            self.cell.set(Item::Small(0x1234));
            self.either.set(Either::Number(self.number));
        }
    }

    /// Looks at the tags alone.
    fn has_number(&self) -> bool {
        let is_number = matches!(self.cell.get(), Item::Number(_));
        match self.either.get() {
            Either::Holder(_) => is_number,
            Either::Number(_) => false,
        }
    }

    fn amount(&self) -> i64 {
        amount(self.cell.get())
            + match self.either.get() {
                Either::Number(number) => number.value,
                Either::Holder(holder) => holder.number.value,
            }
    }

    /// As [`Machine::swap_cell`], or the other way round.
    fn swap_cells(&self) {
        if self.is_bad() {
            for n in 0..self.cells.len() {
                self.cells[n].set(match self.cells[n].get() {
                    Item::Small(_) => Item::Number(self.number),
                    _ => Item::Small(0x1234),
                });
            }
        }
    }
}

/// Says that it changes nothing.
#[elidable]
fn clear_numbers(machine: Gc<Machine>, _turn: i64) -> i64 {
    if machine.is_bad() {
        machine.numbers.clear();
    }
    1
}

/// As [`clear_numbers`].
#[elidable]
fn clear_items(machine: Gc<Machine>, _turn: i64) -> i64 {
    if machine.is_bad() {
        machine.items.clear();
    }
    1
}

/// As [`clear_numbers`].
#[elidable]
fn clear_pairs(machine: Gc<Machine>, _turn: i64) -> i64 {
    if machine.is_bad() {
        machine.pairs.clear();
    }
    1
}

/// Changes the variant of the value in a cell, and says that it changes nothing.
#[elidable]
fn swap_cell(machine: Gc<Machine>, _turn: i64) -> i64 {
    machine.swap_cell();
    1
}

/// As [`swap_cell`].
#[readonly]
fn swap_cell_readonly(machine: Gc<Machine>, _turn: i64) -> i64 {
    machine.swap_cell();
    1
}

/// As [`swap_cell`].
#[opaque(reads(Machine.turn), writes())]
fn swap_cell_opaque(machine: Gc<Machine>) {
    machine.swap_cell();
}

/// Says nothing itself, and calls what does.
#[opaque]
fn swap_cell_inside(machine: Gc<Machine>) -> i64 {
    swap_cell(machine, machine.turn.get())
}

/// As [`swap_cell`], in an array.
#[elidable]
fn swap_cells(machine: Gc<Machine>, _turn: i64) -> i64 {
    machine.swap_cells();
    1
}

/// As [`swap_cell`], in a field that hardly changes.
#[elidable]
fn swap_quasi(machine: Gc<Machine>, _turn: i64) -> i64 {
    if machine.is_bad() {
        machine.quasi.set(Item::Small(0x1234));
    }
    1
}

/// Looks at the tag alone.
fn has_number(item: Item) -> bool {
    matches!(item, Item::Number(_))
}

fn amount(item: Item) -> i64 {
    match item {
        Item::Number(number) => number.value,
        Item::Pair(by, number) => number.value * by,
        Item::Small(n) => n as i64,
    }
}

/// Removes the key for which the map is being searched.
#[opaque(reads(), writes())]
fn betray(machine: Gc<Machine>, key: Gc<Traitor>) {
    if machine.is_bad() && machine.turn.get() >= 0 {
        machine.turn.set(-1);
        machine.map.remove(key);
    }
}

/// The interpreter.
#[portal]
fn run(machine: Gc<Machine>, turns: i64) -> i64 {
    let mut pc: usize = 0;
    let mut sum: i64 = 0;
    loop {
        merge_point!(greens = [pc, machine], reds = [sum, turns]);
        let op = machine.code[pc];
        pc += 1;
        match op {
            // Each finds out that the list has an item, calls the function, and takes the item.
            b'n' => {
                if !machine.numbers.is_empty() {
                    sum += clear_numbers(machine, machine.turn.get());
                    if let Some(number) = machine.numbers.last() {
                        sum += number.value;
                    }
                }
            }
            b'p' => {
                if !machine.numbers.is_empty() {
                    sum += clear_numbers(machine, machine.turn.get());
                    if let Some(number) = machine.numbers.pop() {
                        sum += number.value;
                        machine.numbers.push(number);
                    }
                }
            }
            b'i' => {
                if machine.items.len() > 2 {
                    sum += clear_items(machine, machine.turn.get());
                    for n in 0..3 {
                        sum += match machine.items.at(n) {
                            Item::Number(number) => number.value,
                            Item::Pair(by, number) => number.value * by,
                            Item::Small(n) => n as i64,
                        };
                    }
                }
            }
            b'2' => {
                if !machine.pairs.is_empty() {
                    sum += clear_pairs(machine, machine.turn.get());
                    let (by, number) = machine.pairs.at(0);
                    sum += number.value * by;
                }
            }
            b'm' => {
                let Some(key) = machine.key.get() else {
                    return -1;
                };
                if let Some(number) = machine.map.get(key) {
                    sum += number.value;
                }
            }
            // Each looks at the tag of a value, calls the function, and looks at the value.
            b'v' => {
                if machine.has_number() {
                    sum += swap_cell(machine, machine.turn.get());
                    sum += machine.amount();
                }
            }
            b'r' => {
                if machine.has_number() {
                    sum += swap_cell_readonly(machine, machine.turn.get());
                    sum += machine.amount();
                }
            }
            b'o' => {
                if machine.has_number() {
                    swap_cell_opaque(machine);
                    sum += machine.amount();
                }
            }
            b't' => {
                if machine.has_number() {
                    sum += swap_cell_inside(machine);
                    sum += machine.amount();
                }
            }
            b'q' => {
                if has_number(machine.quasi.get()) {
                    sum += swap_quasi(machine, machine.turn.get());
                    sum += amount(machine.quasi.get());
                }
            }
            b'a' => {
                if has_number(machine.cells[0].get()) {
                    sum += swap_cells(machine, machine.turn.get());
                    sum += amount(machine.cells[0].get());
                }
            }
            b's' => {
                let n = (machine.turn.get() % 2) as usize;
                if has_number(machine.cells[n].get()) {
                    sum += swap_cells(machine, machine.turn.get());
                    sum += amount(machine.cells[n].get());
                }
            }
            // What is stored has the variant that was there before the call.
            b'w' => {
                let n = (machine.turn.get() % 2) as usize + 2;
                if let Item::Small(by) = machine.cells[n].get() {
                    sum += swap_cells(machine, machine.turn.get());
                    machine.cells[n].set(Item::Small(by + 1));
                }
                sum += amount(machine.cells[n].get());
            }
            b'W' => {
                if let Item::Small(by) = machine.cells[2].get() {
                    sum += swap_cells(machine, machine.turn.get());
                    machine.cells[2].set(Item::Small(by + 1));
                }
                sum += amount(machine.cells[2].get());
            }
            b'?' => {
                let turn = machine.turn.get() + 1;
                machine.turn.set(turn);
                if turn < turns {
                    pc = 0;
                    can_enter_jit!();
                }
            }
            _ => return sum,
        }
    }
}

/// Runs a program for some turns, in one of which, if it comes, the promises are broken.
pub fn result(vm: &Vm, code: &str, turns: i64, bad_turn: i64) -> i64 {
    vm.enter(|| {
        let seven = Gc::new(Number { value: 7 });
        let key = |name| {
            Gc::new(Traitor {
                name,
                machine: Cell::new(None),
            })
        };
        let cells: GcArray<Cell<Item>> = GcArray::new(4, Item::Number(seven));
        cells[2].set(Item::Small(3));
        cells[3].set(Item::Small(4));
        let machine = Gc::new(Machine {
            code: GcArray::from_slice(code.as_bytes()),
            turn: Cell::new(0),
            bad_turn,
            numbers: List::from_slice(&[seven; 3]),
            items: List::from_slice(&[Item::Number(seven), Item::Pair(2, seven), Item::Small(9)]),
            pairs: List::from_slice(&[(3, seven)]),
            map: Map::new(),
            key: Cell::new(None),
            cell: Cell::new(Item::Number(seven)),
            either: Cell::new(Either::Holder(Gc::new(Holder { number: seven }))),
            quasi: Quasi::new(Item::Number(seven)),
            cells,
            number: Gc::new(Number { value: 0x1234 }),
        });
        machine.map.insert(key(1), seven);
        machine.map.insert(key(2), seven);
        let asked = key(2);
        asked.machine.set(Some(machine));
        machine.key.set(Some(asked));
        run(machine, turns)
    })
}

/// A VM for this language.
///
/// # Errors
/// As [`Vm::new`].
pub fn machine(options: Options) -> Result<Vm, VmError> {
    Vm::new(jit::program(), options)
}
