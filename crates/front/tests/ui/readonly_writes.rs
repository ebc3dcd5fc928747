use verdigris::{readonly, prelude::*};

#[gc]
struct Table {
    hits: Cell<i64>,
    last: Cell<i64>,
    items: GcArray<Cell<i64>>,
}

impl Table {
    #[readonly]
    fn find(&self, key: i64) -> i64 {
        self.hits.set(self.hits.get() + 1);
        remember(self.items, key);
        let scratch = Gc::new(Entry { key: Cell::new(0) });
        scratch.key.set(key);
        scratch.key.get()
    }

    #[readonly(last)]
    fn latest(&self, key: i64) -> i64 {
        self.last.replace(key)
    }
}

#[gc]
struct Entry {
    key: Cell<i64>,
}

fn remember(items: GcArray<Cell<i64>>, key: i64) {
    items[0].set(key);
}

#[portal]
fn run(table: Gc<Table>, entry: Gc<Entry>) -> i64 {
    loop {
        merge_point!(greens = [], reds = [table, entry]);
        entry.key.set(table.find(table.hits.get()));
        table.items[1].set(table.latest(table.last.get()));
    }
}
