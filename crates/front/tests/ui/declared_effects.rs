use verdigris::{readonly, prelude::*};

pub struct OfSlots;
pub type Slots = GcArray<Cell<i64>, OfSlots>;
pub type Fixed = GcArray<i64>;

#[gc]
struct Table {
    used: Cell<i64>,
    size: i64,
    slots: Slots,
}

#[opaque(reads(Table.used, Table.uses, Tables.used), writes(Slots[], Fixed[], Table[]))]
fn look(table: Gc<Table>) -> i64 {
    table.used.get()
}

#[opaque(reads(Table.*, Table.size), writes(i64.used))]
fn measure(table: Gc<Table>) -> i64 {
    table.size
}

impl Table {
    #[readonly(used, slot)]
    fn find(&self) -> i64 {
        self.slots[0].get()
    }
}

#[portal]
fn run(table: Gc<Table>, fixed: Fixed) -> i64 {
    loop {
        merge_point!(greens = [], reds = [table, fixed]);
        table.used.set(look(table) + table.find() + table.slots[1].get());
        table.slots[1].set(measure(table) + fixed[0]);
    }
}
